"""The version, which signatures, results and run folders state."""

__version__ = "1.0.0"
