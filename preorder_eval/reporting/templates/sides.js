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
  const pair = [...sides()].sort((x, y) => x - y).join("-");
  for (const cell of document.querySelectorAll("[data-pair]")) cell.classList.toggle("current", cell.dataset.pair === pair);
}
