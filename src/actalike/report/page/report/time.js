// The time view: a row for each label, a column for each period; the darker, the more of its own events. One drawing serves screen,
// paper and files: parts of some rows below a head with dates, which paper repeats on each page.

import { choice } from "../shared/controls.js";
import { button, draw, find, hideTip, make, say, soon, theme, untyped } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { pictureButtons, shadeRamp } from "../shared/pictures.js";
import { counted, percent, round1, thousands } from "../shared/texts.js";
import { html, render } from "../vendor/preact.js";
import { picturedNames } from "./labels.js";

const ROW = 18;
const AXIS = 22;
const ROWS_TOGETHER = 5; // paper breaks between such parts only
const PAPER = 720; // pixels of a page's width
const [LEAST_SHADE, SHADES, STEP] = [40, 256, 8]; // of the ramp: a single use must be seen, and there are few paths

export class TimeView {
  constructor(/** @type {ReportPage} */ { data, choices, filter }) {
    this.data = data;
    this.choices = choices;
    this.filter = filter;
    this.timeline = data.timeline;
    this.order = "first";
    this.at = untyped(null); // row and period looked at
    /** @type {number[]} */
    this.rows = [];
    this.width = 0;
    this.gutter = 0;
    this.period = 0; // its width
    this.read = untyped(null);
    this.stage = untyped(null);
    this.head = untyped(null);
    this.parts = untyped(null);
    this.cell = untyped(null);
  }

  start() {
    const guide = find("time-guide");
    if (!this.timeline) {
      guide.textContent = "The events of this log have no timestamps, so there is nothing to show over time.";
      find("time-box").hidden = true;
      return;
    }
    const { unit, undated } = this.timeline;
    const missing = undated.reduce((sum, count) => sum + count, 0);
    guide.textContent = `A row for each label, a column for each ${unit}. The stronger the colour, the more of the label's own events; the strongest is its busiest ${unit}. A label that ends where another begins may have been replaced by it.${missing ? ` ${counted(missing, "event has", "events have")} no place in it: no timestamp, or far outside the period.` : ""}`;
    this.build();
    this.choices.watch("filter pictures theme print", () => this.arrange());
    this.choices.watch("selection", () => this.mark());
    new ResizeObserver(soon(() => this.stage.clientWidth === this.width || this.arrange())).observe(this.stage);
  }

  build() {
    this.head = make("div.time-head");
    this.parts = make("div.time-parts");
    this.cell = make("div.time-cell", { hidden: true });
    this.stage = make(
      "div.time-stage",
      {
        tabindex: 0,
        role: "application",
        "aria-label": `How often each label was used, by ${this.timeline.unit}`,
        "aria-describedby": "time-guide time-keys",
        onkeydown: (event) => this.key(event),
        onpointermove: (event) => this.look(this.cellAt(event)),
        onpointerleave: () => this.look(null),
        onclick: (event) => this.choose(this.cellAt(event), event),
        onfocus: () => {
          if (!this.at && this.stage.matches(":focus-visible")) this.look([0, 0], true);
        },
      },
      this.head,
      this.parts,
      this.cell,
    );
    this.read = make("p.read.time-read");
    const reorder = (order) => {
      this.order = order;
      this.arrange();
    };
    const files = pictureButtons(this.data.title, "Time", () => this.stage.querySelectorAll("svg"));
    const order = choice("time-order", "In the order of ", ORDERS, this.order, reorder);
    this.choices.shows("filter", find("time-controls"), () => [this.filter.slider("time"), order, files]);
    const keys =
      "Keys: arrows go from row to row and from period to period, Home and End to the first and the last row, Enter chooses the label.";
    find("time-box").append(this.stage, this.read, make("p.keys", { id: "time-keys" }, keys));
    if (this.data.changes.shown.length) render(this.changesList(), find("time-changes"));
  }

  // What changed at each mark, and its flow.
  changesList() {
    const { shown, further } = this.data.changes;
    const showFlow = (change) => {
      this.choices.change = change;
      this.choices.changed("arrows");
      find("flow").scrollIntoView();
      find("flow-change").focus();
    };
    const clearest = further ? `, the ${shown.length} clearest of ${shown.length + further} changes` : "";
    const item = (change) =>
      html`<li><b>${change.title}</b>: ${change.words.join("; ")} ${button("Flow before and after", () => showFlow(change))}</li>`;
    return html`<p class="guide">Marked: when the process changed${clearest}.</p><ol>${shown.map(item)}</ol>`;
  }

  // Where a moment is, in pixels.
  xOf(moment) {
    const { starts } = this.timeline;
    const period = Math.max(
      0,
      starts.findLastIndex((start) => start <= moment),
    );
    return round1(this.gutter + period * this.period);
  }

  // Draws all rows anew, as wide as the page or the paper is.
  arrange() {
    this.rows = timeRows(this.timeline.counts, this.choices.groupOf, (i) => this.filter.isShown(i), this.order);
    this.width = this.stage.clientWidth;
    const wide = theme.printing ? PAPER : this.width;
    this.gutter = Math.round(Math.min(this.data.names ? 330 : 230, wide * 0.36));
    this.period = (wide - this.gutter - 8) / this.timeline.starts.length;
    const svg = (height, content) => draw("svg", { viewBox: `0 0 ${wide} ${height}`, width: wide, height }, content);
    const texts = picturedNames(this.data, this.rows, 11.5, this.gutter - 22, 600);
    const ramp = shadeRamp(theme.isDark).map((colour) => `rgb(${colour.map(Math.round).join(",")})`);
    const starts = this.rows.map((_, k) => k).filter((k) => k % ROWS_TOGETHER === 0);
    const marks = (height) =>
      this.data.changes.shown.map(({ at, title }) =>
        draw("path.time-change", { d: `M${this.xOf(at)},0v${height}` }, draw("title", title)),
      );
    this.head.replaceChildren(svg(AXIS, [...this.dates(wide), ...marks(AXIS)]));
    this.parts.replaceChildren(
      ...starts.map((from) => {
        const rows = this.rows.slice(from, from + ROWS_TOGETHER);
        return svg(rows.length * ROW, [...this.strips(rows, texts.slice(from), ramp), ...marks(rows.length * ROW)]);
      }),
    );
    this.mark();
    this.look(null);
  }

  // The dates above the columns.
  dates(wide) {
    const { starts, unit } = this.timeline;
    const every = Math.max(1, Math.ceil(starts.length / Math.max(1, Math.floor((wide - this.gutter) / 95))));
    return starts.flatMap((start, period) => {
      const x = this.gutter + period * this.period;
      if (period % every || x + 66 > wide) return [];
      return draw("text.time-date", { x: round1(x), y: AXIS / 2 + 4 }, start.slice(0, unit === "hour" ? 13 : 10));
    });
  }

  // Rows with their labels, the stripes of their groups, and their cells.
  strips(rows, texts, ramp) {
    const cells = rows.flatMap((i, k) => {
      const counts = this.timeline.counts[i];
      const largest = Math.max(...counts);
      return [...counts].flatMap((count, period) => {
        const shade = LEAST_SHADE + Math.round((SHADES - LEAST_SHADE) * Math.sqrt(count / largest));
        const x = round1(this.gutter + period * this.period);
        const wide = round1(Math.max(1, this.period - (this.period > 5 ? 1 : 0)));
        return count ? [[x, k * ROW + 2, wide, ROW - 4, ramp[Math.round(shade / STEP) * STEP]]] : [];
      });
    });
    const labels = rows.map((i, k) => {
      const group = this.choices.groupOf[i];
      return draw(
        "g",
        { class: this.filter.isRare(i) ? "time-row rare" : "time-row", "data-activity": i },
        draw("rect.time-back", { x: 0, y: k * ROW, width: this.width, height: ROW }),
        group ? draw("rect", { x: 2, y: k * ROW + 2, width: 5, height: ROW - 4, fill: group.colour }) : null,
        draw("text", { x: 12, y: k * ROW + ROW / 2 + 4 }, texts[k]),
      );
    });
    return [...labels, ...cellPaths(cells)];
  }

  // The rows of what is selected stand out.
  mark() {
    const chosen = [this.choices.selected, this.choices.other];
    for (const row of this.parts.querySelectorAll(".time-row"))
      row.classList.toggle("chosen", chosen.includes(Number(row.dataset.activity)));
  }

  cellAt(event) {
    const box = this.parts.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / ROW);
    const period = Math.floor((event.clientX - box.left - this.gutter) / this.period);
    const isHead = event.clientY < this.head.getBoundingClientRect().bottom;
    if (isHead || row < 0 || row >= this.rows.length) return null;
    return [row, Math.max(0, Math.min(this.timeline.starts.length - 1, period))];
  }

  look(at, aloud = false) {
    this.at = at;
    this.cell.hidden = !at;
    if (at) {
      const [row, period] = at;
      this.cell.style.left = `${this.gutter + period * this.period}px`;
      this.cell.style.top = `${AXIS + row * ROW + 1}px`;
      this.cell.style.width = `${Math.max(3, this.period)}px`;
    }
    const isCut = this.stage.scrollHeight > this.stage.clientHeight;
    const scroll = isCut ? ` Scroll to see all ${thousands(this.rows.length)} rows.` : "";
    render(at ? this.words(at) : html`<span class="muted">Point at a cell to read it.${scroll}</span>`, this.read);
    if (aloud) say(this.read.textContent);
  }

  words([row, period]) {
    const { words, counts } = this.timeline;
    const i = this.rows[row];
    const count = counts[i][period];
    const [first, last] = [counts[i].findIndex(Boolean), counts[i].findLastIndex(Boolean)].map((k) => words[k]);
    const share = `${counted(count, "event", "events")}, ${percent(count / this.data.counts[i])} of its ${thousands(this.data.counts[i])}`;
    const used = first === last ? `in ${first} only` : `from ${first} to ${last}`;
    return html`
      ${labelElement(this.data, i)}, <b>${words[period]}</b>: ${count ? share : "none"}<span class="muted"> · used ${used}</span>
    `;
  }

  choose(at, event) {
    if (at) this.choices.select(this.rows[at[0]], null, event);
  }

  key(event) {
    const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const last = [this.rows.length - 1, this.timeline.starts.length - 1];
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
    hideTip();
    this.look(at, true);
    this.cell.scrollIntoView({ block: "nearest" });
  }
}

// Cells ([x, y, width, height, colour]) as one path for each colour: far smaller than a rectangle for each.
function cellPaths(cells) {
  const paths = new Map();
  for (const [x, y, width, height, colour] of cells)
    paths.set(colour, `${paths.get(colour) ?? ""}M${x},${y}h${width}v${height}h${-width}z`);
  return [...paths].map(([fill, d]) => draw("path.cells", { d, fill }));
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
