"""Rules from a treebank of the target language."""
