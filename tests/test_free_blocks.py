"""Files of free blocks."""

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.reference_folder import format_free_blocks, read_free_blocks


def test_blocks_are_read_and_written(tmp_path):
    file = tmp_path / "a.free"
    file.write_text("0-1|2 4|5-6|7\n\n3|4\n")
    blocks = read_free_blocks(file, [8, 3, 5])
    assert blocks == [[((0, 1), (2, 2)), ((4, 4), (5, 6), (7, 7))], [], [((3, 3), (4, 4))]]
    assert format_free_blocks(blocks) == file.read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-1", "is not written as 0-1|2-4"),
        ("0-1|x", "is not written as 0-1|2-4"),
        ("0-1|3-4", "has stretches that are not adjacent"),
        ("1-0|1-2", "has a stretch that ends before it begins"),
        ("3-4|5-6", "reaches beyond the 6 tokens"),
        ("0-1|2-3 3|4", "overlaps another"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, line, message):
    file = tmp_path / "a.free"
    file.write_text(f"\n{line}\n")
    with pytest.raises(FormatError) as error:
        read_free_blocks(file, [6, 6])
    assert message in str(error.value)
    assert f"{file}:2: " in str(error.value)


def test_as_many_lines_as_sentences(tmp_path):
    (tmp_path / "a.free").write_text("\n")
    with pytest.raises(FormatError, match="1 line, but the translation has 2 sentences"):
        read_free_blocks(tmp_path / "a.free", [1, 1])
