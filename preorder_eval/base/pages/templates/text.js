"use strict";
// Text of the data is only ever set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

// What cannot be seen or turns the writing direction is written out. A joiner after a character
// that is not ASCII shapes its script (Persian, Hindi, emoji) and stays.
const HIDDEN = /(?<![^\x00-\x7f\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function visible(text) {
  return String(text).replace(HIDDEN, (c) => {
    const code = c.codePointAt(0), digits = code.toString(16);
    if (code < 0x100) return "\\x" + digits.padStart(2, "0");
    return code < 0x10000 ? "\\u" + digits.padStart(4, "0") : "\\U" + digits.padStart(8, "0");
  });
}

// Both ends of a text that is too long: what tells names apart is often last.
function shortened(text, most = 28) {
  const shown = visible(text), half = most >> 1;
  if (shown.length <= most) return shown;
  const signs = [...new Intl.Segmenter().segment(shown.length > 8 * most
    ? shown.slice(0, 4 * most) + shown.slice(-4 * most) : shown)].map(({ segment }) => segment);
  return signs.length > most ? `${signs.slice(0, half).join("")}…${signs.slice(1 - half).join("")}` : signs.join("");
}

// el("p", {class: "lead"}, "text", child, …); attributes that are null are left out.
function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

// A piece of data as text that keeps its writing direction to itself; long ones scroll.
function bdi(text, attributes = {}) {
  return el("bdi", attributes, visible(text));
}

// Text that a line may break after a bar.
function breakable(text) {
  return visible(text).split("|").flatMap((part, i) => i ? ["|", el("wbr"), part] : [part]);
}

// Numbers are rounded as the commands round them: a tie goes to the even digit.
function rounded(value, decimals) {
  const usual = value.toFixed(decimals), exact = Math.abs(value).toFixed(decimals + 20);
  const tie = /^50*$/.test(exact.slice(-20)), kept = exact.slice(0, -20).replace(/\.$/, "");
  const text = !tie || "13579".includes(kept.at(-1)) ? usual.replace("-", "") : kept;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

function number(value, decimals = 3) {
  return value === null ? "–" : rounded(value, decimals);
}

// A difference has more decimals if it would look like zero.
function signed(value, decimals = 3) {
  if (value === null) return "";
  const text = rounded(value, decimals);
  if (Math.abs(value) >= 1e-9 && !/[1-9]/.test(text)) return signed(value, decimals + 1);
  return value < 0 && text.startsWith("-") ? text : `+${text}`;
}
