"""`watch`: saves noticed, and versions compared."""

import os
import threading
from queue import Queue

import numpy as np
import pytest

from preorder_eval.analysis.watch import Session, saves
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.evaluation.evaluate import evaluate
from preorder_eval.evaluation.systems import System
from preorder_eval.metrics import order_metric
from preorder_eval.orders.alignments import Alignments
from preorder_eval.references.objective import shown_reference
from preorder_eval.references.reference_folder import load_reference
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.conditions import HEAD, Slot
from preorder_eval.rules.rule import Pair, Rule
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.rules.rule_set import RuleSet
from preorder_eval.trees.treebank import Tree, Treebank

PATIENCE = 10  # seconds


@pytest.fixture
def seen(tmp_path):
    """A file with content `one`, and a queue of what was noticed of it."""
    path, noticed = tmp_path / "rules.toml", Queue()
    path.write_bytes(b"one")

    def watch():
        for content in saves(path, every=0.005):
            noticed.put(content)
            if content == b"end":
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    assert noticed.get(timeout=PATIENCE) == b"one"
    yield path, lambda: noticed.get(timeout=PATIENCE)
    path.write_bytes(b"end")
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert list(noticed.queue) == [b"end"]


def test_saves_are_noticed_once_each(seen):
    path, following = seen
    path.write_bytes(b"two")
    assert following() == b"two"
    path.write_bytes(b"two")  # saved without a change: nothing more is noticed
    before = path.stat()
    path.write_bytes(b"six")  # of the same size and time
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert following() == b"six"
    new = path.with_suffix(".new")  # as editors do that rename a new file
    new.write_bytes(b"three")
    new.replace(path)
    assert following() == b"three"


def test_a_file_that_is_gone_for_a_moment_is_not_gone_and_one_for_good_is(seen):
    path, following = seen
    path.unlink()
    path.write_bytes(b"")
    path.write_bytes(b"two")
    assert following() == b"two"
    path.unlink()
    assert following() is None
    path.write_bytes(b"one")
    assert following() == b"one"


def test_a_save_of_what_a_rule_file_extends_is_noticed(tmp_path):
    base, path = tmp_path / "base.toml", tmp_path / "mine.toml"
    base.write_text('name = "base"\nscheme = "ud"\n')
    path.write_text('name = "mine"\nextends = "base.toml"\n')
    noticed = saves(path, every=0.005)
    first = next(noticed)
    base.write_text('name = "base"\nscheme = "ud"\ndefault = "reverse"\n')
    assert next(noticed) == first == path.read_bytes()
    path.write_text("name = ")
    assert next(noticed) == b"name = "


@pytest.fixture
def session(bundled_reference):
    metrics = [order_metric("fuzzy"), order_metric("kendall")]
    return Session(bundled_reference, bundled_reference.trees, metrics, resamples=50, seed=2)


def test_a_save_shows_its_differences_and_what_moved():
    tree = Tree(["He", "eats", "it"], [1, -1, 1], ["nsubj", "root", "obj"], *[["VERB"] * 3] * 2)
    links = Alignments.of([[(0, 0), (1, 2), (2, 1)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1)]])
    data = ReferenceSet("own", [tree.words] * 3, links, trees=Treebank.of([tree] * 3))
    session = Session(data, data.trees, [order_metric("kendall(unaligned=drop)")], resamples=20)
    object_first = Rule(("*",), pairs=(Pair(Slot(("obj",)), Slot((HEAD,))),))
    first = session.save(load_rules("none"))
    second = session.save(RuleSet("object-first", "ud", (object_first,)))
    third = session.save(load_rules("none"))
    assert [one.reordered for one in (first, second, third)] == [0, 3, 3]
    score, moved, *examples = second.lines(1)
    assert score.count("+0.000") == 2
    assert (session.saved, moved) == (3, "3 sentences reordered: 1 better, 1 worse")
    assert [examples[0], examples[2], examples[4:]] == ["Gained most:", "Lost most:", [""]]
    assert ("He it eats" in examples[1], "He it eats" in examples[3]) == (True, True)
    assert third.since_start.metrics[0].better == 0 < third.since_last.metrics[0].better


@pytest.mark.slow
def test_versions_are_compared_with_the_last_and_the_first_one(session):
    names = ["none", "head-final-reverse-after", "en-ja"]
    steps = [session.save(load_rules(name)) for name in names]
    reference = session.reference
    systems = [System(n, load_rules(n).reorder(reference.trees)) for n in names]
    expected = evaluate(
        reference, systems, session.metrics, resamples=50, seed=2, significance=True
    )
    assert steps[0].since_last is steps[0].since_start is None
    for m in range(2):
        none_half, none_full, half_full = (pair.difference for pair in expected.pairs[m])
        assert steps[1].since_last.metrics[m].difference == none_half
        assert steps[1].since_start.metrics[m].difference == none_half
        assert steps[2].since_last.metrics[m].difference == half_full
        assert steps[2].since_start.metrics[m].difference == none_full
        assert steps[2].since_last.metrics[m].values[1] == expected.intervals[2][m].value
    [fuzzy, kendall, signatures] = steps[0].lines(3)
    assert signatures == "FRS: fuzzy(match=word); τ: kendall"
    assert fuzzy.endswith(f"  FRS {expected.intervals[0][0].value:.3f}")
    assert "since" not in kendall


@pytest.mark.slow
def test_the_sentences_that_moved_are_shown_before_and_after(session):
    session.save(load_rules("none"))
    step = session.save(load_rules("en-ja"))
    orders = load_rules("en-ja").reorder(session.trees)
    assert step.reordered == sum(order != sorted(order) for order in orders)
    moved = step.since_last.sentences(3)
    assert len(moved.gained) == 3
    first, gain = moved.gained[0], step.since_last.metrics[0].gain
    words = session.reference.source[first.number - 1]
    order = orders[first.number - 1]
    assert (first.number, first.change) == (int(np.argmax(gain)) + 1, gain.max())
    assert (first.source, first.first) == (" ".join(words),) * 2
    assert first.second == " ".join(words[i] for i in order)
    right = shown_reference(session.reference, first.number - 1, order)
    assert (first.reference, first.translation) == right
    assert all(sentence.change < 0 for sentence in moved.lost)
    lines = "\n".join(step.lines(3))
    assert "Gained most:" in lines
    assert first.second in lines


def test_a_session_needs_links():
    data = load_reference("en-ko")
    unlinked = ReferenceSet("bare", data.source[:2], type(data.alignments).of([[], []]), None, None)
    with pytest.raises(PreorderEvalError, match="bare: no sentence has a link"):
        Session(unlinked, data.trees, [order_metric("fuzzy")])
