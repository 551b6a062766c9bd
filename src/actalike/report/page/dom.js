// Making elements. Texts, labels among them, become text nodes: nothing here ever reads them as HTML.

const find = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const make = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const draw = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

const numbers = new Intl.NumberFormat("en");
const many = (count) => numbers.format(count);
const some = (count, one, more) => `${many(count)} ${count === 1 ? one : more}`;
const percent = (share) => {
  const value = share * 100;
  if (value > 0 && value < 1) return "under 1\u00a0%";
  if (value < 100 && value > 99) return "over 99\u00a0%";
  return `${Math.round(value)}\u00a0%`;
};

function alike(value) {
  // what is not quite 1 does not look like 1
  return value.toFixed(value < 0.99995 && value >= 0.9995 ? 4 : 3);
}

function nameOf(i) {
  if (i === NOT_SHOWN) return "a rarer activity";
  const label = data.labels[i];
  return label.trim() ? label : `(${label ? "blank" : "no name"})`;
}

// a label in a sentence or a list; its direction is its own
const labelled = (i) => make("bdi", { class: "label" }, nameOf(i));

// a label that leads to its activity
function activityButton(i) {
  if (i < 0) return labelled(i);
  return make(
    "button",
    { type: "button", class: "activity", "data-activity": i, onclick: (event) => select(i, null, event) },
    labelled(i),
  );
}

function say(text) {
  // to those who do not see it change
  find("said").textContent = text;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let printing = false;
const isDark = () => dark.matches && !printing;

function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const ruler = document.createElement("canvas").getContext("2d");
const FONT = 'Inter, "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif';

function widthOf(text, pixels, weight = 400) {
  const font = `${weight} ${pixels}px ${FONT}`;
  if (ruler.asked !== font) {
    ruler.font = font;
    ruler.asked = font; // to set it again would cost as much as to measure
  }
  return ruler.measureText(text).width;
}

function shortened(text, pixels, room, weight = 400) {
  // as much of a text as there is room for
  const flat = text.replace(/\s+/g, " ");
  if (flat.length < 400 && widthOf(flat, pixels, weight) <= room) return flat;
  const characters = Array.from(flat.slice(0, 400)); // whole characters, no halves
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(`${characters.slice(0, middle).join("")}…`, pixels, weight) <= room) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join("").trimEnd()}…`;
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
