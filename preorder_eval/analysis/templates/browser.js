"use strict";
// The list of sentences with its filters, and the keys.

const $ = (id) => document.getElementById(id);
const ROWS = { shown: "", nodes: new Map() };  // of the list, by sentence, for the sides and metric shown
let chosen = [];  // the sentences of the list, in its order

function option(value, text = value) {
  return el("option", { value }, shortened(text, 60));
}

function fillChoices() {
  const systems = SYSTEMS.map((system, n) => option(n, system.name));
  $("side-a").replaceChildren(...systems);
  $("side-b").replaceChildren(option("", "– no other –"), ...systems.map((node) => node.cloneNode(true)));
  $("metric").replaceChildren(...DATA.metrics.map((metric, n) => option(n, metric.short)));
  for (const id of ["side-b", "swap"]) $(id).disabled = SYSTEMS.length < 2;
  if (OUTPUTS) return;
  const names = (list) => [option("", "any"), ...[...list].sort().map((name) => option(name))];
  const taken = new Set(DATA.parsers.flatMap((parser) => parser.labels.flat()));
  $("label").replaceChildren(...names(DATA.labels.filter((_, n) => taken.has(n))));
  $("tag").replaceChildren(...names(DATA.tags));
  $("head").replaceChildren(...names([...DATA.tags, ROOT]));
  if (DATA.phenomenon) $("phenomenon").replaceChildren(...names(DATA.phenomena));
  else $("phenomenon-label").hidden = true;
}

function fillRules() {
  const number = SYSTEMS[state.a].rules;
  const rules = number === null || number === undefined ? [] : DATA.rules[number].rules;
  $("rule").replaceChildren(option("", "any"), ...rules.map((name, n) => option(n, `${n + 1} ${name}`)));
  $("rule").disabled = rules.length === 0;
  if (state.rule !== "" && !rules[Number(state.rule)]) state.rule = "";
}

function showControls() {
  if (!OUTPUTS) fillRules();
  const shown = { "side-a": state.a, "side-b": state.b ?? "", metric: state.m, sort: state.sort };
  for (const name of FILTERS) shown[name] = state[name];
  for (const [id, value] of Object.entries(shown)) {
    const field = $(id);
    if (field === null) continue;
    if (field.type === "checkbox") field.checked = value !== "";
    else if (field !== document.activeElement || field.tagName === "SELECT") field.value = value;
    field.classList.toggle("set", FILTERS.includes(id) && value !== "");
  }
  for (const box of document.querySelectorAll(".whole input")) box.checked = state.whole !== "";
  if ($("more").querySelector(".set") !== null) $("more").open = true;
  $("sort").querySelectorAll("[value=changed],[value=lost],[value=gained]").forEach((node) => {
    node.disabled = state.b === null;
  });
}

function showList() {
  chosen = chosenSentences();
  const all = chosen.length === COUNT;
  $("count").textContent = (all ? "" : `${chosen.length} of `) + (COUNT === 1 ? "1 sentence" : `${COUNT} sentences`) +
    (onlyThese(state.only) === null ? "" : ", only those of a row of a table");
  const shown = [state.a, state.b, state.m].join();
  if (ROWS.shown !== shown) Object.assign(ROWS, { shown, nodes: new Map() });
  $("list").replaceChildren(...chosen.map((s) => {
    if (!ROWS.nodes.has(s)) ROWS.nodes.set(s, listRow(s));
    return ROWS.nodes.get(s);
  }));
  markCurrent();
}

// A score in three digits, whatever the metric's range: 0.87, 65.3, 100.
function short(number) {
  const size = Math.abs(number);
  return number.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

function listRow(s) {
  const score = scoreOf(state.a, state.m, s), gain = gainOf(state.a, state.b, state.m, s);
  const level = gain === null || Math.abs(gain) < 5e-5 ? "" : gain > 0 ? "gain" : "loss";
  const number = el("span", { class: "score" }, score === null ? "–" : short(score));
  const change = state.b === null ? null : el("span", { class: `change ${level}` },
    level === "" ? "=" : `${gain > 0 ? "▲" : "▼"}${short(Math.abs(gain))}`);
  return el("li", { "data-s": s, id: `row-${s + 1}`, role: "option" },
    el("span", { class: "number" }, String(s + 1)), number, change,
    el("bdi", { class: "text" }, visible(TEXTS[s].slice(0, 200))));
}

function markCurrent() {
  const list = $("list"), row = $(`row-${state.s}`);
  for (const node of list.querySelectorAll("[aria-selected]")) node.removeAttribute("aria-selected");
  list.setAttribute("aria-activedescendant", row === null ? "" : row.id);
  if (row === null) return;
  row.setAttribute("aria-selected", "true");
  const box = list.getBoundingClientRect(), own = row.getBoundingClientRect();
  if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - box.height / 3;
}

function showAll() {
  showControls();
  showList();
  showSentence();
  showSides();
}

// All that is said of A and B, but for the sentences.
function showSides() {
  nameSides();
  showDifferences();
  drawStrips();
  showParts();
  showMetricTable();
  showTables();
}

// Of the outputs' tables the one of the metric that is chosen.
function showMetricTable() {
  const tabs = $("metric-tabs");
  if (tabs === null || DATA.metrics.length < 2) return;
  tabs.replaceChildren(...DATA.metrics.map((metric, m) => {
    const tab = el("button", { type: "button", title: metric.name, "aria-pressed": String(m === state.m) }, metric.short);
    tab.onclick = () => change({ m });
    return tab;
  }));
  for (const table of document.querySelectorAll(".metric-table")) {
    table.hidden = Number(table.dataset.metric) !== state.m;
  }
}

function keepAddress(push = false) {
  const address = fragmentOf(state);
  if (address !== location.hash) history[push ? "pushState" : "replaceState"](null, "", address);
}

// After a change of filters the first sentence of the list is shown, unless the one shown is in it.
// A new sorting is looked at from its start.
function change(changes) {
  if ("a" in changes || "b" in changes) state.only = "";  // it names a row of the tables of one of them
  Object.assign(state, changes);
  showControls();
  showList();
  if (chosen.length && ("sort" in changes || !chosen.includes(state.s - 1))) state.s = chosen[0] + 1;
  markCurrent();
  showSentence();
  if (["a", "b", "m", "whole"].some((name) => name in changes)) showSides();
  keepAddress();
}

function open(s) {
  state.s = s + 1;
  markCurrent();
  showSentence();
  keepAddress();
}

function step(by) {
  if (!chosen.length) return;
  const at = chosen.indexOf(state.s - 1);
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), chosen.length - 1);
  open(chosen[next]);
}

function swap() {
  if (state.b !== null) change({ a: state.b, b: state.a });
}

function clearFilters() {
  document.activeElement.blur();
  change(Object.fromEntries(FILTERS.map((name) => [name, ""])));
}

const KEYS = {
  j: () => step(1), k: () => step(-1), "/": () => $("q").focus(), x: swap, c: clearFilters,
  "?": () => $("help").showModal(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const typing = event.target.matches("input,select,textarea");
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const inList = event.target === $("list");
  const key = inList && event.key === "ArrowDown" ? "j" : inList && event.key === "ArrowUp" ? "k" : event.key;
  if (!Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  KEYS[key]();
}

// A fragment with a "=" is a state; others are parts of the page, which the browser goes to.
function onAddress() {
  const fragment = location.hash.slice(1);
  if (!fragment.includes("=")) return;
  readFragment(fragment);
  showAll();
  if (chosen.length && !new URLSearchParams(fragment).has("s")) {
    state.s = chosen[0] + 1;
    markCurrent();
    showSentence();
  }
  $("sentences").scrollIntoView();
}

function listen() {
  for (const id of FILTERS.filter((name) => $(name))) {
    const field = $(id);
    field.addEventListener("input", () => change({
      [id]: field.type === "checkbox" ? (field.checked ? "1" : "") : field.value }));
  }
  $("side-a").addEventListener("input", () => change({ a: Number($("side-a").value) }));
  $("side-b").addEventListener("input", () => change(
    { b: $("side-b").value === "" ? null : Number($("side-b").value) }));
  $("metric").addEventListener("input", () => change({ m: Number($("metric").value) }));
  $("sort").addEventListener("input", () => change({ sort: $("sort").value }));
  for (const box of document.querySelectorAll(".whole input")) {
    box.addEventListener("input", () => change({ whole: box.checked ? "1" : "" }));
  }
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("swap").addEventListener("click", swap);
  $("clear").addEventListener("click", clearFilters);
  $("help-button").addEventListener("click", () => $("help").showModal());
  $("list").addEventListener("click", (event) => {
    const row = event.target.closest("[data-s]");
    if (row === null) return;
    open(Number(row.dataset.s));
    if (matchMedia("(max-width: 800px)").matches) $("sentence").scrollIntoView();
  });
  $("sentence").addEventListener("click", (event) => {
    if (event.target.closest("#next")) step(1);
    if (event.target.closest("#previous")) step(-1);
  });
  $("sentence").addEventListener("toggle", (event) => {
    if (event.target.matches(".trace")) TRACE.open = event.target.open;
  }, true);
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", onAddress);
  addEventListener("resize", arrangePanels);
  addEventListener("beforeprint", () => {
    for (const node of document.querySelectorAll("details.what, details.trace")) node.open = true;
  });
}

fillChoices();
addButtons();
listen();
state.s = chosenSentences()[0] + 1;  // the first of the list
if (location.hash.includes("=")) onAddress(); else showAll();
