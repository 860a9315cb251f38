"""Dependency trees: treebanks, CoNLL-U, n-best lists, tags, labels, and other tokens."""
