"""What every parser must do; a new parser is added to the list of the fixture."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
import spacy
from spacy.training import Example
from spacy.util import fix_random_seed

from preorder_eval.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.formats.conllu import write_conllu
from preorder_eval.formats.nbest import format_nbest
from preorder_eval.formats.rules import load_rules
from preorder_eval.parsers.beam import _search
from preorder_eval.parsers.cache import ParseCache
from preorder_eval.parsers.documents import document, gold_document
from preorder_eval.parsers.loading import load_parser
from preorder_eval.resources import bundled_names

SENTENCES = [
    ["Dogs", "bark", "."],
    ["Stop"],
    ["the", "old", "man", "reads", "a", "book", "about", "fish"],
]


def tiny_pipeline(trees, factory="parser", name="parser", before=(), **settings):
    """A pipeline whose parser, with a tok2vec of its own, has learned from a few trees."""
    nlp = spacy.blank("en")
    for component in before:
        nlp.add_pipe(component)
    tok2vec = {
        "@architectures": "spacy.HashEmbedCNN.v2", "width": 16, "depth": 1, "embed_size": 100,
        "window_size": 1, "maxout_pieces": 2, "subword_features": True, "pretrained_vectors": None,
    }  # fmt: skip
    model = {
        "@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser",
        "extra_state_tokens": False, "hidden_width": 16, "maxout_pieces": 1, "use_upper": True,
        "tok2vec": tok2vec,
    }  # fmt: skip
    nlp.add_pipe(factory, name=name, config={"model": model, "min_action_freq": 1, **settings})
    examples = [
        Example(document(nlp.vocab, tree.words), gold_document(nlp.vocab, tree)) for tree in trees
    ]
    fix_random_seed(0)
    nlp.initialize(lambda: examples)
    for _ in range(3):
        nlp.update(examples)
    return nlp


@pytest.fixture(scope="module")
def beam_pipeline(gold, tmp_path_factory):
    """The folder of a `beam_parser` pipeline; the parser has a name of its own."""
    folder = tmp_path_factory.mktemp("pipelines") / "beamed"
    trees = [gold[i] for i in range(60)]
    tiny_pipeline(trees, "beam_parser", "tree_maker", beam_width=4).to_disk(folder)
    return folder


KINDS = ["bundled", "path", "beam", "conllu", "n-best", "cached"]


@pytest.fixture(scope="module", params=KINDS)
def any_parser(request, parser, beam_pipeline, tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("any")
    match request.param:
        case "bundled":
            return parser
        case "path":
            parser.nlp.to_disk(tmp_path / "mine")
            return load_parser(tmp_path / "mine", trust=True)
        case "beam":
            return load_parser(beam_pipeline, trust=True)
        case "conllu":
            write_conllu(tmp_path / "trees.conllu", parser.parse(SENTENCES))
            return load_parser(tmp_path / "trees.conllu")
        case "n-best":
            (tmp_path / "lists.conllu").write_text(format_nbest(parser.parse(SENTENCES, n=5)))
            return load_parser(tmp_path / "lists.conllu")
        case "cached":
            cache = ParseCache(tmp_path / "parses.sqlite", warn=pytest.fail)
            load_parser("en-web", cache).parse(SENTENCES[:1], n=3)
            return load_parser("en-web", cache)


@pytest.mark.slow
def test_every_parser_keeps_tokens_and_gives_one_tree_a_sentence(any_parser):
    assert any_parser.parse(SENTENCES).sentences == SENTENCES


def test_every_parser_has_an_identity(any_parser):
    assert any_parser.identity.name
    assert len(any_parser.identity.sha256) == 64


@pytest.mark.parametrize("n", [None, 3])
def test_every_parser_reports_its_progress(any_parser, n):
    steps = []
    any_parser.parse(SENTENCES, n, advance=steps.append)
    assert sum(steps) == len(SENTENCES)


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_every_parser_gives_lists_of_different_trees_best_first(any_parser, n):
    nbest = any_parser.parse(SENTENCES, n=n)
    assert len(nbest) == len(SENTENCES)
    assert nbest.sizes.max() <= n
    best = any_parser.parse(SENTENCES)
    for s, parses in enumerate(nbest.lists()):
        trees = [nbest.trees[p] for p in parses]
        assert all(tree.words == SENTENCES[s] for tree in trees)
        shapes = [(tree.heads, tree.labels) for tree in trees]
        assert all(shape not in shapes[:i] for i, shape in enumerate(shapes))
        assert (best[s].heads, best[s].labels) in shapes
        assert all(tree.upos == best[s].upos and tree.xpos == best[s].xpos for tree in trees)
        scores = nbest.scores[parses]
        assert np.isnan(scores).all() or (np.diff(scores) <= 0).all()
        assert np.exp(scores[~np.isnan(scores)]).sum() <= 1


def test_every_parser_refuses_empty_lists(any_parser):
    with pytest.raises(PreorderEvalError, match="n must be from 1 to 10000"):
        any_parser.parse(SENTENCES, n=0)


def test_nothing_is_parsed_into_nothing(parser):
    assert len(parser.parse([])) == 0
    assert len(parser.parse([], n=4)) == 0


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
    nbest = parser.parse([words], n=2)
    assert nbest.trees.sentences == [words] * len(nbest.trees)


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
    with pytest.raises(UnknownNameError, match="known: en-web, en-web-reorder; or the path of a"):
        load_parser("en-wbe")


def test_a_folder_that_is_no_pipeline_is_refused(tmp_path):
    with pytest.raises(PreorderEvalError, match="not a spaCy pipeline"):
        load_parser(tmp_path)


@pytest.mark.parametrize(
    ("components", "message"),
    [(["sentencizer", "doc_cleaner"], "has no parser, only doc_cleaner"), ([], "has no parser$")],
)
def test_a_pipeline_without_a_parser_is_refused(tmp_path, components, message):
    nlp = spacy.blank("en")
    for component in components:
        nlp.add_pipe(component)
    nlp.to_disk(tmp_path / "blank")
    with pytest.raises(PreorderEvalError, match=message):
        load_parser(tmp_path / "blank", trust=True)


def test_a_pipeline_with_two_parsers_is_refused(tmp_path, gold):
    nlp = tiny_pipeline([gold[0]])
    nlp.add_pipe("parser", name="second", source=nlp)
    nlp.to_disk(tmp_path / "two")
    with pytest.raises(PreorderEvalError, match="has 2 parsers, only parser, second"):
        load_parser(tmp_path / "two", trust=True)


def test_components_that_split_sentences_do_not(tmp_path, gold):
    """Neither spaCy's own, under whatever name, nor one that somebody has written."""

    @spacy.Language.component("split_everywhere")
    def split_everywhere(doc):
        for token in doc:
            token.is_sent_start = True
        return doc

    nlp = tiny_pipeline([gold[i] for i in range(20)], before=["split_everywhere"])
    nlp.add_pipe("sentencizer", name="mine", first=True)
    nlp.to_disk(tmp_path / "splitting")
    parser = load_parser(tmp_path / "splitting", trust=True)
    sentences = [["This", "is", ".", "That", "was", "."]] * 3
    assert parser.parse(sentences).sentences == sentences
    assert (parser.parse(sentences, n=4).sizes > 1).all()


def test_trees_that_a_component_spoils_are_refused(tmp_path, gold):
    @spacy.Language.component("second_root")
    def second_root(doc):
        for token in doc:
            token.head = token
        return doc

    nlp = tiny_pipeline([gold[0]])
    nlp.add_pipe("second_root")
    nlp.to_disk(tmp_path / "spoiling")
    with pytest.raises(PreorderEvalError, match="spoiling: sentence 1: 3 roots: tokens 1, 2, 3"):
        load_parser(tmp_path / "spoiling", trust=True).parse(SENTENCES)


def test_rules_refuse_trees_with_other_labels(tmp_path, gold):
    """ClearNLP's labels, which spaCy's English pipelines have."""
    names = {"obj": "dobj", "case": "prep", "obl": "pobj", "nmod": "pobj", "aux:pass": "auxpass"}
    trees = [gold[i] for i in range(60)]
    trees = [replace(t, labels=[names.get(x, x) for x in t.labels]) for t in trees]
    tiny_pipeline(trees).to_disk(tmp_path / "clear")
    treebank = load_parser(tmp_path / "clear", trust=True).parse([tree.words for tree in trees])
    assert "prep" in treebank.labels.names
    with pytest.raises(PreorderEvalError, match="'en-ja' is written for trees of scheme 'ud'"):
        load_rules("en-ja").reorder(treebank)


def log_probability(parser, doc, history):
    """The sum of the log-probabilities of transitions, one after the other."""
    [state] = parser.moves.init_batch([doc])
    model = parser.model.predict([doc])
    total = 0.0
    for transition in history:
        [scores] = model.predict([state]).astype(np.float64)
        total += scores[transition] - np.logaddexp.reduce(scores)
        parser.moves.transition(state, transition)
    assert state.is_final()
    return total


@pytest.mark.parametrize("sentence", [["Stop"], SENTENCES[0], SENTENCES[2]], ids=len)
@pytest.mark.parametrize("which", ["bundled", "beam"])
def test_scores_are_the_log_probabilities_of_the_transitions(
    parser, beam_pipeline, which, sentence
):
    if which == "beam":
        parser = load_parser(beam_pipeline, trust=True)
    component = parser.nlp.get_pipe("parser" if which == "bundled" else "tree_maker")
    doc = document(parser.nlp.vocab, sentence)
    for name, pipe in parser.nlp.pipeline:
        if name == component.name:
            break
        doc = pipe(doc)
    [beam] = _search(component, [doc], 8)
    histories = beam.batch[0].histories[: len(beam.batch[0])]
    slow = [log_probability(component, doc, history) for history in histories]
    assert beam.scores() == pytest.approx(slow, abs=1e-4)
    # The list adds up the sequences that build the same tree.
    nbest = parser.parse([sentence], n=8)
    own = 0 if which == "bundled" else np.exp(nbest.scores).min()
    assert np.exp(nbest.scores).sum() == pytest.approx(np.exp(slow).sum() + own, abs=2e-4 + own)


def test_lists_hold_non_projective_trees(gold, parser):
    nbest = parser.parse(gold.sentences[:100], n=8)
    assert not any("||" in name for name in nbest.trees.labels.names)
    assert any(crossing(tree.heads) for tree in nbest.trees)


def crossing(heads):
    arcs = [sorted((i, head)) for i, head in enumerate(heads) if head >= 0]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_a_wider_beam_finds_better_trees(parser, gold):
    """The best tree of each list, as a log-probability and by the gold trees."""
    sentences = gold.sentences[:60]
    heads = [tree.heads for tree in gold]
    probability, oracle = [], []
    for n in (1, 4, 16):
        nbest = parser.parse(sentences, n=n)
        probability.append(nbest.scores[nbest.offsets[:-1]].sum())
        right = [
            np.mean(np.equal(t.heads, heads[s]))
            for t, s in zip(nbest.trees, nbest.sentence_of, strict=True)
        ]
        oracle.append(np.mean([max(right[p] for p in parses) for parses in nbest.lists()]))
    assert probability == sorted(probability)
    assert oracle[0] + 0.03 < oracle[1] < oracle[2]


def test_trees_of_other_sentences_are_refused(parser, tmp_path):
    path = tmp_path / "trees.conllu"
    write_conllu(path, parser.parse([["Dogs", "bark"]]))
    trees = load_parser(path)
    with pytest.raises(FormatError, match=r"trees\.conllu: 1 tree for 2 sentences"):
        trees.parse([["Dogs", "bark"], ["a"]])
    with pytest.raises(FormatError, match="1 list of trees for 2 sentences"):
        trees.parse([["Dogs"], ["bark"]], n=2)
    with pytest.raises(FormatError, match="token 2: trees have 'bark', source has 'sing'"):
        trees.parse([["Dogs", "sing"]])
    with pytest.raises(FormatError, match="token 3: trees have nothing, source has 'now'"):
        trees.parse([["Dogs", "bark", "now"]])


def test_a_parser_for_lower_case_reads_everything_so(tmp_path):
    folder = shutil.copytree(bundled_names("parsers/bundled")["en-web"], tmp_path / "lower")
    meta = folder / "meta.json"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"lower_case": True}))
    words, lower = [["IS", "She", "HERE", "?"]], [["is", "she", "here", "?"]]

    def scores(parser, sentences):
        return parser.parse(sentences, 4).scores.tolist()

    insensitive, bundled = load_parser(folder), load_parser("en-web(truecase=never)")
    assert insensitive.parse(words).sentences == words
    assert scores(insensitive, words) == scores(insensitive, lower) == scores(bundled, lower)
    assert scores(bundled, words) != scores(bundled, lower)
