"""Trees of ClearNLP and of version 1 of UD: the same at every door."""

import pytest

import preorder_eval as pe
from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.trees.conllu import write_conllu
from preorder_eval.trees.in_ud import in_version_1
from preorder_eval.trees.treebank import Tree, Treebank


def tree(text):
    """A tree of rows "word head label tag", heads from 1."""
    words, heads, labels, tags = zip(*(row.split() for row in text.split(" / ")), strict=True)
    return Tree(list(words), [int(h) - 1 for h in heads], list(labels), list(tags), list(tags))


# No label is ClearNLP's alone; that "and" hangs on the conjunct before it decides.
SHORT = [
    tree("Dogs 4 nsubj NOUN / and 1 cc CCONJ / cats 1 conj NOUN / sleep 0 ROOT VERB"),
    tree("She 2 nsubj PRON / sleeps 0 ROOT VERB"),
]
# Nothing decides, and the commas would move.
ROWS = "tea 0 root NOUN / , 1 punct PUNCT / milk 1 conj NOUN / , 3 punct PUNCT / rice 3 conj NOUN"
OPEN = [tree(ROWS)]
RULES = """name = "cj"
scheme = "ud"
[[rule]]
head = "*"
pairs = [["conj>", "HEAD"], ["conj>", "cc>"]]
"""
VERSION_1 = [
    tree(
        "I 3 nsubjpass PRON / am 3 auxpass AUX / hit 0 root VERB / by 5 case ADP / me 3 nmod NOUN"
    ),
    tree("She 3 nsubj PRON / not 3 neg PART / reads 0 root VERB / books 3 dobj NOUN"),
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, trees in (("short", SHORT), ("open", OPEN), ("v1", VERSION_1)):
        treebank = Treebank.of(trees)
        write_conllu(tmp_path / f"{name}.conllu", treebank)
        words = [" ".join(each) + "\n" for each in treebank.sentences]
        (tmp_path / f"{name}.src").write_text("".join(words))
        links = (" ".join(f"{i}-{len(t) - i - 1}" for i in range(len(t))) + "\n" for t in trees)
        (tmp_path / f"{name}.al").write_text("".join(links))
    (tmp_path / "cj.toml").write_text(RULES)
    return tmp_path


def reference(name):
    lengths = [len(words) for words in pe.read_conllu(f"{name}.conllu").sentences]
    sentences = list(pe.read_conllu(f"{name}.conllu").sentences)
    return pe.ReferenceSet(name, sentences, pe.read_alignment(f"{name}.al", lengths))


def test_short_trees_are_converted_at_every_door(run, files):
    expected = [["and", "cats", "Dogs", "sleep"], ["She", "sleeps"]]
    trees, rules = pe.read_conllu("short.conllu"), pe.load_rules("cj.toml")
    assert pe.reorder(trees, rules) == pe.reorder(SHORT, rules) == expected
    out = run("reorder", "--trees", "short.conllu", "--rules", "cj.toml")[1]
    assert [line.split() for line in out.splitlines()] == expected
    data = reference("short")
    by_file = pe.evaluate(data, parsers=["short.conllu"], rules=[rules], resamples=10)
    in_memory = pe.evaluate(data, trees=trees, rules=[rules], resamples=10)
    assert list(by_file.inputs.systems[0].orders) == list(in_memory.inputs.systems[0].orders)
    full = [pe.ablate(rules, given, data).value for given in (trees, "short.conllu")]
    assert full[0] == full[1]


def test_an_error_about_labels_names_what_there_is(files):
    trees, rules = pe.read_conllu("open.conllu"), pe.load_rules("cj.toml")
    for door in (
        lambda: pe.reorder(trees, rules),
        lambda: pe.evaluate(reference("open"), trees=trees, rules=[rules]),
        lambda: pe.in_ud(trees),
    ):
        with pytest.raises(PreorderEvalError, match=r'"ud" or "clearnlp" \(of pe.in_ud or pe.from'):
            door()
    stated = [pe.reorder(pe.in_ud(trees, labels=labels), rules) for labels in ("ud", "clearnlp")]
    assert stated[0] != stated[1]
    decisive = Treebank.of([tree("in 0 ROOT ADP / Rome 1 pobj PROPN")])
    with pytest.raises(PreorderEvalError, match=r"like 'clearnlp'; .* use pe.in_ud\(trees\)"):
        rules.reorder(decisive)
    assert pe.reorder(decisive, rules) == [["in", "Rome"]]


def test_version_1_of_ud_is_named_at_every_door(run, files):
    named = "labels of version 1 of UD (auxpass, dobj, neg, nsubjpass; nmod for obl)"
    own = ["--source", "v1.src", "--alignment", "v1.al"]
    for line, code in (
        ([*own, "--trees", "v1.conllu", "--rules", "cj.toml"], 2),
        ([*own, "--trees", "v1.conllu", "--rules", "none"], 0),
        ([*own, "--trees", "v1.conllu(labels=ud)", "--rules", "cj.toml"], 2),
        ([*own, "--rules", "none", "--gold", "v1.conllu"], 0),
    ):
        found = run("evaluate", *line, "--resamples", "10")
        assert (found[0], named in found[2], "clearnlp" in found[2]) == (code, True, False), line
    assert named in run("reorder", "--trees", "v1.conllu", "--rules", "none")[2]
    (files / "many.conllu").write_text((files / "v1.conllu").read_text() * 60)
    code, _, err = run("rules", "learn", "--treebank", "many.conllu", "--out", "en-xx.toml")
    assert (code, err.count(named)) == (2, 2)
    with pytest.warns(InputWarning, match="trees: has labels of version 1 of UD"):
        pe.reorder(VERSION_1, "none")


@pytest.mark.parametrize(
    ("counts", "old"),
    [
        ({"dobj": 3, "case": 1}, True),
        ({"dobj": 3, "case": 1, "obj": 3}, False),  # misspelt
        ({"dobj": 3, "prep": 1}, False),
        ({"dobj": 3}, False),  # as in ClearNLP
        ({"name": 1, "nsubj": 3}, True),
        ({"nsubjpass:x": 1, "case": 1}, True),
    ],
)
def test_which_labels_are_of_version_1(counts, old):
    assert bool(in_version_1(counts)) == old
