"use strict";
// Finds sections by their words, and shows in the contents where one is.

const MOST = 30; // results
const AROUND = 60; // characters of text on either side of what was found

const box = document.getElementById("search");
const results = document.getElementById("results");
const status = document.getElementById("found");
const contents = document.getElementById("contents");
const menu = document.getElementById("menu");
document.documentElement.classList.add("scripted");

// A section is a heading with all up to the next heading of its page.
const sections = [];
for (const article of document.querySelectorAll("article")) {
  let section = null;
  for (const element of article.children) {
    if (/^H[123]$/.test(element.tagName)) {
      const title = article.querySelector("h1").textContent;
      const heading = element.textContent;
      const name = element.tagName === "H1" ? title : `${title} › ${heading}`;
      section = { place: element.id, name, heading: `${article.dataset.page} ${name}`.toLowerCase(), text: "" };
      sections.push(section);
    } else if (section) {
      section.text += ` ${element.textContent}`;
    }
  }
}
for (const section of sections) {
  section.text = section.text.replace(/\s+/g, " ");
  section.lower = section.text.toLowerCase();
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (const section of words.length ? sections : []) {
    if (words.every((word) => section.heading.includes(word) || section.lower.includes(word))) {
      const weight = words.filter((word) => section.heading.includes(word)).length;
      found.push({ section, weight });
    }
  }
  found.sort((a, b) => b.weight - a.weight);
  results.replaceChildren(...found.slice(0, MOST).map(({ section }) => item(section, words)));
  results.hidden = !found.length;
  status.hidden = !words.length;
  const more = found.length > MOST ? `, the first ${MOST}` : "";
  status.textContent = `${found.length} section${found.length === 1 ? "" : "s"}${more}`;
  contents.hidden = words.length > 0;
}

function item(section, words) {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = `#${section.place}`;
  link.append(...marked(section.name, words));
  entry.append(link);
  const places = words.map((word) => section.lower.indexOf(word)).filter((place) => place >= 0);
  if (places.length) {
    const first = Math.min(...places);
    const from = Math.max(0, first - AROUND);
    const text = section.text.slice(from, first + 2 * AROUND);
    const excerpt = document.createElement("p");
    excerpt.append(from ? "…" : "", ...marked(text, words), "…");
    entry.append(excerpt);
  }
  return entry;
}

function marked(text, words) {
  const lower = text.toLowerCase();
  const parts = [];
  let done = 0;
  while (done < text.length) {
    let start = text.length;
    let length = 0;
    for (const word of words) {
      const place = lower.indexOf(word, done);
      if (place >= 0 && (place < start || (place === start && word.length > length))) {
        start = place;
        length = word.length;
      }
    }
    parts.push(text.slice(done, start));
    if (length) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(start, start + length);
      parts.push(mark);
    }
    done = start + length;
  }
  return parts;
}

box.addEventListener("input", search);
box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = results.querySelector("a");
  if (first) first.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  } else if (event.key === "Escape" && document.activeElement === box) {
    box.value = "";
    search();
  }
});

function open(wanted) {
  contents.classList.toggle("open", wanted);
  menu.setAttribute("aria-expanded", String(wanted));
}
menu.addEventListener("click", () => open(!contents.classList.contains("open")));
contents.addEventListener("click", (event) => {
  if (event.target.closest("a")) open(false);
});

const entries = new Map();
for (const link of contents.querySelectorAll("nav > ul > li > a")) {
  entries.set(link.hash.slice(1), link.parentElement);
}
const seen = new IntersectionObserver(
  (changes) => {
    for (const change of changes) {
      const entry = entries.get(change.target.dataset.page);
      if (entry) entry.classList.toggle("here", change.isIntersecting);
    }
  },
  { rootMargin: "-20% 0px -75% 0px" },
);
for (const article of document.querySelectorAll("article")) seen.observe(article);
