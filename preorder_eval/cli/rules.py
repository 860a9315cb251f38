"""`preorder-eval rules …`: look after rule files.

The other commands of this group stand in files of their own, `rules_*.py`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from preorder_eval.cli import rules_ablate, rules_learn, rules_new, rules_oracle, rules_show
from preorder_eval.visible import visible

app = typer.Typer(
    help="List, show, write and check rule sets, measure them and learn them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("ablate")(rules_ablate.command)
app.command("learn")(rules_learn.command)
app.command("new")(rules_new.command)
app.command("oracle")(rules_oracle.command)
app.command("show")(rules_show.command)


@app.command("list")
def list_rules() -> None:
    """List the rule sets that are bundled or installed."""
    from preorder_eval.formats.rules import load_rules, rule_names
    from preorder_eval.formats.text_table import format_table

    sets = {name: load_rules(name) for name in rule_names()}
    rows = [[name, s.source, s.target, s.scheme, s.description] for name, s in sets.items()]
    print(format_table(["name", "source", "target", "scheme", "description"], rows))


@app.command("check")
def check(
    rules: Annotated[
        list[str], typer.Argument(help="Bundled rule sets or rule files.", metavar="NAME|FILE…")
    ],
) -> None:
    """Validate rule files and run the worked examples they carry.

    \b
    Examples:
      preorder-eval rules check my-rules.toml
      preorder-eval rules check en-ja reverse
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.formats.rules import failing_examples, load_rules

    for name in rules:
        rule_set = load_rules(name)
        for failure in failing_examples(rule_set):
            raise PreorderEvalError(f"{name}: {failure}")
        counts = f"rules: {len(rule_set.rules)}, worked examples: {len(rule_set.examples)}"
        print(visible(f"{name}: all right; {counts}"))
