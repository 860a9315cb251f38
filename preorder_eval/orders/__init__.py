"""Orders of words, and the word alignments from which reference orders are made."""
