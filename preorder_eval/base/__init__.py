"""General code that does not depend on word order: files, text, tables, statistics, pages."""
