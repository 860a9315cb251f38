"""CoNLL-U."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import mutated, trees

from preorder_eval.base.errors import FormatError, InputWarning
from preorder_eval.base.files import files
from preorder_eval.base.files.files import decode_text
from preorder_eval.trees import conllu as module
from preorder_eval.trees.conllu import format_conllu, parse_conllu, read_conllu, write_conllu
from preorder_eval.trees.treebank import Treebank, tree_defect

# Comments, a multiword token, empty nodes (one of them before the first word), enhanced
# dependencies, a word with a non-breaking space, and a sentence without comments.
TREEBANK = """\
# newdoc id = made-up
# sent_id = made-up-1
# text = We'd rather tea, they 10 000 coffees.
1-2	We'd	_	_	_	_	_	_	_	_
1	We	we	PRON	PRP	Case=Nom|Number=Plur	4	nsubj	4:nsubj	_
2	'd	would	AUX	MD	_	4	aux	4:aux	_
3	rather	rather	ADV	RB	_	4	advmod	4:advmod	_
4	tea	tea	NOUN	NN	Number=Sing	0	root	0:root	SpaceAfter=No
5	,	,	PUNCT	,	_	8	punct	8.1:punct	_
6	they	they	PRON	PRP	Case=Nom	8	nsubj	8.1:nsubj	_
7	10\u00a0000	10000	NUM	CD	NumType=Card	8	nummod	8:nummod	_
8	coffees	coffee	NOUN	NNS	Number=Plur	4	conj	8.1:obj	SpaceAfter=No
8.1	have	have	VERB	VB	_	_	_	4:conj	CopyOf=2
9	.	.	PUNCT	.	_	4	punct	4:punct	SpacesAfter=\\n

0.1	_	_	VERB	_	_	_	_	0:root	_
1	Tea	tea	NOUN	NN	_	0	root	0.1:obj	_
1.1	_	_	PUNCT	_	_	_	_	0.1:punct	_

"""


def test_everything_comes_back_as_it_was(tmp_path):
    (tmp_path / "x.conllu").write_text(TREEBANK, encoding="utf-8")
    treebank = read_conllu(tmp_path / "x.conllu")
    write_conllu(tmp_path / "y.conllu", treebank)
    assert (tmp_path / "y.conllu").read_text(encoding="utf-8") == TREEBANK


def test_only_numbered_words_are_tokens():
    treebank = parse_conllu(TREEBANK)
    assert treebank.sentences[0] == [
        *("We", "'d", "rather", "tea", ",", "they", "10\u00a0000", "coffees", ".")
    ]
    assert treebank.sentences[1] == ["Tea"]
    tree = treebank[0]
    assert tree.heads == [3, 3, 3, -1, 7, 7, 7, 3, 3]
    assert tree.labels[:4] == ["nsubj", "aux", "advmod", "root"]
    assert (tree.upos[1], tree.xpos[1]) == ("AUX", "MD")
    assert (tree.sentence_id, treebank[1].sentence_id) == ("made-up-1", None)


def row(number, head, label="dep"):
    return f"{number}\tw\t_\tX\t_\t_\t{head}\t{label}\t_\t_"


def sentence(*rows, name="a-2"):
    return "\n".join([f"# sent_id = {name}", *rows, "", ""])


FIRST = sentence(row("1-2", "_"), row(1, 0), row(2, 1), name="a-1")


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ([row(1, 2), row(2, 1)], 7, "no root; every sentence must be a tree with one root"),
        ([row(1, 0), row(2, 0)], 7, "2 roots: tokens 1, 2"),
        ([row(1, 0), row(2, 3), row(3, 4), row(4, 2)], 7, "a cycle of heads: 2 → 3 → 4 → 2"),
        ([row(1, 0), row(2, 3)], 7, "token 2 has head 3, but its sentence has 2 tokens"),
        ([row(1, 0), row(3, 1)], 8, "token id '3' where 2 was expected; ids count from 1"),
        ([row("x", 0)], 7, "token id 'x' where 1 was expected"),
        ([row("1-x", "_"), row(1, 0)], 7, "token id '1-x' where 1 was expected"),
        ([row("2-3", "_"), row(1, 0)], 7, "token id '2-3' after word 0"),
        ([row(1, 0), row("2.1", "_")], 8, "token id '2.1' after word 1"),
        ([row("1-2", "_"), row(1, 0)], 7, "a range to 2, but 1 word; ranges such as 3-4 run forw"),
        (
            [row("1-2", "_"), row(1, 0), row("2-3", "_"), row(2, 1)],
            9,
            "token id '2-3' after word 1",
        ),
        ([row(1, 0), row("2-1", "_"), row(2, 1)], 8, "token id '2-1' after word 1; ranges such"),
        ([row(1, "_")], 7, "token 1: head '_' is not a number; parse the text with"),
        ([row(1, "٠")], 7, "token 1: head '٠' is not a number"),
        ([row(1, "9" * 30)], 7, "is not a number"),
        (
            [row(1, 0).removesuffix("\t_")],
            7,
            "9 fields instead of 10; CoNLL-U has ten columns, separated",
        ),
        ([row(1, 0).replace("\t", " ")], 7, "1 field instead of 10"),
        ([row(1, 0).replace("w", "")], 7, "an empty field; write _"),
        ([row(1, 0), "# late"], 8, "a comment after a word; put comments before the first"),
        ([], 7, "no words"),
        ([row("1-2", "_")], 8, "no words"),
    ],
)
def test_what_is_not_a_tree_is_an_error(rows, line, message):
    with pytest.raises(FormatError) as error:
        parse_conllu(FIRST + sentence(*rows), "x.conllu")
    assert str(error.value).startswith(f"x.conllu:{line}: sentence a-2: ")
    assert message in str(error.value)


def test_a_sentence_without_a_name_has_its_number():
    with pytest.raises(FormatError, match=r"^x:6: sentence number 2: 2 fields instead of 10"):
        parse_conllu(FIRST + "1\tw\n", "x")


def read_or_refused(data):
    """Every line is read, or the fault is named; whether it was read.

    What was read is what is written: all lines with something on them, a blank one after each
    sentence.
    """
    try:
        treebank = parse_conllu(data, "x")
    except FormatError:
        return False
    text = decode_text(data, "x").strip("\n")
    assert format_conllu(treebank) == re.sub("\n{2,}", "\n\n", text) + "\n\n"
    for tree in treebank:
        assert tree_defect(tree.heads) is None
    return True


@given(st.lists(trees(), min_size=1, max_size=4), st.integers(1, 200))
def test_what_is_written_is_read_in_blocks_of_any_size(made, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        assert read_or_refused(format_conllu(Treebank.of(made)).encode())
        assert read_or_refused(TREEBANK.encode())
        assert read_or_refused(b"\n\n\n" + TREEBANK.replace("\n\n", "\n\n\n").strip().encode())


@pytest.mark.parametrize("names", [249, 250, 251, 252, 255, 256, 257, 300])
@pytest.mark.parametrize("block", [100, 1 << 20])
def test_columns_of_more_names_than_a_byte_has(names, block, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", block)
    rows = [f"1\tw{n}\t_\tX\tt{n}\t_\t0\tl{n}\t_\t_\n\n" for n in [*range(names), 0, names - 1]]
    found = parse_conllu("".join(rows))
    plain = [line.split("\t") for line in rows]
    columns = (found.words, 1), (found.xpos, 4), (found.labels, 7)
    assert all(list(column) == [line[n] for line in plain] for column, n in columns)


@pytest.mark.parametrize("number", ["01", "001", "0", "2", "1.", "1-", "-1", " 1", "1000000001"])
def test_ids_are_written_in_one_way(number):
    with pytest.raises(FormatError, match="x:1: sentence number 1: token id"):
        parse_conllu(f"{number}\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n", "x")


@pytest.mark.filterwarnings("ignore:x has")
@given(mutated(TREEBANK.encode()) | mutated(TREEBANK[-150:].encode()))
def test_damaged_text_is_read_as_it_is_or_refused(data):
    read_or_refused(data)


def test_windows_line_ends_and_a_byte_order_mark_are_taken_off():
    data = b"\xef\xbb\xbf" + TREEBANK.replace("\n", "\r\n").encode()
    with pytest.warns(InputWarning, match="x has a byte-order mark and Windows line endings"):
        assert format_conllu(parse_conllu(data, "x")) == TREEBANK


@pytest.mark.slow
def test_a_sentence_has_a_bound():
    rows = "".join(row(n, n - 1) + "\n" for n in range(1, files.WORDS + 2))
    with pytest.raises(FormatError, match="x:100001: a sentence of 100,001 words; the limit is"):
        parse_conllu(rows, "x")
