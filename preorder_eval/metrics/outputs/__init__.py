"""Metrics of outputs of translation systems: a family in each file."""
