"""Inputs that are right by themselves and do not go together."""

import warnings
from dataclasses import replace

import pytest

import preorder_eval as pe
from preorder_eval.base.errors import InputWarning, PreorderEvalError
from preorder_eval.evaluation.overlap import seen
from preorder_eval.evaluation.parsed import Parsed
from preorder_eval.evaluation.runs.run_reading import read_run
from preorder_eval.evaluation.runs.run_writing import write_run
from preorder_eval.evaluation.system_warnings import (
    moves,
    warn_if_nothing_moves,
    warn_of_rules,
    warn_of_text,
)
from preorder_eval.orders.alignments import Alignments
from preorder_eval.orders.orders import ReferenceOrders

GERMAN = [["Der", "Hund", "läuft", "schnell", "durch", "den", "Wald"]] * 9
GREEK = [["Ο", "σκύλος", "τρέχει", "γρήγορα", "μέσα", "στο", "δάσος"]] * 3
RIGHT = [
    *(("en-ja", "en-ja"), ("none", "en-ja"), ("en-hi", "en-hi")),
    *(("en-ja", "contrast@ja"), ("en-ko", "contrast@ko"), ("en-tr", "contrast@tr")),
]


@pytest.mark.parametrize(("rules", "reference"), RIGHT)
def test_rules_of_the_references_languages_are_right(rules, reference):
    warn_of_rules(pe.load_rules(rules), pe.load_reference(reference))


def test_rules_for_another_target(bundled_reference):
    message = (
        "^rule set en-hi is for the target language hi, but reference en-ja has ja; "
        "use rules=en-ja or reference=en-hi$"
    )
    with pytest.warns(InputWarning, match=message):
        warn_of_rules(pe.load_rules("en-hi"), bundled_reference)
    rules = replace(pe.load_rules("none"), name="mine", source="de", target="ja")
    with pytest.warns(InputWarning, match="rule set mine is for the source language de, but"):
        warn_of_rules(rules, bundled_reference)
    unknown = replace(bundled_reference, languages="links")
    warn_of_rules(rules, unknown)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        (["none", "reverse"], "no reference is named, and rules none, reverse have no target"),
        (
            ["en-ja", "none", "en-tr"],
            "the rule sets have several target languages: ja, tr; give a ref",
        ),
        (["en-ar"], "no reference set is bundled for en-ar, the languages of rule set en-ar; give"),
    ],
)
def test_rules_without_a_reference_of_their_target(rules, problem):
    with pytest.raises(PreorderEvalError, match=f"^{problem}"):
        pe.evaluate(rules=rules)


@pytest.mark.slow
def test_what_was_tuned_on_the_test_flatters_there(tuned_parser):
    parser = pe.load_parser(tuned_parser)
    assert parser.tuned_on == ("en-ja-web/dev", "en-ja")
    parser.tuned_on = ("en-ja-web/test",)
    data = pe.load_reference("en-ja-web/test").take([0, 1], "en-ja-web/test")
    [learned] = [
        warning
        for warning in pe.evaluate(data, parsers=[parser], rules=["none"], resamples=10).warnings
        if warning.kind.startswith("learned")
    ]
    assert learned.text.endswith(" was trained or selected on these sentences.")


@pytest.mark.slow
def test_a_parser_and_rules_that_have_seen_sentences_are_named(tuned_parser, tmp_path):
    web = pe.load_reference("en-ja-web/dev").take([0, 1, 2], "mine")
    system = Parsed.by(tuned_parser, web).reordered("en-ja")
    assert seen([system], web) == {"parser tuned": 3, "rules en-ja": 3}
    test = pe.load_reference("en-ja-web/test").take([0, 1], "en-ja-web/test")
    assert seen([Parsed.by(tuned_parser, test).reordered("en-ja")], test) == {}
    # The same English sentences, translated into another language.
    assert seen(
        [Parsed.by("gold", korean := pe.load_reference("en-ko")).reordered("en-ja")], korean
    )
    rules = replace(pe.load_rules("none"), name="own", tuned_on=("mine", "gone"))
    assert seen([Parsed.by("gold", web).reordered(rules)], web) == {"rules own": 3}
    assert seen([Parsed.by("gold", web).reordered("none")], web) == {}
    result = pe.evaluate(web, parsers=[tuned_parser], rules=["en-ja"], resamples=10)
    write_run(result, tmp_path / "run")
    again = read_run(tmp_path / "run")
    assert seen(again.inputs.systems, again.inputs.reference) == seen([system], web)


@pytest.mark.slow
def test_every_bundled_reference_is_english(parser):
    for name in ("en-ja", "en-de", "contrast@ja", "en-ja-web/test"):
        data = pe.load_reference(name)
        warn_of_text("en", "en-web", data.source, data.languages)
        warn_of_text("en", "en-web", data.source)
        warn_of_text("en", "en-web", [[word.lower() for word in s] for s in data.source])


def test_text_in_another_language_or_script():
    with pytest.warns(InputWarning, match="is for English, but the source has hardly any frequent"):
        warn_of_text("en", "en-web", GERMAN)
    with pytest.warns(InputWarning, match="is for English, but the source is in another script"):
        warn_of_text("en", "en-web", GREEK)
    with pytest.warns(InputWarning, match="the source has hardly any frequent"):
        warn_of_text("en", "en-web", GREEK + GERMAN[:5])  # more than half in Latin letters
    with pytest.warns(InputWarning, match="parser mine is for de, but the source is en; use a"):
        warn_of_text("de", "mine", [["a"]], "en-ja")
    warn_of_text("de", "mine", GERMAN)
    warn_of_text("", "trees", GERMAN)
    warn_of_text("en", "en-web", GERMAN[:1])  # too few words to tell


def reference(links):
    source = [["a", "b", "c"]] * len(links)
    return pe.ReferenceSet("mine", source, Alignments.of(links))


def test_links_that_leave_everything_in_place():
    straight, turned = [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]
    with pytest.warns(InputWarning, match="reference mine: every reference order equals the"):
        warn_if_nothing_moves(reference([straight] * 20))
    warn_if_nothing_moves(reference([straight] * 20 + [turned]))
    warn_if_nothing_moves(reference([straight] * 19))  # too few to say
    tied = ReferenceOrders.of([[[0, 1], [2]], [[0], [1, 2]]])
    assert not moves(tied), "tied words may stay"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "--reference", "en-ja", "--rules", "en-hi", "--parser", "gold"],
        ["rules", "oracle", "--rules", "en-hi", "--reference", "en-ja", "--parser", "gold"],
        ["rules", "ablate", "--rules", "en-hi", "--reference", "en-ja", "--parser", "gold"],
        ["rules", "show", "en-hi", "--reference", "en-ja", "--sentence", 1, "--parser", "gold"],
    ],
    ids=lambda command: command[1],
)
def test_commands_say_it_once(run, command):
    code, _, err = run(*command)
    assert code == 0
    assert err.count("rule set en-hi is for the target language hi") == 1


@pytest.mark.slow
def test_without_rules_nobody_has_chosen_wrongly(bundled_reference):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        unknown = replace(bundled_reference, languages="en-fi")
        result = pe.evaluate(unknown, parsers=["gold"], resamples=10)
    assert "gold/en-ja" in result.systems
    assert "gold/en-ja-clearnlp" not in result.systems  # it cannot read trees of ud
