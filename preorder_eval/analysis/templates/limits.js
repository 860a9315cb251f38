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

function showLimits() {
  const side = sideWith("limits");
  const none = () => el("p", { class: "note" }, "Neither A nor B has rules.");
  document.getElementById("limit-table").replaceChildren(
    side === undefined ? none() : limitTable(side, systemAt(side).limits));
  document.getElementById("pair-table").replaceChildren(
    side === undefined ? none() : pairTable(side, systemAt(side).limits.pairs));
}

// Parts are [name, low, high].
function limitTable(side, limits) {
  const points = (low, high) => [...new Set([low, high].map((x) => number(100 * x, 2)))].join(" to ");
  const rows = limits.parts.map(([name, low, high]) => el("tr", {},
    el("th", { scope: "row" }, name), el("td", { class: "n" }, points(low, high)), el("td", {}, WON_BY[name])));
  return el("div", {},
    el("p", { class: "note" }, "Rules of ", "AB"[side], `: ${number(limits.value)} by ${limits.metric}`,
      limits.gold === null ? null : `; with the gold trees ${number(limits.gold)}. `
        + "What either could repair is counted for rules."),
    tableOf("limits", [heading("Part"), heading("points", null, "n"), heading("gained by")], rows, true, null));
}

// Rows are [head, first, second, times, right, wrong, gain, sentences], what gains most first.
function pairTable(side, pairs) {
  const head = [heading("First"), heading("Second"), heading("Head"), heading("times", null, "n extra"),
    heading("right", null, "n extra"), heading("wrong", null, "n"), heading("gain", "in points of Kendall’s τ", "n")];
  const rows = pairs.map(([category, first, second, times, right, wrong, gain], n) => el("tr", {},
    el("th", { scope: "row" }, onlyLink(side, `pairs.${n}`, first)), el("td", {}, bdi(second)),
    el("td", {}, bdi(category)), el("td", { class: "n extra" }, String(times)),
    el("td", { class: "n extra" }, String(right)), el("td", { class: "n" }, String(wrong)),
    el("td", { class: "n" }, number(100 * gain))));
  return tableOf("pairs-of-items", head, rows, SHOWN.allPairs, () => { SHOWN.allPairs = true; showTables(); });
}
