"use strict";
// Words of the outputs that are right, by frequency, and n-grams.

function showWords() {
  if (!OUTPUT_WORDS) return;
  const note = document.getElementById("word-note");
  const split = OUTPUT_WORDS.tokenize === "none" ? "Words between spaces" : `Words by ${OUTPUT_WORDS.tokenize}`;
  note.replaceChildren(`${split}, by how often each occurs in ${note.dataset.counted}.`);
  document.getElementById("word-table").replaceChildren(wordTable(OUTPUT_WORDS.groups.frequency));
  const place = document.getElementById("ngram-tables");
  if (place !== null && state.b !== null) place.replaceChildren(...sides().map((_, side) => ngramTable(side, ngramsOf(side))));
  else if (place !== null) place.replaceChildren(el("p", { class: "note" }, "N-grams are compared between two systems: choose B."));
}

// Groups are [name, for each system [references, found, outputs, right, F, low, high]].
function wordTable(groups) {
  const chosen = groups.map(([name, systems]) => [name, sides().map((system) => systems[system])])
    .filter(([, own]) => own.some(([references, , outputs]) => references + outputs > 0));
  // What is in no reference is always wrong.
  const interval = ([references, , , , ...f]) => references ? f : [null, null, null];
  const axis = axisOf(chosen.flatMap(([, own]) => own.map(interval)), [0, 1]);
  const share = (part, all) => all ? (part / all).toFixed(3) : "–";
  const head = [heading("Occurs"), heading("words", "in the references", "n")];
  sides().forEach((system, n) => head.push(
    el("th", { scope: "col", class: "n extra", "data-tsv": `${visible(SYSTEMS[system].name)} recall` }, sideMark(n), " recall"),
    el("th", { scope: "col", class: "n extra" }, "precision"),
    el("th", { scope: "col", class: "n", "data-tsv": "F\tlow\thigh" }, sideMark(n), " F")));
  head.push(el("th", { class: "plot" }, axisEnds(axis)));
  const rows = chosen.map(([name, own]) => el("tr", {},
    el("th", { scope: "row" }, bdi(shortened(name, 40))),
    el("td", { class: "n" }, String(own[0][0])),
    ...own.flatMap(([references, found, outputs, right, f, low, high]) => [
      el("td", { class: "n extra", title: `${found} of ${references}` }, share(found, references)),
      el("td", { class: "n extra", title: `${right} of ${outputs}` }, share(right, outputs)),
      el("td", { class: "n", title: `95% interval ${number(low)} to ${number(high)}`, "data-tsv": [f, low, high].join("\t") },
        el("b", {}, number(f)))]),
    el("td", { class: "plot" }, strip(own.map((counts, n) => ({ interval: interval(counts), side: "AB"[n] })), axis))));
  return tableOf("words-by-frequency", head, rows, true, null);
}

// What the system of a side gets right more often than the other; each n-gram is packed with its
// sentences, as steps from one to the next.
function ngramsOf(side) {
  const [one, other] = [sides()[side], sides()[1 - side]];
  if (one === other) return [];
  return OUTPUT_WORDS.ngrams[[one, other].sort((x, y) => x - y).join("-")][one < other ? 0 : 1];
}

function sentencesOf(ngram) {
  let s = 0;
  return unpack([ngram[4]])[0].map((step) => s += step);
}

function ngramTable(side, ngrams) {
  if (!ngrams.length) return el("p", { class: "note" }, sideMark(side), " has no n-gram right more often.");
  const head = [el("th", { scope: "col", "data-tsv": "n-gram" }, sideMark(side), " has right more often"),
    heading("references", "how often they have it", "n"), el("th", { scope: "col", class: "n" }, sideMark(side)),
    el("th", { scope: "col", class: "n" }, sideMark(1 - side))];
  const rows = ngrams.map(([ngram, references, first, second], number) => el("tr", {},
    el("th", { scope: "row" }, onlyLink(side, `ngrams.${number}`, shortened(ngram, 60))),
    ...[references, first, second].map((count) => el("td", { class: "n" }, String(count)))));
  return tableOf(`n-grams-${"AB"[side]}`, head, rows, true, null);
}
