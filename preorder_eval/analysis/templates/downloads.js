"use strict";
// Tables as TSV and pictures as SVG, made when they are asked for; nothing is fetched.

const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "paint-order"];

function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// What a cell is in TSV is its text, or else what data-tsv says, which can be several columns; plots are left out.
function tsvOf(rows) {
  const plain = (text) => text.replace(/\s+/g, " ").trim().replace(/^(–|nan)$/, "");
  const cells = (row) => [...row.cells].filter((cell) => !cell.classList.contains("plot") || cell.dataset.tsv)
    .flatMap((cell) => cell.dataset.tsv === undefined ? [cell.textContent] : cell.dataset.tsv.split("\t")).map(plain);
  return rows.map((row) => cells(row).join("\t") + "\n").join("");
}

function paint(from, to) {
  const look = getComputedStyle(from);
  for (const name of PAINT) to.setAttribute(name, look.getPropertyValue(name));
  for (const name of ["class", "data-word"]) to.removeAttribute(name);
  [...from.children].forEach((child, n) => paint(child, to.children[n]));
}

// A picture that stands alone: how it looks is written into it.
function savePicture(name, picture) {
  const { width, height } = picture.getBoundingClientRect(), copy = picture.cloneNode(true);
  paint(picture, copy);
  fill(copy, { xmlns: SVG, width: Math.ceil(width), height: Math.ceil(height) }, []);
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--raised").trim();
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: ground }));
  saveFile(`${name}.svg`, new XMLSerializer().serializeToString(copy), "image/svg+xml");
}

function saveButton(kind, title, save) {
  const node = el("button", { type: "button", class: "save", title }, kind);
  node.onclick = save;
  return node;
}

// The button of a table; `rows` are all of its rows where it shows only some.
function tableButton(table, rows = [...table.tBodies[0].rows]) {
  return el("span", { class: "saves" }, saveButton("TSV", "save this table as TSV", () =>
    saveFile(`${table.dataset.file}.tsv`, tsvOf([...table.tHead.rows, ...rows]), "text/tab-separated-values")));
}

function pictureButton(name, find) {
  return saveButton("SVG", "save this picture as SVG", () => savePicture(name, find()));
}

// What the page comes with gets its buttons once.
function addButtons() {
  for (const table of document.querySelectorAll("main table[data-file]")) table.after(tableButton(table));
  for (const figure of document.querySelectorAll("main figure[data-file]")) {
    figure.append(pictureButton(figure.dataset.file, () => figure.querySelector("svg:last-of-type")));
  }
}
