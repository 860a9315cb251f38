"""What the options of `evaluate` stand for: systems to score on a reference set."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.data.treebank import Treebank
    from preorder_eval.parsers.base import Parser
    from preorder_eval.parsers.cache import ParseCache
    from preorder_eval.reordering.rule_set import RuleSet
    from preorder_eval.results.evaluation import System

BASELINES = ["none", "reverse", "head-final-reverse-before", "head-final-reverse-after"]

DEFAULT_PARSER = "en-web"
DEFAULT_REFERENCE = "en-ja"

NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Parse anew what has been parsed before, too.")
]


def order_systems(data: ReferenceSet, paths: list[Path] | None) -> Iterator[System]:
    """A system for each order file."""
    from preorder_eval.formats.order import read_orders
    from preorder_eval.formats.text import file_hash
    from preorder_eval.results.evaluation import System

    for path in paths or []:
        orders = read_orders(path, list(map(len, data.source)))
        made_by = {"orders": {"file": path.name, "sha256": file_hash(path)}}
        yield System(path.stem, "", orders, made_by)


def alignment_systems(data: ReferenceSet, paths: list[Path] | None) -> Iterator[System]:
    """A system for each alignment of source and output."""
    from preorder_eval.data.alignments import system_orders
    from preorder_eval.formats.alignment import read_alignment
    from preorder_eval.formats.text import file_hash
    from preorder_eval.results.evaluation import System

    lengths = list(map(len, data.source))
    for path in paths or []:
        orders = system_orders(read_alignment(path, lengths), lengths)
        made_by = {"alignment": {"file": path.name, "sha256": file_hash(path)}}
        yield System(path.stem, "", orders, made_by)


def parsed_systems(
    data: ReferenceSet,
    parsers: list[str] | None,
    trees: list[Path] | None,
    rules: list[str] | None,
    parsed: dict[str, Treebank],
    others: bool,
    cache: bool = True,
) -> Iterator[System]:
    """Every parser with every rule set; notes the trees in `parsed`.

    Where there are `others`, the default parser is used only if a rule set is named. Without
    `cache` all sentences are parsed, also those that have been before.
    """
    from preorder_eval.formats.rules_toml import load_rules, rules_hash
    from preorder_eval.results.evaluation import System

    if others and not (parsers or trees or rules):
        return
    # Rules are read first: they are quick to fail, parsing is not.
    names = rules or _bundled_rules()
    rule_sets: list[tuple[RuleSet, str]] = [(load_rules(n), rules_hash(n)) for n in names]
    chosen = [*(parsers or []), *map(str, trees or [])]
    for name in chosen or [DEFAULT_PARSER]:
        label, identity, treebank = parse(name, data, cache)
        parsed[label] = treebank
        for rule_set, digest in rule_sets:
            made_by = {"parser": identity, "rules": {"name": rule_set.name, "sha256": digest}}
            yield System(label, rule_set.name, rule_set.reorder(treebank), made_by)


def _bundled_rules() -> list[str]:
    """The bundled rule sets: R1 to R4 of the paper, then those written for a language."""
    from preorder_eval.resources import bundled_names

    of_languages = sorted(set(bundled_names("rules")) - set(BASELINES))
    return [*BASELINES, *of_languages]


def find_parser(name: str, cache: bool = True) -> Parser:
    """A parser by name or path, with the user's parse cache before it."""
    from preorder_eval.parsers import load_parser
    from preorder_eval.parsers.cache import cache_path

    return load_parser(name, _parse_cache(cache_path()) if cache else None)


@functools.cache
def _parse_cache(path: Path) -> ParseCache:
    """The cache of a file, one for all parsers of a command: it warns once."""
    from preorder_eval.cli.terminal import visible
    from preorder_eval.parsers.cache import ParseCache

    def warn(line: str) -> None:
        print(f"preorder-eval: warning: {visible(line)}", file=sys.stderr)

    return ParseCache(path, warn)


def parse(
    name: str, data: ReferenceSet, cache: bool = True
) -> tuple[str, dict[str, str], Treebank]:
    """A parser's label, its identity and its trees of the source."""
    from dataclasses import asdict

    from preorder_eval.cli.progress import progress
    from preorder_eval.errors import PreorderEvalError

    if name == "gold":
        if data.trees is None:
            raise PreorderEvalError(f"reference {data.name} has no gold trees for --parser gold")
        return "gold", {"name": "gold", **data.hashes}, data.trees
    parser = find_parser(name, cache)
    with progress(f"parsing with {parser.identity.name}", len(data)) as advance:
        treebank = parser.parse(data.source, advance=advance)
    return parser.identity.name, asdict(parser.identity), treebank
