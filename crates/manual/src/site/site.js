// Colours, the menu on narrow screens, and the search.
"use strict";

const root = document.documentElement;
root.classList.add("has-script");

// The colours: as the system says, or as chosen; a browser may refuse to remember that for files.
const THEMES = ["auto", "light", "dark"];

function rememberedTheme() {
  try {
    const theme = localStorage.getItem("memplan-theme");
    return THEMES.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}

function showTheme(theme) {
  root.dataset.theme = theme;
  const button = document.getElementById("site-theme");
  if (button) {
    button.textContent = theme[0].toUpperCase() + theme.slice(1);
    button.setAttribute("aria-label", `Colours: ${theme}`);
  }
}

function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
  showTheme(theme);
  try {
    localStorage.setItem("memplan-theme", theme);
  } catch {
    // It holds for this page.
  }
}

// Before the page is drawn.
showTheme(rememberedTheme());

// The search. Its words are in a script of their own, which is loaded when they are needed first.
let loading;

function searchIndex() {
  loading ??= new Promise((done) => {
    const script = document.createElement("script");
    script.src = "search-index.js";
    script.onload = () => done(prepared(window.manualSearchIndex));
    document.head.append(script);
  });
  return loading;
}

function prepared(pages) {
  return pages.flatMap(([name, label, sections]) =>
    sections.map(([anchor, heading, text], at) => ({
      name,
      label,
      anchor,
      heading,
      text,
      isFirst: at === 0,
      lowerName: name.toLowerCase(),
      lowerTitle: `${label} ${heading}`.toLowerCase(),
      lowerText: text.toLowerCase(),
    })),
  );
}

// How well a section fits; 0 if a word is missing.
function score(section, words) {
  let sum = section.isFirst ? 1 : 0;
  for (const word of words) {
    let one = 0;
    if (section.lowerName === word || section.lowerName === `memplan-${word}`) one += section.isFirst ? 100 : 5;
    else if (section.lowerName.includes(word)) one += section.isFirst ? 20 : 2;
    if (section.lowerTitle.includes(word)) one += 12;
    const times = section.lowerText.split(word).length - 1;
    if (times > 0) one += 2 + Math.min(times, 6);
    if (one === 0) return 0;
    sum += one;
  }
  return sum;
}

// The text around the first word that is found, with all words marked.
function excerpt(section, words) {
  const found = words.map((word) => section.lowerText.indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...found, section.text.length) - 40);
  const from = start === 0 || found.length === 0 ? 0 : section.text.indexOf(" ", start) + 1;
  return `${from > 0 ? "… " : ""}${section.text.slice(from, from + 150)}`;
}

function appendMarked(parent, text, words) {
  const lower = text.toLowerCase();
  let at = 0;
  while (at < text.length) {
    const hits = words
      .map((word) => [lower.indexOf(word, at), word.length])
      .filter(([start]) => start >= 0)
      .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    if (hits.length === 0) break;
    const [start, length] = hits[0];
    parent.append(text.slice(at, start));
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, start + length);
    parent.append(mark);
    at = start + length;
  }
  parent.append(text.slice(at));
}

function result(section, words) {
  const link = document.createElement("a");
  link.href = `${section.name}.html${section.anchor ? `#${section.anchor}` : ""}`;
  const head = document.createElement("strong");
  appendMarked(head, section.heading ? `${section.label} › ${section.heading}` : section.label, words);
  const text = document.createElement("span");
  appendMarked(text, excerpt(section, words), words);
  link.append(head, text);
  return link;
}

const MOST = 20;

async function search(field, results) {
  const asked = field.value;
  const words = asked.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) {
    results.hidden = true;
    results.replaceChildren();
    return;
  }
  const sections = await searchIndex();
  // Something else was typed in the meantime.
  if (field.value !== asked) return;
  const found = sections
    .map((section, at) => ({ section, at, score: score(section, words) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const count = document.createElement("p");
  count.setAttribute("role", "status");
  count.textContent = found.length > MOST ? `${MOST} of ${found.length} sections` : `${found.length} sections`;
  if (found.length === 0) count.textContent = "Nothing found";
  if (found.length === 1) count.textContent = "1 section";
  results.replaceChildren(count, ...found.slice(0, MOST).map((one) => result(one.section, words)));
  results.scrollTop = 0;
  results.hidden = false;
}

// Moves the focus among the field and the results.
function move(field, results, step) {
  const all = [field, ...results.querySelectorAll("a")];
  const at = all.indexOf(document.activeElement);
  all[Math.min(Math.max(at + step, 0), all.length - 1)].focus();
}

function startSearch() {
  const field = document.getElementById("site-search");
  const results = document.getElementById("site-results");
  const box = field.parentElement;
  field.addEventListener("focus", searchIndex);
  field.addEventListener("input", () => search(field, results));
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(field, results, event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && document.activeElement === field) {
      const first = results.querySelector("a");
      if (first) first.click();
    } else if (event.key === "Escape") {
      field.value = "";
      search(field, results);
      field.blur();
    }
  });
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target)) results.hidden = true;
    // A result in the same page loads nothing.
    if (event.target.closest("#site-results a")) results.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input, textarea, select");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });
}

function startMenu() {
  const button = document.getElementById("site-menu-switch");
  button.addEventListener("click", () => {
    const isOpen = root.classList.toggle("menu-open");
    button.setAttribute("aria-expanded", String(isOpen));
  });
  // The menu shows where the page is in it.
  const nav = document.getElementById("site-menu");
  const here = nav.querySelector("[aria-current]");
  if (here && here.offsetTop > nav.clientHeight / 2) nav.scrollTop = here.offsetTop - nav.clientHeight / 2;
}

// In the contents, marks the section that is read.
function startContents() {
  const links = [...document.querySelectorAll("aside a")];
  if (links.length === 0 || !("IntersectionObserver" in window)) return;
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const update = () => {
    let at = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < 160);
    if (window.innerHeight + window.scrollY >= document.body.scrollHeight - 2) at = links.length - 1;
    links.forEach((link, number) => link.toggleAttribute("data-here", number === at));
  };
  document.addEventListener("scroll", update, { passive: true });
  update();
}

document.addEventListener("DOMContentLoaded", () => {
  showTheme(root.dataset.theme);
  document.getElementById("site-theme").addEventListener("click", nextTheme);
  startSearch();
  startMenu();
  startContents();
});
