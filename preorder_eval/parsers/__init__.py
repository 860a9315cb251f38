"""Parsers: spaCy pipelines, functions and files of trees, with one interface (`parser.Parser`).

`load_parser` finds them by name. spaCy is only imported when a pipeline is asked for.
"""
