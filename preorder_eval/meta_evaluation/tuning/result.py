"""What tuning found, as tables and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from preorder_eval.data.arrays import Floats
from preorder_eval.formats.tables import known
from preorder_eval.formats.text_table import format_table
from preorder_eval.meta_evaluation.tuning.search import Optimum
from preorder_eval.meta_evaluation.tuning.space import Space
from preorder_eval.results.text import format_interval
from preorder_eval.stats.bootstrap import Bootstrap, Interval
from preorder_eval.stats.significance import Difference
from preorder_eval.stats.subsets import TRIALS_PER_RESAMPLE

Search = Literal["exact", "hill-climbing"]


@dataclass(frozen=True, eq=False)
class SearchOutcome:
    """What a search found on all judgments, and without each of the folds."""

    search: Search
    found: Optimum
    folds: list[Optimum]


@dataclass(frozen=True, eq=False)
class Setting:
    """A setting with its values: on all judgments, and held out.

    For the default setting, which nothing was fitted for, both are the same, and `difference`,
    from the default setting, is None.
    """

    search: str
    point: Floats
    fitted: float
    held_out: Interval
    difference: Difference | None
    fit: SearchOutcome | None


@dataclass(frozen=True, eq=False)
class Tuning:
    """A metric's parameters fitted to judgments by one or several searches.

    `judgments` and `segments` are how many there are, without ties where the statistic leaves
    them out. `sampled` has the statistic, on the same resamples, of the default setting and then
    for each of `fits` that of its setting and that of its held-out scores; `differences` are those
    of the held-out scores from the default setting.
    """

    space: Space
    statistic: str
    judgments: int
    segments: int
    fits: list[SearchOutcome]
    sampled: Bootstrap
    differences: list[Difference]
    starts: int
    margin: float
    resamples: int
    seed: int

    def __repr__(self) -> str:
        return self.short_text()

    def rows(self) -> Iterator[Setting]:
        """The default setting and what each search found."""
        default = self.sampled.interval(0)
        yield Setting("default", self.space.default, default.value, default, None, None)
        for number, fit in enumerate(self.fits):
            fitted, held_out = 1 + 2 * number, 2 + 2 * number
            yield Setting(
                fit.search,
                fit.found.point,
                float(self.sampled.values[fitted]),
                self.sampled.interval(held_out),
                self.differences[number],
                fit,
            )

    def short_text(self) -> str:
        """The settings with what they are worth on judgments that they were not fitted to."""
        rows = [
            [row.search, str(self.space.metric(row.point)), format_interval(row.held_out)]
            for row in self.rows()
        ]
        return format_table(["search", "metric", f"{self.statistic}, held out"], rows)

    def table(self) -> tuple[list[str], list[list[object]]]:
        """Header and a row for each setting as plain values, for TSV."""
        header = ["search", "metric", *map(str, self.space.parameters), "fitted", *_HELD_OUT]
        rows: list[list[object]] = []
        for row in self.rows():
            d = row.difference
            cells: list[object] = [row.search, str(self.space.metric(row.point))]
            cells += [*row.point.tolist(), known(row.fitted), *_numbers(row.held_out).values()]
            cells += [*_numbers(d.at_95).values(), d.mark, known(d.p)] if d else [None] * 5
            rows.append(cells)
        return header, rows

    def summary(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "metric": self.space.signature,
            "statistic": self.statistic,
            "judgments": self.judgments,
            "segments": self.segments,
            "margin": self.margin,
            "folds": len(self.fits[0].folds),
            "starts": self.starts,
            "seed": self.seed,
            "bootstrap": {"level": 0.95, "resamples": self.resamples},
            "randomization": {"trials": TRIALS_PER_RESAMPLE * self.resamples},
            "settings": [self._setting(row) for row in self.rows()],
        }

    def _setting(self, row: Setting) -> dict[str, Any]:
        values: dict[str, Any] = {
            "search": row.search,
            "metric": str(self.space.metric(row.point)),
            "parameters": self._named(row.point),
            "fitted": known(row.fitted),
            "held_out": _numbers(row.held_out),
        }
        if row.fit and row.difference:
            d = row.difference
            judged = {"significance": d.mark, "p": known(d.p)}
            values["difference"] = {**_numbers(d.at_95), **judged}
            if row.fit.found.intervals:
                values["intervals"] = [
                    {"from": self._named(low), "to": self._named(high)}
                    for low, high in row.fit.found.intervals
                ]
            values["folds"] = [self._named(fold.point) for fold in row.fit.folds]
        return values

    def _named(self, point: Floats) -> dict[str, float]:
        names = map(str, self.space.parameters)
        return dict(zip(names, point.tolist(), strict=True))


def _numbers(interval: Interval) -> dict[str, float | None]:
    return {name: known(value) for name, value in asdict(interval).items()}


_HELD_OUT = ["held out", "low", "high", "difference", "low_95", "high_95", "significance", "p"]
