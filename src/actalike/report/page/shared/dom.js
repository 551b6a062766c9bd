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

export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A text that others have written; its direction is its own.
export const foreignText = (text) => make("bdi", { class: "label" }, text);

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
