import shutil

import numpy as np
import pytest

from preorder_eval.analysis.error_analysis import TABLES, analyse
from preorder_eval.analysis.run_trees import gold_trees, only_system, parsed_trees, system_made_by
from preorder_eval.data.orders import Orders
from preorder_eval.data.treebank import Column, Treebank
from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.formats.reference_folder import load_reference
from preorder_eval.formats.rules_toml import load_rules, rules_path
from preorder_eval.formats.tables import format_json
from preorder_eval.formats.folders import write_folder
from preorder_eval.formats.run_folder import read_stored
from preorder_eval.metrics.fuzzy import Fuzzy
from preorder_eval.resources import bundled
from preorder_eval.results.evaluation import System, evaluate


@pytest.fixture(scope="module")
def blind():
    """Gold trees of the bundled set as a parser gives them that takes every verb for a noun."""
    gold = load_reference("en-ja").trees
    names = ["NOUN" if name == "VERB" else name for name in gold.upos.names]
    upos = Column.of(Column(gold.upos.codes, tuple(names)).strings())
    return Treebank(gold.offsets, gold.words, gold.heads, gold.labels, upos, gold.xpos)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, blind):
    """A run of the parser `blind` and of orders from elsewhere on the bundled reference set."""
    reference = load_reference("en-ja")
    systems = [
        System("blind", "en-ja", load_rules("en-ja").reorder(blind), {}),
        System("elsewhere", "", Orders.unchanged(blind.offsets), {}),
    ]
    result = evaluate(reference, systems, [Fuzzy()], resamples=10)
    folder = tmp_path_factory.mktemp("runs") / "run"
    files = {
        "run.json": format_json(result.summary()),
        "sentences.tsv": result.sentences_tsv(),
        "scores.tsv": result.scores_tsv(),
        "trees/blind.conllu": format_conllu(blind),
        "rules/en-ja.toml": rules_path("en-ja").read_text(),
    }
    write_folder(folder, files)
    return folder


@pytest.fixture(scope="module")
def run_folder(folder):
    return read_stored(folder)


@pytest.fixture(scope="module")
def analysis(run_folder):
    return analyse(run_folder, "blind/en-ja")


def test_score_and_sentences_are_those_of_the_run(run_folder, analysis):
    scores = run_folder.systems["blind/en-ja"].scores[:, 0]
    np.testing.assert_allclose(analysis.scores, scores)
    assert analysis.score == pytest.approx(np.nanmean(scores))
    assert analysis.sentences == 300
    assert analysis.total.cost == pytest.approx(1 - analysis.score)
    assert analysis.placement.wrong.sum() == analysis.total.wrong


def test_the_worst_sentences_come_first(run_folder, analysis):
    worst = [analysis.scores[s - 1] for s in analysis.worst]
    assert worst == sorted(worst)
    assert worst[-1] < 1
    assert len(worst) == (analysis.scores < 1).sum()
    lengths = [len(run_folder.source[s - 1]) for s in analysis.worst]
    assert all(
        a >= b for a, b, x, y in zip(lengths, lengths[1:], worst, worst[1:], strict=False) if x == y
    )


def test_what_the_parser_is_blamed_for(analysis, blind):
    errors = analysis.parser_errors
    assert errors.score == analysis.score < errors.gold_score
    [confusion] = errors.confusions
    assert (confusion.kind, confusion.gold, confusion.parsed) == ("tag", "VERB", "NOUN")
    gold = load_reference("en-ja").trees
    assert confusion.count == confusion.repaired == gold.upos.strings().count("VERB")
    assert confusion.cost > 0


def test_tables_of_the_bundled_reference(analysis):
    assert list(analysis.breakdowns) == [
        "word", "upos", "label", "head", "phenomenon", "length",
    ]  # fmt: skip
    assert len(analysis.breakdowns["phenomenon"].groups) == 30


def test_orders_from_elsewhere_go_by_gold_trees(run_folder):
    analysis = analyse(run_folder, "elsewhere")
    assert analysis.parser_errors is None
    gold = load_reference("en-ja").trees
    verbs = next(g for g in analysis.breakdowns["upos"].groups if g.name == "VERB")
    assert verbs.count == gold.upos.strings().count("VERB")


def test_without_gold_trees(run_folder, monkeypatch):
    monkeypatch.setitem(run_folder.summary["reference"]["files"], "source.conllu", "other")
    assert gold_trees(run_folder) is None
    blamed = analyse(run_folder, "blind/en-ja")
    assert blamed.parser_errors is None
    assert list(blamed.breakdowns) == ["word", "upos", "label", "head", "length"]
    nothing = analyse(run_folder, "elsewhere")
    assert (list(nothing.breakdowns), nothing.crossings) == (["word", "length"], ())
    source = bundled("reference_data") / "en-ja" / "source.conllu"
    assert analyse(run_folder, "blind/en-ja", source).parser_errors is not None


def test_gold_trees_of_the_run_itself(folder, tmp_path, gold):
    shutil.copytree(folder, tmp_path / "run")
    (tmp_path / "run/trees/gold.conllu").write_text(format_conllu(gold.take(np.arange(299))))
    with pytest.raises(FormatError, match=r"gold\.conllu: 299 trees for the 300 sentences"):
        gold_trees(read_stored(tmp_path / "run"))


def test_trees_of_other_sentences_are_refused(run_folder, tmp_path, gold):
    other = gold.take(np.r_[np.arange(7), 8, 7, np.arange(9, 300)])
    path = tmp_path / "gold.conllu"
    path.write_text(format_conllu(other))
    with pytest.raises(FormatError, match="sentence 8 has other words"):
        analyse(run_folder, "blind/en-ja", path)


def test_systems_by_name(run_folder):
    assert system_made_by(run_folder, "blind/en-ja") == ("blind", "en-ja")
    assert system_made_by(run_folder, "elsewhere") == ("", "")
    assert parsed_trees(run_folder, "elsewhere") is None
    assert only_system(run_folder, "elsewhere") == "elsewhere"
    with pytest.raises(PreorderEvalError, match="blind/en-ja, elsewhere"):
        only_system(run_folder, None)
    for look_up in (only_system, system_made_by, analyse):
        with pytest.raises(UnknownNameError, match="elsewhere"):
            look_up(run_folder, "elsewhre")


@pytest.mark.parametrize("systems", [None, "blind/en-ja", ["blind/en-ja"]])
def test_a_summary_that_was_changed(run_folder, monkeypatch, systems):
    monkeypatch.setitem(run_folder.summary, "systems", systems)
    with pytest.raises(FormatError, match=r"run\.json: no list of systems"):
        analyse(run_folder, "blind/en-ja")


@pytest.mark.parametrize("name", ["trees/blind.conllu", "rules/en-ja.toml"])
def test_a_file_that_was_removed(folder, tmp_path, name):
    shutil.copytree(folder, tmp_path / "run")
    (tmp_path / "run" / name).unlink()
    with pytest.raises(FormatError, match=name):
        analyse(read_stored(tmp_path / "run"), "blind/en-ja")


def test_narrowed(analysis):
    kinds = analysis.narrowed(["crossings"], least=100, top=3).crossings
    assert kinds == tuple(kind for kind in analysis.crossings if kind.count >= 100)[:3]
    few = analysis.narrowed(["label", "errors"], least=100, top=3)
    assert few.crossings == ()
    assert list(few.breakdowns) == ["label"]
    expected = [g for g in analysis.breakdowns["label"].groups if g.count >= 100][:3]
    assert list(few.breakdowns["label"].groups) == expected
    assert few.worst == ()
    assert few.parser_errors.confusions == analysis.parser_errors.confusions
    everything = analysis.narrowed()
    assert everything.breakdowns == analysis.breakdowns
    assert everything.worst == analysis.worst
    with pytest.raises(UnknownNameError, match="label"):
        analysis.narrowed(["lable"])
    with pytest.raises(PreorderEvalError, match="# score"):
        analysis.narrowed(["confidence"])


def test_every_table_that_can_be_missing_says_why():
    assert {name for name, reason in TABLES.items() if not reason} == {
        "word", "length", "sentences",
    }  # fmt: skip


def test_plain_values(analysis):
    summary = analysis.narrowed(["upos", "errors", "sentences"], top=2).summary()
    assert list(summary["groups"]) == ["upos"]
    assert [len(rows) for rows in (summary["groups"]["upos"], summary["worst"])] == [2, 2]
    (header, groups), _, (columns, errors), (_, worst) = analysis.narrowed(top=1).tables()
    assert {len(row) for row in groups} == {len(header)}
    assert dict(zip(columns, errors[0], strict=True))["gold"] == "VERB"
    assert worst[0][0] == analysis.worst[0]
    row = dict(zip(header, groups[0], strict=True))
    assert row["share low"] < row["share"] < row["share high"]
    first = analysis.breakdowns["word"].groups[0]
    assert row["sentences"].split() == [str(s) for s in first.sentences]
