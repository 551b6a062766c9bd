// Pictures as files: SVG that needs nothing else, and PNG at twice the size.

import { download, draw, make } from "./dom.js";
import { styleColour } from "./theme.js";

const SHARPNESS = 2;
const LARGEST_SIDE = 8000; // pixels of a PNG: browsers refuse larger canvases
const MARGIN = 12;
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-opacity",
  "opacity",
  "paint-order",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
];
const KEPT = /^(x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|d|width|height|transform|viewBox|href|preserveAspectRatio|image-rendering)$/;

// Two buttons for the picture of a figure. `picture` returns an SVG element of the document when a button is pressed.
export function pictureButtons(log, name, picture) {
  const file = fileName(log, name);
  const button = (kind, save) =>
    make(
      "button.quiet.small.picture-file",
      {
        title: `Save this picture as ${kind}`,
        "aria-label": `Save the picture “${name}” as ${kind}`,
        onclick: () => save(standalone(picture(), `${name}: ${log}`), file),
      },
      kind,
    );
  return make("span.picture-files", button("SVG", saveSvg), button("PNG", savePng));
}

// "orders.csv", "Map" -> "orders-map"
function fileName(log, name) {
  const words = `${log.replace(/(\.(xes|csv|parquet|txt|tsv|gz|zip|bz2|xz|zst|mxml))+$/i, "")}-${name}`;
  const plain = words
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .toLowerCase();
  return plain.replace(/^[-.]+|-+$/g, "").slice(0, 80) || "picture";
}

// A copy with the styles of the page written into it: only what a picture needs, so nothing of the page's own attributes.
function standalone(picture, title) {
  const [x, y, width, height] = picture
    .getAttribute("viewBox")
    .split(/[\s,]+/)
    .map(Number);
  const frame = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const copy = draw(
    "svg",
    {
      viewBox: `${frame.x} ${frame.y} ${frame.width} ${frame.height}`,
      width: Math.ceil(frame.width),
      height: Math.ceil(frame.height),
      "font-family": "sans-serif",
    },
    draw("title", xmlText(title)),
    draw("rect", { ...frame, fill: styleColour("--surface") || "#fff" }),
  );
  for (const child of picture.children) copy.append(...inlined(child));
  return copy;
}

function inlined(element) {
  if (element.localName === "title") return [draw("title", xmlText(element.textContent))];
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden") return [];
  const copy = draw(element.localName);
  for (const { name, value } of element.attributes) if (KEPT.test(name)) copy.setAttribute(name, value);
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value) copy.setAttribute(name, plainColour(value));
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(xmlText(child.data));
    else if (child.nodeType === Node.ELEMENT_NODE) copy.append(...inlined(child));
  }
  return [copy];
}

// Characters that XML does not have would make the file unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters
const xmlText = (text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd");

// color-mix() yields color(srgb ...), which other programs do not read.
function plainColour(value) {
  const found = value.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/);
  if (!found) return value;
  const [red, green, blue] = found.slice(1, 4).map((part) => Math.round(Number(part) * 255));
  return found[4] === undefined ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${found[4]})`;
}

const xml = (picture) => `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;

function saveSvg(picture, name) {
  download(`${name}.svg`, xml(picture), "image/svg+xml;charset=utf-8");
}

function savePng(picture, name) {
  const [width, height] = ["width", "height"].map((side) => Number(picture.getAttribute(side)));
  const scale = Math.min(SHARPNESS, LARGEST_SIDE / Math.max(width, height));
  const address = URL.createObjectURL(new Blob([xml(picture)], { type: "image/svg+xml;charset=utf-8" }));
  const image = new Image();
  image.onload = () => {
    const canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => download(`${name}.png`, blob, "image/png"), "image/png");
  };
  image.src = address;
}
