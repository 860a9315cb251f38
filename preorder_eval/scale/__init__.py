"""Corpora larger than one machine: the same work over shards, on the workers of a Dask cluster.

A corpus lies in *shards*, files of some ten thousand sentences each, which all workers can read.
Every shard is worked on by itself, and its results are a file, so that stopped work continues where
it was. Metrics give additive statistics of every sentence. So scores, intervals and tests of the
whole are sums over shards: those of one process, to the last bit. What travels are names of files,
options, rule sets as text, and sums: no texts and no objects of the user's.
"""
