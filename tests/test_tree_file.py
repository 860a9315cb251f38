"""Files of trees, whatever has written them."""

import gzip

import numpy as np
import pytest
from spacy.tokens import DocBin

import preorder_eval as pe
from preorder_eval.errors import FormatError
from preorder_eval.formats.conllu import format_conllu
from preorder_eval.parsers.loading import load_parser

# As CoNLL-X has it: coarse and fine tags, and two columns of projective heads.
CONLL_X = """\
1\tShe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\treads\t_\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tbooks\t_\tNOUN\tNNS\t_\t2\tobj\t2\tobj

"""
SENTENCES = [["She", "reads", "books"]]


@pytest.fixture(scope="module")
def trees(gold):
    return gold.take(np.arange(20))


def written(tmp_path, ending, trees):
    """The trees as a file with that ending."""
    path = tmp_path / f"parses{ending}"
    if ending == ".spacy":
        DocBin(docs=pe.to_docs(trees, pe.load_pipeline())).to_disk(path)
    elif ending.endswith(".gz"):
        path.write_bytes(gzip.compress(format_conllu(trees).encode()))
    else:
        path.write_text(format_conllu(trees), encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", [".conllu", ".conllu.gz", ".conll", ".spacy"])
def test_every_kind_gives_the_same_trees(tmp_path, trees, ending):
    parser = load_parser(written(tmp_path, ending, trees))
    assert parser.identity.name == "parses"
    parsed = parser.parse(trees.sentences)
    for column in ("words", "heads", "labels", "upos", "xpos"):
        assert [getattr(t, column) for t in parsed] == [getattr(t, column) for t in trees]
    assert parser.parse(trees.sentences, n=2).sizes.tolist() == [1] * 20


def test_conll_x(tmp_path):
    (tmp_path / "x.conll").write_text(CONLL_X)
    [tree] = load_parser(tmp_path / "x.conll").parse(SENTENCES)
    assert (tree.heads, tree.labels) == ([1, -1, 1], ["nsubj", "root", "obj"])


def test_documents_of_several_sentences(tmp_path):
    nlp = pe.load_pipeline()
    nlp.add_pipe("sentencizer", first=True)
    path = tmp_path / "docs.spacy"
    DocBin(docs=[nlp("She reads books.\n He sings.")]).to_disk(path)
    sentences = [["She", "reads", "books", "."], ["He", "sings", "."]]
    assert load_parser(path).parse(sentences).sentences == sentences


def test_what_is_no_docbin_is_refused(tmp_path):
    path = tmp_path / "x.spacy"
    path.write_bytes(b"no documents")
    with pytest.raises(FormatError, match=r"x\.spacy: holds no documents of spaCy; write it with"):
        load_parser(path)
    with pytest.raises(FormatError, match=r"none\.spacy: cannot be read: No such file"):
        load_parser(tmp_path / "none.spacy")
    nlp = pe.load_pipeline()
    DocBin(docs=[nlp.make_doc("She reads.")]).to_disk(path)
    with pytest.raises(FormatError, match=r"x\.spacy: document 1 has no dependency parse; run it"):
        load_parser(path)


def test_lists_of_trees_are_put_on_the_given_words(tmp_path):
    rows = CONLL_X.replace("\tbooks\t", "\tbooks.\t").strip()
    path = tmp_path / "lists.conllu"
    path.write_text("".join(f"# parse = {n}\n{rows}\n\n" for n in (1, 2)))
    with pytest.warns(pe.errors.InputWarning, match=r"lists\.conllu: 4 of 8 words, in 2 of 2"):
        lists = load_parser(path).parse([["She", "reads", "books", "."]], n=2)
    assert lists.sizes.tolist() == [2]
    assert lists.trees[1].labels == ["nsubj", "root", "obj", "punct"]


def test_evaluate_takes_them_all(run, tmp_path, monkeypatch, gold):
    monkeypatch.chdir(tmp_path)
    endings = (".conllu", ".conllu.gz", ".spacy")
    for ending in endings:
        written(tmp_path, ending, gold).rename(f"from{ending.replace('.', '-')}{ending}")
    options = [o for e in endings for o in ("--trees", f"from{e.replace('.', '-')}{e}")]
    options += ["--reference", "en-ja", "--rules", "en-ja", "--resamples", 10]
    code, out, err = run("evaluate", *options, "--tsv")
    assert (code, err) == (0, "")
    rows = [line.split("\t") for line in out.splitlines()][1:]
    assert [row[0] for row in rows] == ["from-conllu", "from-conllu-gz", "from-spacy"]
    assert rows[0][1:] == rows[1][1:] == rows[2][1:]


def test_trees_of_spacy_are_no_source(run, tmp_path):
    (tmp_path / "a.align").write_text("0-0\n")
    code, _, err = run("evaluate", "--trees", "x.spacy", "--alignment", tmp_path / "a.align")
    assert code == 2
    assert "--trees of spaCy need --source" in err
