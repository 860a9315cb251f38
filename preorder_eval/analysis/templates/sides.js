"use strict";
// The two systems that are compared, named wherever something is said of them.

function sides() {
  return state.b === null ? [state.a] : [state.a, state.b];
}

function sideMark(n) {
  return el("b", { class: `side side-${"AB"[n]}` }, "AB"[n]);
}

function sideName(n) {
  const { name } = SYSTEMS[sides()[n]];
  return el("span", { class: "side-name", title: visible(name) }, sideMark(n), " ", bdi(shortened(name, 60)));
}

function nameSides() {
  for (const place of document.querySelectorAll(".at-side")) {
    const n = sides().indexOf(Number(place.dataset.system));
    place.replaceChildren(...(n < 0 ? [] : [sideMark(n), " "]));
    place.closest("figure")?.setAttribute("data-side", n < 0 ? "" : "AB"[n]);
  }
  const pair = sides().join("-");
  for (const cell of document.querySelectorAll("[data-pair]")) cell.classList.toggle("current", cell.dataset.pair === pair);
}

// Rows of a table of outputs have their difference from A: [text, interval, mark, p, value, low, high].
function showDifferences() {
  for (const head of document.querySelectorAll(".from-a")) {
    head.replaceChildren("Difference from ", sideMark(0));
    head.dataset.tsv = `difference from ${visible(SYSTEMS[state.a].name)}\tlow\thigh`;
  }
  for (const cell of document.querySelectorAll("[data-from-a]")) {
    const { fromA, system, metric } = cell.dataset;
    fillDifference(fromA, cell, DATA.differences[metric][state.a][system] ?? ["", "", "", "", "", "", ""]);
  }
}

const DIRECTIONS = { "+": "gain", "-": "loss" };

function fillDifference(shown, cell, [text, ends, mark, p, ...numbers]) {
  const stars = mark.replace(/[-+0]/, ""), place = shown === "mark" ? cell.lastElementChild : cell;
  cell.title = p;
  if (shown === "difference") {
    cell.dataset.tsv = numbers.map((x) => x ?? "").join("\t");
    return cell.replaceChildren(text, " ", el("span", { class: "ci" }, ends));
  }
  place.className = `${shown === "mark" ? "by" : "sign"} ${DIRECTIONS[mark[0]] ?? ""}`;
  if (shown === "mark") cell.dataset.tsv = `${cell.dataset.tsv.split("\t")[0]}\t${mark}`;
  return place.replaceChildren(shown === "mark" ? `${text} ${stars}` : stars);
}
