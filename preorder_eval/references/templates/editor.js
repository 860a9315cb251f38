// What clicks and keys do, and where the page is.

const LISTED = 400;  // sentences beside the one that is shown
const translation = () => state.sentence.translations[state.tab];

const act = {
  click(side, i, event) {
    state.focus = {side, i};
    const {selected} = state;
    if (selected.positions.size && selected.side !== side) {
      const chosen = {side: selected.side, positions: new Set(selected.positions)};
      change((links) => toggled(links, chosen, i));
      return;
    }
    const same = selected.side === side ? selected.positions : new Set();
    if (event.shiftKey && same.size) {
      for (let p = Math.min(i, state.last); p <= Math.max(i, state.last); p += 1) same.add(p);
      state.selected = {side, positions: same};
    } else if (event.ctrlKey || event.metaKey) {
      if (!same.delete(i)) same.add(i);
      state.selected = {side, positions: same};
    } else {
      state.selected = same.size === 1 && same.has(i) ? nothing() : {side, positions: new Set([i])};
    }
    state.last = i;
    draw();
  },
  pick(side, i) {
    state.selected = {side, positions: new Set([i])};
    state.focus = {side, i};
    state.last = i;
    draw();
    focusWord();
  },
  clear() {
    state.selected = nothing();
    draw();
  },
  unlink() {
    const chosen = state.selected;
    if (chosen.positions.size) change((links) => without(links, chosen));
  },
  mark() {
    const chosen = state.selected;
    if (chosen.positions.size) change((links) => remarked(links, chosen));
  },
  show(tab) {
    Object.assign(state, {tab, selected: nothing(), editing: null, draft: null, freeDraft: null});
    state.focus = {side: "source", i: 0};
    remember();
    draw();
  },
  edit(side) {
    state.editing = side;
    state.draft = null;
    draw();
    find("words")?.focus();
  },
  addTranslation() {
    const {translations} = state.sentence;
    const free = translations.findIndex((t, n) => n > 0 && !t.words.length);
    if (free > 0) act.show(free);
    else {
      translations.push({words: [], links: [], free: "", orders: [], more: 0, findings: [], fixed: false});
      act.show(translations.length - 1);
    }
    act.edit("target");
  },
  async words(tab, text) {
    const answer = await ask(() => ({do: "words", translation: tab, text, ...place()}));
    if (!answer.error) act.edit(null);
  },
  async free(text) {
    const answer = await ask(() => ({do: "free", translation: state.tab, text, ...place()}));
    if (!answer.error) { state.freeDraft = null; draw(); }
  },
  addStretch(text) {
    state.freeDraft = withStretch(text, [...state.selected.positions]);
    state.selected = nothing();
    draw();
    find("free").focus();
  },
  number(open) {
    state.numbered = open;
    draw();
  },
  go(number) {
    if (number < 0 || number >= state.rows.length) return;
    location.hash = `#${number + 1}${state.tab ? `.${state.tab + 1}` : ""}`;
  },
};

const place = () => ({sentence: state.sentence.number, revision: state.sentence.revision});

function change(edit) {
  const number = state.sentence.number, tab = state.tab;
  return ask(() => {
    if (state.sentence.number !== number) return null;
    const links = edit(state.sentence.translations[tab].links)
      .map(([source, target, possible]) => ({source, target, possible}));
    return {do: "link", translation: tab, links, ...place()};
  });
}

function draw() {
  const held = document.activeElement;
  const kept = held?.id && find("sentence").contains(held) ? held.id : null;
  const inWords = held?.classList.contains("chip");
  const at = kept && held.selectionStart !== undefined ? [held.selectionStart, held.selectionEnd] : null;
  find("sentence").replaceChildren(...drawSentence(state, act));
  drawLines(state);
  const number = state.sentence.number;
  find("number").value = number + 1;
  find("count").textContent = `of ${state.rows.length}`;
  find("previous").disabled = number === 0;
  find("next").disabled = number === state.rows.length - 1;
  const left = state.rows.filter(toFix).length;
  find("next-finding").textContent = left ? `Next finding (${left} sentence${left === 1 ? "" : "s"})` : "Nothing to fix";
  find("next-finding").disabled = !left;
  drawList();
  if (inWords) focusWord();
  else if (kept) {
    find(kept)?.focus();
    if (at) find(kept)?.setSelectionRange(...at);
  }
}

const toFix = (row) => (row.warnings[state.tab] ?? 0) > 0;

function drawList() {
  const wanted = find("search").value.toLowerCase(), only = find("only").checked;
  const hit = (row) => (!only || toFix(row)) && (!wanted
    || [row.source, ...row.targets].some((text) => text.toLowerCase().includes(wanted)
      || text.replaceAll(" ", "").toLowerCase().includes(wanted.replaceAll(" ", ""))));
  const hits = state.rows.map((row, n) => [row, n]).filter(([row]) => hit(row));
  const here = hits.findIndex(([, n]) => n >= state.sentence.number);
  const start = Math.max(0, Math.min((here < 0 ? hits.length : here) - LISTED / 2, hits.length - LISTED));
  const shown = hits.slice(start, start + LISTED);
  find("found").textContent = wanted || only ? `${hits.length} of ${state.rows.length} sentences` : "";
  find("list").replaceChildren(...shown.map(([row, n]) => {
    const count = row.warnings[state.tab] ?? 0;
    const link = el("a", {href: `#${n + 1}`, "aria-current": n === state.sentence.number ? "true" : null},
      el("span", {class: "number"}, `${n + 1}`), el("span", {class: count ? "warned" : "fine"}, count ? `${count}` : "·"),
      el("bdi", {class: "text"}, shortened(row.source, 90)));
    link.onclick = (event) => { event.preventDefault(); act.go(n); };
    return el("li", {}, link);
  }));
  const current = find("list").querySelector("[aria-current]"), box = find("list");
  if (current) box.scrollTop = Math.max(0, current.offsetTop - box.clientHeight / 2);
}

function focusWord() {
  const {side, i} = state.focus;
  document.querySelector(`.chip[data-side="${side}"][data-i="${i}"]`)?.focus();
}

function step(by, across) {
  const chips = [...document.querySelectorAll(".chip")];
  const {side, i} = state.focus ?? {side: "source", i: 0};
  const here = chips.find((c) => c.dataset.side === side && +c.dataset.i === i);
  let next;
  if (across) {
    const box = here.getBoundingClientRect(), middle = (r) => r.left + r.width / 2;
    const rows = chips.map((c) => [c, c.getBoundingClientRect()]).filter(([, r]) => by * (r.top - box.top) > 4);
    const nearest = Math.min(...rows.map(([, r]) => by * r.top));
    const away = ([, r]) => Math.abs(middle(r) - middle(box));
    next = rows.filter(([, r]) => by * r.top < nearest + 4).sort((a, b) => away(a) - away(b))[0]?.[0];
  } else {
    const turned = getComputedStyle(here.parentElement).direction === "rtl" ? -by : by;
    next = chips.find((c) => c.dataset.side === side && +c.dataset.i === i + turned);
  }
  if (!next) return;
  document.querySelectorAll(".chip[tabindex='0']").forEach((c) => c.setAttribute("tabindex", -1));
  next.setAttribute("tabindex", 0);
  state.focus = {side: next.dataset.side, i: +next.dataset.i};
  next.focus();
}

function nextFinding() {
  const {rows} = state, here = state.sentence.number;
  const following = rows.map((_, n) => (here + 1 + n) % rows.length).find((n) => toFix(rows[n]));
  if (following === here) complain("This is the only sentence with something to fix.");
  else if (following !== undefined) act.go(following);
}

function nextHit() {
  const numbers = [...find("list").querySelectorAll("a")].map((a) => Number(a.getAttribute("href").slice(1)) - 1);
  const following = numbers.find((n) => n > state.sentence.number) ?? numbers[0];
  if (following !== undefined) act.go(following);
}

const undo = () => find("undo").disabled || back("undo"), redo = () => find("redo").disabled || back("redo");
async function back(what) {
  state.freeDraft = null;
  await ask({do: what});
  remember();
}

const KEYS = {
  n: () => act.go(state.sentence.number + 1), p: () => act.go(state.sentence.number - 1), f: nextFinding,
  t: () => act.show((state.tab + 1) % state.sentence.translations.length),
  e: () => translation().fixed || act.edit("target"), u: undo, r: redo, x: act.unlink, o: act.mark,
  "/": () => find("search").focus(), "?": () => find("help").showModal(), Escape: act.clear,
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => step(-1, true), ArrowDown: () => step(1, true),
};

document.addEventListener("keydown", (event) => {
  if (!state.sentence || document.querySelector("dialog[open]")) return;
  const typing = event.target.matches("textarea, input:not([type=checkbox])");
  if (typing) {
    if (event.key === "Escape") {
      event.target.blur();
      if (event.target.id === "words") act.edit(null);
    }
    return;
  }
  const control = event.ctrlKey || event.metaKey;
  let action = control || event.altKey ? null : KEYS[event.key];
  if (control && event.key.toLowerCase() === "z") action = event.shiftKey ? redo : undo;
  if (control && event.key === "y") action = redo;
  if (!action || event.target.matches("summary") && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  action();
});

const hover = (event) => {
  const chip = event.target.closest?.(".chip");
  state.hovered = chip ? {side: chip.dataset.side, positions: new Set([+chip.dataset.i])} : null;
  drawLines(state);
  document.querySelectorAll(".order .lit").forEach((word) => word.classList.remove("lit"));
  if (!chip) return;
  const own = state.hovered.side === "source" ? state.hovered.positions
    : mates(translation().links, "target", state.hovered.positions);
  for (const i of own) document.querySelectorAll(`.order [data-i="${i}"]`).forEach((word) => word.classList.add("lit"));
};
find("sentence").addEventListener("mouseover", hover);
find("sentence").addEventListener("focusin", hover);
addEventListener("resize", () => state.sentence && drawLines(state));
addEventListener("beforeunload", (event) => { if (state.draft !== null) event.preventDefault(); });

find("previous").onclick = KEYS.p;
find("next").onclick = KEYS.n;
find("next-finding").onclick = nextFinding;
find("undo").onclick = undo;
find("redo").onclick = redo;
find("help-button").onclick = KEYS["?"];
find("dismiss").onclick = () => { find("problem").hidden = true; };
find("reread").onclick = async () => {
  const answer = await ask({do: "read"});
  if (!answer.error) show(Math.min(state.sentence.number, state.rows.length - 1));
};
find("search").oninput = drawList;
find("only").onchange = drawList;
find("search").onkeydown = (event) => { if (event.key === "Enter") nextHit(); };
find("number").onchange = () => {
  const number = Number(find("number").value);
  if (Number.isInteger(number) && number >= 1 && number <= state.rows.length) act.go(number - 1);
  else find("number").value = state.sentence.number + 1;
};
find("number").onfocus = () => find("number").select();

// The address keeps the place, so that a page that is loaded anew shows the same.
function remember() {
  const {sentence, tab} = state;
  history.replaceState(null, "", `#${sentence.number + 1}${tab ? `.${tab + 1}` : ""}`);
}

function show(number) {
  return ask({do: "show", sentence: number});
}

function follow() {
  const [, number = 1, tab] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
  state.tab = Math.max(0, Number(tab ?? 1) - 1);
  if (state.draft !== null && !confirm("Discard the unsaved words?")) { remember(); return null; }
  return show(Math.min(Math.max(Number(number), 1), state.rows.length) - 1);
}
addEventListener("hashchange", follow);

ask({do: "list"}).then((answer) => answer.error || follow());
