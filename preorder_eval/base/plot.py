"""Plots of values with their 95% intervals, a panel for each number, by matplotlib.

matplotlib is the extra `plot` and is imported when a plot is drawn.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.files.writing import replacing
from preorder_eval.base.stats.bootstrap import Interval
from preorder_eval.base.tables import figure
from preorder_eval.base.visible import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INK, _FAINT, _MARK = "#1c2024", "#dedfd9", "#00588f"
_BESIDE = 3  # panels in a row
_LONGEST = 40  # characters of a name
_FORMATS = ("svg", "png", "pdf")
# Text stays text, and the same plot is the same bytes.
_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "preorder_eval", "font.size": 9}


class Panel(NamedTuple):
    """A panel: an interval for each row, to so many decimals, and a value that is a line across.

    The line is NaN if there is none.
    """

    title: str
    intervals: Sequence[Interval]
    decimals: int = 3
    line: float = math.nan


@dataclass(frozen=True, eq=False)
class Plot:
    """A plot that notebooks show; `figure` is matplotlib's, to be changed before it is saved.

    >>> import preorder_eval as pe
    >>> plot = pe.score({"mt": ["a b", "c"]}, ["a c", "c"], ["wer"]).plot()
    >>> len(plot.figure.axes), plot
    (1, <Plot: 1 panel>)
    """

    figure: Figure

    def __repr__(self) -> str:
        panels = len(self.figure.axes)
        return f"<Plot: {panels} panel{'s' * (panels != 1)}>"

    def save(self, file: str | Path) -> None:
        """Write the plot as SVG, PNG or PDF, by the ending of the file; an older file is replaced.

        Raises PreorderEvalError for another ending.
        """
        kind = Path(file).suffix.lstrip(".").lower()
        if kind not in _FORMATS:
            raise PreorderEvalError(f"{file}: plots are saved as .svg, .png or .pdf")
        drawn = self._drawn(kind)
        with replacing(Path(file)) as opened:
            opened.write(drawn)

    def _drawn(self, kind: str) -> bytes:
        import matplotlib

        # Date and version would differ between two runs.
        nothing = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
        nothing["pdf"] = {"CreationDate": None, "Creator": None, "Producer": None}
        drawn = io.BytesIO()
        with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
            # A script that the font lacks is a matter of the viewer's fonts in SVG.
            warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing")
            self.figure.savefig(drawn, format=kind, dpi=150, metadata=nothing[kind])
        return drawn.getvalue()

    def _repr_svg_(self) -> str:
        return self._drawn("svg").decode()


def plot_panels(names: Sequence[str], panels: Sequence[Panel]) -> Plot:
    """Draw the panels, rows of the same names in each, the first at the top.

    Raises PreorderEvalError if matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise PreorderEvalError("plots need matplotlib: pip install matplotlib") from error

    across = min(_BESIDE, len(panels))
    down = math.ceil(len(panels) / across)
    with matplotlib.rc_context(_SETTINGS):
        height = 0.75 + 0.26 * len(names)
        width = 2.9 * across + max(map(_width, names))
        drawn = Figure(figsize=(width, height * down), layout="constrained")
        grid = drawn.subplots(down, across, squeeze=False)
        for number, axes in enumerate(grid.flat):
            if number < len(panels):
                first = number % across == 0
                _draw(axes, [_short(name) for name in names] if first else None, panels[number])
            else:
                axes.remove()
    return Plot(drawn)


def _draw(axes: Axes, names: Sequence[str] | None, panel: Panel) -> None:
    rows = range(len(panel.intervals))
    for row, interval in zip(rows, panel.intervals, strict=True):
        if not math.isnan(interval.low):
            axes.plot([interval.low, interval.high], [row, row], color=_MARK, alpha=0.45, lw=2)
        axes.plot([interval.value], [row], "o", color=_MARK, ms=5)
        text = "–" if math.isnan(interval.value) else figure(interval.value, f".{panel.decimals}f")
        # Beside the axes, as far as its right side.
        axes.annotate(
            text, (1, row), xycoords=("axes fraction", "data"), xytext=(4, 0),
            textcoords="offset points", va="center", color=_INK, annotation_clip=False,
        )  # fmt: skip
    if not math.isnan(panel.line):
        axes.axvline(panel.line, color=_INK, lw=1, ls=":")
    axes.set_title(visible(panel.title), loc="left", fontsize=9, parse_math=False)
    axes.set_ylim(len(panel.intervals) - 0.5, -0.5)
    axes.set_yticks(list(rows), names or [])
    if names is None:
        axes.set_yticks([])
    _plain(axes)


def _plain(axes: Any) -> None:
    """Leave of the axes a grid and the numbers below; names are no formulas."""
    axes.locator_params(axis="x", nbins=4)
    axes.grid(axis="x", color=_FAINT)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    for label in axes.get_yticklabels():
        label.set_parse_math(False)


def _width(name: str) -> float:
    """Return about how many inches a name takes; characters beyond Latin are twice as wide."""
    return 0.3 + sum(0.09 if letter < "\u0370" else 0.18 for letter in _short(name))


def _short(name: str) -> str:
    shown = visible(name)
    half = _LONGEST // 2
    return shown if len(shown) <= _LONGEST else f"{shown[:half]}…{shown[1 - half :]}"
