"use strict";
// The tables of the error analysis and of the ablation, for sides A and B.

const SHOWN = { by: null, all: false, allRules: false, allPairs: false };
const MOST_ROWS = 15;
// The filter that each grouping of words is, and its heading.
const GROUPINGS = {
  word: ["word", "Word"], upos: ["tag", "Part of speech"], label: ["label", "Label"],
  head: ["head", "Head’s part of speech"], phenomenon: ["phenomenon", "Phenomenon"],
  length: ["lengths", "Length"],
  confidence: [null, "Parser’s confidence"], errors: [null, "Parser errors"],
};

function showTables() {
  if (OUTPUTS) return;
  const sides = state.b === null ? [state.a] : [state.a, state.b];
  showErrors(sides);
  const place = document.getElementById("rule-table");
  if (place === null) return;
  const owner = sides.find((system) => SYSTEMS[system].ablation);
  place.replaceChildren(owner === undefined ? el("p", { class: "note" }, "Neither A nor B has rules.")
    : ablationTable(owner, SYSTEMS[owner].ablation));
  showLimits(sides);
}

function showErrors(sides) {
  const owner = sides.find((system) => SYSTEMS[system].errors);
  const names = Object.keys(GROUPINGS).filter((by) => by === "errors" ? owner !== undefined
    : SYSTEMS[sides[0]].tables[by]);
  if (!names.includes(SHOWN.by)) SHOWN.by = names.includes("label") ? "label" : names[0];
  document.getElementById("error-tabs").replaceChildren(...names.map((by) => {
    const tab = el("button", { type: "button", "aria-pressed": String(by === SHOWN.by) }, GROUPINGS[by][1]);
    tab.onclick = () => { SHOWN.by = by; SHOWN.all = false; showTables(); };
    return tab;
  }));
  document.getElementById("error-table").replaceChildren(SHOWN.by === "errors"
    ? confusionTable(owner, SYSTEMS[owner].errors) : groupTable(sides, SHOWN.by));
}

function tableOf(head, rows, all, showAll) {
  const shown = all ? rows : rows.slice(0, MOST_ROWS);
  const table = el("table", { class: "groups" },
    el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...shown));
  if (shown.length === rows.length) return table;
  const more = el("button", { type: "button", class: "more" }, `Show all ${rows.length} rows`);
  more.onclick = showAll;
  return el("div", {}, table, more);
}

function heading(text, title = null, classes = null) {
  return el("th", { scope: "col", title, class: classes }, text);
}

// Rows are [name, count, wrong, low, high, cost, inversions, parted, missed].
function groupTable(sides, by) {
  const [filter, name] = GROUPINGS[by];
  const tables = sides.map((system) => new Map((SYSTEMS[system].tables[by] || []).map((row) => [row[0], row])));
  const head = [heading(name), heading("words", null, "n")];
  sides.forEach((_, n) => head.push(
    el("th", { scope: "col", class: "bar" }, state.b === null ? null : sideMark(n), " wrongly placed"),
    heading("cost", null, "n"),
    heading("inversions", "mean number of words on the wrong side of a word", "n extra"),
    heading("parted", "moved away from a neighbour beside which it should have stayed", "n extra"),
    heading("missed", "left beside a neighbour from which it should have moved", "n extra")));
  const rows = [...tables[0].values()].map((row, number) => el("tr", {},
    el("th", { scope: "row" }, groupLink(by, filter, row, number, sides[0])),
    el("td", { class: "n" }, String(row[1])),
    ...tables.flatMap((table) => groupCells(table.get(row[0])))));
  return tableOf(head, rows, SHOWN.all, () => { SHOWN.all = true; showTables(); });
}

function groupLink(by, filter, row, number, system) {
  const name = bdi(shortened(row[0], 40));
  if (row[2] === 0) return name;
  const ofSentence = filter === "phenomenon" || filter === "lengths";
  const query = filter === null ? { only: `${by}.${number}` }
    : { [filter]: row[0], ...(ofSentence ? {} : { wrong: "1" }) };
  return el("a", { href: "#" + new URLSearchParams({ a: SYSTEMS[system].name, ...query, sort: "low" }) }, name);
}

function groupCells(row) {
  const texts = row === undefined ? Array(5).fill("–")
    : [null, row[5].toFixed(4), row[6].toFixed(2), String(row[7]), String(row[8])];
  return texts.map((text, n) => el("td", { class: n === 0 ? "bar" : n === 1 ? "n" : "n extra" },
    text === null ? shareBar(row[2] / row[1], row[3], row[4]) : text));
}

function shareBar(share, low, high) {
  const percent = (x) => `${(100 * x).toFixed(1)}%`;
  const title = `${percent(share)}, 95 % interval ${percent(low)} to ${percent(high)}`;
  return el("span", { class: "share", title },
    el("span", {}, `${Math.round(100 * share)} %`),
    svg("svg", { class: "bar-plot", width: 90, height: 14, "aria-hidden": "true" },
      svg("rect", { class: "bar-fill", x: 0, y: 3, width: percent(share), height: 8 }),
      svg("line", { class: "bar-ends", x1: percent(low), x2: percent(high), y1: 7, y2: 7 })));
}

// Rows are [kind, gold, parsed, count, repaired, helped, hurt, gain, sentences].
function confusionTable(system, errors) {
  const head = [heading("Error"), heading("gold"), heading("parsed"), heading("count", null, "n"),
    heading("gain", "points of FRS that repairing each alone would add", "n"),
    heading("helped", "repairs that raise their sentence’s score", "n"),
    heading("hurt", "repairs that lower it", "n")];
  const rows = errors.map(([kind, gold, parsed, count, , helped, hurt, gain], number) => el("tr", {},
    el("th", { scope: "row" }, onlyLink(system, `errors.${number}`, `wrong ${kind}`)),
    el("td", {}, bdi(gold)), el("td", {}, bdi(parsed)),
    ...[String(count), signed(gain), String(helped), String(hurt)]
      .map((text) => el("td", { class: "n" }, text))));
  return el("div", {}, el("p", { class: "note" }, "Errors of ", bdi(shortened(SYSTEMS[system].name)),
    ": every error is repaired alone, and its sentence reordered again. Gain is what that adds to the score."),
    tableOf(head, rows, SHOWN.all, () => { SHOWN.all = true; showTables(); }));
}

function onlyLink(system, only, text) {
  return el("a", { href: "#" + new URLSearchParams({ a: SYSTEMS[system].name, only }) }, ...breakable(text));
}

// Rows are [rule, rule name, slot name, fired, changed, worth, low, high, mark], what hurts most first.
function ablationTable(system, rows) {
  const shown = SHOWN.allRules ? rows : rows.slice(0, MOST_ROWS);
  const widest = Math.max(...shown.map((row) => Math.max(Math.abs(row[6]), Math.abs(row[7]))), 1e-9);
  const head = [heading("Rule"), heading("Slot"),
    heading("fired", "heads laid out, or children in the slot", "n extra"),
    heading("changed", "sentences whose order is another one without it", "n"),
    heading("worth", null, "n"), heading(""), heading("", null, "worth-plot")];
  const lines = rows.map(([rule, name, slot, fired, changed, worth, low, high, mark], number) => el("tr",
    { class: mark[0] === "-" ? "worse" : null },
    el("th", { scope: "row" }, onlyLink(system, `ablation.${number}`, `${rule + 1} ${name}`)),
    el("td", {}, slot === "" ? el("i", {}, "whole rule") : el("bdi", {}, ...breakable(slot))),
    el("td", { class: "n extra" }, String(fired)), el("td", { class: "n" }, String(changed.length)),
    el("td", { class: "n" }, signed(worth)), el("td", { class: "sign" }, mark),
    el("td", { class: "worth-plot" }, worthPlot(worth, low, high, widest))));
  return el("div", {}, el("p", { class: "note" }, "Rules of ", bdi(shortened(SYSTEMS[system].name)),
    `, by ${DATA.metrics[0].name}`),
    tableOf(head, lines, SHOWN.allRules, () => { SHOWN.allRules = true; showTables(); }));
}

function worthPlot(worth, low, high, widest) {
  const at = (x) => `${(50 + 48 * x / widest).toFixed(2)}%`;
  return svg("svg", { class: "strip", width: "100%", height: 16, "aria-hidden": "true" },
    svg("line", { class: "tick", x1: "50%", x2: "50%", y1: 0, y2: 16 }),
    svg("line", { class: "whisker", x1: at(low), x2: at(high), y1: 8, y2: 8 }),
    svg("circle", { class: worth < 0 ? "mark hurts" : "mark", cx: at(worth), cy: 8, r: 4 }));
}

// The sentences of a row of a table, by its name in an address ("errors.3"); null if there is none.
function onlyThese(system, only) {
  const [kind, number] = only.split(".");
  const own = SYSTEMS[system];
  const rows = { errors: own.errors, ablation: own.ablation, confidence: own.confidence,
    pairs: own.limits && own.limits.pairs }[kind];
  const row = rows && rows[Number(number)];
  if (!row) return null;
  const numbers = { errors: row[8], ablation: row[4], confidence: row, pairs: row[7] }[kind];
  return new Set(numbers.map((n) => n - 1));
}
