"use strict";
// One system's sentence as a picture: dependency arcs, source row, lines, reordered row.
//
// The arcs are drawn here, in the style of spaCy's displaCy, from heads and labels. displaCy's own SVG
// takes about 500 bytes an arc, which for 1,000 sentences of five systems would be 50 MB.

const FIGURE = { gap: 13, margin: 14, level: 19, arcs: 24, tag: 17, lines: 74, below: 26 };

const measure = (() => {
  const context = document.createElement("canvas").getContext("2d");
  const widths = new Map();
  return (text, size) => {
    const key = `${size} ${text}`;
    if (!widths.has(key)) {
      context.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
      widths.set(key, context.measureText(text).width);
    }
    return widths.get(key);
  };
})();

// How high each arc goes: above all arcs that it spans.
function arcLevels(arcs) {
  const tops = [];
  const levels = new Map();
  for (const arc of [...arcs].sort((x, y) => x.end - x.start - (y.end - y.start))) {
    let level = 1;
    for (let i = arc.start; i < arc.end; i++) level = Math.max(level, (tops[i] || 0) + 1);
    for (let i = arc.start; i < arc.end; i++) tops[i] = level;
    levels.set(arc, level);
  }
  return levels;
}

// The middle of every word of the source row; neighbours joined by an arc leave room for its label.
function centres(words, tags, arcs) {
  const room = new Map(arcs.filter((a) => a.end === a.start + 1)
    .map((a) => [a.start, measure(a.label, 11) + 12]));
  const widths = words.map((word, i) => Math.max(measure(word, 14.5), tags ? measure(tags[i], 10) : 0));
  const middle = [];
  widths.forEach((width, i) => {
    const plain = i ? middle[i - 1] + widths[i - 1] / 2 + FIGURE.gap + width / 2
      : FIGURE.margin + width / 2;
    middle.push(Math.max(plain, i ? middle[i - 1] + (room.get(i - 1) || 0) : 0));
  });
  return { middle, right: middle[middle.length - 1] + widths[widths.length - 1] / 2 };
}

function wordText(word, i, x, y, classes) {
  const shown = shortened(word, 24);
  const text = svg("text", { x, y, class: `word ${classes}`, "data-word": i }, shown);
  if (shown !== word) text.append(svg("title", {}, visible(word).slice(0, 400)));
  return text;
}

function arcsOf(tree, otherTree) {
  return tree.heads.flatMap((head, i) => head < 0 ? [] : [{
    start: Math.min(head, i), end: Math.max(head, i), head, child: i, label: visible(tree.labels[i]),
    differs: otherTree !== null && (otherTree.heads[i] !== head || otherTree.labels[i] !== tree.labels[i]),
  }]);
}

// `other` is the system that is compared, or null; what differs from it is marked. Trees of both sides are
// given the same height, so that their rows are level.
function figure(s, system, other) {
  const words = wordsOf(s), shown = words.map((word) => shortened(word, 24));
  const tree = treeOf(system, s), otherTree = treeOf(other, s);
  const arcs = tree === null ? [] : arcsOf(tree, otherTree);
  const levels = arcLevels(arcs);
  const otherLevels = otherTree === null ? [] : arcLevels(arcsOf(otherTree, null)).values();
  const highest = Math.max(0, ...levels.values(), ...otherLevels);
  const { middle, right } = centres(shown, tree && tree.tags, arcs);
  const top = tree === null ? 4 : FIGURE.arcs + highest * FIGURE.level;
  const sourceLine = top + 18, linesTop = sourceLine + (tree === null ? 8 : FIGURE.tag + 7);
  const linesBottom = linesTop + FIGURE.lines, orderLine = linesBottom + 16;

  const order = SYSTEMS[system].orders[s];
  const row = orderedRow(order, shown, (FIGURE.margin + right) / 2);
  const shift = Math.max(0, FIGURE.margin - row.left);
  const width = Math.max(right, row.right) + shift + FIGURE.margin, height = orderLine + FIGURE.below;
  const picture = svg("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, class: "figure",
    width: Math.ceil(width), height: Math.ceil(height), role: "img",
    "aria-label": visible(`${tree === null ? "" : "Dependency tree and "}order of ${SYSTEMS[system].name}`) });
  const x = middle.map((value) => value + shift);
  const places = row.middle.map((value) => value + shift);

  for (const arc of arcs) picture.append(drawArc(arc, levels.get(arc), x, top));
  const moved = movedBetween(order, words.map((_, i) => i));
  const differing = other === null ? new Set() : movedBetween(order, SYSTEMS[other].orders[s]);
  const half = (linesTop + linesBottom) / 2;
  for (const pass of [false, true]) {  // what moved is drawn over what did not
    order.forEach((i, k) => {
      if (moved.has(i) !== pass) return;
      picture.append(svg("path", { class: pass ? "line moved" : "line", "data-word": i,
        d: `M${x[i]} ${linesTop}C${x[i]} ${half} ${places[k]} ${half} ${places[k]} ${linesBottom}` }));
    });
  }
  words.forEach((word, i) => {
    picture.append(wordText(word, i, x[i], sourceLine, ""));
    if (tree !== null) {
      const differs = otherTree !== null && otherTree.tags[i] !== tree.tags[i];
      picture.append(svg("text", { x: x[i], y: sourceLine + FIGURE.tag - 2,
        class: differs ? "tag differs" : "tag" }, shortened(tree.tags[i], 12)));
      if (tree.heads[i] < 0) picture.append(rootMark(x[i], top));
    }
  });
  order.forEach((i, k) => {
    picture.append(wordText(words[i], i, places[k], orderLine, differing.has(i) ? "differs" : ""));
  });
  picture.append(...chunkMarks(SYSTEMS[system].broken[s], places, row.widths, orderLine + 9));
  return picture;
}

function orderedRow(order, shown, centre) {
  const widths = order.map((i) => measure(shown[i], 14.5) + 1);
  const total = widths.reduce((sum, width) => sum + width + FIGURE.gap, -FIGURE.gap);
  let at = Math.max(FIGURE.margin, centre - total / 2);
  const left = at;
  const middle = widths.map((width) => {
    at += width + FIGURE.gap;
    return at - FIGURE.gap - width / 2;
  });
  return { middle, widths, left, right: at - FIGURE.gap };
}

function drawArc(arc, level, x, top) {
  const towards = arc.child > arc.head ? 1 : -1;
  const from = x[arc.head] + 5 * towards, to = x[arc.child] - 3 * towards;
  const peak = top - level * FIGURE.level;
  const bend = Math.min(26, Math.abs(to - from) / 2) * towards;
  return svg("g", { class: arc.differs ? "arc differs" : "arc", "data-word": arc.child },
    svg("path", { d: `M${from} ${top}C${from} ${peak} ${from} ${peak} ${from + bend} ${peak}` +
      `L${to - bend} ${peak}C${to} ${peak} ${to} ${peak} ${to} ${top - 3}` }),
    svg("path", { class: "head", d: `M${to} ${top + 2}l-3.5 -7h7z` }),
    svg("text", { x: (from + to) / 2, y: peak + 3.5 }, shortened(arc.label, 20)));
}

// The root's arrow comes from above all arcs, of which none can span it in a projective tree.
function rootMark(x, top) {
  return svg("g", { class: "arc root" },
    svg("path", { d: `M${x} 14V${top - 3}` }),
    svg("path", { class: "head", d: `M${x} ${top + 2}l-3.5 -7h7z` }),
    svg("text", { x, y: 11 }, "root"));
}

// Brackets below what is contiguous in the reference too, and a cross at each break.
function chunkMarks(broken, places, widths, y) {
  const marks = [];
  let start = 0;
  for (const k of [...broken, places.length - 1]) {
    const left = places[start] - widths[start] / 2, right = places[k] + widths[k] / 2;
    marks.push(svg("path", { class: "chunk", d: `M${left} ${y - 4}v4H${right}v-4` }));
    if (k < places.length - 1) {
      const next = places[k + 1] - widths[k + 1] / 2;
      marks.push(svg("text", { class: "break", x: (right + next) / 2, y: y + 4 }, "✕"));
    }
    start = k + 1;
  }
  return marks;
}
