"""Arguments from Python: what has the wrong type is one error, at every public function."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import preorder_eval as pe
from preorder_eval.base.arguments import checked

FUNCTIONS = [name for name in pe.__all__ if inspect.isfunction(getattr(pe, name))]


class Odd:
    """Of no use."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "parser_check")) for n in FUNCTIONS]
)
def test_no_public_function_takes_what_is_nothing_for_it(name):
    function = getattr(pe, name)
    given = inspect.signature(function).parameters.values()
    needed = sum(p.default is p.empty and p.kind == p.POSITIONAL_OR_KEYWORD for p in given)
    for wrong in (Odd(), b"x", 1j, pd.NA, {1}):
        with pytest.raises(pe.PreorderEvalError) as error:
            function(*[wrong] * max(needed, 1))
        assert "\n" not in str(error.value), wrong
        assert len(str(error.value)) < 400, wrong


@pytest.mark.parametrize(
    ("function", "arguments", "options", "message"),
    [
        ("ablate", ["en-ja", "gold", [1]], {}, "ablate: reference must be text, a path, Refer"),
        ("score", [{"x": ["a"]}, ["a"]], {"resamples": "3"}, "resamples must be a whole number"),
        ("score", [{"x": ["a"]}, ["a"]], {"resamples": True}, "resamples must be a whole number"),
        ("score", [{"x": ["a"]}, ["a"]], {"test": "t"}, "must be 'randomization' or 'koehn'"),
        (
            "score",
            [3, ["a"]],
            {},
            "outputs must be a mapping (from text), text, a path or a list (text), not 3",
        ),
        ("score", [{3: ["a"]}, ["a"]], {}, "a mapping (from text), text, a path or a list (t"),
        ("evaluate", ["en-ja"], {"parsers": [""]}, "unknown parser ''"),
        ("parse", [["Go", None]], {}, "sentences must be a list (text or a list (text)), not "),
        ("parse", ["Go"], {"n": 2.5}, "n must be a whole number or None, not 2.5"),
        ("align", [["a b"], ["c"]], {}, "source must be a list (a list (text)), not ['a b']"),
        ("load_rules", ["x" * 300], {}, "File name too long"),
        ("read_alignment", ["x"], {"direction": "ja-en"}, "direction must be 'source-target' or"),
        ("read_alignment", ["x"], {"links": "some"}, "links must be 'all' or 'sure', not 'some'"),
        ("read_alignment", ["x"], {"base": "1"}, "base must be a whole number or None, not '1'"),
        (
            "reference_build",
            ["B", "ja", "s", "t"],
            {},
            "languages 'ja': give two codes, such as en-ja",
        ),
        ("reference_order", [[(0, 0)], -1], {}, "source_length must be from 0 to 100000, not -1"),
        ("train", [["t"], "d", "m"], {"steps": "5"}, "steps must be a whole number or None, not"),
        ("train", [["t"], "d", "m"], {"beam": 1}, "beam must be from 2 to 10000, not 1"),
        ("train", [["t"], "d", "m"], {"weights": 3}, "weights must be a list (a whole number), n"),
        ("train", [["t"], "d", "m"], {"weights": [1.5]}, "weights must be a list (a whole number)"),
        ("train", [["t"], "d", "m"], {"keep": "all"}, "keep must be 'best' or 'last', not 'all'"),
        ("train", [["t", ""], "d", "m"], {}, "train must be a list (text or a path), not ['t', '"),
        ("self_train", ["o", "en-ja", "t", "d"], {"margin": "x"}, "margin must be a number, not"),
        (
            "self_train",
            ["o", "en-ja", "t", "d"],
            {"seeds": 0},
            "seeds must be from 1 to 4294967296",
        ),
        (
            "self_train",
            ["o", "en-ja", "t", "d"],
            {"seeds": 3, "seed": 2**32 - 2},
            "seeds must be from 1 to 2, not 3",
        ),
        ("read_alignment", [""], {}, "path must be text or a path, not ''"),
        ("from_docs", [["She reads ."]], {}, "document 1 is not a spaCy document"),
        ("consensus_orders", [[(1, 2)]], {}, "pairs of n-best lists and the rule sets"),
        ("evaluate", ["en-ja"], {"trees": {"a": 1}}, "a: give a treebank or a list of trees"),
        ("evaluate", ["en-ja"], {"orders": {"a": [["x"]]}}, "these are not orders"),
        ("evaluate", ["en-ja"], {"alignments": {"a": 1}}, "a: give Alignments"),
        ("learn_rules", [pe.Treebank.of([]), "en-ja"], {}, "0 trees for 300 sentences"),
        ("load_reference", [np.array([1])], {}, "name must be text or a path, not array([1])"),
        ("read_conllu", ["a\0b"], {}, "cannot be read: embedded null byte"),
    ],
)
def test_one_error_says_what_an_argument_must_be(function, arguments, options, message):
    with pytest.raises(pe.PreorderEvalError) as error:
        getattr(pe, function)(*arguments, **options)
    assert message in str(error.value)


@pytest.mark.parametrize("names", [["a", "b"], ("a", "b"), iter("ab"), np.array(["a", "b"])])
def test_what_has_items_in_an_order_is_a_list(names):
    def joined(names: list[str], many: int = 1, file: Path | None = None) -> str:
        return "".join(names) * many + str(file or "")

    assert checked(joined)(names) == "ab"
    assert checked(joined)(pd.Series(["a", "b"]), np.int64(2)) == "abab"
    assert checked(joined)("ab", file=Path("c")) == "abc"

    def kept(names: list[str] | str) -> object:
        return names

    assert checked(kept)("ab") == "ab"
    for wrong in ({"a": 1}, b"ab", {"a"}, pd.DataFrame({"a": [1]}), ["a", 1], 3):
        with pytest.raises(pe.PreorderEvalError, match="joined: names must be a list"):
            checked(joined)(wrong)
    with pytest.raises(TypeError, match="joined"):
        checked(joined)()


def test_public_functions_go_to_other_processes():
    assert all(pickle.dumps(getattr(pe, name)) for name in FUNCTIONS)  # or it would raise


def test_an_argument_that_there_is_not_is_an_error_of_the_function():
    for function in (pe.read_alignment, pe.read_conllu):
        with pytest.raises(TypeError, match=rf"{function.__name__}\(\) .*'bse'"):
            function("x", bse=1)
    for wrong in ({}, {"by": "errors"}):  # and there is no other error behind it
        with pytest.raises(TypeError, match=r"'by'; it has result, sys|'result'") as raised:
            pe.analyse(**wrong)
        assert raised.value.__context__ is None
