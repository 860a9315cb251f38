"""Rules that reorder trees: conditions, matching, rule files, and rules of treebanks."""
