"""The version of the program; the knowledge base is named by the hash of its content."""

__version__ = "0.1.0"
