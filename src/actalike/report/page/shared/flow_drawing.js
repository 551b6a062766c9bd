// The parts of a picture of a flow: boxes with lines of text, arrows with heads and counts.

import { draw } from "./dom.js";
import { round1 } from "./formats.js";
import { meets } from "./geometry.js";
import { shortLabels } from "./short_labels.js";
import { shorten, wrap } from "./text_width.js";

export const BOX = { rooms: [126, 150, 190], lines: 3, text: 11.5, second: 10.5, line: 14 }; // widths of texts: the narrowest that cuts no label

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
export function curve(points) {
  let path = `M${points[0].map(round1).join(",")}`;
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    const half = (y0 + y1) / 2;
    path += `C${round1(x0)},${round1(half)} ${round1(x1)},${round1(half)} ${round1(x1)},${round1(y1)}`;
  }
  return path;
}

// A place on an arrow, near its middle, where no box and no other count is; null if there is none (its title has the count).
export function freeSpot(line, wide, taken) {
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
export function head(x, y, thick, way) {
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
  return draw("path.arrow-head", {
    d: `M${round1(x)},${round1(y)}${tips.map(([dx, dy]) => `L${round1(x + dx)},${round1(y + dy)}`).join("")}Z`,
  });
}
