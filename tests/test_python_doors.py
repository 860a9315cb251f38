"""What people type first in Python: it is accepted where its meaning is plain, or is one error."""

import copy
from functools import partial

import numpy as np
import pandas as pd
import pytest

import preorder_eval as pe
from preorder_eval.analysis.overview import overview
from preorder_eval.evaluation.parsed import named_trees
from preorder_eval.judgments.metric_scores import by_reference
from preorder_eval.metrics import OrderMetric
from preorder_eval.orders.orders import ReferenceOrder
from preorder_eval.parsers.load_parser import find_parser
from preorder_eval.parsers.parser import ParserIdentity
from preorder_eval.trees.treebank import Tree

REFERENCE = "en-ja-web/test"
TEXTS, RIGHT = ["a b", "c"], ["a b", "c d"]


def chain(words):
    heads = [*range(1, len(words)), -1]
    return Tree(words, heads, ["dep"] * (len(words) - 1) + ["root"], *[["X"] * len(words)] * 2)


@pytest.mark.slow
def test_a_loaded_pipeline_is_a_parser():
    nlp = pe.load_pipeline("en-web")
    loaded = pe.evaluate(REFERENCE, parsers=nlp, rules=["en-ja"], resamples=10)
    named = pe.evaluate(REFERENCE, parsers=["en-web(truecase=never)"], rules="en-ja", resamples=10)
    assert loaded.intervals[-1][0].value == pytest.approx(named.intervals[-1][0].value)
    parser = loaded.inputs.systems[-1].maker("parser")
    assert (parser["name"], len(parser["sha256"])) == (f"{nlp.lang}_{nlp.meta['name']}", 64)


def test_a_function_is_a_parser():
    result = pe.evaluate(REFERENCE, parsers=[chain], rules=["none", "reverse"], resamples=10)
    assert [system.partition("/")[2] for system in result.systems][-1] == "reverse"
    assert list(pe.parse(["a b"], chain)[0].heads) == [1, -1]
    for wrong in (lambda words: None, lambda words: chain([*words, "more"])):
        with pytest.raises(pe.PreorderEvalError, match="returned no tree"):
            pe.parse(["a b"], wrong)
    circle = Tree(["a", "b"], [1, 0], ["dep", "dep"], ["X", "X"], ["X", "X"])
    with pytest.raises(pe.PreorderEvalError, match="no root"):
        pe.parse(["a b"], lambda words: circle)
    with pytest.raises(pe.PreorderEvalError, match="<lambda> failed on sentence 2: IndexErr") as it:
        pe.parse(["a b", "c"], lambda words: chain(words) if words[1] else None)
    assert isinstance(it.value.__cause__, IndexError)


class OwnParser:
    """A parser that does what it is told to."""

    identity = ParserIdentity("en-web", "1.0.0", "0" * 64)

    def __init__(self, result):
        self.result = result

    def parse(self, sentences, n=None, advance=None):
        return self.result(sentences)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda sentences: 1 / 0, "the parser en-web failed: ZeroDivisionError: division by zero"),
        (lambda sentences: None, "the parser en-web returned no Treebank of the 1 sentence"),
        (
            lambda sentences: pe.Treebank.of([]),
            "the parser en-web returned no Treebank of the 1 sen",
        ),
        (lambda sentences: pe.Treebank.of([chain(["c"])]), "returned a tree with other words"),
    ],
)
def test_a_parser_of_ones_own_is_named_where_it_fails(result, message):
    with pytest.raises(pe.PreorderEvalError, match=message):
        pe.parse(["a b"], OwnParser(result))
    own = OwnParser(lambda sentences: pe.Treebank.of(list(map(chain, sentences))))
    assert pe.parse(["a b"], own)[0].heads == [1, -1]
    assert copy.deepcopy(find_parser(own)).parse([["a", "b"]])[0].heads == [1, -1]


@pytest.mark.parametrize("parser", [None, 3, [[]], Tree, pe.Parser])
def test_what_is_no_parser_is_one_error(parser):
    with pytest.raises(pe.PreorderEvalError, match="is not a parser"):
        pe.evaluate(REFERENCE, parsers=[parser], rules=["none"])


@pytest.mark.slow
def test_trees_in_a_list_are_trees():
    data = pe.load_reference(REFERENCE)
    listed = pe.evaluate(data, trees=list(data.trees), rules="en-ja", resamples=10)
    named = pe.evaluate(data, trees={"a": data.trees}, rules="en-ja", resamples=10)
    assert listed.intervals[0][0].value == named.intervals[0][0].value
    assert pe.reorder(list(data.trees)[:2], "reverse") == [w[::-1] for w in data.source[:2]]
    assert pe.parse("She reads .")[0].words == pe.parse(["She reads ."])[0].words


@pytest.mark.parametrize("make", [list, tuple, iter, pd.Series, np.array, lambda x: (t for t in x)])
def test_texts_in_any_row(make):
    assert pe.score({"x": make(TEXTS)}, make(RIGHT), "wer").value("x") == 0.25


@pytest.mark.parametrize("wrong", [None, float("nan"), 3, b"c", ["c"], ("c",)])
def test_what_is_no_text_is_one_error_that_names_its_sentence(wrong):
    with pytest.raises(pe.PreorderEvalError, match=r"x, sentence 2: .* is not text"):
        pe.score({"x": ["a b", wrong]}, RIGHT, ["wer"])
    with pytest.raises(pe.PreorderEvalError, match=r"reference 2, sentence 1: .* is not text"):
        pe.score({"x": TEXTS}, [RIGHT, [wrong, "c"]], ["wer"])


class FirstWord(OrderMetric):
    """Share of the sentences that begin with the right word."""

    name = "first_word_of_somebody"
    paper = "nobody's"
    equation = "1 if the first word is of the first tie, else 0"

    def losses(self, orders, references, words):
        first = orders.tokens[orders.offsets[:-1]]
        return (references.ranks[first] > 0).astype(float), np.ones(len(orders))


@pytest.mark.slow
def test_a_metric_of_ones_own_class_goes_everywhere(tmp_path):
    own = FirstWord()
    result = pe.evaluate(
        REFERENCE, parsers="gold", rules=["none", "en-ja"], metrics=[own, "kendall"]
    )
    value = result.value("en-ja" if "en-ja" in result.labels else "gold/en-ja", own)
    assert 0 < value < 1
    assert pe.compare(result, systems=result.systems).metrics[0].metric == str(own)
    assert own.name in result.show("tsv")
    pe.write_run(result, str(tmp_path / "run"))
    assert (tmp_path / "run" / "run.json").is_file()
    pe.report(result, tmp_path / "x.html")
    assert own.name in (tmp_path / "x.html").read_text()


LINKS = pe.Alignments.of([[(0, 1), (1, 0)]])
TWO = partial(pe.evaluate, "en-ko/test", parsers=["gold"], rules=["none", "reverse"], resamples=9)
OTHER = partial(pe.evaluate, "en-ko/dev", parsers=["gold"], rules=["none"], resamples=9)
ONE = pe.score({"y": ["a"]}, ["a"], "wer", resamples=9)
NONE = pe.load_rules("none")
RESULT = pe.score({"x": TEXTS}, RIGHT, "wer", resamples=10)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pe.Treebank.of(["Go"]), "not a list of trees"),
        (lambda: Tree(["Go"], [-1], ["root"], ["X"], []), "a tree of 1 word with 1 heads, 1 la"),
        (lambda: pe.ReferenceOrders.of([[1.5]]), "these are not reference orders: 'float'"),
        (lambda: pe.Treebank.of([Tree(["Go"], ["x"], ["root"], ["X"], ["X"])]), "heads are pos"),
        (
            lambda: pe.ReferenceSet("mine", ["Go home"], LINKS),
            "mine: the source is not a list of l",
        ),
        (lambda: pe.ReferenceSet("mine", [["Go", "home"]], [[(0, 1)]]), "mine: the links are not"),
        (lambda: pe.System("mine", [[1, 0]]), "system mine: create its orders with Orders.of"),
        (lambda: pe.Alignments.of([["0-0"]]), "these are not links"),
        (lambda: pe.load_rules("en-ja").reorder([chain(["a"])]), "is not a Treebank"),
        (lambda: pe.load_parser("en-web").parse(["Go home"]), "sentence 1 is a string: split it"),
        (lambda: pe.metric("wer").score(None, ["a"]), "None is not a list of texts"),
        (lambda: RESULT.value(7), "the number of a system must be from -1 to 0, not 7"),
        (lambda: RESULT.value(None), "unknown system of the result 'None'"),
        (lambda: RESULT.chosen("y"), "unknown system"),
        (lambda: RESULT.show("pdf"), "show takes text, .*, not 'pdf'"),
        (lambda: overview(RESULT), "has no orders scored by a metric of orders"),
        (
            lambda: named_trees(chain, pe.ReferenceOrders.of([[[0]]]), NONE),
            "needs a reference set, not",
        ),
        (
            lambda: named_trees(pe.Treebank.of([]), pe.ReferenceOrders.of([[[0]]]), NONE),
            "0 trees for 1",
        ),
        (lambda: pe.report([], "x.html"), "give at least one result to report"),
        (lambda: pe.analyse(TWO()), "name the system to analyse: .* has gold/none, gold/reverse"),
        (lambda: ReferenceOrder([[0], [2]]), "do not contain each of 0 … 1 once"),
        (lambda: pe.Orders.of([[0], [0, 0]]), "order 2: not a permutation of 0 … 1"),
        (lambda: pe.metric("scores(of=X)").score(["x"]), r"scores\(of=X\): could not convert"),
        (lambda: pe.score({"x": 3}, RIGHT, "wer"), "x: 3 is not a list of texts"),
        (lambda: pe.score({"x": TEXTS}, ["a b", ["c"]], "wer"), "'a b' is not a file"),
        (lambda: pe.score({"x": TEXTS}, RIGHT, "wer", document=["d"] * 2), "unknown input 'docume"),
        (lambda: pe.score({"x": TEXTS}, RIGHT, "wer", documents=["d"]), "documents: 1 line, but"),
        (lambda: pe.score({"x": TEXTS}, RIGHT, "wer", documents=["d", ""]), "documents:2: is emp"),
        (lambda: RESULT.to_pandas("x"), "unknown table 'x'; known: systems"),
        (lambda: RESULT.show(digits=0), "digits must be from 2 to 12, not 0"),
        (lambda: pe.parse(["a b"], chain, 2), "the function chain does not return lists of trees"),
        (lambda: pe.parse(["a b"], chain, raw=True), "parser chain has no tokenizer"),
        (lambda: pe.train([], "x", "y"), "training needs files to train on"),
        (lambda: by_reference([RESULT, ONE]), "differ in the number of sentences, 2 and 1; give"),
        (lambda: by_reference([TWO(), OTHER()]), "differ in the source of sentence 1; give runs"),
    ],
)
def test_what_is_not_of_its_kind_is_one_error(make, message):
    with pytest.raises(pe.PreorderEvalError, match=message):
        make()


def test_documents_are_drawn_as_by_the_command(tmp_path):
    """Documents given in memory are those of the run, and its intervals are by them."""
    names, outputs = [f"d{n // 2}" for n in range(14)], {"x": ["a b"] * 14, "y": ["a c", "b"] * 7}
    result = pe.score(outputs, ["a b"] * 14, "wer", documents=names)
    assert (result.unit.documents, "by 7 documents" in result.show()) == (7, True)
    pe.write_run(result, tmp_path / "run")
    assert pe.read_run(tmp_path / "run").show() == result.show()
