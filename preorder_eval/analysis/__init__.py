"""Analysis of the sources of errors (parsers, rules, words and outputs), and the report."""
