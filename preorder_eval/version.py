"""The version, which signatures, results and run folders state."""

__version__ = "0.4.0"
