"""Reading rankings, in the CSV of WMT and as TSV."""

import pytest

from preorder_eval.errors import FormatError
from preorder_eval.formats.judgments import read_rankings

WMT = """\
srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,\
system2Id,system3Number,system3Id,system1rank,system2rank,system3rank
ja,en,1,d,9,ann,1,A,2,B,3,C,1,2,2
ja,en,2,d,9,bob,1,A,2,B,3,C,-1,3,1
"""
SIMPLE = """\
line\tjudge\tsystem\trank
0\tann\tA\t1
0\tann\tB\t2
0\tann\tC\t2

1\tbob\tB\t3
1\tbob\tC\t1
"""
PAIRS = {(0, "A", "B", 1, 0), (0, "A", "C", 1, 0), (0, "B", "C", 0, 0), (1, "B", "C", -1, 1)}


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "ranks"
        path.write_text(text)
        return path

    return write


def listed(pairs):
    names = [[pairs.systems[i] for i in side] for side in (pairs.first, pairs.second)]
    return set(zip(pairs.segment, *names, pairs.preferred, pairs.judge, strict=True))


@pytest.mark.parametrize("text", [WMT, SIMPLE])
def test_both_forms_say_the_same(written, text):
    assert listed(read_rankings(written(text), 2)) == PAIRS


def test_the_form_of_two_outputs(written):
    text = "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,j,A,2,B,1\n"
    assert listed(read_rankings(written(text), 1)) == {(0, "A", "B", -1, 0)}


def test_spaces_of_any_kind_around_a_rank(written):
    rank = WMT.replace(",3,1\n", ",\x1c3 ,1\n")
    assert rank != WMT
    assert listed(read_rankings(written(rank), 2)) == PAIRS


def test_the_same_ranking_twice_is_two_judgments(written):
    twice = SIMPLE + "\n1\tbob\tB\t3\n1\tbob\tC\t1\n"
    assert len(read_rankings(written(twice), 2)) == 5
    with pytest.raises(FormatError, match="ranked twice; put an empty line between"):
        read_rankings(written(twice.replace("\n\n1\tbob", "\n1\tbob")), 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WMT.replace(",2,d,", ",3,d,"), r"ranks:3: segment 3, but there are 2, counted from 1"),
        (WMT.replace(",3,1\n", ",x,1\n"), r"ranks:3: 'x' is not a rank"),
        (WMT.replace(",3,1\n", ",3\n"), r"ranks:3: 14 fields instead of 15"),
        (WMT.replace("ja,en,2", "de,en,2"), r"ranks:3: de-en after ja-en; keep"),
        (WMT.replace("judgeId", "judge"), r"ranks:1: no column judgeID or judgeId"),
        (WMT.replace("system2rank", "rank2"), r"ranks:1: no column system2rank"),
        ("a,b\n1,2\n", r"ranks:1: no column srcIndex or segmentId"),
        ("srcIndex,judgeId,system1Id,system1rank\n1,j,A,1\n", r"ranks:1: no column system2Id"),
        (SIMPLE.replace("\t1\n", "\n", 1), r"ranks:2: 3 fields instead of 4"),
        ("line\tjudge\tsystem\trank\n0\tann\tA\t1\n", r"no two outputs are ranked"),
    ],
)
def test_bad_files(written, text, message):
    with pytest.raises(FormatError, match=message):
        read_rankings(written(text), 2)
