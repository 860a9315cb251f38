"""Scanners of files: they read what plain readers of a few lines read, or leave it to others."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import border_words, mutated

from preorder_eval.base.errors import FormatError
from preorder_eval.base.files import scanning
from preorder_eval.base.files.files import decode_lines
from preorder_eval.base.files.scanning import numbers_at, scan, scan_sentences
from preorder_eval.base.ragged import Sentences, blocks_of_lines
from preorder_eval.base.text.text_files import parse_sentences
from preorder_eval.orders import alignment_formats, order_files
from preorder_eval.orders.alignment_files import FORMATS
from preorder_eval.orders.order_files import parse_orders, scan_orders

NUMBERS = st.integers(0, 12).map(str) | st.sampled_from(
    ["99999999", "100000000", "999999999", "007"]
)


@contextmanager
def blocks_of(size):
    """Files are read in blocks of so many bytes."""
    cut = partial(blocks_of_lines, size=size)
    with pytest.MonkeyPatch.context() as patch:
        for module in (alignment_formats, order_files, scanning):
            patch.setattr(module, "blocks_of_lines", cut)
        yield


def outcome(read, *arguments):
    """What a reader returns, or the line that it prints of a fault."""
    try:
        return read(*arguments)
    except FormatError as error:
        return str(error)


def plain_links(data, lengths_before):
    """The links of each line, (first, second, mark), and the lengths before them."""
    lines = data.decode().removesuffix("\n").split("\n")
    fields = [line.split(" ") for line in lines]
    lengths = [row[:2] for row in fields] if lengths_before else []
    assert all(row[1:] == ["|||"] for row in lengths)
    links = [re.split("([-p?])", f) for r in fields for f in r[2 * lengths_before :] if f]
    counts = [sum(map(bool, row[2 * lengths_before :])) for row in fields]
    numbers = np.repeat(np.arange(len(lines)), counts).tolist()
    rows = [
        [s, int(first), int(second), mark != "-"]
        for s, (first, mark, second) in zip(numbers, links, strict=True)
    ]
    sides = [[int(n) for n in row[0].split("-")] for row in lengths]
    return len(lines), rows, tuple(map(list, zip(*sides, strict=True))) or (None, None)


@st.composite
def link_files(draw, form):
    """A file of up to four sentences."""
    marks = st.sampled_from(["-"] if form == "lader" else ["-", "-", "p", "?"])
    link = st.tuples(NUMBERS, marks, NUMBERS).map("".join)
    pair = st.tuples(NUMBERS, NUMBERS).map("-".join)
    lines = []
    for links in draw(st.lists(st.lists(link, max_size=4), min_size=1, max_size=4)):
        spaces = draw(st.sampled_from([" ", " ", "  "]))
        line = spaces.join(links) + draw(st.sampled_from(["", "", " "]))
        if form == "lader":
            line = f"{draw(pair)} |||{' ' * bool(line)}{line}"
        lines.append(line)
    return ("\n".join(lines) + draw(st.sampled_from(["\n", "" if lines[-1] else "\n"]))).encode()


@pytest.mark.parametrize("form", ["pharaoh", "lader"])
@given(st.data(), st.integers(1, 60))
def test_links_are_scanned_as_their_lines_are_split(form, data, size):
    file = data.draw(link_files(form))
    with blocks_of(size):
        scanned = FORMATS[form].scan(file)
    lines, links, sides = plain_links(file, form == "lader")
    assert np.transpose(scanned.columns).tolist() == links
    assert (scanned.size, scanned.sides) == (lines, sides)
    assert [scanned.line_of(s, 0) for s in range(lines)] == [*range(1, lines + 1)]


@pytest.mark.parametrize("form", ["pharaoh", "lader"])
@given(st.data(), st.integers(1, 60))
def test_links_are_scanned_as_they_are_parsed_or_left(form, data, size):
    file = data.draw(link_files(form).flatmap(mutated))
    with blocks_of(size):
        scanned = FORMATS[form].scan(file)
    if scanned is not None:
        parsed = FORMATS[form].parse(decode_lines(file, "x", blank=True), "x")
        assert (scanned.size, scanned.sides) == (parsed.size, tuple(parsed.sides))
        assert np.array_equal(scanned.columns, parsed.columns)


# What a file may have between two spaces or line ends, and what no file of the format has there.
PIECES = [
    "0-1",
    "12-3",
    "1p2",
    "1?2",
    "",
    "1",
    "1-",
    "-1",
    "-",
    "1--2",
    "1-2-3",
    "1p2?3",
    "p",
    "|||",
]
PIECES += ["1-123456789", "1-1234567890", "|", "1|2", "|1-2", "0-0|||", "1-2p"]
SECOND = ["0-1", "", "1", "-1", "|", "1-1234567890"]
BEGUN = {"pharaoh": ["", " ", "\n"]}
BEGUN["lader"] = [
    "2-3 ||| ",
    "2-3 |||",
    " 2-3 |||  ",
    "2-3  ||| ",
    "2-3||| ",
    "2-3 || ",
    "2-3 |||| ",
]
BEGUN["lader"] += [
    "2p3 ||| ",
    "||| ",
    "||| 2-3 ",
    "2 ||| ",
    "2-3-4 ||| ",
    "2-3 ||| ||| ",
    "2-3 || |",
]


@pytest.mark.parametrize("form", ["pharaoh", "lader"])
def test_nothing_is_scanned_that_is_not_parsed_alike(form):
    for begun, one, between, other in product(
        BEGUN[form], PIECES, [" ", "\n", f"\n{BEGUN[form][0]}"], SECOND
    ):
        file = f"{begun}{one}{between}{other}\n"
        scanned = FORMATS[form].scan(file.encode())
        if scanned is not None:
            parsed = FORMATS[form].parse(file.removesuffix("\n").split("\n"), "x")
            assert (scanned.size, scanned.sides) == (parsed.size, tuple(parsed.sides)), file
            assert np.array_equal(scanned.columns, parsed.columns), file


def test_only_permutations_are_scanned():
    for text, sizes in product(
        map(" ".join, product(["0", "1", "2", "\n"], repeat=4)), product((0, 1, 2, 3), repeat=2)
    ):
        rows = text.strip(" ").removesuffix("\n").split("\n")
        lines = [list(map(int, row.split())) for row in rows]
        right = [sorted(line) for line in lines] == [
            [*range(size)] for size in sizes
        ] and 0 not in sizes
        scanned = scan_orders(text.encode(), sizes)
        assert (scanned is not None) == right, text
        assert scanned is None or list(scanned) == lines


@given(st.data())
def test_orders_are_scanned_as_their_lines_are_split(data):
    permutation = st.integers(1, 12).flatmap(lambda n: st.permutations(range(n)))
    orders = data.draw(st.lists(permutation, min_size=1, max_size=4))
    text = "".join(" ".join(map(str, order)) + "\n" for order in orders).encode()
    lengths = list(map(len, orders))
    with blocks_of(data.draw(st.integers(1, 60))):
        assert list(scan_orders(text, lengths)) == orders
        for file in (data.draw(mutated(text)), text.replace(b"1", b"0000000001")):
            scanned = scan_orders(file, lengths)
            if scanned is not None:
                assert list(scanned) == list(parse_orders(decode_lines(file, "x"), lengths, "x"))


def test_numbers_have_one_to_nine_digits():
    fields = ["", "0", "9", "007", "12345678", "123456789", "000000012", "999999999"]
    fields += ["0000000012", "1234567890", "1x", "x1", "1x1", "-1", "/", ":", "12345678x"]
    ends = np.cumsum([len(field) + 1 for field in fields]) - 1
    text = np.frombuffer("".join(field + " " for field in fields).encode(), np.uint8)
    values, legal = numbers_at(text, ends - list(map(len, fields)), ends)
    plain = [int(f) if re.fullmatch("[0-9]{1,9}", f) else None for f in fields]
    assert values.tolist() == [n or 0 for n in plain]
    assert legal.tolist() == [n is not None for n in plain]
    assert not numbers_at(text, *np.array([[1], [1]]))[1], "no digit is no number"


def scanned_and_split(sentences, end="\n"):
    """Sentences as they are scanned and as their lines are split."""
    text = "\n".join(map(" ".join, sentences)) + end
    plain = [[word for word in line.split(" ") if word] for line in text.split("\n")[:-1]]
    return scan_sentences(text.encode()), Sentences.of(plain if end else [*plain, sentences[-1]])


def the_same(scanned, split):
    columns = [
        (s.offsets.tolist(), s.words.codes.tolist(), s.words.names) for s in (scanned, split)
    ]
    return columns[0] == columns[1]


# Words of up to 19 bytes that differ by their length, or by a letter in one place.
ALIKE = ["a" * size for size in range(1, 20)]
ALIKE += [
    "a" * place + "b" + "a" * (size - place - 1) for size in (8, 16, 17) for place in range(size)
]


def test_a_word_is_itself_whatever_word_is_before_it(monkeypatch):
    monkeypatch.setattr(scanning, "_SLOTS", 1)  # so that nearly all words share one with another
    not_alike = ["абвгдежз", "абвгдежзи", "абвгдежзик", "a", "\x01" * 15, "\x01" * 17]
    for first in (*ALIKE, "абвгдежз", "абвгдежзи", "a\x01", "\x01" * 16):
        for others in (ALIKE, not_alike):
            assert the_same(*scanned_and_split([[first, o, first] for o in others])), first
            assert the_same(*scanned_and_split([[first, *others, *others[::-1]]])), first


@given(st.lists(st.lists(border_words(), max_size=6), min_size=1, max_size=5), st.data())
def test_words_are_what_stands_between_spaces(sentences, data):
    with blocks_of(data.draw(st.integers(1, 60))), pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "_SLOTS", data.draw(st.integers(1, 5)))  # which words share
        for end in ("\n", "" if sentences[-1] else "\n"):
            assert the_same(*scanned_and_split(sentences, end))


@given(st.lists(st.lists(border_words(), min_size=1), min_size=1), st.data())
@pytest.mark.filterwarnings("ignore:x has")  # a byte-order mark
def test_faults_of_text_are_those_of_its_first_faulty_line(sentences, data):
    def split(file):
        lines = decode_lines(file, "x")
        for number, line in enumerate(lines, 1):
            if "\t" in line or not line.strip(" "):
                return f"x:{number}: a {'tab' if chr(9) in line else 'blank line'}"
        return [[word for word in line.split(" ") if word] for line in lines]

    file = data.draw(mutated("".join(" ".join(words) + "\n" for words in sentences).encode()))
    with blocks_of(data.draw(st.integers(1, 60))):
        read, lines = outcome(parse_sentences, file, "x"), outcome(split, file)
    assert read.startswith(lines) if isinstance(lines, str) else read == lines


@pytest.mark.parametrize("data", [b"", b"1,2", b"1\r\n", b"\xef\xbb\xbf1", b"1234567890"])
def test_what_is_odd_is_left_to_the_careful_reader(data):
    assert scan(data, " ") is None
