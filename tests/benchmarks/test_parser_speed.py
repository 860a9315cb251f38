"""How fast the bundled parser is on the bundled set: `pytest tests/benchmarks -n 0`.

Figures are for reading; words per second are printed beside them.
"""

import pytest

from preorder_eval.formats.rules import load_rules
from preorder_eval.parsers.cache import ParseCache
from preorder_eval.parsers.loading import load_parser
from preorder_eval.reordering.consensus import consensus_trees


def report(benchmark, sentences):
    if benchmark.disabled:  # a trial run, without figures
        return
    words = sum(map(len, sentences))
    benchmark.extra_info["words per second"] = round(words / benchmark.stats.stats.min)


@pytest.mark.parametrize("n", [None, 8, 16, 64])
def test_parse(benchmark, parser, gold, n):
    sentences = gold.sentences if n is None else gold.sentences[:100]
    parser.parse(sentences[:2], n)
    benchmark.pedantic(parser.parse, (sentences, n), rounds=2)
    report(benchmark, sentences)


@pytest.mark.parametrize("n", [None, 8])
def test_parse_from_the_cache(benchmark, gold, tmp_path, n):
    cached = load_parser("en-web", ParseCache(tmp_path / "parses.sqlite", pytest.fail))
    cached.parse(gold.sentences, n)
    benchmark.pedantic(cached.parse, (gold.sentences, n), rounds=3)
    report(benchmark, gold.sentences)


@pytest.mark.parametrize("n", [8, 16])
def test_consensus_of_parses(benchmark, parser, gold, n):
    sentences, rules = gold.sentences[:100], load_rules("en-ja")
    nbest = parser.parse(sentences, n)
    benchmark.pedantic(consensus_trees, (nbest, rules), rounds=3)
    report(benchmark, sentences)
