"""What every parser must do; a new parser is added to the list of the fixture."""

import gzip
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import fix_random_seed
from spacy.vocab import Vocab
from test_truecase import with_meta

import preorder_eval as pe
from preorder_eval.base.errors import FormatError, PreorderEvalError, UnknownNameError
from preorder_eval.base.resources import bundled, bundled_names
from preorder_eval.parsers import spacy_pipeline
from preorder_eval.parsers.beam import _search
from preorder_eval.parsers.cache import ParseCache
from preorder_eval.parsers.load_parser import load_parser
from preorder_eval.parsers.to_docs import document, gold_document
from preorder_eval.trees.conllu import format_conllu, write_conllu
from preorder_eval.trees.nbest_files import format_nbest

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
def test_every_parser_gives_one_tree_or_lists_of_different_trees_best_first(any_parser):
    assert any_parser.identity.name
    assert len(any_parser.identity.sha256) == 64
    done = []
    best = any_parser.parse(SENTENCES, advance=done.append)
    assert best.sentences == SENTENCES
    for n in (1, 4):
        nbest = any_parser.parse(SENTENCES, n, advance=done.append)
        assert len(nbest) == len(SENTENCES)
        assert nbest.sizes.max() <= n
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
    assert sum(done) == 3 * len(SENTENCES)
    with pytest.raises(PreorderEvalError, match="n must be from 1 to 10000"):
        any_parser.parse(SENTENCES, n=0)


@pytest.mark.slow
def test_whatever_the_tokens_there_is_one_tree(parser):
    sentences = [
        [""], [" "], ["\t", "\n"], ["", "x", " "], ["\u3000"], ["\u200b", "\u00a0", "\ufeff"],
        ["a"], ["."], ["buffalo"] * 500, list("これは日本語の文です。"), ["🙂", "\x00", "\x1b[31m"],
        ["x" * 10_000],
    ]  # fmt: skip
    treebank = parser.parse(sentences)
    assert treebank.sentences == sentences
    assert [tree.heads.count(-1) for tree in treebank] == [1] * len(sentences)
    assert all(tree.labels[tree.heads.index(-1)] == "root" for tree in treebank)
    nbest = parser.parse(sentences, n=2)
    assert nbest.trees.sentences == [sentences[s] for s in nbest.sentence_of]


@pytest.mark.slow
def test_accuracy_on_the_gold_trees_of_the_bundled_set(parser, gold):
    """A wrongly loaded or wrongly fed model would fall far below."""
    from preorder_eval.analysis.attachment import attachment

    as_it_is = attachment(gold, parser.parse(gold.sentences))
    assert as_it_is.las > 0.84
    some = gold.sentences[:60]
    lower = [[word.lower() for word in words] for words in some]
    heads = parser.parse(lower).heads
    assert np.mean(heads == gold.heads[: len(heads)]) > 0.86


def test_a_sentence_without_tokens_is_refused(parser):
    with pytest.raises(PreorderEvalError, match="sentence 2 has no tokens"):
        parser.parse([["a"], []])


def test_unknown_parsers_are_listed():
    with pytest.raises(UnknownNameError, match=r"known: en-web.*; or the path of a"):
        load_parser("en-wbe")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("components", "message"),
    [
        (None, "not a spaCy pipeline"),
        ([], "has no parser$"),
        (["sentencizer", "doc_cleaner"], "has no parser, only doc_cleaner"),
        (["parser", "parser"], "has 2 parsers, only parser, second"),
    ],
)
def test_folders_without_exactly_one_parser_are_refused(tmp_path, gold, components, message):
    if components == ["parser", "parser"]:
        nlp = tiny_pipeline([gold[0]])
        nlp.add_pipe("parser", name="second", source=nlp)
    else:
        nlp = spacy.blank("en")
        for component in components or []:
            nlp.add_pipe(component)
    folder = tmp_path / "mine"
    folder.mkdir()
    if components is not None:
        nlp.to_disk(folder)
    for cache in (None, ParseCache(tmp_path / "parses.sqlite", pytest.fail)):
        with pytest.raises(PreorderEvalError, match=message):
            load_parser(folder, cache, trust=True).parse(SENTENCES)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("sentence", [["Stop"], SENTENCES[2]], ids=len)
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


@pytest.mark.slow
def test_lists_hold_non_projective_trees(gold, parser):
    nbest = parser.parse(gold.sentences[:100], n=8)
    assert not any("||" in name for name in nbest.trees.labels.names)
    assert any(crossing(tree.heads) for tree in nbest.trees)


def crossing(heads):
    arcs = [sorted((i, head)) for i, head in enumerate(heads) if head >= 0]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_trees_of_other_sentences_are_refused(parser, tmp_path):
    path = tmp_path / "trees.conllu"
    write_conllu(path, parser.parse([["Dogs", "bark"]]))
    trees = load_parser(path)
    for sentences, n, message in (
        ([["Dogs", "bark"], ["a"]], None, r"trees\.conllu: 1 tree for 2 sentences"),
        ([["Dogs"], ["bark"]], 2, "1 list of trees for 2 sentences"),
        ([["Dogs", "sing"]], None, "token 2: trees have 'bark', source has 'sing'"),
        ([["Dogs", "bark", "now"]], None, "token 3: trees have nothing, source has 'now'"),
    ):
        with pytest.raises(FormatError, match=message):
            trees.parse(sentences, n)


@pytest.mark.slow
def test_a_parser_for_lower_case_reads_everything_so(tmp_path):
    folder = with_meta(tmp_path / "lower", lower_case=True)
    words, lower = [["IS", "She", "HERE", "?"]], [["is", "she", "here", "?"]]

    def scores(parser, sentences):
        return parser.parse(sentences, 4).scores.tolist()

    insensitive, bundled = load_parser(folder), load_parser("en-web(truecase=never)")
    assert insensitive.parse(words).sentences == words
    assert scores(insensitive, words) == scores(insensitive, lower) == scores(bundled, lower)
    assert scores(bundled, words) != scores(bundled, lower)


# Files of trees, whatever has written them.

# As CoNLL-X has it: coarse and fine tags, and two columns of projective heads.
CONLL_X = """\
1\tShe\t_\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\treads\t_\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tbooks\t_\tNOUN\tNNS\t_\t2\tobj\t2\tobj

"""


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


@pytest.mark.slow
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
    [tree] = load_parser(tmp_path / "x.conll").parse([["She", "reads", "books"]])
    assert (tree.heads, tree.labels) == ([1, -1, 1], ["nsubj", "root", "obj"])


def test_misspelt_labels_are_named(tmp_path):
    path = tmp_path / "x.conll"
    path.write_text(CONLL_X.replace("obj", "objj"))
    warning = (
        r"x\.conll: 1 word has a label not named by any rule, such as 'objj' \(did you mean 'obj'"
    )
    with pytest.warns(pe.base.errors.InputWarning, match=warning):
        load_parser(path)


def test_a_thread_loads_a_pipeline_once_in_a_row(monkeypatch):
    load_parser("en-web")
    again = "loaded again"
    monkeypatch.setattr(spacy_pipeline, "load_checked", lambda *_, **__: pytest.fail(again))
    for jobs in (1, 2):
        assert load_parser("en-web", jobs=jobs).parse([["Go"]]).heads.tolist() == [-1]
    with ThreadPoolExecutor(1) as other, pytest.raises(pytest.fail.Exception, match=again):
        other.submit(load_parser, "en-web").result()


def test_what_is_no_docbin_is_refused(tmp_path):
    path = tmp_path / "x.spacy"
    path.write_bytes(b"no documents")
    with pytest.raises(FormatError, match=r"x\.spacy: holds no documents of spaCy; write it with"):
        load_parser(path)
    with pytest.raises(FormatError, match=r"none\.spacy: cannot be read: No such file"):
        load_parser(tmp_path / "none.spacy")
    DocBin(docs=[Doc(Vocab(), ["She", "reads", "."])]).to_disk(path)
    with pytest.raises(FormatError, match=r"x\.spacy: document 1 has no dependency parse; run it"):
        load_parser(path)


def test_lists_of_trees_are_put_on_the_given_words(tmp_path):
    rows = CONLL_X.replace("\tbooks\t", "\tbooks.\t").strip()
    path = tmp_path / "lists.conllu"
    path.write_text("".join(f"# parse = {n}\n{rows}\n\n" for n in (1, 2)))
    with pytest.warns(pe.base.errors.InputWarning, match=r"lists\.conllu: 4 of 8 words, in 2 of 2"):
        lists = load_parser(path).parse([["She", "reads", "books", "."]], n=2)
    assert lists.sizes.tolist() == [2]
    assert lists.trees[1].labels == ["nsubj", "root", "obj", "punct"]


# Folders of pipelines that could run code of their makers are not loaded without a word.

BUNDLED = bundled_names("parsers/bundled")["en-web"]
CALLED = []


@spacy.registry.misc("tests.a_strangers_function")
def a_strangers_function(command: str = ""):
    CALLED.append(command)
    return command


@spacy.registry.callbacks("tests.a_strangers_callback")
def a_strangers_callback():
    CALLED.append("callback")
    return lambda language: language


@pytest.fixture
def folder(tmp_path):
    """A pipeline that `train` has written."""
    shutil.copytree(BUNDLED, tmp_path / "mine")
    CALLED.clear()
    return tmp_path / "mine"


def change(folder, old, new):
    config = folder / "config.cfg"
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new, 1))


def disown(folder):
    """Take away what `train` writes into a pipeline by which it knows its own; return the rest."""
    change(folder, "preorder_eval.treebank.v1", "spacy.Corpus.v1")
    meta = json.loads((folder / "meta.json").read_text())
    del meta["lower_case"]
    (folder / "meta.json").write_text(json.dumps(meta))
    return meta


@pytest.mark.slow
def test_what_train_did_not_write_is_not_loaded(folder):
    assert load_parser(folder).parse([["Dogs", "bark"]])[0].heads == [1, -1]
    meta = disown(folder)
    with pytest.raises(PreorderEvalError, match=r"mine: .*not written by preorder-eval train; "):
        load_parser(folder)
    assert load_parser(folder, trust=True).parse([["Dogs", "bark"]])[0].heads == [1, -1]
    # What `train` writes into its meta data is as good as its reader in the config.
    (folder / "meta.json").write_text(json.dumps({**meta, "lower_case": False}))
    load_parser(folder)


CALLBACK = (
    "before_creation = null",
    'before_creation = {"@callbacks": "tests.a_strangers_callback"}',
)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (*CALLBACK, "@callbacks 'tests.a_strangers_callback'"),
        (CALLBACK[0], CALLBACK[1].replace("@", "\\u0040"),
         "@callbacks 'tests.a_strangers_callback'"),
        ('@architectures = "spacy.MaxoutWindowEncoder.v2"',
         '@misc = "tests.a_strangers_function"\ncommand = "rm"',
         "@misc 'tests.a_strangers_function'"),
        ('@architectures = "spacy.MaxoutWindowEncoder.v2"', '@architectures = "nobody.knows.v1"',
         "@architectures 'nobody.knows.v1'"),
        ('@scorers = "spacy.parser_scorer.v1"',
         '@readers = "srsly.read_json.v1"\npath = "/etc/passwd"', "@readers 'srsly.read_json.v1'"),
        ('factory = "tagger"', 'factory = "a_stranger"', "factory 'a_stranger'"),
        # The pipeline of that name would be loaded for its component.
        ('factory = "tagger"', 'source = "a_stranger"', "source 'a_stranger'"),
        (  # what stands in another section
            '[components.tagger]\nfactory = "tagger"\n',
            '[a_stranger]\n@misc = "tests.a_strangers_function"\n\n'
            '[components.tagger]\nfactory = "tagger"\nmore = ${a_stranger}\n',
            "@misc 'tests.a_strangers_function'",
        ),
    ],
)  # fmt: skip
def test_a_function_that_is_not_spacys_is_not_called(folder, old, new, named):
    """Even where the folder says that `train` has written it."""
    change(folder, old, new)
    with pytest.raises(PreorderEvalError) as caught:
        load_parser(folder)
    assert f"{named}, which is not known to be harmless" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert CALLED == []


@pytest.mark.slow
def test_components_that_are_not_loaded_can_do_no_harm(folder):
    """Also where there is nothing to load them from."""
    more = ["senter", "ner", "lemmatizer", "preorder", "entity_linker"]
    change(folder, '"parser"]', f'"parser", {json.dumps(more)[1:]}')
    scorer = '@scorers = "spacy.parser_scorer.v1"\n'
    for name in more:
        component = f'[components.{name}]\nfactory = "{name}"\n\n'
        component += f"[components.{name}.scorer]\n{scorer}\n"
        change(folder, "[components.morphologizer]", f"{component}[components.morphologizer]")
    assert load_parser(folder).parse([["Dogs", "bark"]])[0].heads == [1, -1]


@pytest.mark.slow
def test_trusted_it_is_called(folder):
    change(folder, *CALLBACK)
    load_parser(folder, trust=True)
    assert CALLED == ["callback"]


@pytest.mark.slow
def test_the_option_is_for_one_command(run, folder, monkeypatch):
    disown(folder)
    monkeypatch.chdir(folder.parent)
    Path("s.en").write_text("Dogs bark\n")
    parse = ["parse", "--no-cache", "--source", "s.en", "--parser", "mine"]
    for arguments, code in ((parse, 2), ([*parse, "--trust"], 0), (parse, 2)):
        ended, _, err = run(*arguments)
        assert (ended, len(err.splitlines()), "--trust" in err) == (code, code // 2, code == 2)


def test_a_config_may_name_the_tokenizer_in_one_line(tmp_path):
    """As those of spaCy's own models do."""
    folder = tmp_path / "model"
    shutil.copytree(bundled("parsers/bundled") / "en-web", folder)
    config = folder / "config.cfg"
    section = '[nlp.tokenizer]\n@tokenizers = "spacy.Tokenizer.v1"\n'
    text = config.read_text()
    assert section in text
    line = '[nlp]\ntokenizer = {"@tokenizers":"spacy.Tokenizer.v1"}\n'
    config.write_text(text.replace(section, "").replace("[nlp]\n", line))
    assert load_parser(folder).parse([["She", "reads", "."]]).heads.tolist() == [1, -1, 1]
