"""Corpora larger than one machine: the same work over shards, on the workers of a Dask cluster.

A corpus lies in *shards*, files of some ten thousand sentences each, which all workers can read.
Every shard is processed separately. Workers write parsed and reordered text to a file for each
shard. They send scores back to the command, which combines them into the same result that one
machine would compute for the whole corpus: the same class, with the same values, run folder and
report.
"""
