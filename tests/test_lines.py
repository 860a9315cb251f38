"""Lines of raw text that hold several sentences: each is parsed and reordered by itself."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc

import preorder_eval as pe
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.parsers.lines import by_lines, split_line
from preorder_eval.parsers.load_parser import find_parser

RAW = "She reads books in Tokyo. He sleeps.\nGo!\n"
LINES = ["She Tokyo in books reads . He sleeps .", "Go !"]
ORDERS = ["0 4 3 2 1 5 6 7 8", "0 1"]


@pytest.fixture(scope="module")
def english():
    """The words of English as spaCy knows them."""
    return spacy.blank("en").vocab


@pytest.mark.parametrize(
    "text",
    [
        "He went . She came .",
        "“ Go ! ” He went . ( So ? ) No",
        "Wait ... No . . . Yes",
        ". Go ?! ! Now -",
        "Go",
        "' Go . ' ' No . '",
    ],
)
def test_sentences_end_where_spacys_sentencizer_ends_them(english, text):
    words = text.split()
    [starts] = Sentencizer().predict([Doc(english, words=words)])
    parts = split_line(words)
    assert list(itertools.chain.from_iterable(parts)) == words
    begins = np.cumsum([0, *map(len, parts)])[:-1].tolist()
    assert begins == [place for place, starts_here in enumerate(starts) if starts_here]


def test_lists_of_a_line_are_the_best_of_all_combinations():
    parser = find_parser("en-web")
    lines = [["Time", "flies", ".", "He", "saw", "her", "duck", ".", "Go", "!"], ["Stop"]]
    for n in (1, 5, 12):
        found = by_lines(parser).parse(lines, n)
        assert found.sizes.tolist() == [n, min(n, found.sizes[1])]
        parts = parser.parse(split_line(lines[0]), n)
        scores = [parts.scores[trees].tolist() for trees in parts.lists()]
        best = sorted(map(sum, itertools.product(*scores)), reverse=True)[:n]
        assert found.scores[:n] == pytest.approx(best)
        trees = [found.trees[number] for number in range(n)]
        assert len({(*tree.heads, *tree.labels) for tree in trees}) == n
    for words in lines:
        with pytest.raises(PreorderEvalError, match="n must be from 1"):
            by_lines(parser).parse([words], 0)


@pytest.fixture
def raw(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("raw.en").write_text(RAW)


@pytest.mark.slow
def test_every_door_takes_a_line_for_its_sentences(raw, run):
    reorder = ("reorder", "--rules", "en-ja", "--raw", "--source", "raw.en")
    assert run(*reorder)[1].splitlines() == LINES
    assert run(*reorder, "--parser", "en-web(consensus=4)")[1].splitlines() == LINES
    assert run(*reorder, "--output", "order")[1].splitlines() == ORDERS
    for output in (("parse", "--raw", "--source", "raw.en"), (*reorder, "--output", "conllu")):
        Path("t.conllu").write_text(run(*output)[1])
        rules = "none" if "reorder" in output else "en-ja"
        again = run("reorder", "--rules", rules, "--trees", "t.conllu")[1]
        assert again.splitlines() == LINES
    # Trees in another order are still told apart.
    Path("t.conllu").write_text(run(*reorder[:2], "reverse", *reorder[3:], "--output", "conllu")[1])
    back = run("reorder", "--rules", "reverse", "--trees", "t.conllu")[1]
    assert back == "She reads books in Tokyo . He sleeps .\nGo !\n"

    links = [[int(place) for place in order.split()] for order in ORDERS]
    text = [" ".join(f"{s}-{t}" for t, s in enumerate(order)) + "\n" for order in links]
    Path("raw.align").write_text("".join(text))
    own = ("--source", "raw.en", "--alignment", "raw.align", "--rules", "en-ja", "--json")
    for parser in ("en-web", "en-web(consensus=4)"):
        [system] = json.loads(run("evaluate", *own, "--raw", "--parser", parser)[1])["systems"]
        assert [score["value"] for score in system["scores"].values()] == [1, 1]

    lines = RAW.splitlines()
    assert [" ".join(words) for words in pe.reorder(lines, "en-ja", raw=True)] == LINES
    trees = pe.parse(lines, raw=True)
    assert len(trees) == 2
    assert [" ".join(words) for words in pe.reorder(trees, "en-ja")] == LINES
