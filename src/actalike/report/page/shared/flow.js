// The picture of a flow, for the screen and for files: boxes in layers, arrows with their counts. And the slider for how many there are.

import { html, render } from "../vendor/preact.js";
import { slide } from "./controls.js";
import { draw, find, holding } from "./dom.js";
import { edgesNeeded, layeredLayout, meets } from "./graph.js";
import { pictureButtons } from "./pictures.js";
import { round1, thousands } from "./texts.js";
import { shorten, shortLabels, widthOf, wrap } from "./widths.js";

const FEWEST_AT_FIRST = 12;
const MOST_AT_FIRST = 30;
const MOST = 80;
const WIDE = 860; // pixels: a wider picture has the whole width of the page

// How many arrows there are at first: as many as make up a share of all steps, within limits.
export const arrowsAtFirst = (whole, share) =>
  Math.max(Math.min(edgesNeeded(whole, share), MOST_AT_FIRST), Math.min(FEWEST_AT_FIRST, whole.edges.length));

// `said` makes the sentence below the slider of the words for so many arrows.
export function arrowsSlider(choices, { edges }, said) {
  const { arrows } = choices;
  const range = { min: 1, max: Math.max(1, Math.min(MOST, edges.length)), value: arrows };
  const change = (value) => {
    choices.arrows = value;
    choices.changed("arrows");
  };
  const words = arrows === 1 ? "most frequent arrow" : `${thousands(arrows)} most frequent arrows`;
  return slide("arrows-slider", "How many arrows?", ["few", "many"], range, change, said(words));
}

// How often nodes follow each other: counts by pairs of nodes, and all steps, also those of activities that have no node (-1). Two
// more nodes are the start and the end of the case.
export function countSteps({ first, second, counts, starts, ends }, nodeOf, number) {
  const [start, end, found] = [number, number + 1, new Map()];
  let steps = 0;
  const add = (from, to, count) => {
    steps += count;
    if (!count || from < 0 || to < 0) return;
    const key = from * (end + 1) + to;
    found.set(key, (found.get(key) ?? 0) + count);
  };
  for (let k = 0; k < counts.length; k++) add(nodeOf[first[k]], nodeOf[second[k]], counts[k]);
  nodeOf.forEach((node, i) => {
    add(start, node, starts[i]);
    add(node, end, ends[i]);
  });
  return { found, steps, pair: (key) => ({ from: Math.floor(key / (end + 1)), to: key % (end + 1) }) };
}

export const START_AND_END = [
  { label: "start", end: "start", position: -1 },
  { label: "end", end: "end", position: 2 },
];

// The most frequent first.
export const byFrequency = (a, b) => b.count - a.count || a.from - b.from || a.to - b.to;

// Nodes with the sizes of their boxes, and the layout of all.
export function flowLayout({ nodes, edges }) {
  const boxed = boxes(nodes);
  return { nodes: boxed, edges, ...layeredLayout(boxed, edges) };
}

// `edgeLook` says of an edge { kind, amount, count, title }, or null if it is not drawn; `nodeLook` of a node that is none of the ends
// { kind, count, title, stripe, onclick }.
export function flowPicture(name, { nodes, edges, items, paths, width, height }, edgeLook, nodeLook, kind = "") {
  const picture = draw("svg", {
    viewBox: `-8 -4 ${Math.ceil(width + 40)} ${Math.ceil(height + 8)}`,
    width: Math.ceil(width + 48),
    height: Math.ceil(height + 8),
    role: "img",
    class: `flow-picture ${kind}`,
    "aria-label": name,
  });
  const counts = draw("g");
  const taken = nodes.map((_, i) => frameOf(items[i]));
  const looks = edges.map(edgeLook);
  const largest = Math.max(...looks.map((look) => look?.amount ?? 0), 1e-9);
  looks.forEach((look, e) => {
    if (!look) return;
    const thick = 1 + 5 * Math.sqrt(look.amount / largest);
    const arrow = (d, way, stroke) =>
      draw("path", { class: `arrow ${look.kind} ${way}`, d, "stroke-width": round1(stroke) }, draw("title", look.title));
    if (!paths[e]) {
      const [, y, right] = frameOf(items[edges[e].from]);
      const middle = y + items[edges[e].from].height / 2;
      const thin = Math.min(thick, 3);
      picture.append(
        arrow(`M${round1(right)},${round1(middle - 7)}c22,-8 22,22 3,15`, "", thin),
        head(right + 1, middle + 8, thin, "left", look.kind),
      );
      return;
    }
    const line = paths[e].map((point) => [...point]);
    const [x, y] = line.at(-1);
    const way = y > line[0][1] ? "down" : "up";
    line.at(-1)[1] += way === "down" ? -4 - thick : 4 + thick;
    picture.append(arrow(curve(line), way === "down" ? "" : "back", thick), head(x, y, thick, way, look.kind));
    const at = freeSpot(line, widthOf(look.count, 10), taken);
    if (at) counts.append(draw("text.arrow-count", { x: round1(at[0]), y: round1(at[1] + 3.5) }, look.count));
  });
  picture.append(...nodes.map((node, i) => boxPicture(node, items[i], node.end ? {} : nodeLook(node))), counts);
  picture.style.minWidth = `${Math.round((width + 48) * 0.62)}px`; // smaller cannot be read: then it scrolls
  return picture;
}

const frameOf = ({ x, y, width, height }) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];

function boxPicture(node, item, { kind, count, title, stripe, onclick }) {
  const [x, y] = frameOf(item).map(round1);
  const { width, height } = item;
  if (node.end)
    return draw(
      "g.flow-end",
      { "data-end": node.end },
      draw("rect", { x, y, width, height, rx: height / 2 }),
      draw("text", { x: round1(item.x), y: round1(item.y + 4) }, node.label),
    );
  const labels = node.lines.map((text) => ["text.flow-label", text]);
  const others = [node.secondLine, count].filter(Boolean).map((text) => ["text.flow-count", text]);
  return draw(
    "g",
    { class: `flow-box ${kind}`, onclick },
    draw("rect", { x, y, width, height, rx: 7 }),
    stripe ? draw("rect.flow-stripe", { x, y, width: 5, height, rx: 2.5, fill: stripe }) : null,
    [...labels, ...others].map(([words, text], k) => draw(words, { x: round1(item.x), y: round1(y + 17 + k * BOX.line) }, text)),
    draw("title", title),
  );
}

// A figure with its caption and the buttons that save it.
export const flowFigure = (log, name, picture, caption, isLarge = isWide(picture)) => html`
  <figure class=${isLarge ? "flow large" : "flow"}>
    <figcaption>
      <span class="flow-buttons">${pictureButtons(log, name, () => [picture])}</span>
      ${caption}
      <span class="scrolls"> It is wider than this page: scroll sideways.</span>
    </figcaption>
    <div class="scroll" tabindex="0" role="region" aria-label=${`${name}, can be scrolled`} ref=${holding(picture)} />
  </figure>
`;

export const isWide = (picture) => Number(picture.getAttribute("width")) > WIDE;

// Shows figures. One that is wider than its frame begins at the start of the process, later where the reader has scrolled to.
export function showFlows(figures) {
  const box = find("flows");
  render(figures, box);
  for (const frame of box.querySelectorAll(".scroll")) {
    const isScrolling = frame.scrollWidth - frame.clientWidth > 1;
    frame.parentElement.querySelector(".scrolls").hidden = !isScrolling;
    if (!isScrolling || frame.scrollLeft) continue;
    const start = frame.querySelector('[data-end="start"]').getBoundingClientRect();
    frame.scrollLeft = start.left + start.width / 2 - frame.getBoundingClientRect().left - frame.clientWidth / 2;
  }
}

// --- The boxes of a flow, with lines of text; its arrows, with heads and counts.

const BOX = { rooms: [126, 150, 190], lines: 3, text: 11.5, second: 10.5, line: 14 }; // widths of texts: the narrowest that cuts no label

// Nodes ({ label, second, end }) with the sizes and the lines of their boxes: each label in at most three lines; those that differ
// read differently.
export function boxes(nodes) {
  const labels = nodes.map((node) => node.label);
  const rooms = nodes.some(({ second }) => second) ? BOX.rooms.slice(1) : BOX.rooms;
  const room = rooms.find((each) => labels.every((label) => fitsBox(label, each))) ?? rooms.at(-1);
  const texts = shortLabels(labels, (text) => fitsBox(text, room));
  return nodes.map((node, i) => boxed(node, texts[i], room));
}

// Whether a text needs no more lines than a box has.
const fitsBox = (text, room) =>
  text.length <= 90 && wrap(text, BOX.text, room, BOX.lines, 600).join(" ").replace(/\s/g, "") === text.replace(/\s/g, "");

// A node with the size and the lines of its box.
function boxed(node, text, room) {
  if (node.end) return { ...node, width: 46, height: 22, lines: [node.label] };
  const lines = wrap(text, BOX.text, room, BOX.lines, 600);
  const second = node.second ? shorten(node.second, BOX.second, room) : null;
  const rows = lines.length + (second ? 2 : 1);
  return { ...node, lines, secondLine: second, width: room + 22, height: 12 + BOX.line * rows };
}

// A smooth line through points.
function curve(points) {
  let path = `M${points[0].map(round1).join(",")}`;
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    const half = (y0 + y1) / 2;
    path += `C${round1(x0)},${round1(half)} ${round1(x1)},${round1(half)} ${round1(x1)},${round1(y1)}`;
  }
  return path;
}

// A place on an arrow, near its middle, where no box and no other count is; null if there is none (its title has the count).
function freeSpot(line, wide, taken) {
  const spots = [];
  for (let i = 1; i < line.length; i++) {
    for (const t of [0.5, 0.35, 0.65, 0.2, 0.8]) {
      const bend = t * t * (3 - 2 * t); // how far aside the curve is
      spots.push([
        line[i - 1][0] + (line[i][0] - line[i - 1][0]) * bend,
        line[i - 1][1] + (line[i][1] - line[i - 1][1]) * t,
        Math.abs(i - line.length / 2) + Math.abs(t - 0.5),
      ]);
    }
  }
  spots.sort((a, b) => a[2] - b[2]);
  for (const [x, y] of spots) {
    const frame = [x - wide / 2 - 2, y - 6, x + wide / 2 + 2, y + 6];
    if (taken.some((other) => meets(frame, other))) continue;
    taken.push(frame);
    return [x, y];
  }
  return null;
}

// The head of an arrow.
function head(x, y, thick, way, kind) {
  const wide = 3 + thick * 0.9;
  const long = 4 + thick;
  const tips = {
    down: [
      [-wide, -long],
      [wide, -long],
    ],
    up: [
      [-wide, long],
      [wide, long],
    ],
    left: [
      [long, -wide],
      [long, wide],
    ],
  }[way];
  return draw("path", {
    class: `arrow-head ${kind}`,
    d: `M${round1(x)},${round1(y)}${tips.map(([dx, dy]) => `L${round1(x + dx)},${round1(y + dy)}`).join("")}Z`,
  });
}
