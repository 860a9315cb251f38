"""The bundled reference sets are what their datasheets say."""

import functools
import os
from collections import Counter

import pytest
from treebanks import FOUND

from preorder_eval.analysis.minimal_pairs import contrast_words, minimal_pairs
from preorder_eval.base.resources import bundled
from preorder_eval.metrics.orders.fuzzy import Fuzzy
from preorder_eval.references.findings import CHECKS, checks_for, findings_of
from preorder_eval.references.reference_files import target_languages
from preorder_eval.references.reference_folder import load_reference, reference_names
from preorder_eval.references.standoff import STANDOFF, TREEBANKS
from preorder_eval.rules.rule_reading import load_rules
from preorder_eval.trees.schemes import LABELS, UPOS, XPOS
from preorder_eval.trees.treebank import comment_value

SETS = reference_names()
STAND_OFF = {file.parent.name for file in bundled("reference_data").glob(f"*/{STANDOFF}")}


@functools.cache
def whole(name):
    """A set with all of its parts, joined with its text if it stands off and the text is here."""
    if name.partition("@")[0] in STAND_OFF:
        if not FOUND:
            pytest.skip("needs UD English EWT and PUD")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(TREEBANKS, os.pathsep.join(map(str, FOUND)))
            return load_reference(f"{name}/all")
    reference = load_reference(name)
    return load_reference(f"{name}/all") if "/" in reference.name else reference


def slow(name):
    """A set as a parameter; those that stand off from their text are slow."""
    marks = [pytest.mark.slow] * (name.partition("@")[0] in STAND_OFF)
    return pytest.param(name, marks=marks)


@pytest.fixture(params=map(slow, SETS))
def reference(request):
    return whole(request.param)


@pytest.mark.slow
def test_every_set_has_a_datasheet(reference):
    name, at, layer = reference.name.partition("/")[0].partition("@")
    sheet = (bundled("reference_data") / name / "DATASHEET.md").read_text()
    assert sheet.startswith(f"# {name}: ")
    main = layer == target_languages(bundled("reference_data") / name)[0]
    assert (name if main else f"{name}{at}{layer}") in sheet


def test_every_sentence_has_links_and_a_tree_in_universal_dependencies(reference):
    assert reference.references.informative.all()
    if reference.name.partition("@")[0].partition("/")[0] in STAND_OFF:
        return  # the trees are those of others
    assert set(reference.trees.labels.names) <= LABELS["ud"]
    assert set(reference.trees.upos.names) <= UPOS
    assert set(reference.trees.xpos.names) <= XPOS


def test_no_sentence_stands_twice(reference):
    # Greetings and closings of mails may well be the same.
    texts = [" ".join(words).lower() for words in reference.source if len(words) > 3]
    assert len(set(texts)) == len(texts)


# What languages need against the guidelines: a verb of one word with its negated auxiliary (French,
# Arabic), and a subject that only the verb's form has, or articles that stand twice (Arabic).
NEEDED = {
    "en-fr": {"ties over a distance"},
    "en-ar": {"ties over a distance", "unaligned content words", "mixed kinds of translation"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SETS if not name.endswith("-standard")])
def test_alignment_oriented_sets_follow_the_guidelines(name):
    reference = whole(name)
    assert checks_for(reference) == list(CHECKS)
    found = {f.check for f in findings_of(reference, list(CHECKS)) if f.is_warning}
    needed = NEEDED.get(reference.languages, set())
    assert found <= ({"ties over a distance"} if name.partition("@")[0] in STAND_OFF else needed)


def test_phenomena_of_the_english_japanese_set(bundled_reference):
    phenomena = [comment_value(c, "phenomenon") for c in bundled_reference.trees.comments]
    assert {phenomena.count(p) for p in phenomena} == {10}
    assert len(set(phenomena)) == 30
    lengths = [len(words) for words in bundled_reference.source]
    assert min(lengths) >= 3
    assert max(lengths) <= 40


OWN_SENTENCES = {"en-ja", "en-ja-web", "constructions@ja", "contrast@ja"}
OWN = {name.partition("@")[0] for name in OWN_SENTENCES}


@pytest.mark.parametrize(
    "name", sorted(name for name in SETS if name.partition("@")[0] not in {*OWN, *STAND_OFF})
)
def test_other_sets_hold_sentences_of_the_english_japanese_ones(name):
    def sentences(reference):
        ids = [comment_value(comments, "sent_id") for comments in reference.trees.comments]
        return {i: tuple(words) for i, words in zip(ids, reference.source, strict=True)}

    known = {item for own in OWN_SENTENCES for item in sentences(whole(own)).items()}
    unknown = [i for i, words in sentences(whole(name)).items() if (i, words) not in known]
    assert len(unknown) <= 8
    assert all(i.endswith("-first") for i in unknown)


LANGUAGES = ["de", "hi", "ko", "tr", "zh"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sets_of_other_languages_have_the_same_sentences_in_dev_and_test(language):
    reference = whole(f"en-{language}")
    assert reference.source == whole("en-ko").source
    assert reference.trees.comments == whole("en-ko").trees.comments
    splits = [comment_value(comments, "split") for comments in reference.trees.comments]
    assert splits == ["dev"] * 150 + ["test"] * 150
    ids = [tree.sentence_id for tree in reference.trees]
    assert sum(name.startswith("web") for name in ids[:150]) == 75


def test_the_test_parts_of_all_languages_are_of_one_text():
    web = load_reference("en-ja-web/test")
    known = dict(zip((tree.sentence_id for tree in web.trees), web.source, strict=True))
    data = load_reference("en-ko/test")
    assert all(known[tree.sentence_id] == list(tree.words) for tree in data.trees)
    genres = [
        Counter(comment_value(c, "genre") for c in part.trees.comments) for part in (web, data)
    ]
    assert all(abs(genres[1][name] - 0.6 * count) < 1 for name, count in genres[0].items())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_a_language_are_the_best_for_it(language):
    reference = load_reference(f"en-{language}/dev")  # the other part is scored once an edition
    orders = {
        name: load_rules(name).reorder(reference.trees)
        for name in ("none", "en-ja", f"en-{language}")
    }
    scores = {
        name: Fuzzy().score(order, reference.allowed, reference.words).corpus
        for name, order in orders.items()
    }
    assert max(scores, key=scores.get) == f"en-{language}"


TWENTY = dict.fromkeys(["coordination", "reduced-relative", "that", "noun-verb"], 20)
PAIRS = {
    "contrast@ja": TWENTY | {"particle": 20, "pp-attachment": 29},
    "contrast@ko": TWENTY | {"particle": 11, "pp-attachment": 29},
    "contrast@tr": TWENTY | {"pp-attachment": 28},
}


@pytest.mark.parametrize("name", PAIRS)
def test_contrast_suites_have_pairs_of_each_phenomenon(name):
    trees = whole(name).trees
    names = [comment_value(comments, "pair") for comments in trees.comments]
    assert names[::2] == names[1::2]
    assert len(set(names)) == len(minimal_pairs(trees)) == len(trees) // 2
    assert Counter(phenomenon for phenomenon, *_ in minimal_pairs(trees)) == PAIRS[name]


@pytest.mark.parametrize("name", PAIRS)
def test_two_sentences_of_a_pair_turn_shared_words_round(name):
    suite = whole(name)
    words = [contrast_words(suite, *two) for _, *two in minimal_pairs(suite.trees)]
    assert all(first and second for first, second in words)
