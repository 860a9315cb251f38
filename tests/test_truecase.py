"""Truecasing: what is learned, which sentences it changes, and parsers that do it."""

import json
import shutil
from collections import Counter

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.resources import bundled_names
from preorder_eval.parsers.load_parser import find_parser, load_parser
from preorder_eval.parsers.parser import split_options
from preorder_eval.parsers.truecase import Truecaser
from preorder_eval.trees.conllu import write_conllu
from preorder_eval.trees.nbest_files import format_nbest

pytestmark = pytest.mark.slow  # loads parsers of all kinds

LOWER = ["in", "june", "mary", "met", "frank", "smith", "in", "kyoto", "."]
FORMS = ["may", "May", "MAY", "kyoto", "Kyoto", "the", "The", ",", "1st", "i", "I"]


@pytest.fixture
def caseless(tmp_path):
    """The bundled parser without what it knows of case."""
    return with_meta(tmp_path / "caseless", truecase=None)


def with_meta(folder, **changes):
    shutil.copytree(bundled_names("parsers/bundled")["en-web"], folder)
    meta = json.loads((folder / "meta.json").read_text()) | changes
    meta = {key: value for key, value in meta.items() if value is not None}
    (folder / "meta.json").write_text(json.dumps(meta))
    return folder


@given(st.lists(st.lists(st.sampled_from(FORMS), max_size=6), max_size=8))
def test_the_most_frequent_form_is_kept_of_words_inside_mixed_sentences(sentences):
    counts = Counter()
    for words in sentences:
        text = "".join(words)
        if text in (text.lower(), text.upper()):
            continue
        with_case = [word for word in words if word != ","]
        counts.update(with_case[1:])
    best = []
    for word in sorted({form.lower() for form in counts}):
        forms = [form for form in sorted(counts) if form.lower() == word]
        most = max(counts[form] for form in forms)
        best.append(next(form for form in forms if counts[form] == most))
    assert Truecaser.learned(sentences).words == best


def test_addresses_are_not_kept():
    sentence = "Ask jo@Example.org , www.Example.org/A or Ann in the U.S. today"
    assert " ".join(Truecaser.learned([sentence.split()]).words) == "Ann in or the today U.S."


@pytest.mark.parametrize("name", bundled_names("parsers/bundled"))
def test_parsers_hold_no_words_but_labels_and_words_in_their_case(name):
    nlp = spacy.load(bundled_names("parsers/bundled")[name])
    labels = {label for _, part in nlp.pipeline for label in getattr(part, "labels", ())}
    strings = bundled_names("parsers/bundled")[name] / "vocab" / "strings.json"
    assert set(json.loads(strings.read_text())) == labels
    assert not any("@" in word for word in load_parser(name).truecaser.words)


@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (["kyoto", "in", "may"], ["Kyoto", "in", "May"]),
        (["'", "in", "kyoto"], ["'", "in", "Kyoto"]),
        (["iphone", "in", "may"], ["iPhone", "in", "May"]),
        (["the", "1st", "of", "x-ray"], ["the", "1st", "of", "x-ray"]),
        # Endings: -to and -ay are those of names, -in, -he and -of are not, -ji is not known.
        (["the", "ginkakuji", "cain", "nagato"], ["the", "Ginkakuji", "cain", "Nagato"]),
        # As many words in -ka are names as are not.
        (["haka"], ["Haka"]),
        ([], []),
        ([",", "1868", "文"], [",", "1868", "文"]),
        # A capital anywhere: the text has its case.
        (["kyoto", "in", "May"], ["kyoto", "in", "May"]),
        (["kYoto"], ["kYoto"]),
    ],
)
def test_sentences_without_a_capital_are_truecased(words, seen):
    known = ["Kyoto", "in", "May", "the", "of", "iPhone", "Osaka", "polka"]
    assert Truecaser(known).read(words) == seen
    always = Truecaser(known, always=True).read([word.upper() for word in words])
    assert always == Truecaser(known).read([word.lower() for word in words])


@pytest.mark.parametrize("n", [None, 4])
def test_a_parser_sees_the_case_and_keeps_the_words(n):
    auto, never = load_parser("en-web"), load_parser("en-web(truecase=never)")
    cased = auto.truecaser.read(LOWER)
    assert cased == ["in", "June", "Mary", "met", "Frank", "Smith", "in", "Kyoto", "."]

    def trees(parser, words):
        parsed = parser.parse([words], n)
        found = parsed if n is None else parsed.trees
        assert found.sentences == [words] * len(found)
        return [(tree.heads, tree.labels, tree.xpos) for tree in found]

    assert trees(auto, LOWER) == trees(never, cased) == trees(auto, cased)
    assert trees(never, LOWER) != trees(never, cased)
    always = load_parser("en-web(truecase=always)")
    assert trees(always, [word.upper() for word in LOWER]) == trees(never, cased)


def test_the_identity_names_it_and_the_cache_keeps_it_apart():
    auto, never = find_parser("en-web"), find_parser("en-web(truecase=never)")
    assert (auto.identity.name, auto.identity.truecase) == ("en-web", "auto")
    assert (never.identity.name, never.identity.truecase) == ("en-web(truecase=never)", "never")
    assert auto.identity.sha256 == never.identity.sha256
    for _ in range(2):
        assert auto.parse([LOWER])[0] != never.parse([LOWER])[0]


def test_a_parser_that_knows_no_case_does_not_truecase(caseless):
    plain = load_parser(caseless)
    assert plain.identity.truecase == ""
    assert plain.parse([LOWER])[0] == load_parser("en-web(truecase=never)").parse([LOWER])[0]
    assert load_parser(f"{caseless}(truecase=never)").parse([LOWER])[0] == plain.parse([LOWER])[0]
    for load in (load_parser, find_parser):
        with pytest.raises(
            PreorderEvalError, match=r"caseless: cannot truecase, because it does not store "
        ):
            load(f"{caseless}(truecase=always)")


def test_a_parser_may_truecase_always_by_itself_and_one_for_lower_case_never(tmp_path):
    shouting = [word.upper() for word in LOWER]
    always = load_parser(with_meta(tmp_path / "always", truecase="always"))
    assert always.parse([shouting])[0].heads == load_parser("en-web").parse([LOWER])[0].heads
    lower = with_meta(tmp_path / "lower", lower_case=True)
    assert load_parser(lower).identity.truecase == ""
    with pytest.raises(PreorderEvalError, match="lower: cannot truecase"):
        load_parser(f"{lower}(truecase=always)")


def test_what_is_no_pipeline_cannot_truecase(parser, tmp_path):
    write_conllu(tmp_path / "t.conllu", parser.parse([LOWER]))
    (tmp_path / "n.conllu").write_text(format_nbest(parser.parse([LOWER], 2)))
    for name in ("t.conllu", "n.conllu"):
        with pytest.raises(PreorderEvalError, match="only spaCy pipelines can truecase"):
            load_parser(f"{tmp_path / name}(truecase=never)")


def test_other_options_and_values_are_listed():
    with pytest.raises(PreorderEvalError, match=r"\(case=never\): case is not one of truecase"):
        split_options("en-web(case=never)")
    with pytest.raises(PreorderEvalError, match="truecase=on is not one of auto, always, never"):
        split_options("en-web(truecase=on)")
