"""Corpora larger than one machine: the same work over shards, on the workers of a Dask cluster.

A corpus lies in *shards*, files of some ten thousand sentences each, which all workers can read.
Every shard is worked on by itself. What workers parse and reorder they write, a file for each
shard. What they score comes back to the command, which puts it together to the result that one
machine has of the whole: the same class, with the same values, run folder and report.
"""
