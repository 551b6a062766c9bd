// Elements of a page. What follows from data and choices is a template (`html`), drawn anew by `render`, which changes only what has
// changed; pictures are made of elements. Texts, labels among them, become text nodes: nothing here ever reads them as HTML.

import { html, render } from "../vendor/preact.js";

const SVG = "http://www.w3.org/2000/svg";

/** @type {(id: string) => any} what is there and not there the page itself says */
export const find = (id) => document.getElementById(id);

// The data that Python has written into the page.
export const pageData = () => JSON.parse(find("data").textContent);

/** @type {(value: any) => any} for what no type can be inferred of */
export const untyped = (value) => value;

// What Python has sent, as it is.
export class Sent {
  constructor(packed) {
    Object.assign(this, packed);
  }
}

// An element of a tag with classes, such as "p.muted.small"; its attributes, if it has any, come before its children.
function element(created, words, parts) {
  const [tag, ...classes] = words.split(".");
  const made = created(tag);
  if (classes.length) made.setAttribute("class", classes.join(" "));
  const [first] = parts;
  const hasAttributes = typeof first === "object" && first !== null && !Array.isArray(first) && !(first instanceof Node);
  for (const [name, value] of Object.entries(hasAttributes ? first : {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  const children = hasAttributes ? parts.slice(1) : parts;
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

/** @type {(words: string, ...parts: any[]) => any} */
export const make = (words, ...parts) => element((tag) => document.createElement(tag), words, parts);
/** @type {(words: string, ...parts: any[]) => any} */
export const draw = (words, ...parts) => element((tag) => document.createElementNS(SVG, tag), words, parts);

// What was drawn, in a template: html`<div ref=${holding(picture)} />`.
export const holding = (picture) => (element) => {
  if (element && element.firstChild !== picture) element.replaceChildren(picture);
};

// A small quiet button, unless its attributes say otherwise.
export const button = (words, onclick, attributes = {}) =>
  html`<button type="button" class="quiet small" onclick=${onclick} ...${attributes}>${words}</button>`;

// A text that others have written; its direction is its own.
export const foreignText = (text) => html`<bdi class="label">${text}</bdi>`;

// Announces a change to readers who do not see it.
export function say(text) {
  find("said").textContent = text;
}

export function download(name, content, type = "text/csv;charset=utf-8") {
  const address = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The key "/" leads to the search, unless somebody is typing.
export function slashLeadsTo(input) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) return;
    event.preventDefault();
    input.focus();
  });
}

// A bar that is as full as a share is large.
export const shareBar = (share) =>
  html`<span class="meter" aria-hidden="true"><span class="meter-fill" style=${{ width: `${(share * 100).toFixed(1)}%` }} /></span>`;

// A button that copies a text, with a place for what came of it. Where the browser forbids it, the text is selected: `shown` finds it.
export function copyButton(text, shown, attributes = {}) {
  const copy = async ({ currentTarget }) => {
    getSelection()?.selectAllChildren(shown(currentTarget));
    try {
      await navigator.clipboard.writeText(text);
      currentTarget.nextElementSibling.textContent = "Copied.";
    } catch {
      currentTarget.nextElementSibling.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  return [button("Copy", copy, attributes), html`<span class="muted small" role="status" />`];
}

// --- The small box beside the pointer.

export function showTip(x, y, content) {
  const tip = find("tip");
  render(content, tip);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(innerWidth - width - 6, x + 14))}px`;
  tip.style.top = `${y + 18 + height > innerHeight ? Math.max(6, y - height - 12) : y + 18}px`;
}

export function hideTip() {
  find("tip").hidden = true;
}

// --- Sentences that Python has sent as lists of parts (support/text.py): words, { label: number } for a label, { text } for another
// text of the log. How a label is shown is up to the page.

// The elements of a sentence; `element` makes that of a label.
export const sentenceElements = (parts, element) =>
  parts.map((part) => {
    if (typeof part === "string") return part.replaceAll(" %", "\u00a0%");
    return part.label === undefined ? foreignText(part.text) : element(part.label);
  });

// A sentence as plain text, for files; `text` makes that of a label.
export const sentenceText = (parts, text) =>
  parts.map((part) => (typeof part === "string" ? part : (part.text ?? text(part.label)))).join("");

// A template that Python has sent, such as "{a} replaces {b}.", with what the page puts into its places.
export const filled = (template, values) =>
  template.split(/\{(\w+)\}/).map((part, k) => (k % 2 ? values[part] : part.replaceAll(" %", "\u00a0%")));

// --- Light or dark, as the reader's system says; on paper always light.

const dark = () => matchMedia("(prefers-color-scheme: dark)");

export const theme = {
  printing: false,
  get isDark() {
    return dark().matches && !this.printing;
  },
};

export const onThemeChange = (act) => dark().addEventListener("change", act);

// A colour of the style sheet, such as "--ink".
export const styleColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Acts once in the next frame, however often it is called before; a printer does not wait.
export function soon(act) {
  let waiting = false;
  return () => {
    if (theme.printing) act();
    if (waiting || theme.printing) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}
