// The strips of the time view as SVG: a picture to be saved, and rows on paper, where nothing scrolls.

import { cellPaths } from "../shared/built_picture.js";
import { draw, make } from "../shared/dom.js";
import { round1 } from "../shared/formats.js";
import { theme } from "../shared/theme.js";
import { shadeRamp } from "./shades.js";

export const ROW = 18;
export const AXIS = 22;
const [LEAST_SHADE, SHADES] = [40, 256]; // of the ramp: a single use must be seen
const ROWS_TOGETHER = 5; // on paper: a page breaks between such parts only

export const timeRamp = () => shadeRamp(theme.isDark).map((colour) => `rgb(${colour.map(Math.round).join(",")})`);

// The shade of a count: its share of the row's largest.
export const shadeOf = (count, largest) => LEAST_SHADE + Math.round((SHADES - LEAST_SHADE) * Math.sqrt(count / largest));

export const cellWidth = ({ starts }, { width, gutter }) => (width - gutter - 8) / starts.length;

// The places of dates, each with its text.
export function timeTicks(timeline, size) {
  const { starts, unit } = timeline;
  const every = Math.max(1, Math.ceil(starts.length / Math.max(1, Math.floor((size.width - size.gutter) / 95))));
  const ticks = [];
  for (let period = 0; period < starts.length; period += every) {
    const x = size.gutter + period * cellWidth(timeline, size);
    if (x + 66 <= size.width) ticks.push([x, starts[period].slice(0, unit === "hour" ? 13 : 10)]);
  }
  return ticks;
}

export const timeAxis = (timeline, size) =>
  timeTicks(timeline, size).map(([x, text]) =>
    draw("text.built-label", { "font-size": 11, x: round1(x), y: AXIS / 2 + 4 }, text),
  );

// The strips of activities with their texts, the first one at a height of `top`.
export function timeStrips({ timeline, choices, filter }, rows, texts, size, top) {
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
export function printedTime(view, texts, size) {
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
