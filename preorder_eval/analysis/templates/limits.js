"use strict";
// What limits the score of the rules of B, or else of A: wrong constructions and pairs of items.

const WON_BY = {
  rules: "other rules on these trees", parser: "gold trees", impossible: "no order that keeps subtrees contiguous",
};

function showConstructions() {
  const side = sideWith("ablation");
  const { constructions, wrong } = side === undefined ? {} : DATA.rules[systemAt(side).rules];
  const place = document.getElementById("construction-table");
  if (!constructions) return place.replaceChildren(el("p", { class: "note" }, "None for the rules’ target."));
  const [right, all] = constructions;
  const rows = wrong.map(([name, order, reference]) => el("tr", {},
    el("th", { scope: "row" }, name), el("td", {}, bdi(order)), el("td", {}, bdi(reference))));
  const note = el("p", { class: "note" }, "Rules of ", "AB"[side], `: ${right} of ${all} constructions right.`);
  return place.replaceChildren(note, ...(rows.length ? [tableOf("constructions",
    [heading("Wrong"), heading("by the rules"), heading("demanded")], rows, SHOWN.allConstructions,
    () => { SHOWN.allConstructions = true; showTables(); })] : []));
}

const STEPS = {
  "source order": "source order", "these rules": "gained by these rules", rules: "other rules could gain",
  parser: "gold trees could gain", impossible: "out of reach",
};

// A bar for each side that has rules: what FRS is made of from 0 to 1. A part that lowers FRS is drawn over the others.
function drawSteps() {
  const able = [...sides().keys()].filter((side) => systemAt(side).limits);
  const bars = able.map((side) => {
    const bar = svg("svg", { class: "steps-bar", width: "100%", height: 22, "aria-hidden": "true" });
    let at = 0;
    const parts = systemAt(side).limits.steps.map(([name, frs]) => {
      const [low, high] = [at, at + frs].sort((x, y) => x - y);
      at += frs;
      return [frs < 0, svg("rect", { class: `step-${Object.keys(STEPS).indexOf(name)}${frs < 0 ? " lost" : ""}`,
        x: `${(100 * low).toFixed(2)}%`, width: `${(100 * (high - low)).toFixed(2)}%`, y: frs < 0 ? 14 : 2, height: frs < 0 ? 6 : 18 },
        svg("title", {}, `${STEPS[name]}: ${signed(frs)}`))];
    });
    bar.append(...[false, true].flatMap((lost) => parts.filter(([is]) => is === lost).map(([, rect]) => rect)));
    return el("div", { class: "steps-row" }, sideMark(side), bar);
  });
  const names = Object.keys(STEPS).filter((name) => able.some((side) => systemAt(side).limits.steps.some(([own]) => own === name)));
  const rows = names.map((name) => el("tr", {},
    el("th", { scope: "row" }, svg("svg", { class: "steps-bar", width: 14, height: 14, "aria-hidden": "true" },
      svg("rect", { class: `step-${Object.keys(STEPS).indexOf(name)}`, x: 1, y: 1, width: 12, height: 12 })), " ", STEPS[name]),
    ...able.map((side) => {
      const found = systemAt(side).limits.steps.find(([own]) => own === name);
      return el("td", { class: "n" }, found === undefined ? "–" : number(found[1]));
    })));
  const table = el("table", { class: "steps-table", "data-file": "limits-in-frs" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "FRS"),
      ...able.map((side) => el("th", { scope: "col", class: "n", "data-tsv": visible(systemAt(side).name) }, sideMark(side))))),
    el("tbody", {}, ...rows));
  const axis = el("div", { class: "steps-row" }, el("span", { class: "side" }), axisEnds([0, 0.25, 0.5, 0.75, 1]));
  return able.length ? [el("div", { class: "steps-plot" }, ...bars, axis), table, tableButton(table)] : [];
}

function showLimits() {
  document.getElementById("limit-bar").replaceChildren(...drawSteps());
  const side = sideWith("limits");
  const none = () => el("p", { class: "note" }, "Neither A nor B has rules.");
  document.getElementById("limit-table").replaceChildren(
    side === undefined ? none() : limitTable(side, systemAt(side).limits));
  document.getElementById("pair-table").replaceChildren(
    side === undefined ? none() : pairTable(side, systemAt(side).limits.pairs));
}

// Parts are [name, low, high, frs].
function limitTable(side, limits) {
  const points = (low, high) => [...new Set([low, high].map((x) => number(100 * x, 2)))].join(" to ");
  const rows = limits.parts.map(([name, low, high]) => el("tr", {},
    el("th", { scope: "row" }, name), el("td", { class: "n" }, points(low, high)), el("td", {}, WON_BY[name])));
  return el("div", {},
    el("p", { class: "note" }, "Rules of ", "AB"[side], `: ${number(limits.value)} by ${limits.metric}`,
      limits.gold === null ? null : `; with the gold trees ${number(limits.gold)}. `
        + "What either could repair is counted for rules."),
    tableOf("limits", [heading("Part"), heading(`points of 0.01 ${limits.metric}`, null, "n"), heading("gained by")], rows, true, null));
}

// Rows are [head, first, second, times, right, wrong, gain, sentences], what gains most first.
function pairTable(side, pairs) {
  const head = [heading("First"), heading("Second"), heading("Head"), heading("times", null, "n extra"),
    heading("right", null, "n extra"), heading("wrong", null, "n"), heading("gain", "in points of 0.01 of Kendall’s τ", "n")];
  const rows = pairs.map(([category, first, second, times, right, wrong, gain], n) => el("tr", {},
    el("th", { scope: "row" }, onlyLink(side, `pairs.${n}`, first)), el("td", {}, bdi(second)),
    el("td", {}, bdi(category)), el("td", { class: "n extra" }, String(times)),
    el("td", { class: "n extra" }, String(right)), el("td", { class: "n" }, String(wrong)),
    el("td", { class: "n" }, number(100 * gain))));
  return tableOf("pairs-of-items", head, rows, SHOWN.allPairs, () => { SHOWN.allPairs = true; showTables(); });
}
