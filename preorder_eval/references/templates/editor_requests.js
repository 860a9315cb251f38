// What is shown, and the requests that change and save it.

const find = (id) => document.getElementById(id);
const nothing = () => ({side: null, positions: new Set()});
const state = {rows: [], sentence: null, tab: 0, selected: nothing(), hovered: null, focus: null, editing: null,
  draft: null, freeDraft: null, numbered: false, last: null};

// Requests wait for each other, because each is made for what the one before has left.
let waiting = Promise.resolve();
function ask(request) {
  const done = waiting.then(() => send(typeof request === "function" ? request() : request));
  waiting = done.catch(() => null);
  return done;
}

async function send(request) {
  if (request === null) return null;
  const changes = !["list", "show", "read"].includes(request.do);
  if (changes) find("saved").textContent = "saving…";
  let answer;
  try {
    const response = await fetch("do", {method: "POST", headers: {"Content-Type": "application/json"},
      body: JSON.stringify(request)});
    if (!response.ok) throw new Error(response.statusText);
    answer = await response.json();
  } catch {
    answer = {error: "The editor does not respond; it may have been stopped. Changes are no longer saved.", gone: true};
  }
  if (changes) find("saved").textContent = answer.error ? "not saved" : "saved";
  if (answer.error) complain(answer.error, answer.reread);
  else find("problem").hidden = true;
  take(answer);
  return answer;
}

function complain(text, reread = false) {
  find("problem").querySelector("p").textContent = visible(text);
  find("reread").hidden = !reread;
  find("problem").hidden = false;
}

function take(answer) {
  if (answer.list) state.rows = answer.list;
  if (answer.sentence) {
    const other = state.sentence?.number !== answer.sentence.number;
    state.sentence = answer.sentence;
    if (answer.row) state.rows[answer.sentence.number] = answer.row;
    state.tab = Math.min(state.tab, answer.sentence.translations.length - 1);
    if (other) Object.assign(state, {selected: nothing(), editing: null, draft: null, freeDraft: null, focus: null, hovered: null});
    forgetAbsent();
  }
  if (answer.undo !== undefined) {
    find("undo").disabled = !answer.undo;
    find("redo").disabled = !answer.redo;
  }
  if (state.sentence && (answer.sentence || answer.list)) drawUnpressed();
}

// A word that is drawn anew while it is pressed would lose the click: drawing waits for its end.
let pressed = false, late = false;
function drawUnpressed() {
  late = pressed;
  if (!pressed) draw();
}

function released() {
  pressed = false;
  if (late) drawUnpressed();
}

addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(released), true);

// Words may have gone.
function forgetAbsent() {
  const sizes = {source: state.sentence.source.length, target: translation().words.length};
  const {side, positions} = state.selected;
  state.selected.positions = new Set([...positions].filter((p) => p < sizes[side]));
  if (!state.focus || state.focus.i >= sizes[state.focus.side]) state.focus = {side: "source", i: 0};
}
