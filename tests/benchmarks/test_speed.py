"""How fast the kernels are: `pytest tests/benchmarks -n 0`. Figures are for reading.

Each benchmark prints its time per round; divide the number of sentences or tokens that its name
states by it.
"""

import subprocess
import sys

import numpy as np
import pytest

from preorder_eval.alignment import align
from preorder_eval.data.arrays import offsets_of
from preorder_eval.data.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.data.ragged import NameColumn
from preorder_eval.data.treebank import Treebank
from preorder_eval.formats.conllu import write_conllu
from preorder_eval.formats.pharaoh import format_alignments
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules import load_rules
from preorder_eval.formats.writing import write_text
from preorder_eval.metrics import metric
from preorder_eval.stats.bootstrap import bootstrap
from preorder_eval.stats.measurement import Measurement

SENTENCES, LENGTH = 50_000, 25


@pytest.fixture(scope="module")
def corpus():
    """Orders and references of 50,000 sentences of 25 tokens, a fifth of the tokens tied."""
    rng = np.random.default_rng(0)
    offsets = offsets_of([LENGTH] * SENTENCES)
    shape = (SENTENCES, LENGTH)
    place = np.argsort(rng.random(shape), axis=1)
    groups = np.cumsum(rng.random(shape) < 0.8, axis=1)
    ranks = np.take_along_axis(groups - groups[:, :1], place, axis=1).astype(np.int32).ravel()
    noise = np.argsort(np.argsort(place, axis=1) + rng.normal(0, 2, shape), axis=1)
    words = NameColumn(rng.integers(0, 200, SENTENCES * LENGTH, dtype=np.int32), tuple("w" * 200))
    return (
        Orders(offsets, noise.astype(np.int32).ravel()),
        ReferenceOrders(offsets, ranks, np.ones(len(ranks), dtype=bool)),
        SourceWords.of_column(offsets, words),
    )


@pytest.fixture(scope="module")
def treebank():
    """The bundled trees a hundred times over: 30,000 sentences."""
    return Treebank.of(list(load_reference("en-ja").trees) * 100)


@pytest.mark.parametrize("aligner", ["agree", "ibm1"])
def test_align_10000_pairs_of_20_words(benchmark, aligner):
    rng = np.random.default_rng(0)
    # Word frequencies as in texts; half of a sentence's words are translated, in any order.
    source = (rng.zipf(1.3, (10_000, 20)) % 30_000).astype(str)
    target = np.where(
        rng.random(source.shape) < 0.5, source, rng.permuted(source.ravel()).reshape(source.shape)
    )
    target = np.char.add("t", rng.permuted(target, axis=1))
    sides = np.char.add("s", source).tolist(), target.tolist()
    benchmark.pedantic(align, (*sides, aligner), rounds=1)


@pytest.mark.parametrize("signature", ["fuzzy(match=position)", "fuzzy(match=word)", "kendall"])
def test_score_50000_sentences_of_25_tokens(benchmark, corpus, signature):
    benchmark(metric(signature).score, *corpus)


def test_reorder_and_score_30000_sentences(benchmark, treebank):
    rules, fuzzy, kendall = load_rules("en-ja"), metric("fuzzy"), metric("kendall")
    references = ReferenceOrders.of(list(load_reference("en-ja").references) * 100)
    words = SourceWords.of(treebank.sentences)
    benchmark.extra_info["tokens"] = len(treebank.words)

    def reorder_and_score():
        orders = rules.reorder(treebank)
        fuzzy.score(orders, references, words)
        kendall.score(orders, references, words)

    benchmark(reorder_and_score)


def test_resample_20000_sentences_1000_times_for_two_systems(benchmark):
    statistics = np.random.default_rng(0).random((1, 20_000, 8))
    benchmark(bootstrap, [Measurement(statistics, lambda s: s[..., 0])], resamples=1000, seed=0)


def test_evaluate_600_trees_with_five_rule_sets(benchmark, tmp_path):
    """The whole process, start to end."""
    reference = load_reference("en-ja")
    trees = Treebank.of(list(reference.trees) * 2)
    write_conllu(tmp_path / "t.conllu", trees)
    alignments = type(reference.alignments).of([*map(list, reference.alignments)] * 2)
    write_text(tmp_path / "t.align", format_alignments(alignments))
    command = [sys.executable, "-m", "preorder_eval", "evaluate"]
    command += ["--trees", str(tmp_path / "t.conllu"), "--alignment", str(tmp_path / "t.align")]
    benchmark.pedantic(
        subprocess.run, (command,), {"check": True, "capture_output": True}, rounds=3
    )


def test_help(benchmark):
    command = [sys.executable, "-m", "preorder_eval", "--help"]
    benchmark.pedantic(
        subprocess.run, (command,), {"check": True, "capture_output": True}, rounds=5
    )
