// The time view: a strip for each label, a column for each period; the darker, the more of its own events. Only the rows in sight
// are drawn, so that a thousand labels scroll smoothly.

import { draw, find, hideTip, make, say } from "../shared/dom.js";
import { builtPicture, cellPaths, pictureButtons, shadeRamp } from "../shared/pictures.js";
import { counted, percent, round1, thousands } from "../shared/texts.js";
import { soon, styleColour, theme } from "../shared/theme.js";
import { FONT } from "../shared/widths.js";
import { labelElement, picturedNames } from "./labels.js";

const LONGEST = 560; // pixels of the rows in sight
const [PAPER, PAPER_GUTTER] = [720, 230]; // pixels of a page's width, and of the labels in it

export class TimeView {
  constructor({ data, choices, filter }) {
    Object.assign(this, { data, choices, filter, timeline: data.timeline, order: "first", at: null });
  }

  start() {
    const guide = find("time-guide");
    if (!this.timeline) {
      guide.textContent = "The events of this log have no timestamps, so there is nothing to show over time.";
      find("time-box").hidden = true;
      return;
    }
    const undated = this.timeline.undated.reduce((sum, count) => sum + count, 0);
    guide.textContent = `A row for each label, a column for each ${this.timeline.unit}. The stronger the colour, the more of the label's own events; the strongest is its busiest ${this.timeline.unit}. A label that ends where another begins may have been replaced by it.${undated ? ` ${counted(undated, "event has", "events have")} no place in it: no timestamp, or far outside the period.` : ""}`;
    this.build();
    this.choices.watch("filter pictures", () => this.arrange());
    this.choices.watch(
      "selection theme",
      soon(() => this.draw()),
    );
    this.choices.watch("print", () => this.print());
    new ResizeObserver(() => this.layout()).observe(this.stage);
  }

  build() {
    this.canvas = make("canvas", { role: "img", "aria-label": `How often each label was used, by ${this.timeline.unit}` });
    this.space = make("div.time-space", { "aria-hidden": "true" });
    this.stage = make(
      "div.time-stage",
      {
        tabindex: 0,
        role: "application",
        "aria-label": "Labels over time",
        "aria-describedby": "time-guide time-keys",
        onscroll: soon(() => this.draw()),
        onkeydown: (event) => this.key(event),
        onpointermove: (event) => this.look(this.cellAt(event)),
        onpointerleave: () => this.look(null),
        onclick: (event) => this.choose(this.cellAt(event), event),
        onfocus: () => {
          if (!this.at && this.stage.matches(":focus-visible")) this.look([0, 0], true);
        },
      },
      this.canvas,
      this.space,
    );
    this.read = make("p.read.time-read");
    this.filter.addTo("time");
    const select = make(
      "select",
      {
        id: "time-order",
        onchange: () => {
          this.order = select.value;
          this.arrange();
        },
      },
      Object.entries(ORDERS).map(([value, text]) => make("option", { value }, text)),
    );
    find("time-controls").append(
      make("div.time-choice", make("label", { for: "time-order" }, "In the order of "), select),
      pictureButtons(this.data.title, "Time", () => this.asPicture()),
    );
    find("time-box").append(
      this.stage,
      this.read,
      make(
        "p.keys",
        { id: "time-keys" },
        "Keys: arrows go from row to row and from period to period, Home and End to the first and the last row, Enter chooses the label.",
      ),
    );
  }

  arrange() {
    this.rows = timeRows(this.timeline.counts, this.choices.groupOf, (i) => this.filter.isShown(i), this.order);
    this.at = null;
    this.width = null;
    this.layout();
    this.look(null);
  }

  layout() {
    const width = this.stage.clientWidth;
    if (!width || !this.rows || width === this.width) return;
    this.width = width;
    this.gutter = Math.round(Math.min(this.data.names ? 330 : 230, width * 0.36));
    this.texts = this.shortTexts(this.gutter);
    this.height = Math.min(LONGEST, this.rows.length * ROW) + AXIS;
    this.stage.style.height = `${this.height}px`;
    this.space.style.height = `${Math.max(0, this.rows.length * ROW + AXIS - this.height)}px`;
    this.sharp = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = Math.round(width * this.sharp);
    this.canvas.height = Math.round(this.height * this.sharp);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${this.height}px`;
    this.draw();
  }

  shortTexts(gutter) {
    return picturedNames(this.data, this.rows, 11.5, gutter - 22, 600);
  }

  get periods() {
    return this.timeline.starts.length;
  }

  get cell() {
    return cellWidth(this.timeline, this);
  }

  draw() {
    if (!this.width) return;
    const context = this.canvas.getContext("2d");
    const ramp = timeRamp();
    const { gutter, cell } = this;
    context.setTransform(this.sharp, 0, 0, this.sharp, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const top = this.stage.scrollTop;
    const first = Math.floor(top / ROW);
    context.textBaseline = "middle";
    for (let k = first; k < Math.min(this.rows.length, first + Math.ceil(this.height / ROW) + 1); k++) {
      const i = this.rows[k];
      const y = AXIS + k * ROW - top;
      const chosen = i === this.choices.selected || i === this.choices.other;
      if (chosen || this.at?.[0] === k) {
        context.fillStyle = styleColour("--accent-soft");
        context.fillRect(0, y, this.width, ROW);
      }
      const counts = this.timeline.counts[i];
      const largest = Math.max(...counts);
      for (let period = 0; period < this.periods; period++) {
        if (!counts[period]) continue;
        context.fillStyle = ramp[shadeOf(counts[period], largest)];
        context.fillRect(gutter + period * cell, y + 2, Math.max(1, cell - (cell > 5 ? 1 : 0)), ROW - 4);
      }
      const group = this.choices.groupOf[i];
      if (group) {
        context.fillStyle = group.colour;
        context.fillRect(2, y + 2, 5, ROW - 4);
      }
      context.font = `${chosen ? 600 : 400} 11.5px ${FONT}`;
      context.globalAlpha = this.filter.isRare(i) && !chosen ? 0.55 : 1;
      context.fillStyle = styleColour("--ink");
      context.fillText(this.texts[k], 12, y + ROW / 2);
      context.globalAlpha = 1;
    }
    this.axis(context);
    this.frame(context, top);
  }

  // Dates above the columns, over what is scrolled away.
  axis(context) {
    context.fillStyle = styleColour("--surface");
    context.fillRect(0, 0, this.width, AXIS);
    context.fillStyle = styleColour("--muted");
    context.font = `11px ${FONT}`;
    for (const [x, text] of timeTicks(this.timeline, this)) context.fillText(text, x, AXIS / 2);
  }

  frame(context, top) {
    if (!this.at) return;
    const [row, period] = this.at;
    context.strokeStyle = styleColour("--ink");
    context.lineWidth = 1.5;
    context.strokeRect(this.gutter + period * this.cell, AXIS + row * ROW - top + 1, Math.max(3, this.cell), ROW - 2);
  }

  cellAt(event) {
    const box = this.stage.getBoundingClientRect();
    const y = event.clientY - box.top - AXIS;
    const row = Math.floor((y + this.stage.scrollTop) / ROW);
    const period = Math.floor((event.clientX - box.left - this.gutter) / this.cell);
    if (y < 0 || row < 0 || row >= this.rows.length) return null;
    return [row, Math.max(0, Math.min(this.periods - 1, period))];
  }

  look(at, aloud = false) {
    this.at = at;
    this.read.replaceChildren(
      ...(at ? this.words(at) : [make("span.muted", `Point at a cell to read it.${this.scrollWords()}`)]),
    );
    if (aloud) say(this.read.textContent);
    this.draw();
  }

  // How many rows are in sight, if not all are.
  scrollWords() {
    const inSight = Math.floor(LONGEST / ROW);
    const all = this.rows?.length ?? 0;
    return all > inSight ? ` ${inSight} of ${thousands(all)} rows are in sight: scroll to see the others.` : "";
  }

  words([row, period]) {
    const { starts, unit, counts } = this.timeline;
    const i = this.rows[row];
    const count = counts[i][period];
    const used = [counts[i].findIndex(Boolean), counts[i].findLastIndex(Boolean)].map((k) => periodText(starts[k], unit));
    return [
      labelElement(this.data, i),
      ", ",
      make("b", periodText(starts[period], unit)),
      `: ${count ? `${counted(count, "event", "events")}, ${percent(count / this.data.counts[i])} of its ${thousands(this.data.counts[i])}` : "none"}`,
      make("span.muted", ` · used ${used[0] === used[1] ? `in ${used[0]} only` : `from ${used[0]} to ${used[1]}`}`),
    ];
  }

  choose(at, event) {
    if (at) this.choices.select(this.rows[at[0]], null, event);
  }

  key(event) {
    const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const last = [this.rows.length - 1, this.periods - 1];
    const from = this.at ?? [0, 0];
    if (event.ctrlKey || event.metaKey || event.altKey || !this.rows.length) return;
    if (event.key === "Enter" || event.key === " ") this.choose(this.at, event);
    else if (event.key === "Home" || event.key === "End") this.go([event.key === "Home" ? 0 : last[0], from[1]]);
    else if (ways[event.key])
      this.go(from.map((k, axis) => Math.max(0, Math.min(last[axis], k + (this.at ? ways[event.key][axis] : 0)))));
    else return;
    event.preventDefault();
  }

  // Looks at a cell and brings its row into sight.
  go(at) {
    const y = at[0] * ROW;
    const room = this.height - AXIS - ROW;
    if (y < this.stage.scrollTop) this.stage.scrollTop = y;
    else if (y > this.stage.scrollTop + room) this.stage.scrollTop = y - room;
    hideTip();
    this.look(at, true);
  }

  // All rows, also those that are out of sight.
  asPicture() {
    const parts = [...timeStrips(this, this.rows, this.texts, this, AXIS), ...timeAxis(this.timeline, this)];
    return builtPicture(find("time-box"), this.width, this.rows.length * ROW + AXIS, parts);
  }

  // On paper all rows are there, at the width of a page.
  print() {
    this.printed?.remove();
    this.printed = null;
    if (!theme.printing || !this.rows) return;
    const size = { width: PAPER, gutter: PAPER_GUTTER };
    this.printed = printedTime(this, this.shortTexts(size.gutter), size);
    find("time-box").append(this.printed);
  }
}

// --- The strips of the time view as SVG: a picture to be saved, and rows on paper, where nothing scrolls.

const ROW = 18;
const AXIS = 22;
const [LEAST_SHADE, SHADES] = [40, 256]; // of the ramp: a single use must be seen
const ROWS_TOGETHER = 5; // on paper: a page breaks between such parts only

const timeRamp = () => shadeRamp(theme.isDark).map((colour) => `rgb(${colour.map(Math.round).join(",")})`);

// The shade of a count: its share of the row's largest.
const shadeOf = (count, largest) => LEAST_SHADE + Math.round((SHADES - LEAST_SHADE) * Math.sqrt(count / largest));

const cellWidth = ({ starts }, { width, gutter }) => (width - gutter - 8) / starts.length;

// The places of dates, each with its text.
function timeTicks(timeline, size) {
  const { starts, unit } = timeline;
  const every = Math.max(1, Math.ceil(starts.length / Math.max(1, Math.floor((size.width - size.gutter) / 95))));
  const ticks = [];
  for (let period = 0; period < starts.length; period += every) {
    const x = size.gutter + period * cellWidth(timeline, size);
    if (x + 66 <= size.width) ticks.push([x, starts[period].slice(0, unit === "hour" ? 13 : 10)]);
  }
  return ticks;
}

const timeAxis = (timeline, size) =>
  timeTicks(timeline, size).map(([x, text]) =>
    draw("text.built-label", { "font-size": 11, x: round1(x), y: AXIS / 2 + 4 }, text),
  );

// The strips of activities with their texts, the first one at a height of `top`.
function timeStrips({ timeline, choices, filter }, rows, texts, size, top) {
  const ramp = timeRamp();
  const cell = cellWidth(timeline, size);
  const cells = [];
  rows.forEach((i, k) => {
    const counts = timeline.counts[i];
    const largest = Math.max(...counts);
    counts.forEach((count, period) => {
      const shade = Math.round(shadeOf(count, largest) / 8) * 8; // few paths
      const x = round1(size.gutter + period * cell);
      if (count) cells.push([x, top + k * ROW + 2, round1(Math.max(1, cell - 0.5)), ROW - 4, ramp[shade]]);
    });
  });
  const labels = rows.flatMap((i, k) => {
    const y = top + k * ROW;
    const group = choices.groupOf[i];
    return [
      group ? draw("rect.cells", { x: 2, y: y + 2, width: 5, height: ROW - 4, fill: group.colour }) : null,
      draw(
        "text.built-label",
        { "font-size": 11.5, x: 12, y: y + ROW / 2 + 4, opacity: filter.isRare(i) ? 0.55 : null },
        texts[k],
      ),
    ];
  });
  return [...cellPaths(cells), ...labels];
}

// All rows on paper: a table, so that every page begins with the dates.
function printedTime(view, texts, size) {
  const line = (height, parts) => draw("svg", { viewBox: `0 0 ${size.width} ${height}` }, parts);
  const starts = view.rows.map((_, k) => k).filter((k) => k % ROWS_TOGETHER === 0);
  const part = (from) => {
    const rows = view.rows.slice(from, from + ROWS_TOGETHER);
    return line(rows.length * ROW, timeStrips(view, rows, texts.slice(from, from + ROWS_TOGETHER), size, 0));
  };
  return make(
    "table.time-printed",
    make("thead", make("tr", make("td", line(AXIS, timeAxis(view.timeline, size))))),
    make(
      "tbody",
      starts.map((from) => make("tr", make("td", part(from)))),
    ),
  );
}

// --- The rows of the time view: when each label was used.

const ORDERS = { first: "first use", group: "group", frequency: "frequency" };

// The activities that are shown and dated, in an order: by first use (then last use), by group, or by frequency.
export function timeRows(counts, groupOf, isShown, order) {
  const uses = counts.map((row) => {
    const first = row.findIndex((count) => count > 0);
    return { first, last: row.findLastIndex((count) => count > 0) };
  });
  const rows = counts.map((_, i) => i).filter((i) => isShown(i) && uses[i].first >= 0);
  const byFirst = (a, b) => uses[a].first - uses[b].first || uses[a].last - uses[b].last || a - b;
  const place = (i) => groupOf[i]?.number ?? Infinity;
  const compare = {
    first: byFirst,
    group: (a, b) => (place(a) === place(b) ? byFirst(a, b) : place(a) - place(b)),
    frequency: (a, b) => a - b,
  }[order];
  return rows.sort(compare);
}

// The first day of a period as it is shown, by the unit of the timeline.
export function periodText(start, unit) {
  if (unit === "hour") return start.replace("T", " ").concat(start.includes(":") ? "" : ":00");
  if (unit === "year") return start.slice(0, 4);
  if (unit === "month") return start.slice(0, 7);
  if (unit === "quarter") return `${start.slice(0, 4)} Q${Math.ceil(Number(start.slice(5, 7)) / 3)}`;
  return unit === "week" ? `week of ${start.slice(0, 10)}` : start.slice(0, 10);
}
