import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from preorder_eval.analysis.analyse import analyse
from preorder_eval.analysis.sentences import gold_trees
from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.ragged import NameColumn
from preorder_eval.base.resources import bundled
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.score import score
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.orders.orders import Orders, ReferenceOrders, SourceWords
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.trees.conllu import format_conllu
from preorder_eval.trees.treebank import Treebank


@pytest.fixture(scope="module")
def blind():
    """Gold trees of the bundled set as a parser gives them that takes every verb for a noun."""
    gold = load_reference("en-ja").trees
    names = ["NOUN" if name == "VERB" else name for name in gold.upos.names]
    upos = NameColumn.of(NameColumn(gold.upos.codes, tuple(names)))
    return Treebank(gold.offsets, gold.words, gold.heads, gold.labels, upos, gold.xpos)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, blind):
    """A run of the parser `blind` and of orders from elsewhere on the bundled reference set."""
    reference = load_reference("en-ja")
    systems = [
        Parsed({"name": "blind"}, blind).reordered("en-ja"),
        System.from_orders(Orders.unchanged(blind.offsets), reference, name="elsewhere"),
    ]
    folder = tmp_path_factory.mktemp("runs") / "run"
    write_run(evaluate(reference, systems, ["fuzzy"], resamples=10), folder)
    return folder


@pytest.fixture(scope="module")
def result(folder):
    return read_run(folder)


@pytest.fixture(scope="module")
def analysis(result):
    return analyse(result, "blind/en-ja")


@pytest.mark.slow
def test_score_and_sentences_are_those_of_the_run(result, analysis):
    scores = result.sentence_scores("blind/en-ja")
    np.testing.assert_allclose(analysis.scores, scores)
    assert analysis.score == pytest.approx(np.nanmean(scores))
    assert analysis.sentences == 300
    assert analysis.total.cost == pytest.approx(1 - analysis.score)
    assert analysis.placement.wrong.sum() == analysis.total.wrong


def test_the_worst_sentences_come_first(result, analysis):
    worst = [analysis.scores[s - 1] for s in analysis.worst]
    assert worst == sorted(worst)
    assert worst[-1] < 1
    assert len(worst) == (analysis.scores < 1).sum()
    lengths = [len(result.inputs.reference.source[s - 1]) for s in analysis.worst]
    assert all(
        a >= b for a, b, x, y in zip(lengths, lengths[1:], worst, worst[1:], strict=False) if x == y
    )


def test_of_several_references_it_says_which_a_sentence_is_scored_against(result, analysis):
    reference = result.inputs.ordered
    [orders] = [s.orders for s in result.inputs.systems if s.name == "blind/en-ja"]
    for s in range(0, len(reference), 6):
        of_sentence = reference.orders_of(s)
        words = SourceWords.of([reference.source[s]])
        scores = [
            Fuzzy().score(Orders.of([orders[s]]), ReferenceOrders.of([one]), words).corpus
            for one in of_sentence
        ]
        assert analysis._out_of[s] == len(of_sentence)
        assert analysis.which[s] == 1 + scores.index(max(scores))
        assert list(analysis.references[s]) == list(of_sentence[analysis.which[s] - 1])
    assert max(analysis.which) > 1


def test_what_the_parser_is_blamed_for(analysis, blind):
    errors = analysis.parser_errors
    assert errors.score == analysis.score < errors.gold_score
    [confusion] = errors.confusions
    assert (confusion.kind, confusion.gold, confusion.parsed) == ("tag", "VERB", "NOUN")
    gold = load_reference("en-ja").trees
    assert confusion.count == confusion.repaired == list(gold.upos).count("VERB")
    assert confusion.cost > 0


def test_orders_from_elsewhere_go_by_gold_trees(result):
    analysis = analyse(result, "elsewhere")
    assert analysis.parser_errors is None
    gold = load_reference("en-ja").trees
    verbs = next(g for g in analysis.groups["upos"] if g.name == "VERB")
    assert verbs.count == list(gold.upos).count("VERB")


@pytest.mark.slow
def test_without_gold_trees(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "run")
    record = json.loads((tmp_path / "run/run.json").read_text())
    for name, found in (("en-ja.free", True), ("source.conllu", False)):
        record["reference"]["files"][name] = "other"
        (tmp_path / "run/run.json").write_text(json.dumps(record))
        result = read_run(tmp_path / "run")
        assert (gold_trees(result) is not None) == found
    assert analyse(result, "en-ja").system == "blind/en-ja"  # its rules alone name it
    blamed = analyse(result, "blind/en-ja")
    assert blamed.parser_errors is None
    assert list(blamed.groups) == ["word", "upos", "label", "head", "length"]
    changed = r"errors for blind/en-ja: en-ja has changed since: source.conllu .* other in the run"
    with pytest.raises(PreorderEvalError, match=changed):
        blamed.narrowed(["errors"])
    nothing = analyse(result, "elsewhere")
    assert list(nothing.groups) == ["word", "length"]
    source = bundled("reference_data") / "en-ja" / "source.conllu"
    assert analyse(result, "blind/en-ja", source).parser_errors is not None


@pytest.mark.slow
def test_gold_trees_of_a_part_of_a_bundled_set(tmp_path):
    part = load_reference("en-ja-web/test")
    orders = [list(range(len(words))) for words in part.source]
    write_run(evaluate(part, orders={"source": orders}, resamples=10), tmp_path / "run")
    assert gold_trees(read_run(tmp_path / "run")).sentences == part.source
    record = (tmp_path / "run/run.json").read_text()
    (tmp_path / "run/run.json").write_text(record.replace("en-ja-web/test", "en-ja-web/other"))
    assert gold_trees(read_run(tmp_path / "run")) is None


def test_trees_of_other_sentences_are_refused(result, tmp_path, gold):
    other = gold.take(np.r_[np.arange(7), 8, 7, np.arange(9, 300)])
    path = tmp_path / "gold.conllu"
    path.write_text(format_conllu(other))
    with pytest.raises(FormatError, match="sentence 8 has other words"):
        analyse(result, "blind/en-ja", path)


@pytest.mark.slow
def test_a_result_in_memory_is_analysed_as_its_folder_is(blind, analysis):
    system = Parsed({"name": "blind"}, blind).reordered("en-ja")
    made = analyse(evaluate("en-ja", [system], ["kendall"], resamples=10))
    assert made.to_dict() == analysis.to_dict()


def test_outputs_alone_cannot_be_analysed():
    with pytest.raises(PreorderEvalError, match="has outputs only; this analysis needs orders"):
        analyse(score({"mt": ["a"]}, ["a"], ["wer"]))


def test_narrowed(analysis):
    few = analysis.narrowed(["label", "errors"], least=100, top=3)
    assert list(few.worst) == []
    assert few.groups == {"label": [g for g in analysis.groups["label"] if g.count >= 100][:3]}
    assert few.parser_errors.confusions == analysis.parser_errors.confusions
    everything = analysis.narrowed()
    assert everything.groups == analysis.groups
    assert everything.worst == analysis.worst
    with pytest.raises(UnknownNameError, match="label"):
        analysis.narrowed(["lable"])
    with pytest.raises(PreorderEvalError, match="no trees of this system"):
        replace(analysis, groups={}).narrowed(["upos"])
