"""Readers for what monitoring systems export: Prometheus range queries, Grafana panels."""
