// The time view: a strip for each label, a column for each period; the darker, the more of its own events. Only the rows in sight
// are drawn, so that a thousand labels scroll smoothly.

import { builtPicture } from "../shared/built_picture.js";
import { find, make, say } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { pictureButtons } from "../shared/picture_files.js";
import { FONT } from "../shared/text_width.js";
import { soon, styleColour, theme } from "../shared/theme.js";
import { hideTip } from "../shared/tip.js";
import { labelElement } from "./labels.js";
import { picturedNames } from "./pictured_names.js";
import { AXIS, cellWidth, printedTime, ROW, shadeOf, timeAxis, timeRamp, timeStrips, timeTicks } from "./time_picture.js";
import { ORDERS, periodText, timeRows } from "./time_rows.js";

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
