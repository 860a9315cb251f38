"use strict";
// The tables of the error analysis and of the ablation, for sides A and B.

const SHOWN = { by: null, all: false, allRules: false, allPairs: false, allConstructions: false, side: null };
const MOST_ROWS = 15;
// The filter that each grouping of words is, and its heading.
const GROUPINGS = {
  word: ["word", "Word"], upos: ["tag", "Part of speech"], label: ["label", "Label"],
  head: ["head", "Head’s part of speech"], phenomenon: ["phenomenon", "Phenomenon"],
  length: ["lengths", "Length"],
  errors: [null, "Parser errors"],
};

function showTables() {
  if (OUTPUTS) return;
  showErrors();
  const place = document.getElementById("rule-table");
  if (place === null) return;
  const side = sideWith("ablation");
  place.replaceChildren(...(side === undefined ? [el("p", { class: "note" }, "Neither A nor B has rules.")]
    : [sideTabs("ablation", side), ablationTable(side, systemAt(side).ablation)]));
  showConstructions();
  showLimits();
}

function systemAt(side) {
  return SYSTEMS[sides()[side]];
}

// Of what is shown for one side, that of the side chosen last, or else of B, which is the newer one.
function sideWith(kind) {
  const able = [...sides().keys()].filter((side) => systemAt(side)[kind]);
  return able.includes(SHOWN.side) ? SHOWN.side : able.at(-1);
}

function sideTabs(kind, chosen) {
  const able = [...sides().keys()].filter((side) => systemAt(side)[kind]);
  return el("div", { class: "tabs", role: "group", "aria-label": "System" }, ...able.map((side) => {
    const tab = el("button", { type: "button", "aria-pressed": String(side === chosen) }, sideName(side));
    tab.onclick = () => { SHOWN.side = side; showTables(); };
    return tab;
  }));
}

function showErrors() {
  const side = sideWith("errors");
  const names = Object.keys(GROUPINGS).filter((by) => by === "errors" ? side !== undefined
    : SYSTEMS[sides()[0]].tables[by]);
  if (!names.includes(SHOWN.by)) SHOWN.by = names.includes("label") ? "label" : names[0];
  document.getElementById("error-tabs").replaceChildren(...names.map((by) => {
    const tab = el("button", { type: "button", "aria-pressed": String(by === SHOWN.by) }, GROUPINGS[by][1]);
    tab.onclick = () => { SHOWN.by = by; SHOWN.all = false; showTables(); };
    return tab;
  }));
  document.getElementById("error-table").replaceChildren(...(SHOWN.by === "errors"
    ? [sideTabs("errors", side), confusionTable(side, systemAt(side).errors)] : [groupTable(SHOWN.by)]));
}

// `file` is what the table is called when it is saved.
function tableOf(file, head, rows, all, showAll) {
  const shown = all ? rows : rows.slice(0, MOST_ROWS);
  const table = el("table", { class: "groups", "data-file": file },
    el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...shown));
  const saves = tableButton(table, rows);
  if (shown.length === rows.length) return el("div", {}, table, saves);
  const more = el("button", { type: "button", class: "more" }, `Show all ${rows.length} rows`);
  more.onclick = showAll;
  return el("div", {}, table, more, saves);
}

function heading(text, title = null, classes = null) {
  return el("th", { scope: "col", title, class: classes }, text);
}

// Rows are [name, count, wrong, low, high, cost, inversions, wrongly split, wrongly kept].
function groupTable(by) {
  const [filter, name] = GROUPINGS[by];
  const tables = sides().map((system) => new Map((SYSTEMS[system].tables[by] || []).map((row) => [row[0], row])));
  const head = [heading(name), heading("words", null, "n")];
  sides().forEach((system, n) => head.push(
    el("th", { scope: "col", class: "bar", "data-tsv": ["wrong", "low", "high"].map((what) =>
      `${visible(SYSTEMS[system].name)} ${what}`).join("\t") }, sideMark(n), " misplaced"),
    heading("cost", null, "n"),
    heading("inversions", "mean number of words on the wrong side of a word", "n extra"),
    heading("wrongly split", "words separated from a word that is adjacent in the reference", "n extra"),
    heading("wrongly kept", "words kept next to a word that is not adjacent in the reference", "n extra")));
  const rows = [...tables[0].values()].map((row, number) => el("tr", {},
    el("th", { scope: "row" }, groupLink(by, filter, row, number)),
    el("td", { class: "n" }, String(row[1])),
    ...tables.flatMap((table) => groupCells(table.get(row[0])))));
  return tableOf(`errors-by-${by}`, head, rows, SHOWN.all, () => { SHOWN.all = true; showTables(); });
}

function groupLink(by, filter, row, number) {
  const name = bdi(shortened(row[0], 40));
  if (row[2] === 0) return name;
  const ofSentence = filter === "phenomenon" || filter === "lengths";
  const query = filter === null ? { only: `A.${by}.${number}` }
    : { [filter]: row[0], ...(ofSentence ? {} : { wrong: "1" }) };
  return el("a", { href: sidesLink({ ...query, sort: "low" }) }, name);
}

function groupCells(row) {
  const texts = row === undefined ? Array(5).fill("–")
    : [null, number(row[5]), number(row[6], 2), String(row[7]), String(row[8])];
  return texts.map((text, n) => el("td", { class: n === 0 ? "bar" : n === 1 ? "n" : "n extra",
    "data-tsv": n > 0 ? null : row === undefined ? "\t\t" : [row[2], row[3], row[4]].join("\t") },
    text === null ? shareBar(row[2] / row[1], row[3], row[4]) : text));
}

function shareBar(share, low, high) {
  const percent = (x) => `${number(100 * x, 1)}%`;
  const title = `${percent(share)}, 95% interval ${percent(low)} to ${percent(high)}`;
  return el("span", { class: "share", title },
    el("span", {}, `${Math.round(100 * share)}%`),
    svg("svg", { class: "bar-plot", width: 90, height: 14, "aria-hidden": "true" },
      svg("rect", { class: "bar-fill", x: 0, y: 3, width: percent(share), height: 8 }),
      svg("line", { class: "bar-ends", x1: percent(low), x2: percent(high), y1: 7, y2: 7 })));
}

// Rows are [kind, gold, parsed, count, repaired, helped, hurt, gain, sentences, loss, cost, of schemes], the most
// costly first.
function confusionTable(side, errors) {
  const head = [heading("Error"), heading("gold"), heading("parsed"), heading("count", null, "n"),
    heading("helped", "corrections that raise the score of their sentence", "n extra"),
    heading("hurt", "corrections that lower it", "n extra"),
    heading("gain", "increase of the score if each error is corrected alone", "n extra"),
    heading("loss", "decrease of the score if each error is made alone in the gold trees", "n extra"),
    heading("cost", "the mean of gain and loss", "n")];
  const rows = errors.map(([kind, gold, parsed, count, , helped, hurt, gain, , loss, cost, ofSchemes], number) => el("tr", {},
    el("th", { scope: "row" }, onlyLink(side, `errors.${number}`, `wrong ${kind}`), ofSchemes ? "‡" : ""),
    el("td", {}, bdi(gold)), el("td", {}, bdi(parsed)),
    ...[String(count), String(helped), String(hurt), signed(gain), signed(loss), signed(cost)]
      .map((text, n) => el("td", { class: 0 < n && n < 5 ? "n extra" : "n" }, text))));
  return el("div", {}, el("p", { class: "note" }, "Errors of ", "AB"[side],
    ": each error is corrected alone in its tree (gain, in FRS) and made alone in the gold tree (loss); "
      + "cost is the mean of both. The most costly errors come first."
      + (errors.some((row) => row.at(-1)) ? " ‡ ClearNLP and UD differ on these words: not an error of the parser." : "")),
    tableOf("parser-errors", head, rows, SHOWN.all, () => { SHOWN.all = true; showTables(); }));
}

function onlyLink(side, only, text) {
  return el("a", { href: sidesLink({ only: `${"AB"[side]}.${only}` }) }, ...breakable(text));
}

// A link that keeps A and B.
function sidesLink(query) {
  const [a, b] = sides().map((system) => SYSTEMS[system].name);
  return "#" + new URLSearchParams({ a, b: b ?? "", ...query });
}

// Rows are of whole rules: [rule, name, heads, applied, changed, contribution, low, high, mark], what hurts most first.
function ablationTable(side, rows) {
  const changing = rows.map((row, number) => [row, number]).filter(([row]) => row[4].length > 0);
  const idle = rows.length - changing.length;
  const shown = (SHOWN.allRules ? changing : changing.slice(0, MOST_ROWS)).map(([row]) => row);
  const widest = Math.max(...shown.flatMap((row) => row.slice(5, 8).map(Math.abs)), 1e-9);
  const head = [heading("Rule"), heading("applied", "heads with children that the rule ordered", "n extra"),
    heading("changed", "sentences whose order it changes", "n"),
    el("th", { scope: "col", class: "n", "data-tsv": "contribution\tlow\thigh\tsignificance" }, "contribution [95%]"),
    el("th", { class: "plot contribution" }, axisEnds([-widest, 0, widest].map((x) => Number(x.toPrecision(2)))))];
  const lines = changing.map(([[rule, name, heads, applied, changed, value, low, high, mark], number]) => el("tr",
    { class: mark[0] === "-" ? "worse" : null },
    el("th", { scope: "row", title: visible(heads) },
      onlyLink(side, `ablation.${number}`, `${rule + 1} ${name}`)),
    el("td", { class: "n extra" }, String(applied)), el("td", { class: "n" }, String(changed.length)),
    el("td", { class: "n", "data-tsv": [value, low ?? "", high ?? "", mark].join("\t") }, signed(value),
      el("span", { class: "stars" }, mark.replace(/[-+0]/, "")), " ",
      el("small", {}, low === null ? "[-]" : `[${signed(low)}, ${signed(high)}]`)),
    el("td", { class: "plot contribution" }, contributionPlot(value, low, high, widest))));
  return el("div", {}, el("p", { class: "note" }, "Rules of ", "AB"[side],
    `, by ${DATA.metrics[0].short}`, idle ? `; ${idle} further ${idle > 1 ? "rules change" : "rule changes"} no sentence` : ""),
    tableOf("rules", head, lines, SHOWN.allRules, () => { SHOWN.allRules = true; showTables(); }),
    el("p", { class: "note" }, "The contribution of every slot and pair of these rules:"),
    el("pre", { class: "command" }, visible(systemAt(side).ablate)));
}

// There is no interval, and no line, if too few sentences differ.
function contributionPlot(value, low, high, widest) {
  const at = (x) => `${(50 + 48 * x / widest).toFixed(2)}%`;
  return svg("svg", { class: "strip", width: "100%", height: 16, "aria-hidden": "true" },
    svg("line", { class: "tick", x1: "50%", x2: "50%", y1: 0, y2: 16 }),
    low === null ? null : svg("line", { class: "whisker", x1: at(low), x2: at(high), y1: 8, y2: 8 }),
    svg("circle", { class: value < 0 ? "mark hurts" : "mark", cx: at(value), cy: 8, r: 4 }));
}

// The sentences of a row of a table, by its name in an address ("B.errors.3"); null if there is none.
function onlyThese(only) {
  const [side, kind, number] = only.split(".");
  const own = systemAt("AB".indexOf(side));
  if (own === undefined) return null;
  const rows = { errors: own.errors, ablation: own.ablation,
    pairs: own.limits && own.limits.pairs }[kind];
  const row = rows && rows[Number(number)];
  if (!row) return null;
  const numbers = { errors: row[8], ablation: row[4], pairs: row[7] }[kind];
  return new Set(numbers.map((n) => n - 1));
}
