"""What commands say beside their results, and options that would be without effect."""

import pytest

from preorder_eval.errors import UnknownNameError

KNOWN = ["en-ja", "head-final-reverse-after", "none", "reverse"]
EVALUATE = ["evaluate", "--parser", "gold", "--rules", "en-hi", "--resamples", 10]


def test_quiet_is_without_warnings(run):
    usual, quiet = run(*EVALUATE), run("--quiet", *EVALUATE)
    assert usual[:2] == quiet[:2]
    assert usual[2].startswith("preorder-eval: warning: rule set en-hi is for")
    assert quiet[2] == ""
    assert run(*EVALUATE)[2] == usual[2]  # it is forgotten again


def test_quiet_does_not_hide_errors(run):
    code, _, err = run("--quiet", "evaluate", "--rules", "en-jp")
    assert code == 2
    assert err.startswith("preorder-eval: unknown rule set 'en-jp' (did you mean 'en-ja'?)")


def test_verbose_says_what_is_read(run):
    options = ["--reference", "en-ja", "--rules", "en-ja", "--resamples", 10]
    code, _, err = run("--verbose", "evaluate", *options)
    assert code == 0
    said = [line.removeprefix("preorder-eval: ").split(",")[0] for line in err.splitlines()]
    assert said[0] == "reference en-ja"
    assert any(line.startswith("rules en-ja from ") for line in said)
    assert any(line.startswith("parser en-web 1.0.0 from ") for line in said)
    assert any(line.endswith("of 300 different sentences are parsed anew") for line in said)
    assert run("evaluate", *options)[2] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--quiet", "--verbose", "metrics", "list"], "choose one of --quiet and --verbose"),
        (["evaluate", "--seed", "1", "--seed", "2"], "--seed is given twice, but counts once"),
        (["rules", "show", "en-ja", "--json", "--json"], "--json is given twice, but counts once"),
        (["evaluate", "--attach-null", "left"], "goes with --compat lader"),
        (["evaluate", "--compat", "tdbtg", "--combine-blocks", "no"], "goes with --compat lader"),
        (["evaluate", "--test", "koehn"], "--test goes with --significance"),
        (["evaluate", "--base", "1"], "--base goes with --alignment"),
        (["evaluate", "--links", "sure"], "--links goes with --alignment"),
        (["watch", "--rules", "en-ja", "--alignment-format", "talbot"], "goes with --alignment"),
        (["attachment", "g", "s", "--alignment-format", "talbot"], "goes with --alignment"),
        (["reorder", "--rules", "none", "--trees", "t", "--parser", "x"], "beside --trees"),
        (["rules", "show", "en-ja", "--toml", "--json"], "choose one of --json and --toml"),
        (["rules", "show", "en-ja", "--toml", "--sentence", "a"], "traces no --sentence"),
    ],
)
def test_options_without_effect_are_refused(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_repeatable_options_may_be_repeated(run):
    code, _, _ = run(*EVALUATE, "--rules", "none", "--metric", "kendall", "--metric", "fuzzy")
    assert code == 0


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("en-jp", "en-ja"), ("EN-JA", "en-ja"), ("head-final-reverse", "head-final-reverse-after"),
        ("revesre", "reverse"),
    ],
)  # fmt: skip
def test_suggestions_are_near(name, meant):
    text = str(UnknownNameError("rule set", name, KNOWN))
    assert text.startswith(f"unknown rule set {name!r} (did you mean {meant!r}?); known: ")


@pytest.mark.parametrize("name", ["german", "en", "x", "fr-it", "evaluate"])
def test_far_names_are_not_suggested(name):
    assert "did you mean" not in str(UnknownNameError("rule set", name, KNOWN))
