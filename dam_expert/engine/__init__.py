"""Part of dam-expert."""
