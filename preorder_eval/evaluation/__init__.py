"""Scoring: systems, what they are compared with, their scores, and comparisons of systems."""
