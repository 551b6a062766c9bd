// Speed against quality: a mark for each method that has both. The dashed line joins those that no other beats in both.

import { choice } from "../shared/controls.js";
import { draw, find, foreignText, hideTip, holding, say, showTip, untyped } from "../shared/dom.js";
import { meets } from "../shared/graph.js";
import { counted } from "../shared/texts.js";
import { widthOf } from "../shared/widths.js";
import { html, render } from "../vendor/preact.js";
import { columnName, isShare, secondsText, shareText } from "./data.js";
import { lookOf, shapePath, showTable } from "./table.js";

const EDGE = { left: 62, right: 24, top: 18, bottom: 52 };
const NAME_SIZE = 12;

// Of points, the fastest first, those that are better than all faster ones.
function paretoFront(points) {
  let best = -Infinity;
  return points
    .toSorted((a, b) => a.seconds - b.seconds || b.quality - a.quality)
    .filter(({ quality }) => {
      if (quality <= best) return false;
      best = quality;
      return true;
    });
}

// Powers of ten; between close ones also 2 and 5 of them.
function timeTicks(low, high) {
  const factors = high / low < 1000 ? [1, 2, 5] : [1];
  return decades(low / 10, high)
    .flatMap((power) => factors.map((factor) => factor * power))
    .filter((time) => time > low && time < high);
}

class SpeedPlot {
  constructor(page, secondsColumn, qualityColumns) {
    const { column } = page.choices.sort;
    const quality = qualityColumns.includes(column) ? column : qualityColumns[0];
    this.page = page;
    this.seconds = secondsColumn;
    this.quality = quality;
    this.box = find("speed-box");
    this.points = untyped([]);
    this.focus = untyped(null);
    this.width = 0;
    this.height = 0;
  }

  get qualityName() {
    return columnName(this.page.data.columns[this.quality]);
  }

  get roomWidth() {
    return Math.max(300, this.box.clientWidth - 2);
  }

  show() {
    const { choices } = this.page;
    this.points = choices.rows
      .filter((row) => row.figures[this.seconds] && row.figures[this.quality])
      .map((row) => ({ row, seconds: row.figures[this.seconds].value, quality: row.figures[this.quality].value }))
      .sort((a, b) => a.seconds - b.seconds || a.row.id - b.row.id);
    this.width = this.roomWidth;
    this.height = Math.max(360, Math.min(560, this.width * 0.52));
    this.focus = null;
    const none = html`<p class="none">None of the methods shown has both seconds and this figure on the chosen logs.</p>`;
    const label = "Speed and quality: arrow keys go from method to method, Enter shows it log by log";
    const stage = () => html`
      <div class="stage" tabindex="0" role="application" aria-label=${label} onkeydown=${(event) => this.key(event)}
        onblur=${() => this.focusOn(null)} ref=${holding(this.picture())} />
      <p class="keys">Choose a mark to see the method log by log. With the keyboard: ← and → go from method to method, Enter chooses.</p>
    `;
    render(this.points.length ? stage() : none, this.box);
  }

  picture() {
    const { width, height, points } = this;
    const [fastest, slowest] = [points[0].seconds / 1.6, points.at(-1).seconds * 1.6];
    const qualities = points.map((point) => point.quality);
    const [low, high] = [Math.max(0, Math.min(...qualities) - 0.03), Math.min(1, Math.max(...qualities) + 0.03)];
    const x = logScale(fastest, slowest, EDGE.left, width - EDGE.right);
    const bottom = height - EDGE.bottom;
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - EDGE.top);
    const front = paretoFront(points);
    const line = front
      .map(({ seconds, quality }, i) => (i ? `H${x(seconds)}V${y(quality)}` : `M${x(seconds)},${y(quality)}`))
      .join("");
    return draw(
      "svg.speed-picture",
      {
        width,
        height,
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `Seconds and ${this.qualityName} of ${counted(points.length, "method", "methods")}`,
      },
      this.axes(x, y, timeTicks(fastest, slowest), evenTicks(low, high)),
      draw("path.front", { d: line }),
      points.map((point, place) => this.mark(point, place, x, y)),
      this.names(front, x, y),
    );
  }

  axes(x, y, times, qualities) {
    const right = this.width - EDGE.right;
    const bottom = this.height - EDGE.bottom;
    const middle = (EDGE.top + bottom) / 2;
    const timeTitle = this.width < 500 ? "seconds (left is faster)" : "seconds, logarithmic: further left is faster";
    return [
      qualities.map((tick) => [
        draw("line.grid", { x1: EDGE.left, x2: right, y1: y(tick), y2: y(tick) }),
        draw("text", { x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(2)),
      ]),
      times.map((tick) => [
        draw("line.grid", { x1: x(tick), x2: x(tick), y1: EDGE.top, y2: bottom }),
        draw("text", { x: x(tick), y: bottom + 18, "text-anchor": "middle" }, secondsText(tick)),
      ]),
      draw("text.title", { x: (EDGE.left + right) / 2, y: this.height - 8, "text-anchor": "middle" }, timeTitle),
      draw("text.title", { x: 16, y: middle, "text-anchor": "middle", transform: `rotate(-90 16 ${middle})` }, this.qualityName),
    ];
  }

  mark(point, place, x, y) {
    const { colour, shape } = lookOf(this.page.data, point.row.method.family);
    return draw("path.mark-dot", {
      "data-mark": place,
      d: shapePath(shape, x(point.seconds), y(point.quality), 6.5),
      fill: colour,
      onpointerenter: (event) => showTip(event.clientX, event.clientY, this.tip(point)),
      onpointerleave: hideTip,
      onclick: () => this.openMethod(point.row.id),
    });
  }

  // The names of the methods on the line, where they do not run into each other.
  names(front, x, y) {
    const taken = [];
    return front.toReversed().map((point) => {
      const wide = widthOf(point.row.method.name, NAME_SIZE, 600);
      const [dotX, dotY] = [x(point.seconds), y(point.quality)];
      const left = dotX + 12 + wide < this.width - EDGE.right ? dotX + 9 : dotX - 9 - wide;
      for (const shift of [-10, 16, -24, 30]) {
        const frame = [left, dotY + shift - NAME_SIZE, left + wide, dotY + shift + 3];
        if (frame[1] < 0 || taken.some((other) => meets(frame, other))) continue;
        taken.push(frame);
        return draw("text.named", { x: left, y: dotY + shift }, point.row.method.name);
      }
      return null;
    });
  }

  tip({ row, seconds, quality }) {
    const logs = (column) => `(${counted(row.figures[column].logs, "log", "logs")})`;
    return html`
      <b>${foreignText(row.method.name)}</b>${this.qualityName} ${shareText(quality)} ${logs(this.quality)}<br />
      ${secondsText(seconds)} ${logs(this.seconds)}
    `;
  }

  focusOn(place) {
    for (const mark of this.box.querySelectorAll(".mark-dot"))
      mark.classList.toggle("focused", place !== null && Number(mark.dataset.mark) === place);
    this.focus = place;
    hideTip();
    if (place === null) return;
    const point = this.points[place];
    const frame = this.box.querySelector(`[data-mark="${place}"]`).getBoundingClientRect();
    showTip(frame.left + frame.width / 2, frame.top + frame.height / 2, this.tip(point));
    say(`${point.row.method.name}: ${this.qualityName} ${shareText(point.quality)}, ${secondsText(point.seconds)}`);
  }

  key(event) {
    const last = this.points.length - 1;
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step && this.focus === null) this.focusOn(step > 0 ? 0 : last);
    else if (step) this.focusOn(Math.max(0, Math.min(last, this.focus + step)));
    else if (event.key === "Home") this.focusOn(0);
    else if (event.key === "End") this.focusOn(last);
    else if (event.key === "Enter" && this.focus !== null) this.openMethod(this.points[this.focus].row.id);
    else return;
    event.preventDefault();
  }

  openMethod(id) {
    hideTip();
    this.page.choices.open.add(id);
    showTable(this.page);
    const button = find("board").querySelector(`[data-method="${id}"]`);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    button.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
    button.focus({ preventScroll: true });
  }
}

export function startPlot(page) {
  const { data, choices } = page;
  const seconds = data.columns.findIndex((column) => column.kind === "seconds");
  const qualities = [...data.columns.keys()].filter((place) => isShare(data.columns[place]));
  if (seconds < 0 || !qualities.length) {
    find("speed-guide").textContent =
      seconds < 0
        ? "This needs results of the efficiency benchmark too: run actalike benchmark efficiency, then give its folder as well."
        : "This needs results of a benchmark of quality too: run actalike benchmark intrinsic or prediction, then give its folder as well.";
    find("speed-controls").remove();
    find("speed-box").remove();
    return;
  }
  find("speed-guide").textContent =
    "Up is better, left is faster. The dashed line joins the methods that no other method beats in both. Seconds are means over those of the chosen logs that were timed, so the two figures of a method may come from different logs.";
  const plot = new SpeedPlot(page, seconds, qualities);
  const names = Object.fromEntries(qualities.map((place) => [place, columnName(data.columns[place])]));
  const change = (value) => {
    plot.quality = Number(value);
    plot.show();
  };
  render(choice("quality", "Quality is", names, String(plot.quality), change), find("speed-controls"));
  choices.watch(() => plot.show());
  addEventListener("resize", () => {
    if (plot.roomWidth !== plot.width) plot.show();
  });
}

// --- Logarithmic scales and the ticks of axes.

export const logScale = (low, high, from, to) => (value) =>
  from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low) || 1)) * (to - from);

// The powers of ten from low to high.
export function decades(low, high) {
  const powers = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.floor(Math.log10(high) + 1e-9); power++)
    powers.push(10 ** power);
  return powers;
}

// Evenly spaced ticks from low to high, at most nine.
export function evenTicks(low, high) {
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((width) => (high - low) / width <= 8) ?? 0.5;
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9; n++) ticks.push(Number((n * step).toFixed(2)));
  return ticks;
}
