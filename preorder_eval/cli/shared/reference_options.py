"""The options that choose the reference of trees and orders, and where trees come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import click

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.files import stem, uncompressed
from preorder_eval.base.resources import DEFAULT_PARSER
from preorder_eval.cli.command import Option
from preorder_eval.cli.shared.options import (
    ALIGNMENT,
    BASE,
    DIRECTION,
    PARSER_OR_GOLD,
    REFERENCE,
    SOURCE,
    TREES,
    AlignmentFormat,
    NoCache,
    Trust,
)
from preorder_eval.evaluation.evaluate import of_its_languages, reference_of
from preorder_eval.evaluation.system_warnings import warn_if_nothing_moves
from preorder_eval.orders.alignment_files import Direction, WhichLinks
from preorder_eval.references.reference_build import reference_from_files
from preorder_eval.references.reference_set import ReferenceSet
from preorder_eval.rules.rule_set import RuleSet


def chosen_reference(
    reference: str | None,
    source: Path | None,
    alignment: Path | Sequence[Path] | None,
    trees: Path | None,
    *,
    rules: Iterable[str | RuleSet] = (),
    **reading: Any,
) -> ReferenceSet:
    """Return the reference set that the options name, by default that of the rules.

    `reading` is passed to `reference_from_files`. If the user's links are called after the
    languages of a bundled rule set, such as `en-ja.align`, they are taken to be of these languages.
    """
    alignments = [alignment] if isinstance(alignment, Path) else alignment
    if not alignments:
        return reference_of(reference, rules)
    sentences = source or trees
    if sentences is None:
        raise click.UsageError("--alignment needs --source or --trees")
    if source is None and uncompressed(sentences).suffix == ".spacy":
        raise click.UsageError("--trees in .spacy need --source, to which the links refer")
    first, *further = alignments
    data = reference_from_files(sentences, first, name=stem(first), further=further, **reading)
    warn_if_nothing_moves(data)
    return of_its_languages(data)


def chosen_references(
    names: Sequence[str], source: Path | None, alignment: Sequence[Path], *more: Any, **reading: Any
) -> list[ReferenceSet]:
    """Return the reference sets that the options name, by default that of the rules.

    Raises PreorderEvalError if two have the same name, which no table could tell apart.
    """
    chosen: Sequence[str | None] = names or [None]
    references = [chosen_reference(name, source, alignment, *more, **reading) for name in chosen]
    seen = set()
    for data in references:
        if data.name in seen:
            raise PreorderEvalError(
                f"two references are called {data.name}; rename one: --reference NAME=DIR"
            )
        seen.add(data.name)
    return references


@dataclass(frozen=True)
class HowWritten:
    """How --alignment is written, and which of its links count."""

    GROUP: ClassVar[str] = "References"

    alignment_format: AlignmentFormat = "auto"
    base: Annotated[int | None, BASE] = None
    direction: Annotated[Direction, DIRECTION] = "source-target"
    links: Annotated[
        WhichLinks, Option("Read all links, or only the sure ones.", needs="alignment")
    ] = "all"

    def reading(self) -> dict[str, Any]:
        """Return the options as arguments of `reference_from_files`."""
        form, base = self.alignment_format, self.base
        return {"form": form, "base": base, "direction": self.direction, "links": self.links}


@dataclass(frozen=True)
class _TreesAndReference:
    """Trees, or a parser that makes them, and the reference that they are compared with."""

    parser: Annotated[str | None, PARSER_OR_GOLD, Option(beside="trees")] = None
    trees: Annotated[Path | None, TREES] = None
    reference: Annotated[str | None, REFERENCE, Option(beside="alignment")] = None
    source: Annotated[Path | None, SOURCE] = None
    alignment: Annotated[Path | None, ALIGNMENT] = None


@dataclass(frozen=True)
class ScoredTrees(HowWritten, _TreesAndReference):
    """Trees, or a parser that makes them, and the reference orders that they are compared with."""

    no_cache: NoCache = False
    trust: Trust = False

    def by(self) -> str | Path:
        """Return the parser's name or path, or the file of trees."""
        return self.parser or self.trees or DEFAULT_PARSER

    def reference_set(self, *rules: str | RuleSet) -> ReferenceSet:
        """Read the reference set, by default that of the rules."""
        chosen = self.reference, self.source, self.alignment, self.trees
        return chosen_reference(*chosen, rules=rules, **self.reading())
