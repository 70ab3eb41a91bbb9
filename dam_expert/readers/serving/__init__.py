"""Readers for model servers and for the tools that load them."""
