"""The options that choose what a command scores against, and where its trees come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from preorder_eval.formats.alignment import AUTO, format_names

if TYPE_CHECKING:
    from preorder_eval.data.reference_set import ReferenceSet
    from preorder_eval.reordering.rule_set import RuleSet

ParserOption = Annotated[
    str | None,
    typer.Option(
        help="Bundled parser, path or name of a spaCy pipeline, or `gold` for the reference's "
        "own trees [en-web].",
        metavar="NAME|PATH",
    ),
]
TreesOption = Annotated[
    Path | None,
    typer.Option(help="CoNLL-U file with any parser's trees of the source.", metavar="FILE"),
]
ReferenceOption = Annotated[
    str | None,
    typer.Option(help="Bundled reference set or reference folder [en-ja].", metavar="NAME|DIR"),
]
SourceOption = Annotated[
    Path | None, typer.Option(help="Own source sentences, tokenised, one a line.")
]
AlignmentOption = Annotated[
    Path | None, typer.Option(help="Own word alignments, such as Pharaoh's (0-0 1-2).")
]
AlignmentFormatOption = Annotated[
    str,
    typer.Option(help="How --alignment is written.", metavar="|".join([AUTO, *format_names()])),
]


def chosen_reference(
    reference: str | None,
    source: Path | None,
    alignment: Path | Sequence[Path] | None,
    trees: Path | None,
    **reading: Any,
) -> ReferenceSet:
    """The reference set of the options; `reading` is how `reference_from_files` reads files.

    Own links that are called after the languages of a bundled rule set, as `en-ja.align`, are
    taken to be of these.
    """
    from preorder_eval.formats.files import stem, uncompressed
    from preorder_eval.formats.reference_folder import load_reference
    from preorder_eval.formats.reference_set import reference_from_files
    from preorder_eval.resources import DEFAULT_REFERENCE, bundled_names
    from preorder_eval.results.pairings import warn_if_nothing_moves

    alignments = [alignment] if isinstance(alignment, Path) else alignment
    if not alignments:
        return load_reference(reference or DEFAULT_REFERENCE)
    if reference is not None:
        raise typer.BadParameter("give either --reference or --alignment")
    sentences = source or trees
    if sentences is None:
        raise typer.BadParameter("--alignment needs --source or --trees")
    if source is None and uncompressed(sentences).suffix == ".spacy":
        raise typer.BadParameter("--trees of spaCy need --source, which has the words linked")
    first, *further = alignments
    name = stem(first)
    data = reference_from_files(sentences, first, name=name, further=further, **reading)
    if name in bundled_names("rules"):
        data = replace(data, languages=name)
    warn_if_nothing_moves(data)
    return data


def chosen_references(
    names: Sequence[str] | None,
    source: Path | None,
    alignment: Sequence[Path] | None,
    *more: Any,
    **reading: Any,
) -> list[ReferenceSet]:
    """The reference sets of the options, by default `DEFAULT_REFERENCES`; see `chosen_reference`.

    Raises PreorderEvalError for two of one name, which no table could tell apart.
    """
    from preorder_eval.errors import PreorderEvalError
    from preorder_eval.resources import DEFAULT_REFERENCES

    chosen: Sequence[str | None] = names or ([None] if alignment else DEFAULT_REFERENCES)
    references = [chosen_reference(name, source, alignment, *more, **reading) for name in chosen]
    seen = set()
    for data in references:
        if data.name in seen:
            raise PreorderEvalError(
                f"two references are called {data.name}; give each its own name, as in LABEL=DIR"
            )
        seen.add(data.name)
    return references


def chosen_parser(parser: str | None, trees: Path | None) -> str | Path:
    """What parses by the options: a parser's name or path, or a file of trees."""
    from preorder_eval.resources import DEFAULT_PARSER

    if parser is not None and trees is not None:
        raise typer.BadParameter("give either --parser or --trees")
    return parser or trees or DEFAULT_PARSER


@dataclass(frozen=True)
class JudgedTrees:
    """Trees, or a parser that makes them, and the reference orders that they are held against."""

    parser: ParserOption = None
    trees: TreesOption = None
    reference: ReferenceOption = None
    source: SourceOption = None
    alignment: AlignmentOption = None
    alignment_format: AlignmentFormatOption = "auto"

    def by(self) -> str | Path:
        """What makes the trees."""
        return chosen_parser(self.parser, self.trees)

    def reference_set(self) -> ReferenceSet:
        """The reference set."""
        return chosen_reference(
            self.reference, self.source, self.alignment, self.trees, form=self.alignment_format
        )

    def warn_of_default(self, rules: RuleSet) -> None:
        """Warn of rules for no language in particular where nobody has named a reference."""
        from preorder_eval.results.pairings import warn_of_default

        if self.reference is None and self.alignment is None:
            warn_of_default(rules, self.reference_set())
