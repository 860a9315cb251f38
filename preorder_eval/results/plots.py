"""Plots by matplotlib, an extra: intervals of systems, gains of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from preorder_eval.data.arrays import Floats
from preorder_eval.errors import PreorderEvalError
from preorder_eval.stats.bootstrap import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES = 6.0


def _axes(height: float) -> Axes:
    try:
        pyplot: Any = import_module("matplotlib.pyplot")
    except ImportError as error:
        hint = "pip install 'preorder-eval[plot]'"
        raise PreorderEvalError(f"plots need matplotlib; install it: {hint}") from error
    axes: Axes = pyplot.subplots(figsize=(_INCHES, height), layout="constrained")[1]
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def interval_plot(names: Sequence[str], intervals: Sequence[Interval], metric: str) -> Axes:
    """Draw the value of each system as a dot with its 95% interval, the first system on top."""
    axes = _axes(0.8 + 0.35 * len(names))
    places = np.arange(len(names))
    values = np.array([interval.value for interval in intervals])
    ends = np.array([[interval.low, interval.high] for interval in intervals])
    known = np.nan_to_num(np.abs(ends - values[:, None]))
    axes.errorbar(values, places, xerr=known.T, fmt="o", capsize=3, color="tab:blue")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.margins(y=0.5 / len(names))
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(f"{metric} [95% interval]")
    return axes


def gain_plot(gains: Floats, first: str, second: str, metric: str) -> Axes:
    """Draw the gain of each sentence from the first system to the second, the largest first."""
    axes = _axes(2.8)
    gains = np.sort(gains)[::-1]
    places = np.arange(1, len(gains) + 1)
    for part, color in ((gains > 0, "tab:blue"), (gains < 0, "tab:orange")):
        axes.fill_between(places, 0, gains, where=part, step="mid", color=color)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_title(f"{first} → {second}", fontsize="medium")
    axes.set_xlabel(f"sentences: {(gains > 0).sum()} better, {(gains < 0).sum()} worse")
    axes.set_ylabel(f"gain in {metric}")
    return axes
