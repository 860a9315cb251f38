"""`preorder-eval rules show` and `check`: rule sets as they are."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import click

from preorder_eval.analysis.check_rules import check_rules
from preorder_eval.analysis.parser_check import parser_check
from preorder_eval.base.errors import warn
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.base.tables import Several
from preorder_eval.base.visible import visible
from preorder_eval.cli.command import Argument, Option
from preorder_eval.cli.shared.options import (
    PARSER,
    PARSER_OR_GOLD,
    REFERENCE,
    RULES,
    Printed,
    Trust,
)
from preorder_eval.cli.shared.rules_shown import RuleSets, ShownRules, for_languages, traced
from preorder_eval.cli.terminal import progress
from preorder_eval.rules.doubts import doubts
from preorder_eval.rules.rule_files import read_rule_file, rule_names, rules_text
from preorder_eval.rules.rule_reading import load_rules, where_written
from preorder_eval.rules.rule_writing import format_rules


def show(
    rules: Annotated[str | None, RULES, Argument()] = None,
    sentence: Annotated[
        str | None,
        Option(
            "Trace the rules on this tokenised sentence, or on the reference sentence with this "
            "number, from 1, or (with --reference) this sent_id.",
            metavar="TEXT|N|ID",
            needs="rules",
            beside="toml new",
        ),
    ] = None,
    reference: Annotated[str | None, replace(REFERENCE, shown=""), Option(needs="sentence")] = None,
    parser: Annotated[str | None, PARSER_OR_GOLD, Option(needs="sentence")] = None,
    trust: Annotated[Trust, Option(needs="sentence")] = False,
    toml: Annotated[
        bool,
        Option("Print the rules as one file, to copy and edit.", needs="rules", beside="json tsv"),
    ] = False,
    new: Annotated[
        str | None,
        Option(
            "Print a rule file with these rules for a new pair of languages, such as en-hi.",
            metavar="PAIR",
            needs="rules",
            beside="json tsv toml",
        ),
    ] = None,
    *,
    printed: Printed,
) -> None:
    """The trace visits all heads that have children, from the root down. A child moves with all
    words below it; (+2) stands for two such words. With --reference, the trace adds the reference
    order, the translation, and a better order of the items of a head if there is one.

    Examples:
      preorder-eval rules show
      preorder-eval rules show en-ja
      preorder-eval rules show en-ja --toml > my-rules.toml
      preorder-eval rules show my-rules.toml --sentence "She reads books in Tokyo ."
      preorder-eval rules show en-ja --reference en-ja --sentence 12 --parser gold
    """
    if rules is None:
        printed.print(RuleSets([read_rule_file(rules_text(name)).rules for name in rule_names()]))
        return
    rule_set = load_rules(rules)
    if new is not None:
        print(format_rules(for_languages(rule_set, new)), end="")
    elif toml:
        print(rules_text(rules).text, end="")
    elif sentence is None:
        printed.print(ShownRules(rule_set, where_written(rules)))
    else:
        printed.print(traced(rule_set, sentence, reference, parser or DEFAULT_PARSER))


def check(
    rules: Annotated[
        tuple[str, ...], RULES, Argument("Bundled rule sets or rule files.", metavar="NAME|FILE…")
    ],
    parser: Annotated[
        str | None,
        PARSER,
        Option("Parser to test on the constructions that are right with gold trees."),
    ] = None,
    *,
    printed: Printed,
) -> None:
    """The examples in the files are run; if one fails, the exit code is 1. Constructions are short
    sentences with gold trees (the reference set `constructions`). A construction is right if the
    rules put the linked words of all its sentences into the order of the target language. Warnings
    point out rules that are valid but probably mistaken. With --parser, the result shows which
    constructions are right with gold trees and wrong with this parser's trees.

    Examples:
      preorder-eval rules check my-rules.toml
      preorder-eval rules check en-ja --verbose
      preorder-eval rules check en-ja en-ko --json
      preorder-eval rules check en-ja en-ko --parser en-web
    """
    if parser is not None:
        printed.print(parser_check(parser, rules, progress=progress))
        return
    checks = []
    for name in rules:
        rule_set = load_rules(name)
        doubted = [[*doubts(rule, rule_set.source)] for rule in rule_set.rules]
        if any(doubted):
            for places, found in zip(where_written(name), doubted, strict=True):
                for number, doubt in found:
                    warn(f"{places[number]}: {doubt}")
        checks.append(check_rules(rule_set))
    printed.print(Several.of("rules", checks, rules, what="rules"))
    for name, checked in zip(rules, checks, strict=True):
        for line in checked.wrong_examples:
            print(visible(f"preorder-eval: {name}: {line}"), file=sys.stderr)
    if any(checked.wrong_examples for checked in checks):
        raise click.exceptions.Exit(1)
