"""Reading human scores."""

import pytest

from preorder_eval.errors import FormatError, UnknownNameError
from preorder_eval.formats.judgments import ScoreColumns, read_human_scores

TABLE = "who\tsys\tseg\tz\nann\tA\t0\t1.5\nbob\tA\t0\t2.5\nann\tB\t1\t-1\nann\tB\t0\t\n"
COLUMNS = ScoreColumns("sys", "seg", "z", "who")


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "human.tsv"
        path.write_text(text)
        return path

    return write


def test_columns_by_name(written):
    scores = read_human_scores(written(TABLE), 2, COLUMNS)
    assert scores.systems == ("A", "B")
    assert scores.means.tolist()[0][0] == 2.0
    assert len(scores) == 3
    assert scores.judge.tolist() == [0, 1, 0]
    assert scores.judges == 2


def test_without_judges(written):
    assert read_human_scores(written(TABLE), 2, ScoreColumns("sys", "seg", "z")).judges == 1


def test_segments_counted_from_one(written):
    text = "system\tline\tscore\nA\t1\t1\nA\t2\t3\n"
    assert read_human_scores(written(text), 2, ScoreColumns(base=1)).means.tolist() == [[1, 3]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t1\t-1", "\t2\t-1", r"human.tsv:4: segment 2, but there are 2, counted from 0"),
        ("\t1\t-1", "\t-1\t-1", r"human.tsv:4: '-1' is not the number of a segment"),
        ("\t-1\n", "\tgood\n", r"human.tsv:4: 'good' is not a score"),
        ("\t-1\n", "\tnan\n", r"human.tsv:4: 'nan' is not a score"),
        ("\t-1\n", "\t1e999\n", r"human.tsv:4: '1e999' is not a score"),
        ("\t-1\n", "\n", r"human.tsv:4: 3 fields instead of 4"),
    ],
)
def test_bad_rows(written, old, new, message):
    with pytest.raises(FormatError, match=message):
        read_human_scores(written(TABLE.replace(old, new)), 2, COLUMNS)


def test_a_missing_column_names_those_there_are(written):
    with pytest.raises(UnknownNameError, match=r"column of .*'score'; known: seg, sys, who, z"):
        read_human_scores(written(TABLE), 2, ScoreColumns("sys", "seg"))


def test_no_scores(written):
    with pytest.raises(FormatError, match="no score below the header"):
        read_human_scores(written("system\tline\tscore\nA\t0\t\n"), 2)
