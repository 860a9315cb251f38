"""Two parsers beside gold trees: on constructions, and by the words that only one has wrong."""

import json
from itertools import pairwise

import numpy as np
import pytest

from preorder_eval.analysis.orders.errors_apart import errors_apart, wrong_words
from preorder_eval.analysis.rules.by_parser import by_parser
from preorder_eval.data.treebank import Tree, Treebank
from preorder_eval.formats.conllu import format_conllu, read_conllu
from preorder_eval.formats.rule_reading import load_rules
from preorder_eval.resources import bundled

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


@pytest.mark.slow
def test_gold_trees_have_all_that_they_have_right(files):
    found = by_parser([files / "gold.conllu"], [load_rules("en-ja"), load_rules("en-ko")])
    assert found.counts == (found.gold.sum(),)
    assert not found.wrong.any()


@pytest.mark.slow
def test_a_construction_that_one_parser_has_wrong_is_named_with_its_fault(files):
    rules = [load_rules("en-ja"), load_rules("en-ko")]
    found = by_parser([files / "gold.conllu", files / "bad.conllu"], rules)
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
    found = by_parser([files / "gold.conllu", files / "bad.conllu"])
    assert found.difference.differing == 2
    assert found.to_dict()["decision"] == "cannot be shown"


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


def test_words_that_one_alone_has_wrong_are_counted_by_gold_label():
    tags = [["X"] * 3] * 2

    def trees(one, other):
        return Treebank.of(
            [
                Tree(["We", "eat", "fish"], [1, -1, 1], [one(n), "root", other(n)], *tags)
                for n in range(40)
            ]
        )

    gold = trees(lambda _: "nsubj", lambda _: "obj")
    first = trees(lambda _: "nsubj", lambda n: "obl" if n < 30 else "obj")
    second = trees(lambda n: "obj:x" if n < 12 else "nsubj:pass", lambda _: "obj")
    table = errors_apart([first, second], gold)
    rows = {row[0]: row[1:4] for row in table.rows}
    assert rows == {"obj": [40, 30, 0], "nsubj": [40, 0, 12]}
    assert table.rows[0][0] == "obj"
    assert all(p < 0.01 for p in table.cells("p"))
    assert sum(wrong_words(second, gold)) == 12
    for one, other in pairwise(table.cells("p")):
        assert one <= other
