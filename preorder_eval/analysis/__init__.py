"""Analyses of results: parsers, rules and words."""
