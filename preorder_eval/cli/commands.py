"""All commands with a line each; a command's module is imported when the command is asked for."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any, NamedTuple

import click

from preorder_eval.base.errors import UnknownNameError
from preorder_eval.cli.command import Command, verbosity_options


class Entry(NamedTuple):
    """A command, or a group of them: its name, what it does, and its page of the manual."""

    name: str
    summary: str
    page: str


# By what people do with them.
_ROWS = {
    "Score word order": [
        ("evaluate", "Score parsers and rule sets against reference orders.", "inputs"),
        ("compare", "Compare system B with system A.", "analysis"),
        ("analyse", "Show the errors in the orders or outputs of a run.", "analysis"),
        ("report", "Write a page about runs: scores, errors, sentences.", "analysis"),
    ],
    "Write rules": [
        ("rules", "Show, check, measure and learn rule sets.", "rules"),
        ("rules show", "Show a rule set, or what it does to a sentence.", "rules"),
        (
            "rules check",
            "Validate rule files; count the constructions they order correctly.",
            "rules",
        ),
        ("rules ablate", "Score a rule set without each of its parts.", "rules"),
        ("rules oracle", "Show the best score that rules could reach on these trees.", "rules"),
        ("rules learn", "Learn readable rules from reference orders or from a treebank.", "rules"),
        ("watch", "Score a rule file again on every save, until Ctrl-C.", "rules"),
        ("reorder", "Print source sentences in target word order.", "inputs"),
    ],
    "Parse and train parsers": [
        ("parse", "Parse sentences and write their trees as CoNLL-U.", "parsers"),
        ("select", "Select the parses whose reordering scores highest.", "parsers"),
        ("self-train", "Train a parser on those of its own parses that reorder best.", "parsers"),
        ("train", "Train a parser on treebanks.", "parsers"),
    ],
    "Make and check references": [
        ("reference", "Build, edit, check and show reference sets.", "reference-data"),
        ("reference build", "Build a reference folder from text and links.", "tutorial-annotation"),
        ("reference edit", "Link words in the browser, until Ctrl-C.", "tutorial-annotation"),
        (
            "reference export",
            "Write the annotation of a set without its text and trees.",
            "reference-data",
        ),
        ("reference check", "Check reference sets and print their statistics.", "reference-data"),
        ("reference show", "Show a sentence with its orders and links.", "reference-data"),
        ("align", "Align parallel text, or convert word alignments.", "reference-data"),
    ],
    "Score translations": [
        (
            "score",
            "Score outputs of translation systems against references.",
            "tutorial-translations",
        ),
        ("metrics", "List the metrics, or describe one.", "metrics"),
        ("meta", "Find out which metrics agree with human judgments.", "meta-evaluation"),
        ("tune", "Fit a metric's parameters to human judgments.", "meta-evaluation"),
    ],
    "Set up and get help": [
        ("manual", "Show the manual, a page, or the sections about a word.", "README")
    ],
}
COMMANDS = {title: [Entry(*row) for row in rows] for title, rows in _ROWS.items()}
ENTRIES = {entry.name: entry for entries in COMMANDS.values() for entry in entries}
# Commands that import more than the others of their group stand in modules of their own.
_MODULES = {
    **dict.fromkeys(["rules ablate", "rules oracle", "rules learn"], "rules_scored"),
    "reference check": "reference_check",
    "reference edit": "reference_edit",
    "train": "train_pipeline",
}


class Commands(click.Group):
    """A group of the commands whose names begin with the group's name; the program has none."""

    def __init__(self, name: str = "", page: str = "README", **attributes: Any) -> None:
        epilog = f"Manual: preorder-eval manual {page}"
        super().__init__(name, no_args_is_help=True, epilog=epilog, **attributes)
        self.params += verbosity_options()

    def list_commands(self, ctx: click.Context) -> list[str]:
        within = f"{self.name} ".lstrip()
        names = [name.removeprefix(within) for name in ENTRIES if name.startswith(within)]
        return [name for name in names if " " not in name]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = ENTRIES.get(f"{self.name} {cmd_name}".strip())
        return None if entry is None else command(entry)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            raise click.UsageError(str(UnknownNameError("command", args[0], known)), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, grouped by task."""
        within = f"{self.name} ".lstrip()
        names = {f"{within}{name}": name for name in self.list_commands(ctx)}
        widest = max(map(len, names.values()))
        for title, entries in COMMANDS.items():
            rows = [
                (names[entry.name].ljust(widest), entry.summary)
                for entry in entries
                if entry.name in names
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@cache
def command(entry: Entry) -> click.Command:
    """Make the command, or the group of commands, of an entry.

    The command is a function in the module that has its name, or that of its group.
    """
    if any(name.startswith(f"{entry.name} ") for name in ENTRIES):
        return Commands(entry.name, entry.page, help=entry.summary)
    module, _, function = entry.name.replace("-", "_").partition(" ")
    module = _MODULES.get(entry.name, module)
    loaded = importlib.import_module(f"preorder_eval.cli.{module}")
    run = getattr(loaded, function or "command")
    return Command(function or entry.name, run, entry.summary, entry.page)


def name_of(ctx: click.Context) -> str:
    """Return the full name of a command, such as `rules show`."""
    names = []
    while ctx.parent is not None:
        names.append(str(ctx.info_name))
        ctx = ctx.parent
    return " ".join(reversed(names))
