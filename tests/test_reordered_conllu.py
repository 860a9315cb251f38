"""Treebanks in another word order: what is read again has the same arcs."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.orders.orders import Orders
from preorder_eval.rules.reordered_conllu import reordered_trees, sentences_with_offsets
from preorder_eval.trees.conllu import format_conllu, parse_conllu

SENTENCE = """\
# sent_id = a
# text = He doesn't eat, or drink.
0.1\tAnd\tand\tCCONJ\tCC\t_\t_\t_\t4:cc\t_
1\tHe\the\tPRON\tPRP\tCase=Nom\t4\tnsubj\t4:nsubj|7:nsubj|7.1:nsubj\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t4:aux\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t4:advmod\tGloss=not
4\teat\teat\tVERB\tVB\t_\t0\troot\t0:root\tSpaceAfter=No
5\t,\t,\tPUNCT\t,\t_\t7\tpunct\t7:punct\t_
6\tor\tor\tCCONJ\tCC\t_\t7\tcc\t7:cc\t_
7\tdrink\tdrink\tVERB\tVB\t_\t4\tconj\t0:root|4:conj:or\tSpaceAfter=No
7.1\teat\teat\tVERB\tVB\t_\t_\t_\t7:dep\tCopyOf=4
8\t.\t.\tPUNCT\t.\t_\t4\tpunct\t4:punct\tSpaceAfter=No

"""


def reordered(order):
    return format_conllu(reordered_trees(parse_conllu(SENTENCE), Orders.of([order])))


def arcs(text, source_ids):
    """Return basic and enhanced arcs between the source's ids."""

    def source(number):
        word, dot, rest = number.partition(".")
        return ("0" if word == "0" else source_ids[int(word) - 1]) + dot + rest

    found = set()
    for fields in (line.split("\t") for line in text.splitlines() if re.match(r"[0-9.]+\t", line)):
        here = source(fields[0])
        found.add(
            (here, *fields[1:6], fields[6] if fields[6] == "_" else source(fields[6]), fields[7])
        )
        found |= {
            (here, source(h), of) for h, of in (d.split(":", 1) for d in fields[8].split("|"))
        }
        found |= {(here, source(copy)) for copy in re.findall(r"CopyOf=([0-9]+)", fields[9])}
    return found


@given(st.permutations(range(8)))
def test_what_is_read_again_has_the_same_arcs(order):
    text = reordered(order)
    assert format_conllu(parse_conllu(text)) == text
    source_ids = re.search(r"# source_order = (.*)", text)[1].split()
    assert source_ids == [str(old + 1) for old in order]
    assert arcs(text, source_ids) == arcs(SENTENCE, [str(n) for n in range(1, 9)])
    together = order.index(2) == order.index(1) + 1
    assert ("doesn't\t_" in text) == together
    notes = ("SourceToken=doesn't\n", "SourceToken=doesn't|Gloss=not\n")
    assert [note in text for note in notes] == [not together] * 2
    heads = [line.split("\t")[8].split("|") for line in text.splitlines() if "\t" in line]
    keys = [[float(arc.split(":")[0]) for arc in of] for of in heads if of != ["_"]]
    assert keys == [sorted(of) for of in keys]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (range(8), "He doesn't eat, or drink."),
        ([0, 3, 1, 2, 4, 5, 6, 7], "He eat doesn't , or drink."),
        ([0, 2, 1, 5, 6, 3, 4, 7], "He n't does or drink eat, ."),
        ([7, 0, 1, 2, 3, 4, 5, 6], ". He doesn't eat, or drink"),
    ],
)
def test_spaces_are_where_other_words_follow(order, text):
    assert f"# text = {text}\n" in reordered(order)


@pytest.mark.parametrize("order", [[1, 0, 2], [2, 0, 1], [0, 1, 2]])
def test_trees_of_a_line_begin_where_they_did(order):
    rows = [f"{n}\tw{n}\t_\t_\t_\t_\t{n - 1}\tx\t_\tGloss={n}" for n in (1, 2, 3)]
    text = "\n".join([*rows[:2], f"{rows[2]}|NewTree=Yes", "", ""])
    trees = reordered_trees(parse_conllu(text), Orders.of([order]))
    glosses = [f"Gloss={old + 1}" for old in order]
    assert list(trees.columns["misc"]) == [*glosses[:2], f"{glosses[2]}|NewTree=Yes"]


def test_the_command_writes_trees(run, tmp_path):
    (tmp_path / "t.conllu").write_text(SENTENCE * 2)
    reorder = ("reorder", "--rules", "reverse", "--trees", tmp_path / "t.conllu")
    code, out, err = run(*reorder, "--output", "conllu")
    assert (code, len(parse_conllu(out))) == (0, 2)
    assert "2 of 2 multiword tokens are split" in err


MISC = """\
1\ta\t_\tX\t_\t_\t0\troot\t_\t{}
2\tb\t_\tX\t_\t_\t1\tdep\t_\t{}
3\tc\t_\tX\t_\t_\t1\tdep\t_\t{}

"""


@pytest.mark.parametrize(
    ("order", "misc", "expected"),
    [
        ([1, 0, 2], ["CxnElt=1:A.B,3:C|x=1", "CopyOf=1", "_"],
            ["CopyOf=2", "CxnElt=2:A.B,3:C|x=1", "_"]),
        ([1, 0, 2], ["CxnElt=12:A|Cxn=1", "CopyOf=9", "1"],
            ["CopyOf=9", "CxnElt=12:A|Cxn=1", "1"]),
        ([1, 2, 0], ["SpacesAfter=s", "SpacesAfter=n", "SpacesAfter=t"],
            ["SpacesAfter=n", "_", "_"]),
        ([0, 1, 2], ["SpacesBefore=s", "start_char=2", "SpacesAfter=n"], None),
        ([0, 2, 1], ["SpacesBefore=s|TokenRange=0:1", "SpacesBefore=n", "end_char=3|x=1"],
            ["SpacesBefore=s", "x=1", "_"]),
    ],
)  # fmt: skip
def test_what_misc_tells_of_other_words_and_of_places(order, misc, expected):
    trees, orders = parse_conllu(MISC.format(*misc)), Orders.of([order])
    written = reordered_trees(trees, orders)
    assert list(written.columns["misc"]) == (expected or misc)
    lost = sentences_with_offsets(trees, orders)
    assert lost == (expected is not None and any("_char" in m or "Range" in m for m in misc))


@pytest.mark.parametrize("deps", ["9:nsubj", "x:nsubj", "2.x:dep", "0:root|4:conj"])
def test_enhanced_arcs_of_words_that_there_are_not(deps):
    text = MISC.format("_", "_", "_").replace("root\t_", f"root\t{deps}")
    with pytest.raises(
        PreorderEvalError, match=re.escape(f"dependencies {deps!r} refer to a word")
    ):
        reordered_trees(parse_conllu(text), Orders.of([[1, 0, 2]]))
