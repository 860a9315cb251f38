"""Run folders: the inputs and results of an evaluation, as files."""
