"""Two parsers beside gold trees: on constructions, and by the words that only one has wrong."""

import json

import numpy as np
import pytest

from preorder_eval.analysis.analyse_parsers import analyse_parsers
from preorder_eval.analysis.errors_apart import errors_apart, word_errors
from preorder_eval.analysis.parser_check import ByParser, parser_check
from preorder_eval.analysis.report import build
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.resources import bundled
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.clearnlp import to_ud
from preorder_eval.trees.conllu import format_conllu, read_conllu
from preorder_eval.trees.scheme_differences import LACKING, without_differences
from preorder_eval.trees.schemes import LABELS, base_label
from preorder_eval.trees.treebank import Tree, Treebank

CONSTRUCTIONS = bundled("reference_data") / "constructions" / "source.conllu"


def spoilt(trees, chosen):
    """Trees in which the object of the chosen constructions is something else."""
    new = []
    for tree in trees:
        name = next(c.partition("= ")[2] for c in tree.comments if c.startswith("# construction"))
        labels = [
            "parataxis" if label == "obj" and name in chosen else label for label in tree.labels
        ]
        new.append(
            Tree(tree.words, tree.heads, labels, tree.upos, tree.xpos, comments=tree.comments)
        )
    return Treebank.of(new)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    gold = read_conllu(CONSTRUCTIONS)
    (folder / "gold.conllu").write_text(format_conllu(gold))
    (folder / "bad.conllu").write_text(format_conllu(spoilt(gold, {"ditrans-to", "perfect"})))
    return folder


def test_what_is_shown_of_the_cells_of_parsers():
    gold, right = [[1, 1, 1, 1], [1, 0, 1, 1]], [[0, 0, 1, 1], [0, 0, 1, 0]]
    faults = [["y: obl for obj"], ["y: obl for obj", "x: head of obj"], [], []]
    kinds, groups, sentences = ("a", "a", "a", "b"), ("g", "g", "g", "h"), [["x", "y"]] * 4
    arrays = np.array(gold, dtype=bool), np.array([right], dtype=bool)
    found = ByParser(("p",), ("ja", "ko"), kinds, groups, sentences, *arrays, [faults])
    assert found.verdict == "p gets 43% of the orders right that gold trees get right (3 of 7)."
    assert found.wrong.tolist() == [[True, True, False, True]]
    by_group, by_construction = found.tables()
    assert [row[:3] for row in by_group.rows] == [["g", 2, 3], ["h", 1, 1]]
    [share, _] = by_group.cells(("right", "p"))
    assert share[0] == 2 / 5
    assert share[1] < 2 / 5 < share[2]
    assert by_construction.rows == [
        ["a", "g", 2, 3, "x y", "y: obl for obj (2)"], ["b", "h", 1, 1, "x y", ""],
    ]  # fmt: skip
    _, patterns = found.view()
    assert patterns.rows == [["2", "a", "x y", "y: obl for obj (2)"]]
    assert patterns.notes[0].startswith("1 more sentence with isolated errors")
    assert found.to_dict()["shares"] == [3 / 7]


@pytest.mark.slow
def test_gold_trees_have_all_that_they_have_right(files):
    found = parser_check([files / "gold.conllu"], [load_rules("en-ja"), load_rules("en-ko")])
    assert found.counts == (found.gold.sum(),)
    assert not found.wrong.any()


@pytest.mark.slow
def test_a_construction_that_one_parser_has_wrong_is_named_with_its_fault(files):
    rules = [load_rules("en-ja"), load_rules("en-ko")]
    found = parser_check([files / "gold.conllu", files / "bad.conllu"], rules)
    lost = found.counts[0] - found.counts[1]
    assert lost > 0
    assert f"-{lost} of {found.counts[0]}" in found.verdict
    wrong = {found.constructions[s] for s in np.flatnonzero(found.wrong[1])}
    assert wrong <= {"ditrans-to", "perfect"}
    _, patterns = found.view()
    assert "ditrans-to" in {row[1] for row in patterns.rows} <= wrong
    assert all("parataxis for obj" in row[3] for row in patterns.rows)


@pytest.mark.slow
def test_constructions_are_drawn_whole(files):
    """Two constructions that differ cannot show anything, however many cells they have."""
    found = parser_check([files / "gold.conllu", files / "bad.conllu"])
    facts = found.to_dict()["verdict"]
    assert (facts["decision"], facts["differing"]) == ("cannot be shown", 2)
    assert found.verdict.startswith("No difference between gold and bad can be shown: ")
    told = f"; only 2 of {facts['constructions']} constructions differ; at least 6 must)."
    assert found.verdict.endswith(told)


@pytest.mark.slow
def test_the_commands(files, run):
    code, out, err = run(
        "compare", files / "gold.conllu", files / "bad.conllu", "--reference", "constructions",
        "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["parsers"] == ["gold", "bad"]
    assert facts["right"][0] == facts["cells"] > facts["right"][1]
    code, out, _ = run("rules", "check", "en-ja", "--parser", files / "gold.conllu")
    assert (code, "100%" in out) == (0, True)


@pytest.mark.slow
def test_of_a_run_on_the_constructions_its_own_trees_are_compared(files):
    bad, gold = (read_conllu(files / f"{name}.conllu") for name in ("bad", "gold"))
    worse = spoilt(gold, {"ditrans-to", "perfect", "ditrans-double"})
    both = [Parsed({"name": "bad"}, bad), Parsed({"name": "worse"}, worse)]
    systems = [parsed.reordered("en-ja") for parsed in both]
    found = analyse_parsers(evaluate("constructions@ja", systems, ["fuzzy"], resamples=9))
    assert found.constructions.counts == parser_check(both).counts


TAGS = [["X"] * 3] * 2


def forty(one, other):
    """Forty trees of a sentence with the labels of its two nouns by the sentence's number."""
    words = ["We", "eat", "fish"]
    return Treebank.of(
        [Tree(words, [1, -1, 1], [one(n), "root", other(n)], *TAGS) for n in range(40)]
    )


GOLD = forty(lambda _: "nsubj", lambda _: "obj")
FIRST = forty(lambda _: "nsubj", lambda n: "obl" if n < 30 else "obj")
SECOND = forty(lambda n: "obj:x" if n < 12 else "nsubj:pass", lambda _: "obj")


def run_of(*trees, gold=GOLD):
    source = [list(words) for words in GOLD.sentences]
    links = Alignments.of([[(0, 0), (1, 2), (2, 1)]] * len(source))
    reference = ReferenceSet("own", source, links, trees=gold)
    systems = [Parsed({"name": f"p{n}"}, own).reordered("en-ja") for n, own in enumerate(trees, 1)]
    return evaluate(reference, systems, ["fuzzy"], resamples=9)


def test_heads_and_labels_that_one_alone_has_wrong_are_counted_by_gold_label():
    found = errors_apart([FIRST, SECOND], GOLD)
    assert (found.words, found.left_out, found.head, found.label) == (120, 0, (0, 0), (30, 12))
    assert [row[:7] for row in found.by_label.rows] == [
        ["obj", 40, 0, 0, None, 30, 0],
        ["nsubj", 40, 0, 0, None, 0, 12],
        ["other labels", 40, 0, 0, None, 0, 0],
    ]  # fmt: skip
    assert found.by_label.cells("label wrong A")[0][0] == 30 / 40
    first, second, rest = found.by_label.cells("label p")
    assert first <= second < 0.01
    assert rest is None


def test_a_wrong_label_counts_as_one_only_at_the_right_head():
    """The object hangs on the subject, with another label: that is an error of its head."""
    tree, right = (
        Tree(["We", "eat", "fish"], [1, -1, head], ["nsubj", "root", label], *TAGS)
        for head, label in ((0, "nmod"), (1, "obj"))
    )
    wrong = word_errors(Treebank.of([tree]), Treebank.of([right]))
    assert wrong.head.tolist() == [False, False, True]
    assert not wrong.label.any()


FUN = ["It", "is", "fun", "to", "ski", ",", "Anna", "Berg", "!"]
FUN_GOLD = Tree(
    FUN, [2, 2, -1, 4, 2, 6, 2, 6, 2],
    ["expl", "cop", "root", "mark", "csubj", "punct", "vocative", "flat", "punct"],
    *[["X"] * 9] * 2,
)  # fmt: skip
FUN_CLEARNLP = Tree(
    FUN, [1, -1, 1, 4, 1, 1, 7, 1, 1],
    ["nsubj", "ROOT", "acomp", "aux", "xcomp", "punct", "compound", "npadvmod", "punct"],
    ["PRON", "AUX", "ADJ", "PART", "VERB", "PUNCT", "PROPN", "PROPN", "PUNCT"],
    ["PRP", "VBZ", "JJ", "TO", "VB", ",", "NNP", "NNP", "."],
)  # fmt: skip


def test_what_label_schemes_differ_in_is_charged_to_no_parser():
    """Both trees are right by their schemes; those of ClearNLP come as they are, or converted."""
    gold, own = Treebank.of([FUN_GOLD] * 12), Treebank.of([FUN_CLEARNLP] * 12)
    for trees, converted in ((own, False), (to_ud(own), True)):
        found = errors_apart([gold, trees], gold, converted=converted)
        assert (found.words, found.left_out, found.head, found.label) == (36, 72, (0, 0), (0, 0))
        kinds = {row[0]: row[1:4] for row in found.by_conversion.rows}
        assert kinds["it that stands for a clause"] == [12, 0, 12]
        assert kinds["clauses that it stands for"] == [12, 0, 12]
        assert kinds["names"] == [24, 0, 24]
    unconverted = errors_apart([gold, to_ud(own)], gold)
    assert (unconverted.left_out, unconverted.label[1]) == (0, 24)
    repaired = without_differences(to_ud(own), gold)
    assert list(repaired.labels)[:6] == list(gold.labels)[:6]


def test_the_conversion_never_gives_the_labels_that_clearnlp_lacks():
    listed = sorted(LABELS["clearnlp"])
    words, size = ["w"] * (len(listed) + 1), len(listed) + 1
    for tag in ("NOUN", "VERB", "INTJ", "PROPN", "X"):
        tree = Tree(words, [-1, *[0] * len(listed)], ["ROOT", *listed], [tag] * size, ["_"] * size)
        assert not {base_label(label) for label in to_ud(Treebank.of([tree])).labels} & {*LACKING}


@pytest.mark.slow
def test_two_systems_of_a_run_by_their_parsers(tmp_path, run):
    result = run_of(FIRST, SECOND)
    found = analyse_parsers(result)
    assert (found.errors.head, found.errors.label, found.constructions) == ((0, 0), (30, 12), None)
    facts = found.to_dict()
    told = ("words", "left_out", "heads_alone", "labels_alone")
    assert [facts[name] for name in told] == [120, 0, [0, 0], [30, 12]]
    assert found.narrowed(top=1).errors.by_label.cells("label") == ["obj"]
    assert "compare A B --reference" in found.show()
    write_run(result, tmp_path / "run")
    (tmp_path / "gold.conllu").write_text(format_conllu(GOLD))
    two = ["--system", "p1/en-ja", "--system", "p2/en-ja"]
    code, out, err = run(
        "analyse", tmp_path / "run", *two, "--gold", tmp_path / "gold.conllu", "--json"
    )
    assert (code, err) == (0, "")
    assert json.loads(out) == found.to_dict()


@pytest.mark.slow
def test_compare_shows_all_rows_that_analyse_shows(tmp_path, run):
    write_run(run_of(FIRST, SECOND), tmp_path / "run")
    (tmp_path / "run" / "trees" / "gold.conllu").write_text(format_conllu(GOLD))
    two = ["--system", "p1/en-ja", "--system", "p2/en-ja", "--json"]
    _, compared, _ = run("compare", tmp_path / "run", *two)
    _, analysed, _ = run("analyse", tmp_path / "run", *two)
    assert json.loads(compared)["errors"] == json.loads(analysed)["errors"]


@pytest.mark.parametrize(
    ("trees", "systems", "problem"),
    [
        ((FIRST, FIRST), (), "has no trees of two different parsers"),
        ((FIRST,), (), "has no trees of two different parsers"),
        ((FIRST, SECOND), ["p1/en-ja"], r"name two .* \(systems=\[A, B\]\): .* has p1/en-ja, p2"),
        ((FIRST, SECOND, FIRST, SECOND), (), r"name two .* \(systems=\[A, B\]\): .* p3/en-ja, p4"),
    ],
)  # fmt: skip
def test_without_two_parsers_none_is_compared(trees, systems, problem):
    result = run_of(*trees)
    with pytest.raises(PreorderEvalError, match=problem):
        analyse_parsers(result, systems)


@pytest.mark.slow
@pytest.mark.parametrize(("trees", "shown"), [((FIRST, SECOND), True), ((FIRST, FIRST), False)])
def test_the_report_has_a_section_for_two_parsers(trees, shown):
    page = build([run_of(*trees)])
    assert ("<caption>Errors of only one parser</caption>" in page) == shown
    assert '"errors":[[' in page


@pytest.mark.parametrize(
    ("parsers", "rules", "problem"),
    [
        (["a", "b", "c"], (), "3 parsers are named; give one or two"),
        ("gold", "en-vi-ud", "has target vi; constructions has ar, de, fr, hi, ja, ko, tr, zh"),
        (["gold", "gold"], "en-ja", "two parsers are called gold"),
    ],
)
def test_wrong_parsers_and_rules(parsers, rules, problem):
    with pytest.raises(PreorderEvalError, match=problem):
        parser_check(parsers, rules)
