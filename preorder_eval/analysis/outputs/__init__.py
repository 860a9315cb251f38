"""Outputs of translation systems analysed: scores by length, sentences that differ."""
