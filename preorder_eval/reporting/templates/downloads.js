"use strict";
// Tables as TSV and pictures as SVG, made when they are asked for; nothing is fetched.

const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "paint-order"];
const STRIP_WIDTH = 320;

function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// What a cell is in TSV is its text, or else what data-tsv says, which can be several columns; plots are left out.
function tsvOf(rows) {
  const plain = (text) => text.replace(/\s+/g, " ").trim().replace(/^−/, "-").replace(/^(–|nan)$/, "");
  const cells = (row) => [...row.cells].filter((cell) => !cell.classList.contains("plot") || cell.dataset.tsv)
    .flatMap((cell) => cell.dataset.tsv === undefined ? [cell.textContent] : cell.dataset.tsv.split("\t")).map(plain);
  return rows.map((row) => cells(row).join("\t") + "\n").join("");
}

// A picture that stands alone: how it looks is written into it.
function standalone(picture, width, height) {
  const copy = picture.cloneNode(true);
  paint(picture, copy);
  fill(copy, { xmlns: SVG, width, height }, []);
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--raised").trim();
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: ground }));
  return new XMLSerializer().serializeToString(copy);
}

function paint(from, to) {
  const look = getComputedStyle(from);
  for (const name of PAINT) to.setAttribute(name, look.getPropertyValue(name));
  for (const name of ["class", "data-word"]) to.removeAttribute(name);
  [...from.children].forEach((child, n) => paint(child, to.children[n]));
}

function savePicture(name, picture) {
  const { width, height } = picture.getBoundingClientRect();
  saveFile(`${name}.svg`, standalone(picture, Math.ceil(width), Math.ceil(height)), "image/svg+xml");
}

// The plots of a table as one picture, each row beside its name.
function figureOf(table) {
  const rows = [...table.tBodies[0].rows].map((row) => ({
    name: row.querySelector("th").innerText, plots: [...row.querySelectorAll("td svg:not(svg svg)")] }));
  const left = 16 + Math.max(...rows.map(({ name }) => measure(name, 13)));
  const columns = Math.max(...rows.map(({ plots }) => plots.length));
  const heads = [...table.tHead.rows[0].querySelectorAll(".plot")].map((head) => [...head.querySelectorAll(".ends span")]);
  const picture = svg("svg", { class: "chart" });
  const x = (n) => left + 12 + n * (STRIP_WIDTH + 24);
  heads.forEach((ends, n) => ends.forEach((end, last) => picture.append(svg("text",
    { x: x(n) + last * STRIP_WIDTH, y: 20, class: last ? "end" : null }, end.textContent))));
  let y = 30;
  for (const { name, plots } of rows) {
    const height = Math.max(20, ...plots.map((plot) => Number(plot.getAttribute("height"))));
    picture.append(svg("text", { x: left, y: y + height / 2 + 4, class: "end" }, name));
    plots.forEach((plot, n) => picture.append(fill(plot.cloneNode(true), { x: x(n), y, width: STRIP_WIDTH }, [])));
    y += height + 4;
  }
  return { picture, width: x(columns) - 8, height: y + 6 };
}

function saveFigure(name, table) {
  const { picture, width, height } = figureOf(table);
  document.body.append(picture);  // for its looks to be known
  saveFile(`${name}.svg`, standalone(picture, width, height), "image/svg+xml");
  picture.remove();
}

// Buttons for a table; `rows` are all of its rows where it shows only some.
function saveButtons(table, rows = [...table.tBodies[0].rows]) {
  const name = table.dataset.file;
  const button = (kind, title, save) => {
    const node = el("button", { type: "button", class: "save", title }, kind);
    node.onclick = save;
    return node;
  };
  const plotted = table.querySelector("tbody td svg, td.plot") !== null;
  return el("span", { class: "saves" },
    button("TSV", "save this table as TSV", () =>
      saveFile(`${name}.tsv`, tsvOf([...table.tHead.rows, ...rows]), "text/tab-separated-values")),
    plotted ? button("SVG", "save the plots of this table as SVG", () => saveFigure(name, table)) : null);
}

function pictureButton(name, find) {
  const node = el("button", { type: "button", class: "save", title: "save this picture as SVG" }, "SVG");
  node.onclick = () => savePicture(name, find());
  return node;
}

// What the page comes with gets its buttons once.
function addButtons() {
  for (const table of document.querySelectorAll("main table[data-file]")) table.after(saveButtons(table));
  for (const figure of document.querySelectorAll("main figure[data-file]")) {
    figure.append(pictureButton(figure.dataset.file, () => figure.querySelector("svg:last-of-type")));
  }
}
