"""Selecting from a corpus in parts, against selecting from all of it at once."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from few_links import few_links, write_few_links

from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.nbest import format_nbest
from preorder_eval.formats.pharaoh import format_links
from preorder_eval.formats.reference_set import ReferenceFiles
from preorder_eval.formats.rules import load_rules
from preorder_eval.training import rounds, selection
from preorder_eval.training.recipe import Recipe
from preorder_eval.training.selection import select


@pytest.fixture(scope="session")
def few(bundled_reference):
    """The first sentences of the bundled reference set, with one reference order each."""
    return dataclasses.replace(bundled_reference.take(range(8), "few"), alternatives=None)


@pytest.fixture(scope="session")
def nbest(few, parser):
    """Their n-best lists."""
    return parser.parse(few.source, 5)


@pytest.fixture
def files(few, tmp_path):
    """The same sentences as files."""
    found = ReferenceFiles(tmp_path / "few.en", tmp_path / "few.align")
    found.source.write_text("".join(" ".join(words) + "\n" for words in few.source))
    links = [format_links(few.alignments[s]) for s in range(len(few))]
    found.alignment.write_text("\n".join(links) + "\n")
    return found


@pytest.fixture
def in_threes(monkeypatch):
    """Parts of three sentences."""
    for module in (selection, rounds):
        monkeypatch.setattr(module, "PART", 3)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"only_changed": True}, {"margin": 0.1, "tags": "keep"}])
def test_parts_give_what_the_whole_gives(few, nbest, parser, files, tmp_path, in_threes, options):
    whole = select(nbest, few, metric="kendall", out=tmp_path / "whole.conllu", **options)
    expected = (tmp_path / "whole.conllu").read_text()
    assert whole.counts.kept == expected.count("# sent_id")
    (tmp_path / "lists.conllu").write_text(format_nbest(nbest))
    ways = [
        (tmp_path / "lists.conllu", few),
        (str(tmp_path / "lists.conllu"), files),
        (parser, files),
        ("en-web", few),
        (nbest, files),
    ]
    for lists, reference in ways:
        out = tmp_path / "out.conllu"
        found = select(lists, reference, n=5, metric="kendall", out=out, **options)
        assert out.read_text() == expected
        assert found.summary() == pytest.approx(whole.summary())
    assert select(nbest, few, metric="kendall", **options) == whole


def test_by_default_words_without_links_do_not_count(tmp_path):
    write_few_links(tmp_path)
    data, rules = few_links(tmp_path), load_rules(tmp_path / "r.toml")
    lists = tmp_path / "lists.conllu"
    assert select(lists, data, rules).metric == "kendall(unaligned=drop)"
    assert select(lists, data, rules).counts.replaced == 1
    assert select(lists, data, rules, metric="fuzzy").counts.replaced == 0
    for metric, replaced in ((Recipe.metric, 1), ("fuzzy", 0)):
        task = rounds.Task(rules, lists, lists, data, Recipe(metric=metric))
        out = tmp_path / "selected" / f"{replaced}.conllu"
        assert rounds.select_parses(out, lists, task).replaced == replaced


def test_lists_of_other_sentences_are_refused(few, nbest, tmp_path, in_threes):
    less = few.take(range(7), "less")
    with pytest.raises(PreorderEvalError, match="lists of 8 sentences for 7"):
        select(nbest, less)
    turned = few.take(range(7, -1, -1), "turned")
    with pytest.raises(PreorderEvalError, match="sentence 1: the parses have other words than tu"):
        select(nbest, turned, out=tmp_path / "out.conllu")
    assert not list(tmp_path.iterdir())


class KilledError(Exception):
    """What ends a parser that is killed."""


class Failing:
    """A parser that is killed when it is to parse the third part, and counts its sentences."""

    def __init__(self, parser, parts):
        self.identity, self._parser, self._left, self.parsed = parser.identity, parser, parts, 0

    def parse(self, sentences, n=None, advance=None):
        if not self._left:
            raise KilledError
        self._left -= 1
        self.parsed += len(sentences)
        return self._parser.parse(sentences, n, advance)


def test_selection_goes_on_after_the_last_finished_part(
    few, parser, tmp_path, in_threes, monkeypatch
):
    recipe = Recipe(n=5, metric="kendall")
    task = rounds.Task(load_rules("en-ja"), tmp_path / "t", tmp_path / "d", few, recipe)
    out = tmp_path / "selected" / "round-1.conllu"

    def chosen(parts):
        own = Failing(parser, parts)
        monkeypatch.setattr(rounds, "load_parser", lambda *_: own)
        return own, lambda: rounds.select_parses(out, "en-web", task)

    first, begin = chosen(2)
    with pytest.raises(KilledError):
        begin()
    assert first.parsed == 6
    assert not out.exists()
    second, go_on = chosen(9)
    counts = go_on()
    assert second.parsed == 2
    third, again = chosen(0)
    assert again() == counts
    assert third.parsed == 0
    assert sorted(path.name for path in out.parent.iterdir()) == ["round-1.conllu", "round-1.json"]
    whole = select(parser, few, n=5, metric="kendall", out=tmp_path / "whole.conllu")
    assert out.read_text() == (tmp_path / "whole.conllu").read_text()
    assert counts.summary() == pytest.approx(whole.counts.summary())
    assert np.isclose(counts.selected, whole.counts.selected)
