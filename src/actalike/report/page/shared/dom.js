// Making elements. Texts, labels among them, become text nodes: nothing here ever reads them as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

// The data that Python has written into the page.
export const pageData = () => JSON.parse(find("data").textContent);

export function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

// An element of a tag with classes, such as "p.muted.small"; its attributes, if it has any, come before its children.
function element(created, words, parts) {
  const [tag, ...classes] = words.split(".");
  const [first] = parts;
  const hasAttributes = typeof first === "object" && first !== null && !Array.isArray(first) && !(first instanceof Node);
  const made = created(tag);
  if (classes.length) made.setAttribute("class", classes.join(" "));
  if (tag === "button") made.type = "button";
  return fill(made, hasAttributes ? first : {}, hasAttributes ? parts.slice(1) : parts);
}

export const make = (words, ...parts) => element((tag) => document.createElement(tag), words, parts);
export const draw = (words, ...parts) => element((tag) => document.createElementNS(SVG, tag), words, parts);

// A small quiet button, unless its attributes say otherwise.
export const button = (words, onclick, attributes = {}) =>
  make("button", { class: "quiet small", onclick, ...attributes }, words);

// A text that others have written; its direction is its own.
export const foreignText = (text) => make("bdi.label", text);

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
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
    event.preventDefault();
    input.focus();
  });
}
