"""Parsers trained and self-trained, and rules learned from reference orders."""
