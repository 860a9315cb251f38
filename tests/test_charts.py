"""Charts as SVG: complete, escaped and inside their frame."""

import xml.etree.ElementTree as ET

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from preorder_eval.reporting.charts import density_svg, heatmap_svg, scatter_svg, ticks

SVG = "{http://www.w3.org/2000/svg}"
LABELS = {"title": "<t> & more", "x_label": "x\x1b", "y_label": "y"}


def drawn(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own


def numbers(root, tag, key):
    return [float(element.get(key)) for element in root.iter(SVG + tag)]


def test_a_point_for_every_system_and_a_label_beside():
    names = [f"<s{i}>" for i in range(14)]
    x, y = np.random.default_rng(0).normal(size=(2, 14)).tolist()
    root = drawn(scatter_svg(names, x, y, outliers=["<s3>"], **LABELS))
    assert [c.get("class") for c in root.iter(SVG + "circle")].count("hollow") == 1
    labels = {t.text: float(t.get("y")) for t in root.iter(SVG + "text") if t.text in names}
    assert sorted(labels) == sorted(names)
    heights = sorted(labels.values())
    assert min(np.diff(heights)) >= 13.9, "labels overlap"
    wide, high = float(root.get("width")), float(root.get("height"))
    assert all(0 < value < wide for value in numbers(root, "circle", "cx"))
    assert all(0 < value < high for value in [*numbers(root, "circle", "cy"), *heights])


def test_higher_and_further_right_is_more():
    root = drawn(scatter_svg(["low", "high"], [1.0, 2.0], [10.0, 20.0], **LABELS))
    places = {c.find(SVG + "title").text: c for c in root.iter(SVG + "circle")}
    assert float(places["low"].get("cx")) < float(places["high"].get("cx"))
    assert float(places["low"].get("cy")) > float(places["high"].get("cy"))


def test_density_counts_all_outputs():
    x, y = np.random.default_rng(0).normal(size=(2, 500)).tolist()
    root = drawn(density_svg(x, y, **LABELS))
    assert sum(int(c.find(SVG + "title").text) for c in root.iter(SVG + "circle")) == 500
    frames = (("cx", float(root.get("width"))), ("cy", float(root.get("height"))))
    assert all(0 < value < size for key, size in frames for value in numbers(root, "circle", key))


def test_heatmap_has_every_number():
    values = [[1.0, -0.25, float("nan")], [-0.25, 1.0, 0.5], [float("nan"), 0.5, 1.0]]
    root = drawn(heatmap_svg(["a", "<b>", "ねこ"], values, title="t"))
    shown = [t.text for t in root.iter(SVG + "text")]
    assert [shown.count(cell) for cell in ("1.00", "-.25", ".50", "–")] == [3, 2, 2, 2]
    assert shown.count("<b>") == 2
    shades = [float(cell.get("opacity")) for cell in root.iter(SVG + "rect")]
    assert shades[0] == max(shades)
    assert shades[2] == 0


def test_equal_points_stand_in_one_place_with_labels_below_each_other():
    names = [str(i) for i in range(60)]
    root = drawn(scatter_svg(names, [0.0] * 60, [1.0] * 60, **LABELS))
    high = float(root.get("height"))
    assert all(float(t.get("y")) < high for t in root.iter(SVG + "text"))


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e6))
def test_ticks_are_few_and_inside(low, span):
    found = ticks(low, low + span)
    assert 1 <= len(found) <= 7
    assert all(low - 1e-6 * span <= tick <= low + span * (1 + 1e-6) for tick in found)
