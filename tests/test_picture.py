"""Pictures of sentences for notebooks: SVG that stands by itself."""

import re
from xml.etree import ElementTree

import pytest
from small_orders import THREE, evaluated

import preorder_eval as pe
from preorder_eval.errors import PreorderEvalError, UnknownNameError

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def result():
    return pe.evaluate("en-ja", parsers="gold", rules=["none", "en-ja"], resamples=1)


def parts(svg, kind):
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{kind}"))  # noqa: S314, it is our own


def words_of(svg):
    return [text.text for text in parts(svg, "text")]


def test_every_word_stands_in_each_row_and_lines_join_it(result):
    drawn = pe.picture(result, 3, "none")
    source = result.inputs.reference.source[2]
    tree = result.inputs.systems[0].origin().trees[2]
    shown = words_of(drawn.svg)
    assert [shown.count(word) for word in source] == [3 * source.count(word) for word in source]
    assert {"source", "none", "reference", *tree.labels} - {"root"} <= set(shown)
    lines = [path.get("d") for path in parts(drawn.svg, "path") if path.get("stroke-width")]
    assert len(lines) == 2 * len(source)
    for line in lines[: len(source)]:
        numbers = re.findall(r"[\d.]+", line)
        assert numbers[0] == numbers[-2], "the source order crosses nothing"
    assert repr(drawn).splitlines()[0] == f"source     {' '.join(source)}"
    assert drawn._repr_html_().count("<svg") == 1


def test_nothing_is_loaded_run_or_left_unescaped():
    data = pe.ReferenceSet(
        "mine", [["</svg><script>", "&", "b\u202e"]], pe.Alignments.of([[(0, 0)]])
    )
    mine = pe.evaluate(data, pe.System.from_orders([[2, 1, 0]], data, "<b>"), resamples=1)
    svg = pe.picture(mine, 1).svg
    assert {"</svg><script>", "&", "b\\u202e", "<b>"} <= set(words_of(svg))
    assert "<script" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_what_cannot_be_drawn_is_told():
    small = evaluated(THREE, resamples=1)
    with pytest.raises(UnknownNameError, match="unknown system of the result 'x'"):
        pe.picture(small, 1, "x")
    with pytest.raises(PreorderEvalError, match="sentence must be from 1"):
        pe.picture(small, 0)
    with pytest.raises(PreorderEvalError, match="this result has outputs only"):
        pe.picture(pe.score({"mt": ["a"]}, ["a"], "wer", resamples=1), 1)
