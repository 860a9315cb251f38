"""What every parser must do; a new parser is added to the list of the fixture."""

import pytest

from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.conllu import write_conllu
from preorder_eval.parsers import load_parser

SENTENCES = [
    ["Dogs", "bark", "."],
    ["Stop"],
    ["the", "old", "man", "reads", "a", "book", "about", "fish"],
]


@pytest.fixture(params=["bundled", "path", "conllu"])
def any_parser(request, parser, tmp_path):
    if request.param == "bundled":
        return parser
    if request.param == "path":
        parser.nlp.to_disk(tmp_path / "mine")
        return load_parser(tmp_path / "mine")
    write_conllu(tmp_path / "trees.conllu", parser.parse(SENTENCES))
    return load_parser(tmp_path / "trees.conllu")


def test_every_parser_keeps_tokens_and_gives_one_tree_a_sentence(any_parser):
    assert any_parser.parse(SENTENCES).sentences == SENTENCES


def test_every_parser_has_an_identity(any_parser):
    assert any_parser.identity.name
    assert len(any_parser.identity.sha256) == 64


def test_every_parser_reports_its_progress(any_parser):
    steps = []
    any_parser.parse(SENTENCES, steps.append)
    assert sum(steps) == len(SENTENCES)


def test_parsing_is_repeatable(parser):
    once, twice = parser.parse(SENTENCES), parser.parse(SENTENCES)
    assert list(once) == list(twice)


@pytest.mark.parametrize(
    "words",
    [
        [""], [" "], ["\t", "\n"], ["", "x", " "], ["\u3000"], ["\u200b", "\u00a0", "\ufeff"],
        ["a"], ["."], ["buffalo"] * 500, list("これは日本語の文です。"), ["🙂", "\x00", "\x1b[31m"],
        ["x" * 10_000],
    ],
    ids=lambda words: repr("".join(words))[:12],
)  # fmt: skip
def test_whatever_the_tokens_there_is_one_tree(parser, words):
    treebank = parser.parse([words])
    assert treebank.words == words
    assert (treebank.heads == -1).sum() == 1
    assert set(treebank.labels.names) >= {"root"}


def test_many_sentences_are_one_tree_each(parser):
    sentences = [["This", "is", ".", "That", "was", "."]] * 300
    assert (parser.parse(sentences).heads == -1).sum() == 300


def test_accuracy_on_the_gold_trees_of_the_bundled_set(parser, gold):
    """A wrongly loaded or wrongly fed model would fall far below."""
    from preorder_eval.analysis.attachment import attachment

    as_it_is = attachment(gold, parser.parse(gold.sentences))
    assert as_it_is.las > 0.84
    lower = [[word.lower() for word in words] for words in gold.sentences]
    heads = parser.parse(lower).heads == gold.heads
    assert heads.mean() > 0.86


def test_a_sentence_without_tokens_is_refused(parser):
    with pytest.raises(PreorderEvalError, match="sentence 2 has no tokens"):
        parser.parse([["a"], []])


def test_unknown_parsers_are_listed():
    with pytest.raises(UnknownNameError, match="known: en-web; or the path of a spaCy pipeline"):
        load_parser("en-wbe")


def test_a_folder_that_is_no_pipeline_is_refused(tmp_path):
    with pytest.raises(PreorderEvalError, match="not a spaCy pipeline"):
        load_parser(tmp_path)


def test_a_pipeline_without_a_parser_is_refused(tmp_path):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "blank")
    with pytest.raises(PreorderEvalError, match="the pipeline has no parser"):
        load_parser(tmp_path / "blank")


def test_trees_of_other_sentences_are_refused(parser, tmp_path):
    path = tmp_path / "trees.conllu"
    write_conllu(path, parser.parse([["Dogs", "bark"]]))
    trees = load_parser(path)
    with pytest.raises(FormatError, match=r"trees\.conllu: 1 trees for 2 sentences"):
        trees.parse([["Dogs", "bark"], ["a"]])
    with pytest.raises(FormatError, match="token 2: trees have 'bark', source has 'sing'"):
        trees.parse([["Dogs", "sing"]])
    with pytest.raises(FormatError, match="token 3: trees have nothing, source has 'now'"):
        trees.parse([["Dogs", "bark", "now"]])
