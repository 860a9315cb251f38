// Links as [source, target, possible] and what can be told from them.

function sidesOf(link) {
  return {source: link[0], target: link[1]};
}

function other(side) {
  return side === "source" ? "target" : "source";
}

// The words of the other side that some words are linked to.
function mates(links, side, positions) {
  return new Set(links.map(sidesOf).filter((l) => positions.has(l[side])).map((l) => l[other(side)]));
}

// Blocks of words that hang together by links: for each side the number of every word's block.
function blocks(links) {
  const numbers = {source: new Map(), target: new Map()};
  let count = 0;
  for (const [first] of links) {
    if (numbers.source.has(first)) continue;
    let side = "source", reached = new Set([first]);
    while (reached.size) {
      for (const position of reached) numbers[side].set(position, count);
      reached = mates(links, side, reached);
      side = other(side);
      for (const position of [...reached]) if (numbers[side].has(position)) reached.delete(position);
    }
    count += 1;
  }
  return numbers;
}

// The links after a click on a word while words of the other side are selected: it is linked to
// all of them, or to none if it was linked to all.
function toggled(links, selected, position) {
  const pair = (one) => selected.side === "source" ? [one, position] : [position, one];
  const has = ([s, t]) => links.some((link) => link[0] === s && link[1] === t);
  const pairs = [...selected.positions].map(pair);
  const missing = pairs.filter((p) => !has(p));
  if (missing.length) return [...links, ...missing.map(([s, t]) => [s, t, false])];
  return links.filter((link) => !pairs.some(([s, t]) => link[0] === s && link[1] === t));
}

function without(links, selected) {
  return links.filter((link) => !selected.positions.has(sidesOf(link)[selected.side]));
}

// Their marks turned: all possible, or all sure if they were possible already.
function remarked(links, selected) {
  const own = (link) => selected.positions.has(sidesOf(link)[selected.side]);
  const possible = links.filter(own).some((link) => !link[2]);
  return links.map((link) => own(link) ? [link[0], link[1], possible] : link);
}

// Which stretch of which free block each target position is in: `0-1|2-4 6|7-8`.
function freeStretches(text) {
  const places = new Map();
  text.split(" ").filter(Boolean).forEach((block) => block.split("|").forEach((stretch, n) => {
    const [first, last = first] = stretch.split("-").map(Number);
    for (let i = first; i <= last; i += 1) places.set(i, n);
  }));
  return places;
}

// The text of the free blocks with one more stretch, which joins the last block if it is next to it.
function withStretch(text, positions) {
  const first = Math.min(...positions), last = Math.max(...positions);
  const stretch = first === last ? `${first}` : `${first}-${last}`;
  const end = Number(/(\d+)$/.exec(text)?.[1] ?? -2);
  return text + (end + 1 === first ? "|" : text ? " " : "") + stretch;
}
