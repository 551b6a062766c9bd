// The map: a dot for each activity, alike ones together; groups in colour.

import { draw, find, hideTip, holding, make, say, showTip, soon, theme, untyped } from "../shared/dom.js";
import { meets, touches } from "../shared/graph.js";
import { labelElement } from "../shared/labels.js";
import { pictureButtons, View } from "../shared/pictures.js";
import { counted, round1 } from "../shared/texts.js";
import { widthOf } from "../shared/widths.js";
import { html, render } from "../vendor/preact.js";
import { picturedNames } from "./labels.js";

const MARGIN = 34;
const SMALLEST = 3; // radius of a dot
const COVERED = 0.05; // largest share of the stage that dots cover
const MOST_JOINED = 60; // members of a group that are joined by lines

export class ActivityMap {
  constructor(/** @type {ReportPage} */ { data, choices, filter }) {
    this.data = data;
    this.choices = choices;
    this.filter = filter;
    this.focus = untyped(null);
    this.base = untyped(null); // the places of the dots at scale 1
    this.texts = untyped([]);
    this.width = 0;
    this.height = 0;
    this.crowding = 1;
    this.dots = draw("g");
    this.bonds = draw("g.bonds");
    this.labels = draw("g.map-labels", { "aria-hidden": "true" });
    this.picture = draw(
      "svg.map-picture",
      {
        role: "img",
        "aria-label": `Map of ${counted(this.data.size, "activity", "activities")}: those that are likely the same step lie together`,
      },
      this.bonds,
      this.dots,
      this.labels,
    );
    this.stage = make(
      "div.stage.map-stage",
      { tabindex: 0, role: "application", "aria-label": "Map of activities", "aria-describedby": "map-guide map-keys" },
      this.picture,
    );
    this.view = new View(
      this.stage,
      40,
      soon(() => this.place()),
    );
    const view = html`
      <div ref=${holding(this.stage)} />
      ${this.view.buttons("map")}
      <p class="keys" id="map-keys">
        Click the map, then the wheel zooms and dragging moves it. Keys: arrows go from dot to dot, Enter chooses, + − 0 zoom.
      </p>
    `;
    render(view, find("map-box"));
    const files = pictureButtons(data.title, "Map", () => [this.picture]);
    choices.shows("filter", find("map-controls"), () => [filter.slider("map"), files]);
    this.circles = this.data.labels.map((_, i) => this.dot(i));
    this.dots.append(...this.circles.toReversed()); // rare ones on top of frequent ones
  }

  start() {
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.stage.addEventListener("focus", () => this.step(this.focus ?? this.choices.selected ?? this.first(), true));
    this.stage.addEventListener("blur", () => {
      this.focus = untyped(null);
      this.base = untyped(null); // the places of the dots at scale 1
      this.texts = untyped([]);
      this.width = 0;
      this.height = 0;
      this.crowding = 1;
      hideTip();
      this.paint();
    });
    new ResizeObserver(() => this.layout()).observe(this.stage);
    this.choices.watch("filter", () => {
      if (this.focus !== null && !this.filter.isShown(this.focus)) this.focus = null;
      if (this.base) this.spread();
      this.paint();
    });
    this.choices.watch("theme", () => this.paint());
    this.choices.watch("print", () => this.view.print(theme.printing));
    this.choices.watch(
      "pictures",
      soon(() => this.paint()),
    );
    this.choices.watch("selection query", () => {
      this.paint();
      if (this.choices.selected !== null) this.reveal(this.choices.selected);
    });
  }

  dot(i) {
    return draw("circle.dot", {
      "data-activity": i,
      onpointerenter: (event) => this.tell(i, event.clientX, event.clientY),
      onpointerleave: hideTip,
      onclick: () => {
        if (!this.view.moved) this.choices.select(i);
      },
    });
  }

  radius(i) {
    const largest = Math.min(19, 9 + this.width / 90);
    const radius = SMALLEST + (largest - SMALLEST) * Math.sqrt(this.data.counts[i] / this.data.counts[0]);
    return Math.max(SMALLEST, radius * this.crowding);
  }

  // Places the dots in the stage, at scale 1.
  layout() {
    const [width, height] = [this.stage.clientWidth, this.stage.clientHeight];
    if (!width || !height || (width === this.width && height === this.height)) return;
    Object.assign(this, { width, height });
    this.texts = picturedNames(this.data, [...this.data.labels.keys()], 11.5, Math.min(this.data.names ? 240 : 190, width * 0.4));
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.spread();
    this.view.show();
  }

  // The dots that are shown fill the stage; those that nearly coincide part.
  spread() {
    const { width, height } = this;
    const shown = this.data.labels.map((_, i) => i).filter((i) => this.filter.isShown(i));
    const at = (i, axis) => this.data.places[2 * i + axis];
    const range = (axis) => {
      const values = shown.map((i) => at(i, axis));
      return [Math.min(...values), Math.max(...values)];
    };
    const [[left, right], [low, high]] = [range(0), range(1)];
    const scale = Math.min((width - 2 * MARGIN) / (right - left || 1), (height - 2 * MARGIN) / (high - low || 1));
    this.crowding = 1;
    const area = shown.reduce((sum, i) => sum + Math.PI * this.radius(i) ** 2, 0);
    this.crowding = Math.min(1, Math.sqrt((COVERED * width * height) / area)); // many dots are smaller
    this.base = this.data.labels.map((_, i) => [
      width / 2 + (at(i, 0) - (left + right) / 2) * scale,
      height / 2 - (at(i, 1) - (low + high) / 2) * scale,
    ]);
    separate(
      shown.map((i) => this.base[i]),
      shown.map((i) => this.radius(i)),
      width,
      height,
    );
  }

  spot(i) {
    return [this.base[i][0] * this.view.scale + this.view.x, this.base[i][1] * this.view.scale + this.view.y];
  }

  // Dots keep their size when the map is enlarged: they part.
  place() {
    if (!this.base) return;
    const grown = Math.min(1.5, this.view.scale ** 0.25);
    this.circles.forEach((circle, i) => {
      const [x, y] = this.spot(i);
      circle.setAttribute("cx", round1(x));
      circle.setAttribute("cy", round1(y));
      circle.setAttribute("r", round1(this.radius(i) * grown));
    });
    this.bond(grown);
    this.labels.replaceChildren(...mapLabels(this, grown));
  }

  // Joins the members of a group, so that colour is not the only sign.
  bond(grown) {
    const lines = this.choices.proposed
      .filter((group) => group.members.length <= MOST_JOINED)
      .map((group) => {
        const shown = group.members.filter((member) => this.filter.isShown(member));
        const spots = shown.map((member) => this.spot(member));
        const middle = [0, 1].map((axis) => round1(spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length));
        const path = spots.map((spot) => `M${spot.map(round1).join(",")}L${middle.join(",")}`).join("");
        return draw("path", { d: path, stroke: group.colour, "stroke-width": round1(9 * grown) });
      });
    this.bonds.replaceChildren(...lines);
  }

  paint() {
    const query = this.choices.query.trim().toLowerCase();
    this.circles.forEach((circle, i) => {
      const group = this.choices.groupOf[i];
      const misses = query && !this.data.hasText(i, query);
      circle.setAttribute(
        "class",
        `dot${this.filter.isShown(i) ? "" : " left-out"}${this.filter.isRare(i) ? " rare" : ""}${group ? " grouped" : ""}${misses ? " faded" : ""}${i === this.choices.selected ? " selected" : ""}${i === this.focus || i === this.choices.other ? " focused" : ""}`,
      );
      circle.style.fill = group ? group.colour : "";
    });
    this.place();
  }

  tell(i, x, y) {
    const { data } = this;
    const group = this.choices.groupOf[i];
    const nearest = data.neighbours[i][0]?.[0];
    const near = () =>
      html`<br />nearest to ${labelElement(data, nearest)} (${data.verdict(null, data.probability(i, nearest))})`;
    const content = html`
      <b>${labelElement(data, i)}</b><br />
      ${counted(data.counts[i], "event", "events")} in ${counted(data.cases[i], "case", "cases")}
      ${group && html`<br />in group ${group.number}, of ${group.decided.members.length}`}
      ${nearest !== undefined && near()}
    `;
    showTip(x, y, content);
  }

  step(i, quietly = false) {
    this.focus = i;
    this.reveal(i);
    this.paint();
    const nearest = this.data.neighbours[i][0];
    if (!quietly || document.activeElement === this.stage)
      say(
        `${this.data.name(i)}, ${counted(this.data.counts[i], "event", "events")}${nearest ? `, nearest to ${this.data.name(nearest[0])}, ${this.data.verdict(null, this.data.probability(i, nearest[0]))}` : ""}`,
      );
  }

  // Brings a dot that is out of sight into it.
  reveal(i) {
    if (!this.base) return;
    const [x, y] = this.spot(i);
    const edge = 30;
    const dx = x < edge ? edge - x : x > this.width - edge ? this.width - edge - x : 0;
    const dy = y < edge ? edge - y : y > this.height - edge ? this.height - edge - y : 0;
    if (dx || dy) this.view.pan(dx, dy);
  }

  key(event) {
    if (this.view.key(event)) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const from = this.focus ?? this.first();
    if (event.key === "Enter" || event.key === " ") this.choices.select(from, null, event);
    else if (ways[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) this.step(this.towards(from, ways[event.key]));
    else return;
    event.preventDefault();
  }

  // The most frequent activity that is shown.
  first() {
    return Math.max(
      0,
      this.data.labels.findIndex((_, i) => this.filter.isShown(i)),
    );
  }

  // The nearest dot in a direction.
  towards(from, [ux, uy]) {
    let nearest = from;
    let shortest = Infinity;
    for (let i = 0; i < this.data.size; i++) {
      const [dx, dy] = [this.base[i][0] - this.base[from][0], this.base[i][1] - this.base[from][1]];
      const along = dx * ux + dy * uy;
      const aside = Math.abs(dx * uy - dy * ux);
      if (i === from || !this.filter.isShown(i) || along <= 0.01 || aside > along * 2.2) continue;
      if (along + 1.5 * aside < shortest) {
        shortest = along + 1.5 * aside;
        nearest = i;
      }
    }
    return nearest;
  }
}

// --- The labels of the map, as far as there is room.

const MOST_LABELS = 150;

// Labels, the important ones first; one that would cover another, or a dot, is left out.
function mapLabels(map, grown) {
  const query = map.choices.query.trim().toLowerCase();
  const urgent = (i) =>
    i === map.choices.selected || i === map.focus || i === map.choices.other
      ? 3
      : query && map.data.hasText(i, query)
        ? 2
        : map.choices.groupOf[i]
          ? 1
          : 0;
  const order = map.data.labels
    .map((_, i) => i)
    .filter((i) => map.filter.isShown(i))
    .sort((a, b) => urgent(b) - urgent(a) || a - b);
  const spots = map.data.labels.map((_, i) => [...map.spot(i), map.radius(i) * grown]);
  const inside = spots.filter(
    ([x, y], i) => map.filter.isShown(i) && x > -20 && y > -20 && x < map.width + 20 && y < map.height + 20,
  );
  const taken = [[map.width - 50, 0, map.width, 128]]; // the buttons
  const shown = [];
  for (const i of order) {
    const [x, y] = spots[i];
    if (x < 0 || y < 0 || x > map.width || y > map.height) continue;
    const text = map.texts[i];
    const wide = widthOf(text, 11.5, urgent(i) === 3 ? 650 : 400);
    const clear = (spot, dots) => {
      const frame = [spot.left, spot.top, spot.left + wide, spot.top + 14];
      if (frame[0] < 2 || frame[2] > map.width - 2 || frame[1] < 2 || frame[3] > map.height - 2) return false;
      return !taken.some((other) => meets(frame, other)) && !dots.some((dot) => dot !== spots[i] && touches(frame, dot));
    };
    const options = labelSpots(spots[i], wide, map.data.size <= 60 || urgent(i) > 1);
    const free =
      options.find((spot) => clear(spot, inside)) ??
      (urgent(i) === 3 ? (options.find((spot) => clear(spot, [])) ?? options[0]) : null);
    if (!free) continue;
    taken.push([free.left - 4, free.top, free.left + wide + 4, free.top + 14]);
    const label = draw(
      "text",
      {
        x: round1(Math.max(2, Math.min(map.width - wide - 2, free.left))),
        y: round1(free.top + 11),
        class: urgent(i) === 3 ? "urgent" : map.filter.isRare(i) ? "rare" : null,
      },
      text,
    );
    if (map.choices.groupOf[i]) label.style.fill = map.choices.groupOf[i].colour;
    if (free.line)
      shown.push(
        draw("line", {
          x1: round1(free.line[0]),
          y1: round1(free.line[1]),
          x2: round1(free.line[2]),
          y2: round1(free.line[3]),
        }),
      );
    shown.push(label);
    if (shown.length > MOST_LABELS) break;
  }
  return shown;
}

// --- Places on the map: dots that part, and labels beside dots.

const OVERLAP = 0.55; // of two radii: half covered, a dot can still be seen and chosen, and its neighbours stay around it

// Moves dots that nearly coincide apart, as little as will do; they stay in the picture. Changes `spots`.
export function separate(spots, dotRadii, width, height) {
  const size = spots.length;
  const radii = dotRadii.map((radius) => radius * OVERLAP);
  const farthest = 2 * Math.max(...radii);
  const order = spots.map((_, i) => i);
  for (let round = 0; round < 40; round++) {
    let moved = false;
    order.sort((a, b) => spots[a][0] - spots[b][0] || a - b); // from left to right: only near ones are looked at
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const i = order[a];
        const j = order[b];
        const dx = spots[j][0] - spots[i][0];
        const dy = spots[j][1] - spots[i][1];
        if (dx >= farthest) break;
        const wanted = radii[i] + radii[j];
        if (dx >= wanted || dy >= wanted || dy <= -wanted || dx <= -wanted) continue;
        const apart = Math.hypot(dx, dy);
        if (apart >= wanted) continue;
        const turn = (i * 7 + j) * 2.399963;
        const ux = apart > 0.01 ? dx / apart : Math.cos(turn);
        const uy = apart > 0.01 ? dy / apart : Math.sin(turn);
        const push = (wanted - apart) / 2;
        const share = radii[j] / wanted; // the larger one moves less
        spots[i][0] -= ux * push * 2 * share;
        spots[i][1] -= uy * push * 2 * share;
        spots[j][0] += ux * push * 2 * (1 - share);
        spots[j][1] += uy * push * 2 * (1 - share);
        moved = true;
      }
    }
    if (!moved) break;
  }
  for (const spot of spots) {
    spot[0] = Math.max(14, Math.min(width - 14, spot[0]));
    spot[1] = Math.max(14, Math.min(height - 14, spot[1]));
  }
}

// Where the label of a dot may stand: beside it or, if `far`, a little away with a line to it. The best comes first.
export function labelSpots([x, y, radius], wide, far) {
  const spots = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [0.7, 0.7],
    [0.7, -0.7],
    [-0.7, 0.7],
    [-0.7, -0.7],
  ].map(([ux, uy]) => spotTowards(x, y, ux, uy, radius + 3, wide));
  if (!far) return spots;
  for (const away of [16, 30]) {
    for (const [ux, uy] of [
      [0.85, 0.5],
      [0.85, -0.5],
      [-0.85, 0.5],
      [-0.85, -0.5],
      [0.4, 0.9],
      [0.4, -0.9],
      [-0.4, 0.9],
      [-0.4, -0.9],
    ]) {
      const reach = radius + away;
      spots.push({
        ...spotTowards(x, y, ux, uy, reach, wide),
        line: [x + ux * radius, y + uy * radius, x + ux * (reach - 1), y + uy * (reach - 1)],
      });
    }
  }
  return spots;
}

function spotTowards(x, y, ux, uy, reach, wide) {
  const left = x + ux * reach - (ux > 0.1 ? 0 : ux < -0.1 ? wide : wide / 2);
  return { left, top: y + uy * reach - 7 + uy * 5 };
}
