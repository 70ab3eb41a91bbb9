"""Readers for the benchmarks of NCCL and RCCL, and for their logs."""
