"""Parsers: spaCy pipelines and files of trees, one interface for both (`base.Parser`).

`loading` finds them by name. Nothing here imports spaCy before a pipeline is asked for.
"""
