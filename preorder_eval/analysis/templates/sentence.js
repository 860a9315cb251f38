"use strict";
// One sentence: its texts, and a panel for each side.

function showSentence() {
  const s = state.s - 1;
  const place = document.getElementById("sentence");
  place.replaceChildren(
    sentenceHeading(s), OUTPUTS ? outputTexts(s) : orderTexts(s),
    el("div", { class: "panels" }, ...sides().map((system, n) => panel(s, system, n, sides()[1 - n] ?? null))));
  if (!OUTPUTS) {
    place.append(legend());
    dimUnscored(place, s);
    linkWords(place);
  }
  arrangePanels();
}

// Words without a link, where the metric leaves these out. Another reference order than the first may link them.
function dimUnscored(place, s) {
  const others = sides().some((system) => SYSTEMS[system].nearest[s].length);
  if (!DATA.metrics[state.m].linked || others) return;
  const linked = new Set([...linksOf(s).values()].flat());
  for (const node of place.querySelectorAll(".word[data-word]")) {
    node.classList.toggle("unscored", !linked.has(Number(node.dataset.word)));
  }
}

const SMALLEST = 0.74;  // to which a picture is scaled down before it scrolls

// Two panels stand side by side, as in Talbot et al.'s Figures 1 and 2, where the pictures are legible so.
function arrangePanels() {
  const panels = document.querySelector("#sentence .panels");
  const widths = [...panels.querySelectorAll(".figure")].map((node) => Number(node.getAttribute("width")));
  const half = panels.clientWidth / 2 - 44;
  panels.classList.toggle("beside", OUTPUTS ? half > 260 : widths.length === 2
    && Math.max(...widths) * SMALLEST <= half);
  panels.querySelectorAll(".figure").forEach((node, n) => {
    node.style.minWidth = `${Math.ceil(widths[n] * SMALLEST)}px`;
  });
}

// What the lines of the pictures are, each drawn as it is there.
function legend() {
  const drawn = (name, ...shapes) => el("span", {},
    svg("svg", { class: "figure", width: 26, height: 16, "aria-hidden": "true" }, ...shapes), name);
  const arc = (classes) => svg("g", { class: classes },
    svg("path", { d: "M3 14C3 3 3 3 10 3H16C23 3 23 3 23 9" }), svg("path", { class: "head", d: "M23 15l-3.5 -7h7z" }));
  return el("p", { class: "legend" }, ...(sides().some((system) => treeOf(system, state.s - 1)) ? [
    drawn("from a head to its dependent", arc("arc"))] : []), ...(state.b === null ? [] : [
    drawn("differs between A and B", arc("arc differs"))]),
  drawn("moved", svg("path", { class: "line moved", d: "M3 2C3 8 23 8 23 14" })),
  drawn("adjacent as in the reference", svg("path", { class: "chunk", d: "M3 6v5H23v-5" })),
  drawn("break", svg("text", { class: "break", x: 13, y: 12 }, "✕")), DATA.metrics[state.m].linked
    ? el("span", {}, el("span", { class: "unscored" }, "word"), "unaligned, not scored") : null);
}

function sentenceHeading(s) {
  const facts = [];
  if (DATA.ids[s]) facts.push(bdi(DATA.ids[s]));
  if (DATA.phenomenon) {
    const name = DATA.phenomena[DATA.phenomenon[s]];
    facts.push(el("a", { href: "#" + new URLSearchParams({ phenomenon: name }) }, bdi(name)));
  }
  facts.push(el("span", {}, LENGTHS[s] === 1 ? "1 word" : `${LENGTHS[s]} words`));
  if (scoreOf(state.a, state.m, s) === null) facts.push(el("span", {}, "no links, not scored"));
  const link = fragmentOf({ ...FIRST_STATE, a: state.a, b: state.b, m: state.m, s: s + 1 });
  const stepButton = (id, key, arrow) => el("button", { type: "button", id, title: `${id} (${key})` },
    arrow, el("span", { class: "sr" }, ` ${id}`));
  return el("header", {},
    el("h3", {}, el("a", { href: link, title: "permanent link to this sentence" }, `Sentence ${s + 1}`)),
    el("p", { class: "facts" }, ...facts),
    el("span", { class: "steps" }, stepButton("previous", "k", "↑"), stepButton("next", "j", "↓")));
}

function textRow(name, ...content) {
  return el("div", { class: "text-row" }, el("dt", {}, name), el("dd", {}, ...content));
}

function spaced(nodes) {
  return nodes.flatMap((node, i) => i ? [" ", node] : [node]);
}

function wordSpans(words, positions) {
  return spaced(positions.map((i) => bdi(words[i], { class: "word", "data-word": i })));
}

function orderTexts(s) {
  const words = DATA.words[s];
  const glued = new Set(DATA.glued[s]);
  const rows = [textRow("source", ...words.flatMap((word, i) =>
    [i && !glued.has(i) ? " " : null, bdi(word, { class: "word", "data-word": i })]).filter((node) => node !== null))];
  rows.push(textRow("reference", ...referenceSpans(words, DATA.ranks[s])));
  if (DATA.target && DATA.target[s].length) {
    const links = linksOf(s);
    rows.push(textRow("translation", ...spaced(DATA.target[s].map((word, t) =>
      bdi(word, { class: "word", "data-words": (links.get(t) || []).join(" ") || null })))));
  }
  return el("dl", { class: "texts" }, ...rows, ...translationRows(s));
}

// What outputs are held against.
function translationRows(s) {
  const name = OUTPUTS ? "reference" : "outputs’ reference";
  return TRANSLATIONS.map((texts, n) =>
    textRow(TRANSLATIONS.length > 1 ? `${name} ${n + 1}` : name, bdi(texts[s])));
}

function referenceSpans(words, ranks) {
  return spaced(groupsOf(ranks).map((group) => group.length === 1
    ? wordSpans(words, group)[0]
    : el("span", { class: "braces" }, "{{ ", ...wordSpans(words, group), " }}")));
}

// The source positions linked to each target position.
function linksOf(s) {
  const links = new Map(), flat = DATA.links[s];
  for (let n = 0; n < flat.length; n += 2) {
    if (!links.has(flat[n + 1])) links.set(flat[n + 1], []);
    links.get(flat[n + 1]).push(flat[n]);
  }
  return links;
}

function outputTexts(s) {
  const source = DATA.source ? [textRow("source", bdi(DATA.source[s]))] : [];
  return el("dl", { class: "texts" }, ...source, ...translationRows(s));
}

function scoreLine(s, system, other) {
  return el("dl", { class: "scores" }, ...DATA.metrics.map((metric, m) => {
    const change = other === null ? null : gainOf(other, system, m, s);
    const mark = change === null || Math.abs(change) < 5e-5 ? null
      : el("span", { class: change > 0 ? "gain" : "loss" }, change > 0 ? " ▲ better" : " ▼ worse");
    return el("div", {}, el("dt", { title: metric.name }, metric.short), el("dd", {}, number(scoreOf(system, m, s), metric.decimals), mark));
  }));
}

function panel(s, system, n, other) {
  const heading = el("h4", {}, sideName(n));
  const scores = scoreLine(s, system, other);
  if (OUTPUTS) return el("section", { class: "panel" }, heading, scores,
    el("p", { class: "output" }, ...outputWords(s, system, other)));
  const picture = el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "tree and order" },
    figure(s, system, other));
  const save = pictureButton(`sentence-${s + 1}-${"AB"[n]}`, () => picture.querySelector("svg"));
  return el("section", { class: "panel" }, heading, scores, picture, el("span", { class: "saves" }, save),
    el("dl", { class: "texts" }, textRow("reordered", ...chunks(s, system)), ...bestReference(s, system),
      ...(SYSTEMS[system].outputs ? [textRow("output", ...outputWords(s, system, other))] : [])),
    traceList(s, system));
}

// Which of several reference orders the sentence is scored against; the first is shown above.
function bestReference(s, system) {
  if (!DATA.references || DATA.references[s] < 2) return [];
  const ranks = SYSTEMS[system].nearest[s], which = SYSTEMS[system].which[s];
  const number = el("span", { class: "braces" }, ` (${which} of ${DATA.references[s]})`);
  return [textRow("best reference", ...(ranks.length ? referenceSpans(DATA.words[s], ranks) : ["as above"]), number)];
}

function chunks(s, system) {
  const words = DATA.words[s], order = SYSTEMS[system].orders[s];
  const broken = new Set(SYSTEMS[system].broken[s]);
  return order.flatMap((i, k) => [
    bdi(words[i], { class: "word", "data-word": i }),
    k === order.length - 1 ? null : broken.has(k)
      ? el("span", { class: "break", title: "not adjacent in the reference" }, " ✕ ") : " ",
  ]).filter((node) => node !== null);
}

function outputWords(s, system, other) {
  const words = SYSTEMS[system].outputs[s].split(" ");
  const differing = other === null ? new Set()
    : differingWords(words, SYSTEMS[other].outputs[s].split(" "));
  // Of several references the one that shares most words with the output.
  const nearest = NEAREST ? NEAREST[system][s] : 0;
  const reference = new Set(TRANSLATIONS.length ? TRANSLATIONS[nearest][s].split(" ") : []);
  const which = NEAREST ? el("span", { class: "braces" }, ` (nearest: reference ${nearest + 1})`) : null;
  return [...spaced(words.map((word, i) => bdi(word, {
    class: [differing.has(i) ? "differs" : "", reference.has(word) ? "" : "absent"].join(" ").trim() || null,
  }))), which];
}

// Pointing at a word shows it in every row.
function linkWords(place) {
  const nodes = [...place.querySelectorAll("[data-word],[data-words]")];
  const of = (node) => (node.dataset.word ?? node.dataset.words ?? "").split(" ");
  const light = (chosen) => {
    for (const node of nodes) {
      node.classList.toggle("lit", chosen !== null && of(node).some((i) => chosen.has(i)));
    }
  };
  const from = (event) => event.target.closest("[data-word],[data-words]");
  place.onmouseover = place.onclick = (event) => {
    const node = from(event);
    light(node && place.contains(node) ? new Set(of(node)) : null);
  };
  place.onmouseleave = () => light(null);
}
