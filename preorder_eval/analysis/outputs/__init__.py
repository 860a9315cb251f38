"""Outputs of translation systems analysed: words, n-grams, lengths, sentences that moved."""
