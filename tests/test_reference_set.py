"""Reference sets, the command that builds them, and their sentences as annotators change them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.references.annotated_sentence import AnnotatedSentence, Translation, kept_tokens
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.references.reference_folder import load_reference

TREES = "# sent_id = 1\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files of a small set, and a reference folder `set` of them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    for name, text in {
        "s.en": "a b\nc\u3000d e f\n",
        "s.ja": "u v\nw x\n",
        "s.align": "0-1 1p0\n\n",
        "s.wpt": "1 1 2 S\n1 2 1 P\n",
        "turned": "2-1 1p2\n\n",
        "s.conllu": TREES,
        "one.ja": "u v\n",
        "one.align": "0-1 1-0\n",
        "set/source.en": "a b\nc d\n",
        "set/target.ja": "u v\nw x\n",
        "set/en-ja.align": "0-1 1p0\n0-0 1-1\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_folder_is_read(folder):
    reference = load_reference("set")
    assert (reference.name, len(reference)) == ("set", 2)
    assert reference.target == [["u", "v"], ["w", "x"]]
    assert list(reference.references) == [[[1], [0]], [[0], [1]]]
    assert reference.alignments.marks(0) == [False, True]
    assert set(reference.hashes) == {"source.en", "target.ja", "en-ja.align"}


def test_trees_come_with_both_sides(folder):
    reference = reference_from_files(
        folder / "s.conllu", folder / "one.align", folder / "s.conllu", form="pharaoh"
    )
    assert reference.trees[0].heads == reference.target_trees[0].heads == [-1, 0]


def test_building_gives_a_folder_that_reads(folder, good):
    options = ["--source", "s.en", "--target", "s.ja", "--alignment", "s.wpt"]
    out = good("reference", "build", *options, "--out", "new")
    assert out.startswith("new: 2 sentences, 2 links, 1 sentence without links; complete new/DATA")
    new = folder / "new"
    names = {file.name for file in new.iterdir()}
    assert names == {"source.en", "target.ja", "en-ja.align", "DATASHEET.md"}
    assert (new / "source.en").read_text(encoding="utf-8") == "a b\nc\u3000d e f\n"
    assert (new / "en-ja.align").read_text() == "0-1 1p0\n\n"
    reference = load_reference("new")
    assert reference.alignments[0] == [(0, 1), (1, 0)]
    assert reference.target == [["u", "v"], ["w", "x"]]
    sheet = (new / "DATASHEET.md").read_text(encoding="utf-8").split("\n")
    assert sheet[0] == "# new: en-ja reference set"
    for row in ("Sentences | 2", "Source tokens | 5", "Links | 2", "Links marked possible | 1"):
        assert f"| {row} |" in sheet


def test_gold_trees_are_kept(folder, run):
    options = ["--source", "s.conllu", "--target", "one.ja", "--alignment", "one.align"]
    run("reference", "build", *options, "--source-language", "en-GB", "--out", "new")
    assert (folder / "new" / "source.conllu").read_text() == TREES
    assert (folder / "new" / "en-GB-ja.align").is_file()
    assert load_reference("new").trees is not None


def test_some_sentences_of_a_set_in_another_order(bundled_reference):
    part = replace(bundled_reference, cut=(3, 7)).take([5, 2], "two")
    assert (part.name, len(part), part.hashes) == ("two", 2, bundled_reference.hashes)
    assert part.cut == (2,)
    for column in ("source", "target", "alignments", "references"):
        whole = getattr(bundled_reference, column)
        assert list(getattr(part, column)) == [whole[s] for s in (5, 2)]
    assert part.trees[0].heads == bundled_reference.trees[5].heads


SOURCE = ("eat", "fresh", "fish")
FISH = Translation(
    ("新鮮", "な", "魚", "を", "食べる"),
    {(0, 4): False, (1, 0): False, (1, 1): True, (2, 2): False, (2, 3): False},
    (((0, 1), (2, 3)),),
)
SENTENCE = AnnotatedSentence(SOURCE, (FISH,))


def test_links_are_replaced_in_order():
    [linked] = SENTENCE.linked(0, {(2, 0): True, (0, 1): False}).translations
    assert list(linked.links.items()) == [((0, 1), False), ((2, 0), True)]
    assert (linked.words, linked.free) == (FISH.words, FISH.free)


@pytest.mark.parametrize("link", [(3, 0), (0, 5), (-1, 0), (0, -1)])
def test_a_link_outside_is_refused(link):
    with pytest.raises(PreorderEvalError, match=f"link {link[0]}-{link[1]} is outside"):
        SENTENCE.linked(0, {link: False})


@pytest.mark.parametrize(
    ("words", "links", "free"),
    [
        # Words come between, at the ends, and in the middle of a free block.
        ("とても 新鮮 な 魚 を 食べる", "0-5 1-1 1p2 2-3 2-4", "1-2|3-4"),
        ("新鮮 な この 魚 を 食べる", "0-5 1-0 1p1 2-3 2-4", "0-2|3-4"),
        # Words go, and with them a stretch.
        ("魚 を 食べる", "0-2 2-0 2-1", ""),
        ("新鮮 な 魚 食べる", "0-3 1-0 1p1 2-2", "0-1|2"),
        # A word is cut, and another mended.
        ("新鮮 な 魚 を 食べ る", "0-4 0-5 1-0 1p1 2-2 2-3", "0-1|2-3"),
        ("新鮮 な 魚 を 食ベる", "0-4 1-0 1p1 2-2 2-3", "0-1|2-3"),
        # What stays is in another order.
        ("食べる 魚 を", "2-1 2-2", ""),
    ],
)
def test_links_and_free_blocks_follow_the_words(words, links, free):
    [changed] = SENTENCE.reworded(0, words.split()).translations
    written = [f"{s}{'p' if mark else '-'}{t}" for (s, t), mark in changed.links.items()]
    blocks = ["|".join(str(a) if a == b else f"{a}-{b}" for a, b in blk) for blk in changed.free]
    assert (" ".join(written), " ".join(blocks)) == (links, free)


def test_links_follow_the_source_words():
    changed = SENTENCE.with_source(("we", "eat", "fish"))
    assert changed.source == ("we", "eat", "fish")
    assert changed.translations[0].links == {(1, 4): False, (2, 2): False, (2, 3): False}
    assert changed.translations[0].free == FISH.free


WORDS = st.lists(st.text("ab", min_size=1, max_size=3), max_size=6)


@given(WORDS, WORDS)
def test_tokens_are_kept_in_order(old, new):
    kept = kept_tokens(old, new)
    assert len(kept) == len(old)
    flat = list(itertools.chain.from_iterable(kept))
    assert flat == sorted(flat)
    assert set(flat) <= set(range(len(new)))
    assert kept_tokens(old, old) == [[i] for i in range(len(old))]
