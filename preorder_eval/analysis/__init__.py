"""Where errors come from: parsers, rules, words and outputs; and the report of all that."""
