"""What results say about parsers, rules and words."""
