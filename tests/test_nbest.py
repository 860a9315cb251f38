"""N-best lists, and CoNLL-U files that hold them."""

import numpy as np
import pytest

from preorder_eval.base.errors import FormatError, PreorderEvalError
from preorder_eval.trees import nbest_files as module
from preorder_eval.trees.conllu import write_conllu
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import format_nbest, iterate_nbest, read_nbest
from preorder_eval.trees.treebank import Tree, Treebank, comment_value


def tree(words, root, *comments):
    """A flat tree with everything under the word `root`."""
    heads = [-1 if i == root else root for i in range(len(words))]
    labels = ["root" if i == root else "dep" for i in range(len(words))]
    blank = ["_"] * len(words)
    return Tree(words, heads, labels, blank, blank, comments)


@pytest.fixture
def lists():
    """Three lists, of three parses, one, and two."""
    parses = [(["a", "b", "c"], 0), (["a", "b", "c"], 2), (["a", "b", "c"], 1), (["d"], 0)]
    parses += [(["a", "b"], 1), (["a", "b"], 0)]
    scores = np.array([-0.5, -1.25, -1.25, 0.0, np.nan, np.nan])
    return NBest(Treebank.of([tree(*p) for p in parses]), np.array([0, 3, 4, 6]), scores)


def heads(nbest):
    return [t.heads for t in nbest.trees]


def same(one, other):
    return (
        heads(one) == heads(other)
        and one.offsets.tolist() == other.offsets.tolist()
        and np.array_equal(one.scores, other.scores, equal_nan=True)
    )


@pytest.fixture
def path(lists, tmp_path):
    path = tmp_path / "lists.conllu"
    path.write_text(format_nbest(lists), encoding="utf-8")
    return path


def test_what_is_written_is_read_again(lists, path):
    assert same(read_nbest(path), lists)
    assert format_nbest(read_nbest(path)) == path.read_text()


def test_ids_and_other_comments_stay(lists):
    trees = [tree(["a"], 0, "# sent_id = x-1", "# text = a", "# parse = 9"), tree(["b"], 0)]
    text = format_nbest(NBest(Treebank.of(trees), np.arange(3), np.array([np.nan] * 2)))
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# sent_id = x-1", "# text = a", "# parse = 1", "# sent_id = 2", "# parse = 1",
    ]  # fmt: skip


def test_a_plain_file_has_lists_of_one(gold, tmp_path):
    write_conllu(tmp_path / "gold.conllu", gold)
    nbest = read_nbest(tmp_path / "gold.conllu")
    assert nbest.sizes.tolist() == [1] * len(gold)
    assert np.isnan(nbest.scores).all()
    assert list(nbest.trees) == list(gold)
    # The same sentence twice running is two lists, too.
    write_conllu(tmp_path / "twice.conllu", Treebank.of([gold[0], gold[0]]))
    assert read_nbest(tmp_path / "twice.conllu").sizes.tolist() == [1, 1]


def test_the_first_of_each_list(lists):
    assert lists.top(3) is lists
    assert same(lists.top(2), NBest(
        Treebank.of([lists.trees[i] for i in (0, 1, 3, 4, 5)]),
        np.array([0, 2, 3, 5]),
        lists.scores[[0, 1, 3, 4, 5]],
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# parse = 1\n# score = -0.5", "# parse = 2\n# score = -0.5",
         r":1: sentence 1: parse 2 where 1 was expected; the parses of a sentence must be"),
        ("# parse = 3", "# parse = three", r":15: sentence 1: parse three where 3"),
        ("# score = -0.5", "# score = -2", r":8: sentence 1: score -1.25 after -2.0; sort the"),
        ("# score = -0.5", "# score = low", r":1: sentence 1: score 'low' is not a number"),
        ("# score = -0.5\n", "", r":7: sentence 1: parse 1 has no score; give every parse"),
        ("# sent_id = 3\n# parse = 1\n1\ta", "# sent_id = 3\n# parse = 1\n1\tb",
         r":32: sentence 3: parse 2 belongs to another sentence than parse 1"),
        ("# sent_id = 1\n# parse = 2", "# sent_id = 2\n# parse = 2",
         r":8: sentence 2: parse 2 belongs to another sentence than parse 1; start a new list"),
        ("2\tb\t_\t_\t_\t_\t0\troot\t_\t_", "2\tb\t_\t_\t_\t_\t9\troot\t_\t_",
         r":1[58]: sentence 1: token 2 has head 9"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("read", [read_nbest, lambda path: list(iterate_nbest(path))])
def test_errors_name_file_line_and_mend(path, read, old, new, message):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(FormatError, match=r"lists\.conllu" + message):
        read(path)


def test_parts_that_do_not_fit_are_refused(lists):
    with pytest.raises(PreorderEvalError, match="6 trees with 5 scores"):
        NBest(lists.trees, lists.offsets, lists.scores[:5])
    with pytest.raises(PreorderEvalError, match="sentence 2 has no tree"):
        NBest(lists.trees, np.array([0, 3, 3, 6]), lists.scores)


def test_the_parser_of_an_nbest_file(lists, path):
    from preorder_eval.parsers.load_parser import load_parser

    parser = load_parser(path)
    sentences = [["a", "b", "c"], ["d"], ["a", "b"]]
    assert list(parser.parse(sentences)) == list(parser.best)
    assert same(parser.parse(sentences, n=2), lists.top(2))
    assert comment_value(parser.parse(sentences)[0].comments, "sent_id") == "1"


@pytest.mark.parametrize("size", [1, 7, 40, 100, 300, 10_000])
@pytest.mark.parametrize("between", ["", "\n\n"])
def test_lists_are_read_some_at_a_time(lists, tmp_path, monkeypatch, size, between):
    monkeypatch.setattr(module, "_BLOCK", size)
    text = format_nbest(lists).replace("\n\n", "\n\n" + between)
    (tmp_path / "x").write_text(between + text)
    parts = list(iterate_nbest(tmp_path / "x"))
    assert [tree for part in parts for tree in part.trees] == list(read_nbest(tmp_path / "x").trees)
    assert [size for part in parts for size in part.sizes.tolist()] == lists.sizes.tolist()
    assert np.array_equal(np.concatenate([p.scores for p in parts]), lists.scores, equal_nan=True)
    assert size > 300 or len(parts) > 1
