"use strict";
// What the rules did to a sentence: at every head the rule that applied, the items before and after.

const TRACE = { open: false };  // whether it was opened last, kept from sentence to sentence

function traceList(s, system) {
  const fired = rulesOf(system, s), tree = treeOf(system, s);
  if (fired === null || tree === null) return null;
  const steps = stepsOf(SYSTEMS[system].orders[s], tree.heads).filter(({ head }) => fired[head] >= 0);
  const changed = steps.filter(({ before, after }) => before.some((i, k) => after[k] !== i));
  const { rules } = DATA.rules[SYSTEMS[system].rules];
  const rows = changed.map(({ head, before, after }) => {
    const query = new URLSearchParams({ rule: fired[head], a: SYSTEMS[system].name });
    return el("li", {},
      el("a", { class: "rule", href: `#${query}` }, ...breakable(`${fired[head] + 1} ${rules[fired[head]]}`)),
      stepItems(s, head, before, tree), el("span", { class: "arrow" }, "→"), stepItems(s, head, after, tree));
  });
  const still = steps.length - changed.length;
  const summary = `Rules: ${changed.length} changed the order` +
    (still ? `, ${still} applied without effect` : "");
  return el("details", { class: "trace", open: TRACE.open ? "" : null },
    el("summary", {}, summary), el("ol", {}, ...rows));
}

// Every head with its children in source order and as they come out, from the root down.
function stepsOf(order, heads) {
  const place = [], items = heads.map((_, i) => [i]);
  order.forEach((position, k) => { place[position] = k; });
  heads.forEach((head, i) => { if (head >= 0) items[head].push(i); });
  const depth = (i) => {
    let above = 0;
    for (; heads[i] >= 0; i = heads[i]) above++;
    return above;
  };
  return items.map((own, head) => ({
    head, depth: depth(head),
    before: own.sort((x, y) => x - y), after: [...own].sort((x, y) => place[x] - place[y]),
  })).filter(({ before }) => before.length > 1)
    .sort((x, y) => x.depth - y.depth || place[x.head] - place[y.head]);
}

function stepItems(s, head, items, tree) {
  return el("span", { class: "items" }, ...spaced(items.map((i) => el("span",
    { class: i === head ? "item own" : "item", "data-word": i }, bdi(shortened(DATA.words[s][i], 20)),
    el("small", {}, i === head ? "HEAD" : visible(tree.labels[i]))))));
}
