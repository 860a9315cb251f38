"""Parallel text in one file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.errors import FormatError, PreorderEvalError
from preorder_eval.formats.text import read_parallel, write_parallel

# A byte-order mark at the start of a file is an error, so no token here starts with one.
TOKENS = st.sampled_from(["a", "\u3000", "b\u00a0c", "\u2028", "\x85", "||", "||||"]) | st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\n\r\ufeff"), min_size=1, max_size=3
).filter(lambda text: text != "|||")
SENTENCES = st.lists(TOKENS, min_size=1, max_size=4)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("parallel") / "text"


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4))
def test_reading_what_was_written_gives_the_same_tokens(path, pairs):
    source, target = [list(side) for side in zip(*pairs, strict=True)]
    write_parallel(path, source, target)
    assert read_parallel(path) == (source, target)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a b", "0 separators instead of source ||| target"),
        ("a |||b", "0 separators"),
        ("a ||| b ||| 0-0", "2 separators"),
        ("||| b", "nothing on one side"),
        ("a |||", "nothing on one side"),
        ("|||", "nothing on one side"),
        ("", "a blank line"),
        ("a\t||| b", "a tab in tokenised text"),
    ],
)
def test_malformed_lines_are_errors(tmp_path, line, message):
    (tmp_path / "x").write_text(f"a ||| b\n{line}\na ||| b\n")
    with pytest.raises(FormatError) as error:
        read_parallel(tmp_path / "x")
    assert f"x:2: {message}" in str(error.value)


def test_tokens_that_would_not_come_back_are_not_written(tmp_path):
    with pytest.raises(PreorderEvalError, match=r"token '\|\|\|' cannot be written"):
        write_parallel(tmp_path / "x", [["a", "|||"]], [["b"]])
    with pytest.raises(PreorderEvalError, match="token 'b c' cannot be written"):
        write_parallel(tmp_path / "x", [["a"]], [["b c"]])
    assert not (tmp_path / "x").exists()
