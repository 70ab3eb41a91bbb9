"""Finds the constraint that binds in a machine-learning system: data, algorithm or machine."""
