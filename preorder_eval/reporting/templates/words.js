"use strict";
// N-grams of the outputs that one system has right more often.

function showWords() {
  const place = document.getElementById("ngram-tables");
  if (place === null) return;
  if (state.b !== null) place.replaceChildren(...sides().map((_, side) => ngramTable(side, ngramsOf(side))));
  else place.replaceChildren(el("p", { class: "note" }, "N-grams are compared between two systems: choose B."));
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
