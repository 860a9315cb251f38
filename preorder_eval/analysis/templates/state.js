"use strict";
// The view: sentence, sides, metric, sorting and filters. The fragment of the address keeps
// all that is not as at first, so that an address is a link to it.

const ROOT = "(root)";  // what tables call the head of a root
const FIRST_STATE = Object.freeze({
  s: 1, a: DATA.pair[0], b: DATA.pair[1], m: 0, whole: "", sort: DATA.pair[1] === null ? "low" : "changed", q: "", word: "", label: "", tag: "", head: "", wrong: "", rule: "",
  phenomenon: "", lengths: "", min: "", max: "", only: "",
});
const FILTERS = ["q", "word", "label", "tag", "head", "wrong", "rule", "phenomenon", "lengths", "min",
  "max", "only"];
const state = { ...FIRST_STATE };

function systemNamed(name, fallback) {
  const found = SYSTEMS.findIndex((system) => system.name === name);
  return found >= 0 ? found : fallback;
}

// Only what names something of this page is taken from an address.
function readFragment(fragment) {
  const given = new URLSearchParams(fragment);
  const next = { ...FIRST_STATE, s: state.s, a: state.a, b: state.b, m: state.m, sort: state.sort, whole: state.whole };
  for (const name of FILTERS) if (given.has(name)) next[name] = given.get(name);
  if (given.has("a")) next.a = systemNamed(given.get("a"), next.a);
  if (given.has("b")) next.b = given.get("b") === "" ? null : systemNamed(given.get("b"), next.b);
  const metric = DATA.metrics.findIndex((m) => m.name === given.get("m"));
  if (metric >= 0) next.m = metric;
  if (given.get("whole") === "1") next.whole = "1";
  if (Object.hasOwn(SORTS, given.get("sort") ?? "")) next.sort = given.get("sort");
  const s = Number(given.get("s"));
  if (Number.isInteger(s) && s >= 1 && s <= COUNT) next.s = s;
  Object.assign(state, next);
}

function fragmentOf(wanted) {
  const fragment = new URLSearchParams({ s: wanted.s });
  if (wanted.a !== FIRST_STATE.a) fragment.set("a", SYSTEMS[wanted.a].name);
  if (wanted.b !== FIRST_STATE.b) fragment.set("b", wanted.b === null ? "" : SYSTEMS[wanted.b].name);
  if (wanted.m !== FIRST_STATE.m) fragment.set("m", DATA.metrics[wanted.m].name);
  for (const name of ["sort", "whole", ...FILTERS]) {
    if (wanted[name] !== FIRST_STATE[name]) fragment.set(name, wanted[name]);
  }
  return "#" + fragment;
}

// With six digits: equal gains may differ in the last ones, and stay in the order of the corpus.
function rankedGain(s) {
  return Number((gainOf(state.a, state.b, state.m, s) ?? 0).toFixed(6));
}

const SORTS = {
  number: null,
  low: (s) => scoreOf(state.a, state.m, s) * (DATA.metrics[state.m].higher ? 1 : -1),
  high: (s) => -scoreOf(state.a, state.m, s) * (DATA.metrics[state.m].higher ? 1 : -1),
  changed: (s) => -Math.abs(rankedGain(s)),
  lost: (s) => rankedGain(s),
  gained: (s) => -rankedGain(s),
  long: (s) => -LENGTHS[s],
};

// The sentences that pass all filters, sorted.
function chosenSentences() {
  const tests = activeTests();
  const found = [];
  for (let s = 0; s < COUNT; s++) if (tests.every((test) => test(s))) found.push(s);
  const key = SORTS[state.sort];
  if (key === null) return found;
  const keys = new Map(found.map((s) => [s, unscored(s) ? Infinity : key(s)]));
  return found.sort((x, y) => keys.get(x) - keys.get(y) || x - y);
}

function unscored(s) {
  return state.sort !== "long" && scoreOf(state.a, state.m, s) === null;
}

function activeTests() {
  const tests = [];
  if (state.q) {
    const wanted = state.q.toLowerCase();
    tests.push((s) => SEARCHED[s].includes(wanted));
  }
  if (state.phenomenon) {
    tests.push((s) => DATA.phenomena[DATA.phenomenon[s]] === state.phenomenon);
  }
  const [fewest, most] = rangeOf(state.lengths);
  if (state.lengths) tests.push((s) => LENGTHS[s] >= fewest && LENGTHS[s] <= most);
  const low = numberOf(state.min, -Infinity), high = numberOf(state.max, Infinity);
  if (low > -Infinity || high < Infinity) {
    // Scores are shown with three decimals: a bound is met by what is shown as equal to it.
    tests.push((s) => {
      const score = scoreOf(state.a, state.m, s);
      return score !== null && score >= low - 5e-4 && score <= high + 5e-4;
    });
  }
  if (!OUTPUTS && (state.word || state.label || state.tag || state.head || state.wrong)) {
    tests.push(someToken());
  }
  const only = onlyThese(state.only);
  if (only !== null) tests.push((s) => only.has(s));
  if (state.rule) {
    const rule = Number(state.rule);
    tests.push((s) => (rulesOf(state.a, s) || []).includes(rule));
  }
  return tests;
}

// Whether one and the same token is as all of the filters on tokens say.
function someToken() {
  const word = state.word.toLowerCase();
  const label = DATA.labels.indexOf(state.label), tag = DATA.tags.indexOf(state.tag);
  const head = DATA.tags.indexOf(state.head);
  const parser = parserOf(state.a);
  return (s) => {
    const wrong = state.wrong ? misplaced(state.a, s) : null;
    return DATA.words[s].some((own, i) =>
      (!wrong || wrong[i]) &&
      (!word || own.toLowerCase() === word) &&
      (!state.label || (parser && parser.labels[s][i] === label)) &&
      (!state.tag || (parser && parser.tags[s][i] === tag)) &&
      (!state.head || (parser && (parser.heads[s][i] < 0 ? state.head === ROOT
        : parser.tags[s][parser.heads[s][i]] === head))));
  };
}

function numberOf(text, otherwise) {
  const number = Number(text.replace(",", "."));
  return text.trim() === "" || Number.isNaN(number) ? otherwise : number;
}

// "10-19" or "12" as the two ends; either can be left out.
function rangeOf(text) {
  const [low, high = text.trim().endsWith("+") ? "" : low] = text.replace("+", "").split(/[-–]/);
  return [numberOf(low, 0), numberOf(high, Infinity)];
}

// All text of a sentence in lower case, for the search.
const SEARCHED = TEXTS.map((text, s) => [text, DATA.ids[s], ...(OUTPUTS ? [
  DATA.source ? DATA.source[s] : "",
] : [DATA.target ? DATA.target[s].join(" ") : ""]), ...TRANSLATIONS.map((texts) => texts[s]),
  ...SYSTEMS.map((system) => system.outputs ? system.outputs[s] : "")].join("\n").toLowerCase());
