"""The command line as a whole: help, options without effect, the manual, and progress."""

import os
import re
import sys

import click
import pytest

from preorder_eval.cli import terminal
from preorder_eval.cli.command import Command
from preorder_eval.cli.commands import ENTRIES, command
from preorder_eval.cli.shared.options import as_recorded, available_cores
from preorder_eval.manual import CONTENTS, ManualPage, find_sections, found_in, page_names

BUILT = {name: command(entry) for name, entry in ENTRIES.items()}
SINGLE = {name: one for name, one in BUILT.items() if isinstance(one, Command)}
DECLARED = [
    (name, parameter)
    for name, one in SINGLE.items()
    for parameter in one.params
    if hasattr(parameter, "declared")
]


# Help.


@pytest.mark.parametrize("name", SINGLE)
def test_help_has_every_option_once_within_80_columns(run, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(*name.split(), "--help")
    assert code == 0
    for parameter in SINGLE[name].params:
        if isinstance(parameter, click.Option):
            assert len(re.findall(rf"^  (?:-\w, )?{parameter.opts[-1]}(?![-\w])", out, re.M)) == 1
    examples = out.partition("\nExamples:\n")[2].partition("\n\n")[0]
    assert max(map(len, out.replace(examples, "").splitlines())) <= 80
    assert max(map(len, examples.splitlines())) <= 90
    assert not re.search(r"<\w* ?range>|\{[A-Z_]+\}", out)  # click's names of types and choices
    assert out.rstrip().endswith(f"\n  Manual: preorder-eval manual {ENTRIES[name].page}")


def test_every_command_has_a_summary_and_a_page():
    for entry in ENTRIES.values():
        assert entry.page in (CONTENTS, *page_names())
        assert len(entry.summary) <= 66


def test_a_group_that_is_given_nothing_prints_its_help(run):
    code, _, err = run("rules")
    assert code == 2
    assert err.startswith("Usage: ")
    assert "oracle" in err


# Options that would have no effect.


def test_options_that_are_named_are_there():
    for name, parameter in DECLARED:
        known = {other.name for other in SINGLE[name].params}
        declared = parameter.declared
        named = {other.partition("=")[0] for other in (declared.needs or "").split()}
        assert not named or named & known, parameter.name


@pytest.mark.parametrize("name", SINGLE)
def test_an_option_alone_is_refused(run, name):
    for parameter in (one for own, one in DECLARED if own == name and one.declared.needs):
        is_option = isinstance(parameter, click.Option)
        given = [*parameter.opts * is_option, *["1"] * (not is_option or not parameter.is_flag)]
        code, out, err = run(*name.split(), *given)
        assert (code, out, err.count("\n")) == (2, "", 1), given
        written = parameter.opts[-1] if is_option else parameter.metavar
        assert err.startswith(f"preorder-eval: {written} needs ")


ORDERS = {"orders": ("o",), "reference": ("r",)}
LINKS = {"system_alignment": ("a",), "reference": ("r",)}


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("evaluate", {"attach_null": "left", "compat": "tdbtg"}, "needs --compat lader"),
        ("evaluate", {"attach_null": "left", "compat": "lader"}, ""),
        ("evaluate", {"metric": ("fuzzy",), "compat": "lader"}, "--metric has no effect with"),
        ("evaluate", {"reference": ("o",), "engine": "dask"}, "--reference has no effect with"),
        ("compare", {"sentences": "3", "tsv": True}, "--sentences has no effect with --tsv"),
        ("report", {"line_base": "1"}, "--line-base needs --human or --rankings"),
        ("report", {"line_base": "1", "rankings": "r"}, ""),
        (
            "evaluate",
            {"trust": True, "parser": ("gold",)},
            "--trust has no effect, because nothing is",
        ),
        (
            "evaluate",
            {"no_cache": True, "trees": ("t",)},
            "--no-cache has no effect, because nothing",
        ),
        ("evaluate", {**ORDERS, "no_cache": True}, "--no-cache has no effect, because nothing"),
        ("evaluate", {**LINKS, "no_cache": True}, "--no-cache has no effect, because nothing"),
        ("evaluate", {**ORDERS, "no_cache": True, "rules": ("en-ja",)}, ""),
        ("evaluate", {"orders": ("o",)}, "--orders needs --reference or --alignment"),
        ("evaluate", {"digits": "4", "json": True}, "--digits has no effect with --json"),
        ("evaluate", {"digits": "4", "compat": "lader"}, "--digits has no effect with --compat"),
        ("metrics", {"json": True, "tsv": True}, "--json has no effect with --tsv"),
        ("metrics", {"caption": "x", "form": "paper"}, "--caption has no effect with --format"),
        ("metrics", {"caption": "x", "form": "latex"}, ""),
        ("report", {"score_column": ("z",)}, "--score-column needs --human"),
        ("meta", {"score_column": ("z",)}, "--score-column needs --human or --mt-metrics-eval"),
        ("evaluate", {"trust": True, "parser": ("gold", "mine")}, ""),
        (
            "watch",
            {"trust": True, "parser": "gold"},
            "--trust has no effect, because nothing is parsed",
        ),
        ("evaluate", {"metric": ["ulam", "fuzzy", "ulam"]}, "--metric ulam can be given only once"),
        ("analyse", {"gold": "g", "by": ["word"]}, "--gold needs --by errors"),
        ("analyse", {"gold": "g", "by": ["word", "errors"]}, ""),
        ("analyse", {"gold": "g"}, ""),
        ("train", {}, ""),
    ],
)
def test_values_and_what_else_is_given_count(name, given, message):
    found = SINGLE[name].idle(given)
    assert message in found if message else not found


# What is printed beside results.

EVALUATE = ["evaluate", "--reference", "en-ja", "--parser", "gold", "--rules", "en-hi"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["score", "--hyp", "h", "--ref", "r", "--language", ""], "--language"),
        (["meta", "--hyp", "h", "--hyp", "", "--ref", "r"], "--hyp"),
        (["evaluate", "--reference="], "--reference"),
        (["compare", ""], "RUN_A"),
        (["rules", "check", "en-ja", ""], "NAME|FILE"),
    ],
)
def test_an_empty_value_is_refused(run, command, name):
    """As of a shell's variable that is not set; it would be taken for no option, or for here."""
    code, out, err = run(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"preorder-eval: {name}")
    assert " is empty: omit it" in err


@pytest.mark.slow
def test_quiet_is_without_warnings(run):
    usual, quiet = run(*EVALUATE), run("--quiet", *EVALUATE)
    assert usual[:2] == quiet[:2] == run(*EVALUATE, "--quiet")[:2]
    assert usual[2].startswith("preorder-eval: warning: rule set en-hi is for")
    assert quiet[2] == ""
    assert run(*EVALUATE)[2] == usual[2]  # it is forgotten again
    code, _, err = run("--quiet", "evaluate", "--rules", "en-jp")
    assert (code, err.startswith("preorder-eval: unknown rule set 'en-jp'")) == (2, True)


def test_tables_in_html_can_be_opened_as_a_page(run):
    head, *tables = run("metrics", "--format", "html")[1].splitlines()
    assert all(part in head for part in ('charset="utf-8"', '"light dark"', "device-width"))
    assert any('<div style="overflow-x: auto"><table' in line for line in tables)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("rules", "show", "en-ja"), "a head without a rule"),
        (("rules", "show", "en-ja", "--sentence", "She reads books ."), "She books reads ."),
        (("metrics", "fuzzy"), "equation"),
    ],
)
@pytest.mark.parametrize("form", ["html", "markdown", "latex"])
def test_every_form_shows_what_stands_above_the_tables(run, command, shown, form):
    assert shown in run(*command, "--format", form)[1]


# The manual.


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("frs", "Fuzzy reordering score (FRS)"),
        ("kendall", "Kendall's τ and others"),
        ("Run Folders", "Run folders"),
        ("scheduler", None),
        ("latex", "1. Score outputs"),
        ("custom metric", "Example: a custom metric"),
        ("metric plugin", None),  # which stand together nowhere
    ],
)
def test_the_manual_finds_words(run, words, heading):
    found = find_sections(words)
    code, output, _ = run("manual", *words.split())
    assert code == 0
    assert heading in (None, found[0].title)
    assert all(word in output.lower() for word in words.lower().split())
    assert f"Page `{found[0].name}`." in output
    assert all(f"`{other.name}`: {other.title}" in output for other in found[1:3])


def test_what_the_manual_prints_of_a_section():
    page = (
        "## A\n\nRed.\n\n| a | b |\n|---|---|\n| red | 1 |\n| blue | 2 |\n\n```sh\nx\n\nblue\n```\n"
    )
    section = ManualPage("page", page)
    table = "| a | b |\n|---|---|\n| blue | 2 |"
    assert found_in(section, "Blue") == f"## A\n\n{table}\n\n```sh\nx\n\nblue\n```\n"
    assert (
        found_in(section, "red x")
        == f"## A\n\nRed.\n\n{table}\n".replace("blue | 2", "red | 1") + "\n```sh\nx\n\nblue\n```\n"
    )
    assert found_in(section, "a") == page


def test_run_folders_keep_the_command_line_without_jobs(monkeypatch):
    line = ["preorder-eval", "evaluate", "--jobs", "4", "--out", "run", "--jobs=2"]
    monkeypatch.setattr(sys, "argv", line)
    assert as_recorded() == ["evaluate", "--out", "run"]


@pytest.mark.parametrize(("total", "told"), [(None, "preorder-eval: note: parsing\n"), (3, "")])
def test_work_of_unknown_length_is_told_of_before_it_ends(monkeypatch, capsys, total, told):
    monkeypatch.setattr(terminal, "_FIRST", -1.0)
    with terminal.progress("parsing", total):
        assert capsys.readouterr().err == told


@pytest.mark.skipif(sys.platform != "linux", reason="cores are allotted to a process on Linux")
def test_jobs_are_the_cores_of_this_process(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0: {0, 1, 2}}[process])
    assert available_cores() == 3
