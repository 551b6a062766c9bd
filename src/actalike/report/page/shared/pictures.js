// Pictures as files: SVG that needs nothing else, and PNG at twice the size.

import { html } from "../vendor/preact.js";
import { button, download, draw, make, styleColour } from "./dom.js";

const SHARPNESS = 2;
const LARGEST_SIDE = 8000; // pixels of a PNG: browsers reject larger canvases
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

// Two buttons for what a figure shows. `pictures` returns SVG elements of the document when a button is pressed.
export function pictureButtons(log, name, pictures) {
  const file = fileName(log, name);
  const save = (kind, act) =>
    button(kind, () => act(standalone([...pictures()], `${name}: ${log}`), file), {
      class: "quiet small picture-file",
      title: `Save this picture as ${kind}`,
      "aria-label": `Save the picture “${name}” as ${kind}`,
    });
  return html`<span class="picture-files">${save("SVG", saveSvg)}${save("PNG", savePng)}</span>`;
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

// A copy of pictures, one below the other, with the styles of the page written into it: only what a picture needs, so nothing of the
// page's own attributes.
function standalone(pictures, title) {
  const frames = pictures.map((picture) => picture.viewBox.baseVal);
  const height = frames.reduce((sum, frame) => sum + frame.height, 2 * MARGIN);
  const width = Math.max(...frames.map((frame) => frame.width)) + 2 * MARGIN;
  const copy = draw(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width: Math.ceil(width), height: Math.ceil(height), "font-family": "sans-serif" },
    draw("title", xmlText(title)),
    draw("rect", { width, height, fill: styleColour("--surface") || "#fff" }),
  );
  let top = MARGIN;
  pictures.forEach((picture, k) => {
    const place = `translate(${MARGIN - frames[k].x},${top - frames[k].y})`;
    copy.append(draw("g", { transform: place }, [...picture.children].flatMap(inlined)));
    top += frames[k].height;
  });
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

// --- Zoom and pan of a picture by wheel, pinch, drag, buttons and keys.

// Scale 1 shows all; x and y are how far the picture's corner is moved, in pixels of the box. onChange draws the picture.
export class View {
  constructor(box, largestScale, onChange) {
    this.box = box;
    this.largestScale = largestScale;
    this.onChange = onChange;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.pointers = new Map();
    this.moved = false;
    this.began = { x: 0, y: 0 };
    this.before = { scale: 1, x: 0, y: 0 };
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.press(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
  }

  wheel(event) {
    // unless the picture was clicked or focused before, the page scrolls
    const outwards = event.deltaY > 0 && this.scale === 1;
    if (!(event.ctrlKey || event.metaKey || this.box.contains(document.activeElement)) || outwards) return;
    event.preventDefault();
    const at = this.at(event);
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0022)), at.x, at.y);
  }

  press(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.at(event));
    this.moved = false;
    this.began = this.at(event);
  }

  move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    const before = [...this.pointers.values()];
    const old = this.pointers.get(event.pointerId);
    const now = this.at(event);
    this.pointers.set(event.pointerId, now);
    if (!this.moved && Math.hypot(now.x - this.began.x, now.y - this.began.y) < 4 && before.length === 1) {
      this.pointers.set(event.pointerId, old);
      return;
    }
    if (!this.moved) {
      this.moved = true;
      this.box.setPointerCapture?.(event.pointerId);
    }
    if (before.length === 1) this.pan(now.x - old.x, now.y - old.y);
    else {
      const after = [...this.pointers.values()];
      const apart = (/** @type {{ x: number, y: number }[]} */ [a, b]) => Math.hypot(a.x - b.x, a.y - b.y) || 1;
      this.zoom(apart(after) / apart(before), (after[0].x + after[1].x) / 2, (after[0].y + after[1].y) / 2);
    }
  }

  at(event) {
    const frame = this.box.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  zoom(factor, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2) {
    const scale = Math.max(1, Math.min(this.largestScale, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.show();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.show();
  }

  reset() {
    Object.assign(this, { scale: 1, x: 0, y: 0 });
    this.show();
  }

  // On paper all is shown; afterwards what was shown before.
  print(isPrinting) {
    const { scale, x, y } = this;
    if (isPrinting) this.before = { scale, x, y };
    Object.assign(this, isPrinting ? { scale: 1, x: 0, y: 0 } : this.before);
    this.show();
  }

  show() {
    // the picture always covers its box
    const [width, height] = [this.box.clientWidth, this.box.clientHeight];
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    this.box.style.touchAction = this.scale > 1 ? "none" : "pan-x pan-y";
    this.onChange();
  }

  // Returns whether the key was one of its own.
  key(event) {
    if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.reset();
    else return false;
    event.preventDefault();
    return true;
  }

  buttons(what) {
    const zoom = (sign, name, act) => button(sign, act, { class: "zoom", "aria-label": `${name} the ${what}`, title: name });
    return html`
      <div class="zooms">
        ${zoom("+", "Enlarge", () => this.zoom(1.6))}
        ${zoom("−", "Reduce", () => this.zoom(1 / 1.6))}
        ${zoom("⤢", "Show all of", () => this.reset())}
      </div>
    `;
  }
}

// --- Shades of a picture: the stronger the colour, the more.

const SHADES = {
  light: ["#f2f0ea", "#cfe0e8", "#8fbcd4", "#3f86b0", "#123f66"],
  dark: ["#1a222b", "#20384a", "#2b6387", "#53a5d3", "#d3f0ff"],
};

// 257 colours, each as red, green, blue.
export function shadeRamp(isDark) {
  const stops = SHADES[isDark ? "dark" : "light"].map((colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)));
  return Array.from({ length: 257 }, (_, k) => {
    const place = (k / 256) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(place));
    return stops[low].map((value, c) => value + (stops[low + 1][c] - value) * (place - low));
  });
}
