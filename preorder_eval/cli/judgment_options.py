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
ScoresOption = Annotated[
    Path | None,
    typer.Option(help="Human scores of segments, as TSV with a header.", metavar="FILE"),
]
RankingsOption = Annotated[
    Path | None,
    typer.Option(
        help="Human rankings instead: the CSV of WMT, or a TSV with line, judge, system, rank.",
        metavar="FILE",
    ),
]
SystemColumn = Annotated[str, typer.Option(help="Column of --scores with the system.")]
LineColumn = Annotated[str, typer.Option(help="Column of --scores with the segment.")]
ScoreColumn = Annotated[str, typer.Option(help="Column of --scores with the score.")]
JudgeColumn = Annotated[
    str, typer.Option(help="Column of --scores that tells judges apart, to see if they agree.")
]
LineBase = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=1,
        help="What segments are counted from: 0, but 1 in the CSV of WMT, if not said.",
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option(help="Judged system to leave out. Repeatable.", metavar="SYSTEM"),
]


@dataclass(frozen=True)
class JudgmentFiles:
    """Where judgments are and how they are written; `columns` are those of `ScoreColumns`."""

    scores: Path | None
    rankings: Path | None
    columns: tuple[str, str, str, str]
    base: int | None

    def __post_init__(self) -> None:
        choose_one(scores=self.scores, rankings=self.rankings)

    def read(self, segments: int) -> Judgments:
        """Read the judgments of a text of so many segments."""
        from preorder_eval.formats.human_scores import ScoreColumns, read_human_scores
        from preorder_eval.formats.rankings import read_rankings

        if self.scores is not None:
            return read_human_scores(
                self.scores, segments, ScoreColumns(*self.columns, base=self.base or 0)
            )
        if self.rankings is not None:
            return read_rankings(self.rankings, segments, self.base)
        raise typer.BadParameter("give --scores or --rankings, what people say of the outputs")
