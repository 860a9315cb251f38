"""General parts that know nothing of word order: files, text, tables, statistics, pages."""
