"""Lines of text."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from preorder_eval.base.errors import FormatError, InputWarning, PreorderEvalError
from preorder_eval.base.files import files
from preorder_eval.base.files.files import (
    count_lines,
    decode_lines,
    file_hash,
    iterate_lines,
    labelled,
    labelled_output,
    read_lines,
    uncompressed,
)
from preorder_eval.base.text.text_files import (
    join_tokens,
    read_sentences,
    read_text,
    warn_if_raw,
    whole_number,
)
from preorder_eval.judgments.human_score_files import read_human_scores, read_rankings
from preorder_eval.orders.alignment_files import read_alignment
from preorder_eval.orders.order_files import read_orders
from preorder_eval.parsers.to_docs import read_docbin
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.conllu import read_conllu
from preorder_eval.trees.nbest_files import iterate_nbest, read_nbest

TOKENS = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\n\r\0\ufeff"), min_size=1, max_size=3
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("text") / "sentences"


@pytest.mark.slow
@given(st.lists(st.lists(TOKENS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_reading_what_was_written_gives_the_same_tokens(path, sentences):
    path.write_text("".join(join_tokens(tokens) + "\n" for tokens in sentences), newline="\n")
    assert read_sentences(path) == sentences


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x: is empty; at least one line"),
        (b"\n\n", "x: is empty"),
        (b"\nb\xff\n", "x:2: not UTF-8: byte 0xff; convert it with iconv -f ENCODING -t UTF-8"),
        (b"\xff\xfea\0", "x:1: not UTF-8: byte 0xff; convert it with iconv -f UTF-16 -t UTF-8"),
        (b"a\nb\xe3\x81", "x:2: not UTF-8: byte 0xe3"),
        (b"\r\nb\rc\r\n", "x:2: a carriage return inside a line; replace it with tr '\\r' ' '"),
        (b"a\rb\r", r"x:1: a carriage return inside a line; replace it with tr '\r' '\n'"),
        (b"a\nb\r\r\n", "x:2: a carriage return inside a line"),
        (b"\xef\xbb\xbf\r\n", "x: is empty"),
        (b"\n\0b", "x:2: a NUL byte: this is not a text file; if it is UTF-16, convert it with"),
    ],
)
def test_bytes_that_are_not_lines_are_errors(data, message):
    with pytest.raises(FormatError) as error:
        decode_lines(data, "x")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"\xef\xbb\xbfa\nb\n", "a byte-order mark"),
        (b"a\r\nb\r\n", "Windows line endings"),
        (b"\xef\xbb\xbfa\r\nb", "a byte-order mark and Windows line endings"),
    ],
)
def test_marks_of_other_systems_are_taken_off_with_a_warning(tmp_path, data, found):
    (tmp_path / "x").write_bytes(data)
    warning = f"^{tmp_path}/x has {found}; ignored$"
    with pytest.warns(InputWarning, match=warning):
        assert read_lines(tmp_path / "x") == ["a", "b"]
    with pytest.warns(InputWarning) as said:
        assert list(iterate_lines(tmp_path / "x")) == ["a", "b"]
    assert [str(one.message).split(" has ")[0] for one in said] == [f"{tmp_path}/x"]


COMPRESSORS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_compressed_files_are_read_as_what_they_hold(tmp_path, ending):
    path = tmp_path / f"x.en{ending}"
    path.write_bytes(COMPRESSORS[ending](b"a b\nc\n"))
    assert read_lines(path) == list(iterate_lines(path)) == ["a b", "c"]
    assert count_lines(path) is None
    assert uncompressed(path) == tmp_path / "x.en"


@pytest.mark.parametrize("read", [read_lines, lambda path: list(iterate_lines(path))])
@pytest.mark.parametrize("ending", COMPRESSORS)
def test_damaged_compressed_files_are_errors(tmp_path, ending, read):
    whole = COMPRESSORS[ending](b"a b\nc\n" * 100)
    for data in (b"a b\n", whole[:-9], whole[:10] + b"x" + whole[11:]):
        (tmp_path / f"x{ending}").write_bytes(data)
        with pytest.raises(
            FormatError, match=rf"x\{ending}: is an incomplete \{ending} file; write"
        ):
            read(tmp_path / f"x{ending}")
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        read(tmp_path / f"missing{ending}")


READERS = [
    read_lines,
    read_sentences,
    read_text,
    read_conllu,
    read_nbest,
    lambda path: list(iterate_nbest(path)),
    lambda path: read_alignment(path, [1] * 600),
    lambda path: read_orders(path, [1] * 600),
    lambda path: read_human_scores(path, 600),
    lambda path: read_rankings(path, 600),
    load_rules,
]


@pytest.mark.parametrize("read", READERS)
def test_bounds_are_the_same_for_all_readers(tmp_path, monkeypatch, read):
    monkeypatch.setattr(files, "LINE", 1000)
    (tmp_path / "x").write_bytes(b"0" * 1001)
    with pytest.raises(FormatError, match="x:1: a line of more than 1,000 bytes; split it"):
        read(tmp_path / "x")
    with pytest.raises(FormatError, match="x:1: a line of more than 1,000 bytes; split it"):
        list(iterate_lines(tmp_path / "x"))  # of which there may be any number
    monkeypatch.setattr(files, "EXPANDED", 2000)
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"\n" * 3000))
    with pytest.raises(FormatError, match="has more than 2,000 bytes, the limit for a file"):
        read(tmp_path / "x.gz")


def test_documents_of_spacy_do_not_fill_the_memory(tmp_path, monkeypatch):
    """They are compressed, too."""
    document = Doc(Vocab(), ["Go"] * 500, heads=[0] * 500, deps=["dep"] * 500)
    DocBin(docs=[document]).to_disk(tmp_path / "x.spacy")
    assert len(read_docbin(tmp_path / "x.spacy")) == 1
    monkeypatch.setattr(files, "EXPANDED", 2000)
    with pytest.raises(FormatError, match="spacy: has more than 2,000 bytes, the limit for"):
        read_docbin(tmp_path / "x.spacy")


@given(st.binary(max_size=60).map(lambda data: data.replace(b"a", b"\n")), st.integers(1, 9))
@example(b"\n12345", 9)
@example(b"abcde\n12345", 5)
def test_long_lines_are_found_in_whatever_pieces(path, data, size):
    path.write_bytes(data)
    lines = data.split(b"\n")
    longest = [n for n, line in enumerate(lines, 1) if len(line) > 5]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "LINE", 5)
        if longest:
            with pytest.raises(FormatError) as error:
                list(files.iterate_bytes(path, size))
            assert error.value.line == longest[0]
        else:
            assert b"".join(files.iterate_bytes(path, size)) == data


def test_a_sentence_has_a_bound(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.write_text("b\n" + "a " * files.WORDS + "\n")
    assert len(read_sentences(path)[1]) == files.WORDS
    path.write_text("b\n" + "a " * (files.WORDS + 1) + "\n")
    with pytest.raises(FormatError, match="x:2: a sentence of 100,001 words; the limit is"):
        read_sentences(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n\nb\n", "x:2: a blank line; every line must have a sentence"),
        ("a\n  \nb\n", "x:2: a blank line"),
        ("a\nb\tc\n", "x:2: a tab in tokenised text; separate tokens with spaces"),
        ("1" + 9 * "\t_", "x:1: a tab in tokenised text; let the name of a CoNLL-U file end in"),
    ],
)
def test_lines_that_are_not_sentences_are_errors(tmp_path, text, message):
    (tmp_path / "x").write_text(text)
    with pytest.raises(FormatError) as error:
        read_sentences(tmp_path / "x")
    assert str(error.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize("name", ["missing", "."])
def test_what_cannot_be_read_is_an_error(tmp_path, name):
    with pytest.raises(FormatError, match=r"cannot be read: (No such file|Is a directory)"):
        read_lines(tmp_path / name)


def test_standard_input_is_named_in_errors(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\rc\n")))
    with pytest.raises(FormatError, match=r"^standard input:2: a carriage return"):
        read_lines("-")


@pytest.mark.parametrize("tokens", [[], *(["b", t] for t in ("", "a b", "a\tb", "\n", "\r", "\0"))])
def test_tokens_that_would_not_come_back_are_not_written(tokens):
    with pytest.raises(PreorderEvalError, match="cannot be written"):
        join_tokens(tokens)


@pytest.mark.parametrize(
    ("field", "number"),
    [("0", 0), ("007", 7), ("999999999", 999999999)]
    + [(field, None) for field in ("", "-1", "+1", "1_0", " 1", "٣", "²", "1" * 5000)],
)
def test_whole_numbers_are_plain_digits(field, number):
    assert whole_number(field) == number


def test_the_hash_is_that_of_the_bytes(tmp_path):
    # The SHA-256 of "abc", from FIPS 180-2, appendix B.1.
    (tmp_path / "x").write_bytes(b"abc")
    assert file_hash(tmp_path / "x") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


@pytest.mark.parametrize("text", ["=out.conllu", " =out.conllu", "new="])
def test_half_a_label_is_refused(text):
    with pytest.raises(PreorderEvalError, match=r"is not LABEL=PATH, such as new=out\.conllu"):
        labelled(text)


def test_a_file_with_such_a_name_is_that_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert labelled("a=b") == ("a", "b")
    (tmp_path / "a=b").touch()
    assert labelled("a=b") == (None, "a=b")


def test_outputs_may_be_called_by_parser_and_rules(tmp_path, monkeypatch):
    """Where there is that file; a path with an equals sign stays a path."""
    monkeypatch.chdir(tmp_path)
    assert labelled_output("gold/none=out.txt") == (None, Path("gold/none=out.txt"))
    (tmp_path / "out.txt").touch()
    assert labelled_output("gold/none=out.txt") == ("gold/none", Path("out.txt"))
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "none=out.txt").touch()
    assert labelled_output("gold/none=out.txt") == (None, Path("gold/none=out.txt"))
    assert labelled_output("a/b/c=out.txt") == (None, Path("a/b/c=out.txt"))


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["She reads.", "Go.", "He left ."], "2 of its first 3 lines end like 'reads.'"),
        (["She reads.", "He left ."], ""),
        (["He lives in the U.S."], ""),
    ],
)
def test_text_most_of_whose_lines_look_raw_gets_a_warning(lines, told):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_if_raw([line.split() for line in lines], "s.en")
    assert [told in str(warning.message) for warning in caught] == [True] * bool(told)
