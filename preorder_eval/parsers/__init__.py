"""Parsers: spaCy pipelines, functions and files of trees, with one interface (`parser.Parser`).

`loading` finds them by name. spaCy is only imported when a pipeline is asked for.
"""
