// Drawing a sentence. `state` is what is shown, `act` what clicks do.

const CHECKS = {
  "no links": "no word has a link yet; the sentence is not scored",
  "repeated sentence id": "another sentence has the same id",
  "unaligned content words": "every word except articles and punctuation needs a link",
  "separate target spans": "linked to words that are not adjacent",
  "unaligned target words": "every word of the translation needs a link",
  "ties over a distance": "linked to the same words, but with other words between them",
  "subtrees torn apart": "the words below these do not stay contiguous (not an error)",
  "free order not in the list": "not in the list for this language",
  "listed free order not marked": "these may change places according to the list for this language; mark them if they may here",
};

function drawSentence(state, act) {
  const {sentence, tab} = state;
  const translation = sentence.translations[tab];
  const numbers = blocks(translation.links);
  const marked = {source: new Set(), target: new Set()};
  for (const finding of translation.findings) {
    if (finding.fix && marked[finding.side]) finding.positions.forEach((p) => marked[finding.side].add(p));
  }
  const chips = (side, words, extra) => el("div", {class: `chips ${side}`, dir: "auto", role: "group",
    "aria-label": side === "source" ? "Source words" : "Words of the translation", ...extra},
    ...words.map((word, i) => chip(state, act, side, i, word, numbers, marked)));
  const free = freeStretches(translation.free);
  const target = chips("target", translation.words);
  for (const [i, n] of free) target.children[i]?.classList.add("free", n % 2 ? "odd" : "even");
  return [
    el("header", {}, el("h2", {}, `Sentence ${sentence.number + 1}`),
      el("p", {class: "facts"}, ...sentence.comments.map((comment) => bdi(comment)))),
    el("div", {class: "heading"}, ...translationTabs(state, act), editButton(state, act, "source", sentence.fixed),
      editButton(state, act, "target", translation.fixed)),
    state.editing === "source" ? wordsForm(state, act, null) : null,
    state.editing === "target" ? wordsForm(state, act, tab) : null,
    el("div", {class: "align", id: "align"}, svg("svg", {class: "lines", "aria-hidden": "true"}),
      chips("source", sentence.source),
      translation.words.length ? target : el("p", {class: "note"}, "This sentence does not have this translation.")),
    selection(state, act, translation),
    el("section", {class: "orders"}, el("h3", {}, "Reference order"), ...orders(state, translation)),
    el("section", {class: "findings"}, el("h3", {}, "Findings"), findings(state, act, translation)),
    translation.words.length ? freeOrder(state, act, translation) : null,
  ].filter((part) => part !== null);
}

function chip(state, act, side, i, word, numbers, marked) {
  const number = numbers[side].get(i), selected = state.selected;
  const links = state.sentence.translations[state.tab].links;
  const own = links.filter((link) => sidesOf(link)[side] === i);
  const words = {source: state.sentence.source, target: state.sentence.translations[state.tab].words};
  const linked = own.map((link) => visible(words[other(side)][sidesOf(link)[other(side)]]));
  const classes = ["chip", number === undefined ? "alone" : `c${number % 8}`];
  if (selected.side === side && selected.positions.has(i)) classes.push("selected");
  if (selected.side === other(side) && mates(links, selected.side, selected.positions).has(i)) classes.push("mate");
  if (marked[side].has(i)) classes.push("to-fix");
  if (own.length && own.every((link) => link[2])) classes.push("possible");
  const button = el("button", {type: "button", class: classes.join(" "), "data-side": side, "data-i": i,
    tabindex: state.focus?.side === side && state.focus.i === i ? 0 : -1,
    "aria-pressed": String(classes.includes("selected")), title: `${i}`},
    bdi(word), el("small", {}, state.numbered && side === "target" ? `${i}` : number === undefined ? "–" : `${number + 1}`),
    el("span", {class: "sr"}, linked.length ? `, linked to ${linked.join(" ")}` : ", no link"));
  button.onclick = (event) => act.click(side, i, event);
  return button;
}

function editButton(state, act, side, fixed) {
  const name = side === "source" ? "source" : "translation";
  if (fixed) return "";
  const button = el("button", {type: "button", class: "small", id: `edit-${side}`,
    "aria-expanded": String(state.editing === side)}, `Edit ${name}`);
  button.onclick = () => act.edit(state.editing === side ? null : side);
  return button;
}

function translationTabs(state, act) {
  const tabs = state.sentence.translations.map((_, n) => {
    const button = el("button", {type: "button", "aria-pressed": String(n === state.tab)}, `Translation ${n + 1}`);
    button.onclick = () => act.show(n);
    return button;
  });
  const add = el("button", {type: "button", id: "add-translation", title: "Another translation of this sentence"},
    tabs.length > 1 ? "+" : "Add a translation");
  if (tabs.length > 1) add.setAttribute("aria-label", "Add a translation");
  add.onclick = act.addTranslation;
  return [tabs.length > 1 ? el("div", {class: "tabs"}, ...tabs, add) : add];
}

const untranslated = (words) => words.length === 1 && words[0] === "…";

function wordsForm(state, act, tab) {
  const words = tab === null ? state.sentence.source : state.sentence.translations[tab].words;
  const area = el("textarea", {id: "words", rows: 3, spellcheck: "false", dir: "auto",
    "aria-label": "Words, separated by spaces"});
  area.value = state.draft ?? (untranslated(words) ? "" : words.join(" "));
  area.oninput = () => { state.draft = area.value; };
  const save = el("button", {type: "submit", id: "words-save"}, "Save");
  const cancel = el("button", {type: "button"}, "Cancel");
  cancel.onclick = () => act.edit(null);
  const form = el("form", {class: "words-form"}, area, el("p", {class: "note"},
    "Separate words by spaces. Words that you keep keep their links. Ctrl + Enter saves."), el("div", {class: "group"}, save, cancel));
  form.onsubmit = (event) => { event.preventDefault(); act.words(tab, area.value); };
  area.onkeydown = (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(); };
  return form;
}

function selection(state, act, translation) {
  const {selected} = state;
  const bar = el("div", {class: "selection"});
  if (!selected.positions.size) {
    bar.append(el("span", {class: "kind"}, untranslated(translation.words) ? "Write the translation first: Edit translation."
      : "Click a word, then the words on the other side that mean the same."));
    return bar;
  }
  const words = selected.side === "source" ? state.sentence.source : translation.words;
  const button = (text, key, action) => {
    const made = el("button", {type: "button", class: "small"}, text, " ", el("kbd", {}, key));
    made.onclick = action;
    return made;
  };
  const own = translation.links.some((link) => selected.positions.has(sidesOf(link)[selected.side]));
  bar.append(bdi([...selected.positions].sort((a, b) => a - b).map((i) => words[i]).join(" ")),
    ...(own ? [button("Unlink", "x", act.unlink), button("Possible", "o", act.mark)] : []),
    button("Done", "Esc", act.clear));
  return bar;
}

function orders(state, translation) {
  const aligned = new Set(translation.links.map((link) => link[0]));
  const word = (i) => el("bdi", {class: `word ${aligned.has(i) ? "" : "alone"}`, "data-i": i}, visible(state.sentence.source[i]));
  const lines = translation.orders.map((groups) => el("li", {class: "order"}, ...groups.flatMap((group) => {
    const words = group.flatMap((i) => [word(i), " "]);
    return group.length > 1 ? [el("span", {class: "braces"}, "{ ", ...words, "}"), " "] : words;
  })));
  if (!lines.length) return [el("p", {class: "note"}, "No reference order: no word has a link.")];
  return [el("ol", {class: lines.length > 1 ? "several" : "one"}, ...lines),
    translation.more ? el("p", {class: "note"}, `and ${translation.more} more`) : null].filter((part) => part !== null);
}

function findings(state, act, translation) {
  if (!translation.findings.length) {
    return el("p", {class: "note good"}, translation.words.length ? "Nothing." : "This translation does not exist.");
  }
  return el("ul", {}, ...translation.findings.map((finding) => {
    const words = finding.side === "source" ? state.sentence.source : translation.words;
    const named = finding.positions.map((p) => {
      const text = visible(words[p] ?? p);
      const button = el("button", {type: "button", class: "small"}, el("bdi", {}, text));
      button.onclick = () => act.pick(finding.side, p);
      return button;
    });
    const mark = el("button", {type: "button", class: "small mark"}, `Mark ${finding.block}`);
    mark.onclick = () => act.free(`${translation.free} ${finding.block}`);
    const offered = finding.check === "listed free order not marked" ? [mark, " "] : [];
    return el("li", {class: finding.fix ? "to-fix" : "information"}, el("b", {}, finding.check), " ", ...named, " ",
      ...offered, el("span", {class: "kind"}, CHECKS[finding.check] ?? ""));
  }));
}

function freeOrder(state, act, translation) {
  const input = el("input", {id: "free", spellcheck: "false", autocomplete: "off", placeholder: "such as 0-1|2-4"});
  input.value = state.freeDraft ?? translation.free;
  input.oninput = () => { state.freeDraft = input.value; };
  const add = el("button", {type: "button", id: "free-add", class: "small"}, "Add selected words");
  add.disabled = state.selected.side !== "target" || !state.selected.positions.size;
  add.onclick = () => act.addStretch(input.value);
  const form = el("form", {class: "group"}, input, add, el("button", {type: "submit", class: "small"}, "Save"));
  form.onsubmit = (event) => { event.preventDefault(); act.free(input.value); };
  const details = el("details", {class: "free-order"}, el("summary", {}, "Free order",
    translation.free ? el("span", {class: "kind"}, `: ${translation.free}`) : ""),
    el("p", {class: "note"}, "Adjacent phrases of the translation that may be in any order, as numbers of their words."), form);
  details.open = state.numbered;
  details.ontoggle = () => { if (details.open !== state.numbered) act.number(details.open); };
  return details;
}

// Lines between linked words: all where both sides have a row each, and of the words in question else.
function drawLines(state) {
  const box = document.getElementById("align"), picture = box?.querySelector(".lines");
  if (!picture) return;
  picture.replaceChildren();
  const frame = box.getBoundingClientRect();
  picture.setAttribute("width", frame.width);
  picture.setAttribute("height", frame.height);
  const rects = (side) => [...box.querySelectorAll(`.chips.${side} .chip`)].map((c) => c.getBoundingClientRect());
  const source = rects("source"), target = rects("target");
  if (!target.length) return;
  const single = [source, target].every((side) => side.every((r) => Math.abs(r.top - side[0].top) < 4));
  box.classList.toggle("single", single);
  if (single && !box.dataset.measured) {  // the rows have moved apart
    box.dataset.measured = "yes";
    drawLines(state);
    return;
  }
  const links = state.sentence.translations[state.tab].links, numbers = blocks(links);
  const lit = (link) => [state.selected.positions.size ? state.selected : null, state.hovered]
    .some((words) => words && words.positions.has(sidesOf(link)[words.side]));
  for (const link of links) {
    if (!single && !lit(link)) continue;
    const [s, t, possible] = link, a = source[s], b = target[t];
    const x1 = a.left + a.width / 2 - frame.left, y1 = a.bottom - frame.top;
    const x2 = b.left + b.width / 2 - frame.left, y2 = b.top - frame.top, half = (y1 + y2) / 2;
    picture.append(svg("path", {d: `M${x1},${y1} C${x1},${half} ${x2},${half} ${x2},${y2}`,
      class: `c${numbers.source.get(s) % 8}${lit(link) ? " lit" : ""}${possible ? " possible" : ""}`}));
  }
}
