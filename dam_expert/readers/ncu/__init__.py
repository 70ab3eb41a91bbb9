"""Readers for Nsight Compute: what it prints, and its CSV."""
