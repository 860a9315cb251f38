"""The options that choose judged outputs and what people say of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from preorder_eval.cli.options import choose_one

if TYPE_CHECKING:
    from preorder_eval.data.judgments import Judgments

HypOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Outputs, one file a system: a file, a quoted pattern such as 'out.*.en', or a "
        "folder. A file stands for the judged system that its name, or a part of it between "
        "dots, names. Repeatable.",
        metavar="FILE|GLOB|DIR",
    ),
]
RefOption = Annotated[
    list[Path] | None,
    typer.Option(
        help="References, one sentence a line. Repeatable for several of each sentence.",
        metavar="FILE",
    ),
]


@dataclass(frozen=True)
class JudgmentOptions:
    """Where judgments are and how they are written."""

    scores: Annotated[
        Path | None,
        typer.Option(help="Human scores of segments, as TSV with a header.", metavar="FILE"),
    ] = None
    rankings: Annotated[
        Path | None,
        typer.Option(
            help="Human rankings instead: the CSV of WMT, or a TSV with line, judge, system, rank.",
            metavar="FILE",
        ),
    ] = None
    system_column: Annotated[str, typer.Option(help="Column of --scores with the system.")] = (
        "system"
    )
    line_column: Annotated[str, typer.Option(help="Column of --scores with the segment.")] = "line"
    score_column: Annotated[str, typer.Option(help="Column of --scores with the score.")] = "score"
    judge_column: Annotated[
        str, typer.Option(help="Column of --scores that tells judges apart, to see if they agree.")
    ] = ""
    line_base: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1,
            help="What segments are counted from: 0, but 1 in the CSV of WMT, if not said.",
        ),
    ] = None
    without: Annotated[
        list[str] | None,
        typer.Option(help="Judged system to leave out. Repeatable.", metavar="SYSTEM"),
    ] = None

    def __post_init__(self) -> None:
        choose_one(scores=self.scores, rankings=self.rankings)

    @property
    def given(self) -> bool:
        """Whether there are judgments."""
        return self.scores is not None or self.rankings is not None

    def read(self, segments: int) -> Judgments:
        """Read the judgments of a text of so many segments."""
        from preorder_eval.formats.judgments import ScoreColumns, read_human_scores, read_rankings

        if self.scores is not None:
            columns = (self.system_column, self.line_column, self.score_column, self.judge_column)
            return read_human_scores(
                self.scores, segments, ScoreColumns(*columns, base=self.line_base or 0)
            )
        if self.rankings is not None:
            return read_rankings(self.rankings, segments, self.line_base)
        raise typer.BadParameter("give --scores or --rankings, what people say of the outputs")
