"""Orders analysed: wrongly placed words, parser errors, groups of sentences."""
