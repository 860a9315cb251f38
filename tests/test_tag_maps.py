"""Tags turned into universal ones by name."""

import tomllib
from pathlib import Path

import pytest

from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.trees import tag_maps as module
from preorder_eval.trees.tag_maps import map_lines, mapped, tag_map, tag_maps

TWELVE = {*["NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PRT", "X", "."]}
NINE = {"NP", "VP", "AJP", "AVP", "PP", "S", "CONJP", "COP", "X"}
FILE = tomllib.loads(Path(module.__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def test_every_tag_has_one_universal_tag():
    for name in tag_maps():
        chosen = tag_map(name)
        tags = " ".join(FILE[chosen.kind][name].values()).split()
        assert sorted(tags) == sorted(chosen.universal), name
        universal = {*chosen.universal.values()}
        assert universal == {*FILE[chosen.kind][name]}, name
        assert universal <= (TWELVE if chosen.kind == "part-of-speech" else NINE), name


def test_the_tags_of_universal_dependencies():
    ud = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
    assert set(mapped(ud, [tag_map("ud")]).split()) == TWELVE


def test_spanish_tags_of_table_7_1():
    assert mapped("ART NC VLfin PREP/DEL ADJ FS", [tag_map("spanish-treetagger")]) == (
        "DET NOUN VERB ADP ADJ X"
    )


def test_trees_take_a_map_for_words_and_one_for_phrases():
    line = "(S (NP (NNS Dogs)) (ADJP (JJ big)))"
    both = [tag_map("english-penn"), tag_map("english-penn-2")]
    assert mapped(line, both) == "(NP (NOUN _)) (AJP (ADJ _))"
    assert mapped(line, both[1:]) == "(NP (NNS _)) (AJP (JJ _))"
    with pytest.raises(
        PreorderEvalError, match="english-penn and english-penn-2 cannot be combined"
    ):
        mapped("NNS JJ", both)


def test_errors_name_the_line():
    with pytest.raises(FormatError, match=r"t\.pos:2: unknown part-of-speech tag of ud 'NNP'"):
        map_lines(["NOUN", "NNP"], [tag_map("ud")], Path("t.pos"))
    with pytest.raises(FormatError, match=r"t\.pos:1: .*not closed"):
        map_lines(["(S (NP (NN dog))"], [], Path("t.pos"))
    with pytest.raises(UnknownNameError, match=r"unknown map of tags 'latin'.*french"):
        tag_map("latin")
