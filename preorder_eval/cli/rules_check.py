"""`preorder-eval rules check`: rule files and the examples in them."""

from __future__ import annotations

from typing import Annotated

from preorder_eval.cli.command import Argument
from preorder_eval.cli.options import RULES
from preorder_eval.errors import PreorderEvalError
from preorder_eval.formats.rules import failing_examples, load_rules
from preorder_eval.visible import visible


def command(
    rules: Annotated[
        tuple[str, ...], RULES, Argument("Bundled rule sets or rule files.", metavar="NAME|FILE…")
    ],
) -> None:
    """Validate rule files and run the examples in them.

    Examples:
      preorder-eval rules check my-rules.toml
      preorder-eval rules check en-ja reverse
    """
    for name in rules:
        rule_set = load_rules(name)
        for failure in failing_examples(rule_set):
            raise PreorderEvalError(f"{name}: {failure}")
        counts = f"rules: {len(rule_set.rules)}, worked examples: {len(rule_set.examples)}"
        print(visible(f"{name}: valid; {counts}"))
