"""Scoring: systems, the references, scores, and comparisons of systems."""
