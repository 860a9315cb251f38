"""`preorder-eval select` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from preorder_eval.metrics import order_metric
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.nbest_files import format_nbest


@pytest.fixture
def lists(bundled_reference, parser, tmp_path, monkeypatch):
    """Lists of the first sentences of the bundled set, with their source and alignment."""
    monkeypatch.chdir(tmp_path)
    part = bundled_reference.take(range(8), "part")
    (tmp_path / "s.en").write_text("".join(" ".join(words) + "\n" for words in part.source))
    lines = [" ".join(f"{a}-{b}" for a, b in part.alignments[s]) for s in range(7)]
    (tmp_path / "s.align").write_text("\n".join(lines) + "\n\n")
    nbest = parser.parse(part.source, 6)
    (tmp_path / "lists.conllu").write_text(format_nbest(nbest))
    return nbest


OWN = ["select", "--source", "s.en", "--alignment", "s.align", "--out", "out.conllu"]


@pytest.mark.slow
def test_the_best_parse_of_every_list(good, lists, bundled_reference, tmp_path):
    out = good(*OWN, "--nbest", "lists.conllu", "--metric", "kendall", "--json", "--tags", "blank")
    assert json.loads(out)["metric"] == "kendall"
    [result] = json.loads(out)["selection"]
    assert [result[key] for key in ("sentences", "left_out", "kept")] == [8, 1, 7]
    chosen = read_conllu(tmp_path / "out.conllu")
    best = []
    for s, parses in enumerate(list(lists.lists())[:7]):
        reference = [bundled_reference.references[s]]
        orders = [load_rules("en-ja").reorder(lists.trees.take(np.array([p]))) for p in parses]
        scores = [order_metric("kendall").score(o, reference).corpus for o in orders]
        best.append(max(scores))
        assert chosen[s].heads == lists.trees[parses[scores.index(max(scores))]].heads
        assert chosen[s].comments[:2] == (
            f"# sent_id = {s + 1}",
            f"# rank = {scores.index(max(scores)) + 1}",
        )
    assert set(chosen.xpos.names) == {"_"}
    assert result["mean_selected"] == pytest.approx(np.mean(best))


@pytest.mark.slow
def test_selected_trees_are_marked_where_they_are_scored(good, lists):
    """They were chosen by the references: no parser orders like that."""
    good(*OWN, "--nbest", "lists.conllu")
    for name in ("s.en", "s.align"):  # of the sentences that have links
        Path(name).write_text("".join(Path(name).read_text().splitlines(keepends=True)[:7]))
    text = ("--source", "s.en", "--alignment", "s.align", "--rules", "none", "--rules", "en-ja")
    out = good("evaluate", "--trees", "out.conllu", *text)
    assert "out was trained or selected on these sentences" in " ".join(out.split())


@pytest.mark.slow
def test_rules_for_another_target_get_a_warning(run, lists, tmp_path):
    own = ("select", "--reference", "en-ja", "--parser", "en-web", "--n", "1", "--out", "o.conllu")
    assert "rule set en-tr is for the target language tr" in run(*own, "--rules", "en-tr")[2]


def test_what_is_shown_and_left_out(run, lists, tmp_path):
    code, out, _ = run(*OWN, "--nbest", "lists.conllu", "--margin", "1e-6")
    assert code == 0
    rows = {line.split()[0]: line.split()[1] for line in out.splitlines() if line}
    assert rows["sentences"] == "8"
    assert "1 without links skipped" in out
    trees = read_conllu(tmp_path / "out.conllu")
    assert rows["written"] == str(len(trees))
    assert all("# rank = 1" not in tree.comments for tree in trees)
    assert "_" not in trees.upos.names
