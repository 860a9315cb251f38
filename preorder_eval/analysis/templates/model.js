"use strict";
// The data of the page, by sentence. Columns hold an entry for each sentence, and in it a number for
// each token; names are numbers into DATA.labels and DATA.tags.

const DATA = JSON.parse(document.getElementById("data").textContent);
const SYSTEMS = DATA.systems;
const OUTPUTS = DATA.kind === "outputs";

// Numbers come as a character each: below 64 in ASCII, 0 as the question mark, and from 64 beyond Latin-1.
function unpack(column, shift = 0) {
  const number = (c) => c.charCodeAt(0) - (c < "\x80" ? 63 : 256);
  return column.map((packed) =>
    (typeof packed === "string" ? Array.from(packed, number) : packed).map((n) => n - shift));
}

if (!OUTPUTS) {
  // Words come joined by spaces, unless one holds a space itself.
  for (const name of ["words", "target"]) {
    DATA[name] &&= DATA[name].map((words) => typeof words === "string" ? words.split(" ") : words);
  }
  for (const name of ["links", "ranks", "glued"]) DATA[name] = unpack(DATA[name]);
  for (const parser of DATA.parsers) {
    parser.heads = unpack(parser.heads, 1);  // -1 is no head
    for (const name of ["labels", "tags"]) parser[name] = unpack(parser[name]);
  }
  for (const system of SYSTEMS) {
    for (const name of ["orders", "broken", "wrong", "nearest"]) system[name] = unpack(system[name]);
    [system.which] = unpack([system.which]);
    if (system.fired) system.fired = unpack(system.fired, 1);  // -1 is no rule
  }
}

// The translations that outputs are compared with, and of several the nearest one to each output.
const TRANSLATIONS = DATA.translations ?? [];
const NEAREST = DATA.nearest ? unpack(DATA.nearest) : null;

// Sentences are called by their first reference or, where there are none, by their source or first output.
const TEXTS = OUTPUTS ? TRANSLATIONS[0] ?? DATA.source ?? SYSTEMS[0].outputs : DATA.words.map((words) => words.join(" "));
const COUNT = TEXTS.length;

function wordsOf(s) {
  return OUTPUTS ? TEXTS[s].split(" ") : DATA.words[s];
}

const LENGTHS = DATA.lengths ? unpack([DATA.lengths])[0] : TEXTS.map((_, s) => wordsOf(s).length);

function parserOf(system) {
  return OUTPUTS || system === null || SYSTEMS[system].parser === null
    ? null : DATA.parsers[SYSTEMS[system].parser];
}

function treeOf(system, s) {
  const parser = parserOf(system);
  if (parser === null) return null;
  return {
    heads: parser.heads[s],
    labels: parser.labels[s].map((n) => DATA.labels[n]),
    tags: parser.tags[s].map((n) => DATA.tags[n]),
  };
}

// The rule that each head of a sentence falls under in a system, -1 for none; null if not known.
function rulesOf(system, s) {
  if (system === null || OUTPUTS || !SYSTEMS[system].fired) return null;
  return SYSTEMS[system].fired[s];
}

function scoreOf(system, metric, s) {
  return system === null ? null : SYSTEMS[system].scores[metric][s];
}

// By how much B is better than A, null where one has no score.
function gainOf(a, b, metric, s) {
  const first = scoreOf(a, metric, s), second = scoreOf(b, metric, s);
  if (first === null || second === null) return null;
  return (second - first) * (DATA.metrics[metric].higher ? 1 : -1);
}

// Which words stand at a break in a system's order, as a truth value by source position.
function misplaced(system, s) {
  const bad = SYSTEMS[system].orders[s].map(() => false);
  for (const i of SYSTEMS[system].wrong[s]) bad[i] = true;
  return bad;
}

// The places of a longest increasing subsequence: what keeps its order.
function increasing(numbers) {
  const tails = [], before = [];
  numbers.forEach((x, i) => {
    let low = 0, high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[tails[middle]] < x) low = middle + 1; else high = middle;
    }
    before.push(low > 0 ? tails[low - 1] : -1);
    tails[low] = i;
  });
  const kept = new Set();
  for (let i = tails.length ? tails[tails.length - 1] : -1; i >= 0; i = before[i]) kept.add(i);
  return kept;
}

// The source positions that come out elsewhere, with regard to the rest, than in another order.
function movedBetween(order, other) {
  const place = [];
  other.forEach((position, k) => { place[position] = k; });
  const kept = increasing(order.map((position) => place[position]));
  return new Set(order.filter((_, k) => !kept.has(k)));
}

// The words of a text that are in no longest common subsequence with another one.
function differingWords(words, others) {
  const table = [new Uint16Array(others.length + 1)];
  for (const word of words) {
    const above = table[table.length - 1], row = new Uint16Array(others.length + 1);
    others.forEach((other, j) => {
      row[j + 1] = word === other ? above[j] + 1 : Math.max(above[j + 1], row[j]);
    });
    table.push(row);
  }
  const differing = new Set(words.keys());
  for (let i = words.length, j = others.length; i > 0 && j > 0;) {
    if (words[i - 1] === others[j - 1]) { differing.delete(--i); j--; }
    else if (table[i - 1][j] >= table[i][j - 1]) i--;
    else j--;
  }
  return differing;
}

// The groups of a reference order, from the rank of each source position.
function groupsOf(ranks) {
  const groups = [];
  ranks.forEach((rank, i) => { (groups[rank] ||= []).push(i); });
  return groups;
}
