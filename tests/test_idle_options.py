"""Options that would have no effect are refused by every command."""

import pytest
import typer.main

from preorder_eval.cli import app
from preorder_eval.cli.idle_options import _NEEDED, _SILENT, idle_option


def parameters():
    """The parameters of every command, by its name and theirs."""
    root = typer.main.get_command(app)
    for name in root.commands:
        command = root.commands.get(name)
        for below, one in getattr(command, "commands", {"": command}).items():
            yield f"{name} {below}".strip(), {p.name: p for p in one.params}


COMMANDS = dict(parameters())
RULES = [
    (command, option, other)
    for table in (_NEEDED, _SILENT)
    for command, options in table.items()
    for option, others in options.items()
    for other in others.split()
]


@pytest.mark.parametrize("command", sorted({command for command, _, _ in RULES}))
def test_all_that_is_named_is_an_option_of_the_command(command):
    known = COMMANDS[command]
    for of, option, other in RULES:
        if of == command:
            assert {option, other.partition("=")[0]} <= known.keys()


@pytest.mark.parametrize(
    ("command", "option"),
    [(command, option) for command, options in _NEEDED.items() for option in options],
)
def test_an_option_alone_is_refused(run, command, option):
    parameter = COMMANDS[command][option]
    given = parameter.opts if parameter.is_flag else [parameter.opts[0], "1"]
    code, out, err = run(*command.split(), *given)
    assert (code, out) == (2, "")
    assert err.startswith(f"preorder-eval: {given[0]} goes with --")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "given", "says"),
    [
        ("evaluate", {"attach_null": "left", "compat": "tdbtg"}, "goes with --compat lader"),
        ("evaluate", {"attach_null": "left", "compat": "lader"}, None),
        ("evaluate", {"metric": ["fuzzy"], "compat": "lader"}, "--metric has no effect beside"),
        ("score", {"verbose": True, "form": "latex"}, "has no effect beside --format latex"),
        ("score", {"verbose": True, "form": "matrix"}, None),
        ("compare", {"sentences": "3", "tsv": True}, "--sentences has no effect beside --tsv"),
        ("meta", {"whole": True, "json": True}, "--all has no effect beside --json"),
        ("report", {"line_base": "1"}, "--line-base goes with --scores or --rankings"),
        ("report", {"line_base": "1", "rankings": "r"}, None),
        ("evaluate", {"trust": True, "parser": ["gold"]}, "--trust has no effect, as nothing is"),
        ("evaluate", {"no_cache": True, "trees": ["t"]}, "--no-cache has no effect, as nothing"),
        ("evaluate", {"no_cache": True, "orders": ["o"]}, "--no-cache has no effect, as nothing"),
        ("evaluate", {"no_cache": True, "orders": ["o"], "rules": ["en-ja"]}, None),
        ("evaluate", {"trust": True, "parser": ["gold", "mine"]}, None),
        ("watch", {"trust": True, "parser": "gold"}, "--trust has no effect, as nothing is parsed"),
        ("evaluate", {"metric": ["ulam", "fuzzy", "ulam"]}, "--metric ulam is given twice"),
        ("analyse", {"gold": "g", "by": ["word"]}, "--gold goes with --by errors"),
        ("analyse", {"gold": "g", "by": ["word", "errors"]}, None),
        ("analyse", {"gold": "g"}, None),
        ("train", {}, None),
    ],
)
def test_values_and_what_else_is_given_count(command, given, says):
    called = {name: parameter.opts[0] for name, parameter in COMMANDS[command].items()}
    found = idle_option(command, given, called)
    assert found is None if says is None else says in found
