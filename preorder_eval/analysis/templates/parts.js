"use strict";
// The scores of A and B by what kind of sentence it is: by its length, by its phenomenon. Those of orders
// are by the first metric, those of outputs by the metric that is chosen.

const PARTS = { length: ["By number of words", "lengths"], phenomenon: ["By phenomenon", "phenomenon"] };
const MOST_PARTS = 15;  // in a column

function showParts() {
  const place = document.getElementById("parts");
  if (place === null) return;
  const metric = OUTPUTS ? state.m : 0, groups = OUTPUTS ? DATA.parts[metric] : DATA.parts;
  const all = Object.values(groups).flat().flatMap(([, , scores]) => sides().map((system) => scores[system]));
  const { ends, decimals } = DATA.metrics[metric];
  const axis = axisOf(all, ends);
  const columns = Object.entries(PARTS).filter(([by]) => groups[by]).flatMap(([by, [name, filter]]) => {
    const parts = groups[by], title = OUTPUTS ? `${name}, ${DATA.metrics[metric].short}` : name, found = [];
    for (let n = 0; n < parts.length; n += MOST_PARTS) {
      found.push(partTable(n ? `${title}, continued` : title, `${by}-${n / MOST_PARTS + 1}`, filter,
        parts.slice(n, n + MOST_PARTS), axis, decimals));
    }
    return found;
  });
  place.replaceChildren(...columns);
}

function partTable(name, file, filter, parts, axis, decimals) {
  const heads = sides().map((system, n) => el("th", { scope: "col", class: "n",
    "data-tsv": ["", " low", " high"].map((end) => visible(SYSTEMS[system].name) + end).join("\t") }, sideMark(n)));
  const rows = parts.map(([part, size, scores]) => el("tr", {},
    el("th", { scope: "row" }, el("a", { href: "#" + new URLSearchParams({ [filter]: part }) }, bdi(shortened(part, 48)))),
    el("td", { class: "count" }, String(size)),
    ...sides().map((system) => el("td", { class: "n", "data-tsv": scores[system].join("\t"),
      title: `95% interval ${number(scores[system][1], decimals)} to ${number(scores[system][2], decimals)}` },
      number(scores[system][0], decimals))),
    el("td", { class: "plot" }, strip(sides().map((system, n) => ({ interval: scores[system], side: "AB"[n] })), axis))));
  const head = el("tr", {}, el("td"), el("th", { scope: "col", class: "count", "data-tsv": "sentences" }, "sentences"), ...heads,
    el("th", { class: "plot" }, axisEnds(axis)));
  const table = el("table", { class: "strips", "data-file": `scores-by-${file}` },
    el("caption", {}, name), el("thead", {}, head), el("tbody", {}, ...rows));
  return el("div", {}, table, tableButton(table));
}
