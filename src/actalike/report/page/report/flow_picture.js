// The picture of a directly-follows graph: boxes in layers, arrows with their counts.

import { draw } from "../shared/dom.js";
import { counted, percent, round1, thousands } from "../shared/formats.js";
import { meets } from "../shared/geometry.js";
import { shortLabels } from "../shared/short_labels.js";
import { shorten, widthOf, wrap } from "../shared/text_width.js";
import { layeredLayout } from "./layers.js";

const BOX = { rooms: [126, 150, 190], lines: 3, text: 11.5, second: 10.5, line: 14 }; // widths of texts: the narrowest that cuts no label

// Returns the picture and its width in pixels.
export function flowPicture(page, name, { nodes: plainNodes, edges, share }) {
  const labels = plainNodes.map((node) => node.label);
  const rooms = plainNodes.some(({ second }) => second) ? BOX.rooms.slice(1) : BOX.rooms;
  const room = rooms.find((each) => labels.every((label) => fitsBox(label, each))) ?? rooms.at(-1);
  // each label in at most three lines; those that differ read differently
  const texts = shortLabels(labels, (text) => fitsBox(text, room));
  const nodes = plainNodes.map((node, i) => boxed(node, texts[i], room));
  const { items, paths, width, height } = layeredLayout(nodes, edges);
  const largest = Math.max(...edges.map((edge) => edge.count), 1);
  const activities = nodes.filter((node) => !node.end).length;
  const picture = draw("svg", {
    viewBox: `-8 -4 ${Math.ceil(width + 40)} ${Math.ceil(height + 8)}`,
    width: Math.ceil(width + 48),
    height: Math.ceil(height + 8),
    role: "img",
    class: "flow-picture",
    "aria-label": `${name}: ${counted(activities, "activity", "activities")} and ${counted(edges.length, "arrow", "arrows")}, ${percent(share)} of all steps`,
  });
  const figures = draw("g", {});
  const taken = items
    .slice(0, nodes.length)
    .map((item) => [item.x - item.width / 2, item.y - item.height / 2, item.x + item.width / 2, item.y + item.height / 2]);
  edges.forEach((edge, e) => {
    const thick = 1 + 5 * Math.sqrt(edge.count / largest);
    const title = draw(
      "title",
      {},
      `${fullLabel(nodes[edge.from])} → ${fullLabel(nodes[edge.to])}: ${counted(edge.count, "time", "times")}`,
    );
    if (!paths[e]) {
      const item = items[edge.from];
      const [x, y] = [item.x + item.width / 2, item.y];
      picture.append(
        draw(
          "path",
          { class: "arrow", d: `M${round1(x)},${round1(y - 7)}c22,-8 22,22 3,15`, "stroke-width": round1(Math.min(thick, 3)) },
          title,
        ),
        head(x + 1, y + 8, Math.min(thick, 3), "left"),
      );
      return;
    }
    const line = paths[e];
    const down = line.at(-1)[1] > line[0][1];
    const reach = 4 + thick;
    line.at(-1)[1] += down ? -reach : reach;
    picture.append(
      draw("path", { class: down ? "arrow" : "arrow back", d: curve(line), "stroke-width": round1(thick) }, title),
      head(line.at(-1)[0], line.at(-1)[1] + (down ? reach : -reach), thick, down ? "down" : "up"),
    );
    const at = freeSpot(line, widthOf(thousands(edge.count), 10), taken);
    if (at)
      figures.append(draw("text", { class: "arrow-count", x: round1(at[0]), y: round1(at[1] + 3.5) }, thousands(edge.count)));
  });
  picture.append(...nodes.map((node, i) => box(page, node, items[i])), figures);
  picture.style.minWidth = `${Math.round((width + 48) * 0.62)}px`; // smaller cannot be read: then it scrolls
  return { picture, width };
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

const fullLabel = ({ label, second }) => (second ? `${label} (${second})` : label);

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
function head(x, y, thick, way) {
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
    class: "arrow-head",
    d: `M${round1(x)},${round1(y)}${tips.map(([dx, dy]) => `L${round1(x + dx)},${round1(y + dy)}`).join("")}Z`,
  });
}

function box({ data, choices }, node, item) {
  const [x, y] = [round1(item.x - item.width / 2), round1(item.y - item.height / 2)];
  if (node.end)
    return draw(
      "g",
      { class: "flow-end", "data-end": node.end },
      draw("rect", { x, y, width: item.width, height: item.height, rx: item.height / 2 }),
      draw("text", { x: round1(item.x), y: round1(item.y + 4) }, node.label),
    );
  const lineAt = (k) => round1(y + 17 + k * BOX.line);
  const shape = draw(
    "g",
    {
      class: `flow-box${node.merged ? " merged" : ""}${node.cases < data.thin_cases ? " rare" : ""}`,
      onclick: () => choices.select(node.activity),
    },
    draw("rect", { x, y, width: item.width, height: item.height, rx: 7 }),
    node.group && (node.merged || choices.isMerged(node.group))
      ? draw("rect", { class: "flow-stripe", x, y, width: 5, height: item.height, rx: 2.5, fill: node.group.colour })
      : null,
    ...node.lines.map((line, k) => draw("text", { class: "flow-label", x: round1(item.x), y: lineAt(k) }, line)),
    node.secondLine
      ? draw("text", { class: "flow-count", x: round1(item.x), y: lineAt(node.lines.length) }, node.secondLine)
      : null,
    draw(
      "text",
      { class: "flow-count", x: round1(item.x), y: lineAt(node.lines.length + (node.secondLine ? 1 : 0)) },
      node.merged ? `${thousands(node.count)} · ${counted(node.members.length, "label", "labels")}` : thousands(node.count),
    ),
    draw(
      "title",
      {},
      `${fullLabel(node)}: ${counted(node.count, "event", "events")}${
        node.merged
          ? ` of ${node.members
              .map((member) => data.fullName(member))
              .slice(0, 12)
              .join("; ")}`
          : ""
      }`,
    ),
  );
  return shape;
}
