"""Reference sets read part by part, against reading them whole."""

from __future__ import annotations

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.reference_set import is_by_line, iterate_reference, reference_from_files


@pytest.fixture
def files(tmp_path):
    source, alignment = tmp_path / "s.en", tmp_path / "s.align"
    source.write_text("a b c\nd e\nf\ng h\ni j k\n")
    alignment.write_text("0-2 1-1\n1-0\n\n0-0 1p0\n2-3\n")
    return source, alignment


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_the_parts_make_up_the_whole(files, size):
    whole = reference_from_files(*files)
    parts = list(iterate_reference(*files, size))
    assert [len(part) for part in parts[:-1]] == [size] * (len(parts) - 1)
    assert [words for part in parts for words in part.source] == whole.source
    assert [order for part in parts for order in part.references] == list(whole.references)
    marks = [part.alignments.marks(s) for part in parts for s in range(len(part))]
    assert marks == [whole.alignments.marks(s) for s in range(len(whole))]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("s.align", "0-0\n0-0\n0-0\n0-0\n7-0\n", r"s\.align:5: link 7-0: source position 7"),
        ("s.align", "0-0\n0-0\n0-0\n0~0\n\n", r"s\.align:4: link '0~0' is not two positions"),
        ("s.align", "0-0\n0-0\n0-0\n", r"s\.align: ends after 3 sentences, and .*s\.en does not"),
        ("s.en", "a b c\nd e\nf\ng h\n", r"s\.en: ends after 4 sentences, and .*s\.align does not"),
        ("s.en", "a b c\nd e\nf\n\ni j k\n", r"s\.en:4: a blank line"),
    ],
)
def test_errors_name_the_line_of_the_file(files, tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        list(iterate_reference(*files, 2))


def test_which_files_have_a_line_for_every_sentence(files, tmp_path):
    source, alignment = files
    assert is_by_line(source, alignment)
    assert not is_by_line(source, alignment, "lader")
    assert not is_by_line(tmp_path / "s.conllu", alignment)
    (tmp_path / "s.lader").write_text("3-3 ||| 0-0\n")
    assert not is_by_line(source, tmp_path / "s.lader")
