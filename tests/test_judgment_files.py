"""Human scores and rankings, as they are read."""

import pytest

from preorder_eval.base.errors import FormatError, InputWarning, UnknownNameError
from preorder_eval.judgments.human_score_files import ScoreColumns, read_human_scores, read_rankings
from preorder_eval.metrics.score_files import read_score_file

TABLE = "who\tsys\tseg\tz\nann\tA\t0\t1.5\nbob\tA\t0\t2.5\nann\tB\t1\t-1\nann\tB\t0\t\n"
COLUMNS = ScoreColumns("sys", "seg", "z", "who")


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "x"
        path.write_text(text)
        return path

    return write


def test_columns_by_name(written):
    scores = read_human_scores(written(TABLE + "\n\n"), 2, COLUMNS)
    assert scores.systems == ("A", "B")
    assert scores.means.tolist()[0][0] == 2.0
    assert len(scores) == 3
    assert scores.judge.tolist() == [0, 1, 0]
    assert scores.judges == 2


def test_segments_counted_from_one(written):
    text = "system\tline\tscore\nA\t1\t1\nA\t2\t3\n"
    assert read_human_scores(written(text), 2, ScoreColumns(base=1)).means.tolist() == [[1, 3]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t1\t-1", "\t2\t-1", r"x:4: segment 2, but there are 2, counted from 0"),
        ("\t1\t-1", "\t-1\t-1", r"x:4: '-1' is not the number of a segment"),
        ("\t-1\n", "\tgood\n", r"x:4: 'good' is not a score"),
        ("\t-1\n", "\tnan\n", r"x:4: 'nan' is not a score"),
        ("\t-1\n", "\t1e999\n", r"x:4: '1e999' is not a score"),
        ("\t-1\n", "\n", r"x:4: 3 fields instead of 4"),
    ],
)
def test_scores_that_are_none(written, old, new, message):
    with pytest.raises(FormatError, match=message):
        read_human_scores(written(TABLE.replace(old, new)), 2, COLUMNS)


@pytest.mark.parametrize("missing", ["", "None", "NA", "NaN"])
def test_scores_that_there_are_not(written, missing):
    text = f"system\tline\tscore\nA\t0\t{missing}\nA\t1\t3\nB\t0\t2\nB\t1\t{missing}\n"
    scores = read_human_scores(written(text), 2)
    assert [scores.segment.tolist(), scores.score.tolist()] == [[1, 0], [3, 2]]


@pytest.mark.parametrize("between", [" ", "  ", ",", "; "])
def test_a_table_without_tabs(written, between):
    lines = (between.join(line) for line in [["SYS", "SID", "RAW.SCR"], ["A", "0", "0.5"]])
    with pytest.raises(FormatError, match="x:1: no tabs in this file; separate the fields"):
        read_human_scores(written("\n".join(lines)), 2)


def test_where_counting_begins(written):
    def read(first, last, base=None):
        text = "".join(f"A\t{n}\t{n}\n" for n in range(first, last + 1))
        columns = ScoreColumns(base=base)
        scores = read_human_scores(written(f"system\tline\tscore\n{text}\n\n"), 4, columns)
        return scores.segment.tolist()

    assert read(0, 3) == read(1, 4, 1) == [0, 1, 2, 3]
    assert read(2, 3) == [2, 3], "some of them, which tell nothing"
    with pytest.warns(InputWarning, match=r"use .*base=1.* if the first segment is 1"):
        assert read(1, 2) == [1, 2]
    assert read(1, 2, 0) == [1, 2]
    for first, last, base, hint in ((1, 4, None, "base=1"), (0, 3, 1, "base=0"), (0, 4, None, "")):
        with pytest.raises(FormatError) as error:
            read(first, last, base)
        assert (hint or "base=") in str(error.value) or not hint
        assert error.value.line == (2 if base else 5 + (first == 0))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_human_scores, "system\tline\tscore\tscore\nA\t0\t1\t2\n"),
        (read_rankings, "srcIndex,judgeId,judgeId,system1Id,system1rank,system2Id,system2rank\n"),
        (lambda path, _: read_score_file(path), "A\tB\tA\n1\t2\t3\n"),
        (lambda path, _: read_score_file(path), "system\tscore\tscore\nA\t2\t3\n"),
    ],
)
def test_a_column_twice_is_an_error(written, read, text):
    with pytest.raises(FormatError, match=r"x:1: column '\w+' occurs twice"):
        read(written(text), 1)


def test_a_missing_column_names_those_there_are(written):
    with pytest.raises(UnknownNameError, match=r"column of .*'score'; known: seg, sys, who, z"):
        read_human_scores(written(TABLE), 2, ScoreColumns("sys", "seg"))


def test_no_scores(written):
    with pytest.raises(FormatError, match="no score below the header"):
        read_human_scores(written("system\tline\tscore\nA\t0\t\n"), 2)


WMT = """\
srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,\
system2Id,system3Number,system3Id,system1rank,system2rank,system3rank
ja,en,1,d,9,ann,1,A,2,B,3,C,1,2,2
ja,en,2,d,9,bob,1,A,2,B,3,C,-1,3,1
"""
PAIRS = {(0, "A", "B", 1, 0), (0, "A", "C", 1, 0), (0, "B", "C", 0, 0), (1, "B", "C", -1, 1)}


def listed(pairs):
    names = [[pairs.systems[i] for i in side] for side in (pairs.first, pairs.second)]
    return set(zip(pairs.segment, *names, pairs.preferred, pairs.judge, strict=True))


def test_pairs_of_rankings(written):
    assert listed(read_rankings(written(WMT), 2)) == PAIRS


def test_the_form_of_two_outputs(written):
    text = "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,j,A,2,B,1\n"
    assert listed(read_rankings(written(text), 1)) == {(0, "A", "B", -1, 0)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WMT.replace(",2,d,", ",3,d,"), r"x:3: segment 3, but there are 2, counted from 1"),
        (
            WMT.replace(",2,d,", ",0,d,"),
            r"x:3: segment 0, but .* if the first .* is 0, use .*base=0",
        ),
        (WMT.replace(",3,1\n", ",x,1\n"), r"x:3: 'x' is not a rank"),
        (WMT.replace(",3,1\n", ",3\n"), r"x:3: 14 fields instead of 15"),
        (WMT.replace("ja,en,2", "de,en,2"), r"x:3: de-en after ja-en; keep"),
        (WMT.replace("judgeId", "judge"), r"x:1: no column judgeID or judgeId"),
        (WMT.replace("system2rank", "rank2"), r"x:1: no column system2rank"),
        ("a,b\n1,2\n", r"x:1: no column srcIndex or segmentId"),
        ("srcIndex,judgeId,system1Id,system1rank\n1,j,A,1\n", r"x:1: no column system2Id"),
        (WMT.replace(",2,B,3,C,-1", ",2,A,3,C,1"), r"x:3: a system is ranked twice; write"),
        (WMT.replace(",1,2,2\n", ",1,-1,-1\n").replace(",3,1\n", ",-1,1\n"), "no ranking has two"),
    ],
)
def test_rankings_that_are_none(written, text, message):
    with pytest.raises(FormatError, match=message):
        read_rankings(written(text), 2)
