"""Readers for Nsight Systems: the SQLite export, and the tables of ``nsys stats``."""
