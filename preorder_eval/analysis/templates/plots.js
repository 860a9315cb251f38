"use strict";
// Strips: scores as marks and their 95% intervals as lines, on an axis that shows the data, or all values of the metric.

const MARKS = { A: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0", B: "M0 -5.5L5.5 0L0 5.5L-5.5 0z",
  "": "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" };

function sideOf(system) {
  return system === state.a ? "A" : system === state.b ? "B" : "";
}

// The ends of an axis: round numbers around the intervals shown, or those of the metric.
function axisOf(intervals, [low, high]) {
  const numbers = intervals.flat().filter((x) => x !== null);
  if (state.whole !== "" || !numbers.length) return [low, high];
  const least = Math.min(...numbers), most = Math.max(...numbers);
  const step = 10 ** Math.floor(Math.log10(Math.max(most - least, 1e-4))) / 2;
  const round = (x) => Number(x.toPrecision(10));
  const ends = [Math.floor(round(least / step)) * step, Math.ceil(round(most / step)) * step].map(round);
  const shown = [Math.max(low, ends[0]), Math.min(high, ends[1])];
  return shown[0] < shown[1] ? shown : [low, high];
}

// Positions are in percent, so that a strip is as wide as there is room and its marks keep their size.
function strip(lanes, [low, high]) {
  const at = (x) => `${(100 * Math.min(Math.max((x - low) / (high - low), 0), 1)).toFixed(2)}%`;
  const height = Math.max(11 * lanes.length + 6, 20);
  const picture = svg("svg", { class: "strip", width: "100%", height, "aria-hidden": "true" });
  for (const tick of [0, 25, 50, 75, 100]) {
    picture.append(svg("line", { class: "tick", x1: `${tick}%`, x2: `${tick}%`, y1: 0, y2: height }));
  }
  lanes.forEach(({ interval: [value, from, to], side }, n) => {
    if (value === null) return;
    const y = height / 2 + (n - (lanes.length - 1) / 2) * 11;
    if (from !== null) picture.append(svg("line", { class: "whisker", x1: at(from), x2: at(to), y1: y, y2: y }));
    picture.append(svg("svg", { x: at(value), y, overflow: "visible" },
      svg("path", { class: `mark mark-${side || "other"}`, d: MARKS[side] })));
  });
  return picture;
}

function axisEnds(ends) {
  return el("span", { class: "ends" }, ...ends.map((x) => el("span", {}, String(Number(x.toPrecision(4))))));
}

function axisOfMetric(m) {
  return axisOf(SYSTEMS.map((system) => system.intervals[m]), DATA.metrics[m].ends);
}

// The strips of the summary, whose cells say of which system and metric they are.
function drawStrips() {
  const shown = DATA.metrics.map((metric, m) => ({ ...metric, m })).filter(({ m }) => !OUTPUTS || m === state.m);
  const axes = shown.map(({ short, m }) => `${short} ${axisOfMetric(m).map((x) => Number(x.toPrecision(3))).join("–")}`);
  for (const place of document.querySelectorAll(".axes")) place.replaceChildren(`(${axes.join(", ")})`);
  for (const cell of document.querySelectorAll(".plot[data-metric]")) {
    const m = Number(cell.dataset.metric), { system } = cell.dataset, axis = axisOfMetric(m);
    cell.replaceChildren(system === undefined ? axisEnds(axis)
      : strip([{ interval: SYSTEMS[system].intervals[m], side: sideOf(Number(system)) }], axis));
  }
}
