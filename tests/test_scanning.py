"""Scanners of files: they read what the careful readers read, or leave it to them."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import mutated

from preorder_eval.data.alignments import Alignments
from preorder_eval.data.ragged import Sentences, blocks_of_lines
from preorder_eval.errors import FormatError
from preorder_eval.formats import alignment_formats, order_files, scanning
from preorder_eval.formats.alignment_formats import format_alignments
from preorder_eval.formats.files import decode_lines
from preorder_eval.formats.order_files import format_order, parse_orders, scan_orders
from preorder_eval.formats.scanning import scan
from preorder_eval.formats.text import parse_sentences, split_tokens


@st.composite
def pharaoh_files(draw):
    """A file of up to four sentences."""
    sizes = st.tuples(st.integers(1, 12), st.integers(1, 12))
    sentences, marked = [], []
    for source, target in draw(st.lists(sizes, min_size=1, max_size=4)):
        link = st.tuples(st.integers(0, source - 1), st.integers(0, target - 1))
        sentences.append(draw(st.lists(link, max_size=5)))
        marked.append(draw(st.lists(link, max_size=3)))
    return format_alignments(Alignments.of(sentences, marked)).encode()


@contextmanager
def blocks_of(size):
    """Files are read in blocks of so many bytes."""
    cut = partial(blocks_of_lines, size=size)
    with pytest.MonkeyPatch.context() as patch:
        for module in (alignment_formats, order_files, scanning):
            patch.setattr(module, "blocks_of_lines", cut)
        yield


@given(pharaoh_files(), st.integers(1, 60), st.data())
def test_links_are_scanned_as_they_are_parsed_or_left(file, size, data):
    for lines, left in ((file, False), (data.draw(mutated(file)), True)):
        with blocks_of(size):
            scanned = alignment_formats.scan_pharaoh(lines)
        assert left or scanned is not None, "what was written is scanned"
        if scanned is not None:
            parsed = alignment_formats.PHARAOH.parse(decode_lines(lines, "x", blank=True), "x")
            assert (scanned.size, scanned.sides) == (parsed.size, parsed.sides)
            assert np.array_equal(scanned.columns, parsed.columns)


@given(st.data())
def test_orders_are_scanned_as_they_are_parsed_or_left(data):
    permutation = st.integers(1, 12).flatmap(lambda n: st.permutations(range(n)))
    orders = data.draw(st.lists(permutation, min_size=1, max_size=4))
    text = "".join(format_order(order) + "\n" for order in orders)
    file, lengths = data.draw(mutated(text.encode())), list(map(len, orders))
    with blocks_of(data.draw(st.integers(1, 60))):
        assert list(scan_orders(text.encode(), lengths)) == orders
        scanned = scan_orders(file, lengths)
    if scanned is not None:
        assert list(scanned) == list(parse_orders(decode_lines(file, "x"), lengths, "x"))


LETTERS = st.sampled_from(["a", "b", "é", "日", "\u2028", "abcdefgh", "\x01"])
TOKENS = st.lists(LETTERS, min_size=1, max_size=4).map("".join)


def outcome(read, *arguments):
    """What a reader returns, or the line that it prints of a fault."""
    try:
        return read(*arguments)
    except FormatError as error:
        return str(error)


@given(st.lists(st.lists(TOKENS, min_size=1), min_size=1), st.data())
@pytest.mark.filterwarnings("ignore:x has")  # a byte-order mark
def test_sentences_are_read_as_their_lines_are_split(sentences, data):
    def split(file):
        lines = enumerate(decode_lines(file, "x"), 1)
        return Sentences.of(split_tokens(line, "x", number) for number, line in lines)

    text = "".join(" ".join(words) + "\n" for words in sentences).encode()
    for file in (text, data.draw(mutated(text))):
        with blocks_of(data.draw(st.integers(1, 60))), pytest.MonkeyPatch.context() as patch:
            patch.setattr(scanning, "_SLOTS", data.draw(st.integers(1, 5)))  # which words share
            read, lines = outcome(parse_sentences, file, "x"), outcome(split, file)
        assert read == lines
        if isinstance(read, Sentences):
            assert read.words.codes.tolist() == lines.words.codes.tolist()
            assert read.words.names == lines.words.names


@pytest.mark.parametrize("data", [b"", b"1,2", b"1\r\n", b"\xef\xbb\xbf1", b"1234567890"])
def test_what_is_odd_is_left_to_the_careful_reader(data):
    assert scan(data, " ") is None
