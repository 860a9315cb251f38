"""Plots of results: what they show, the same bytes for the same result, and what goes wrong."""

import re
import sys

import pytest

import preorder_eval as pe
from preorder_eval.base.errors import PreorderEvalError
from preorder_eval.base.plot import Panel, plot_panels
from preorder_eval.base.stats.bootstrap import Interval

HOSTILE = ["$x_{1$", "<b>&", "bell\x07", "w" * 500, "日本"]


@pytest.fixture(scope="module")
def result():
    outputs = {name: [f"a b {name}", "c d e"] * 4 for name in ("x", "y")}
    return pe.score(outputs, ["a b x", "c d f"] * 4, ["bleu", "wer", "ribes", "nkt"], resamples=50)


def texts(plot, tmp_path):
    plot.save(tmp_path / "plot.svg")
    return re.findall(r"<text[^>]*>([^<]*)", (tmp_path / "plot.svg").read_text("utf-8"))


@pytest.mark.slow
def test_scores_are_drawn_with_their_names_and_figures(result, tmp_path):
    shown = texts(result.plot(["wer", "ribes"]), tmp_path)
    assert {"x", "y", "RIBES", "WER ↓"} <= {*shown}
    for metric in ("wer", "ribes"):
        assert {f"{result.value(name, metric):.3f}" for name in "xy"} <= {*shown}
    drawn = result.plot(["wer"]).figure.axes[0]
    whiskers = [line.get_xdata() for line in drawn.lines if len(line.get_xdata()) == 2]
    wanted = [result.interval(n, 1) for n in (0, 1)]
    assert [list(ends) for ends in whiskers] == [
        [of.low, of.high] for of in wanted if of.low == of.low
    ]
    assert len(result.plot().figure.axes) == 4


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_result_is_the_same_file(result, tmp_path, ending):
    for name in "ab":
        result.plot(["wer"]).save(tmp_path / f"{name}.{ending}")
    first, second = ((tmp_path / f"{name}.{ending}").read_bytes() for name in "ab")
    assert first == second


@pytest.mark.slow
def test_agreement_with_humans_is_drawn_with_a_line_at_chance(result, tmp_path):
    rows = [["x", "y"][n % 2] + f"\t{n // 2}\t{n * 7 % 10}" for n in range(16)]
    (tmp_path / "human.tsv").write_text("\n".join(["system\tline\tscore", *rows]) + "\n")
    found = pe.meta(result, pe.read_human_scores(tmp_path / "human.tsv", 8), resamples=20)
    plot = found.plot()
    assert len(plot.figure.axes) == len(found.shown)
    lines = [list(line.get_xdata()) for line in plot.figure.axes[0].lines]
    assert [found.chance(found.shown[0])] * 2 in lines
    rows = [label.get_text() for label in plot.figure.axes[0].get_yticklabels()]
    assert rows == found.view()[0].cells("metric")[:-1], "the best first; the last row is chance"
    assert {*found.shown, *rows} <= {*texts(plot, tmp_path)}


def test_names_are_neither_formulas_nor_markup(tmp_path):
    plot = plot_panels(HOSTILE, [Panel("$\\frac$", [Interval(0.5, 0.4, 0.6)] * len(HOSTILE))])
    shown = texts(plot, tmp_path)
    assert {"$x_{1$", "&lt;b&gt;&amp;", "bell\\x07", "日本", "$\\frac$"} <= {*shown}
    assert max(map(len, shown)) <= 40


def test_without_matplotlib_one_line_tells_what_is_needed(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PreorderEvalError, match=r"^plots need matplotlib: pip install matplotlib$"):
        result.plot()


def test_a_file_of_another_kind_is_refused(result, tmp_path):
    with pytest.raises(PreorderEvalError, match=r"plots are saved as \.svg, \.png or \.pdf"):
        result.plot(["wer"]).save(tmp_path / "plot.gif")
    assert not [*tmp_path.iterdir()]
