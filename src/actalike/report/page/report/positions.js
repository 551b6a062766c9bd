// Where activities occur in a case: a box plot for each of the most frequent ones, and for the selected one.

import { draw, figureTable, find, make } from "../shared/dom.js";
import { builtPicture, pictureButtons } from "../shared/pictures.js";
import { round1 } from "../shared/texts.js";
import { shortenAll } from "../shared/widths.js";
import { activityButton, labelElement } from "./labels.js";

const ROWS = 14;

export function startPositions(page) {
  page.choices.watch("selection theme pictures", () => showPositions(page));
}

function showPositions(page) {
  const { data, choices } = page;
  const chosen = new Set(Array.from({ length: Math.min(ROWS, data.size) }, (_, i) => i));
  for (const extra of [choices.selected, choices.other]) if (extra !== null) chosen.add(extra);
  const rows = [...chosen].sort(
    (a, b) => data.positions[a][2] - data.positions[b][2] || data.positions[a][5] - data.positions[b][5] || a - b,
  );
  const at = (value) => `${(value * 100).toFixed(2)}%`;
  const list = make(
    "ul.boxes",
    rows.map((i) => {
      const [least, first, median, third, largest] = data.positions[i];
      const group = choices.groupOf[i];
      const part = (name, from, to) => {
        const bar = make("span", { class: name });
        bar.style.left = at(from);
        if (to !== null) bar.style.width = at(to - from);
        return bar;
      };
      const description = `from ${least.toFixed(2)} to ${largest.toFixed(2)}, half of its events between ${first.toFixed(2)} and ${third.toFixed(2)}, median ${median.toFixed(2)}`;
      const track = make(
        "span.box-track",
        { role: "img", "aria-label": description, title: description },
        part("box-whisker", least, largest),
        part("box-box", first, third),
        part("box-median", median, null),
      );
      const row = make(
        "li",
        { class: i === choices.selected || i === choices.other ? "box-row chosen" : "box-row" },
        activityButton(page, i),
        track,
      );
      if (group) row.style.setProperty("--group", group.colour);
      return row;
    }),
  );
  const axis = make(
    "div.box-axis",
    { "aria-hidden": "true" },
    make("span", ""),
    make(
      "span.box-scale",
      ["0 first event", "0.25", "0.5", "0.75", "1 end"].map((text, k) => {
        const tick = make("span", text);
        tick.style.left = `${k * 25}%`;
        return tick;
      }),
    ),
  );
  const rest = data.size > ROWS ? make("p.muted.note", `The ${ROWS} most frequent activities, and the selected one.`) : null;
  const table = figureTable(
    "Relative positions of all activities",
    ["Activity", "least", "1st quartile", "median", "3rd quartile", "largest", "mean"],
    () => data.positions.map((row, i) => [labelElement(data, i), ...row.map((value) => value.toFixed(2))]),
  );
  const buttons = pictureButtons(data.title, "Positions", () =>
    positionsPicture(
      find("positions-box"),
      rows.map((i) => ({ text: data.fullName(i), colour: choices.groupOf[i]?.colour, quartiles: data.positions[i] })),
    ),
  );
  const open = find("positions-box").querySelector("details")?.open;
  find("positions-box").replaceChildren(list, axis, ...[rest, buttons, table].filter(Boolean));
  table.open = Boolean(open);
}

// --- The box plots of positions as a picture to be saved.

const [GUTTER, WIDTH, ROW] = [220, 560, 26];

// Rows are { text, colour, quartiles }: the least, the quartiles and the largest position.
function positionsPicture(parent, rows) {
  const x = (position) => round1(GUTTER + position * WIDTH);
  const texts = shortenAll(
    rows.map(({ text }) => text),
    12,
    GUTTER - 14,
  );
  const bottom = rows.length * ROW;
  const axis = [0, 0.25, 0.5, 0.75, 1].flatMap((tick) => [
    draw("line.grid", { x1: x(tick), x2: x(tick), y1: 0, y2: bottom }),
    draw("text.built-label", { "font-size": 11, x: x(tick), y: bottom + 16, "text-anchor": "middle" }, String(tick)),
  ]);
  const boxes = rows.flatMap(({ colour, quartiles: [least, first, median, third, largest] }, k) => {
    const y = (k + 0.5) * ROW;
    const look = { class: "built-box", stroke: colour };
    return [
      draw("text.built-label", { "font-size": 12, x: GUTTER - 8, y: y + 4, "text-anchor": "end", fill: colour }, texts[k]),
      draw("line", { ...look, x1: x(least), x2: x(largest), y1: y, y2: y }),
      draw("line", { ...look, x1: x(least), x2: x(least), y1: y - 4, y2: y + 4 }),
      draw("line", { ...look, x1: x(largest), x2: x(largest), y1: y - 4, y2: y + 4 }),
      draw("rect", { ...look, fill: colour, x: x(first), y: y - 8, width: Math.max(2, x(third) - x(first)), height: 16, rx: 2 }),
      draw("line.built-median", { x1: x(median), x2: x(median), y1: y - 9, y2: y + 9 }),
    ];
  });
  return builtPicture(parent, GUTTER + WIDTH + 30, bottom + 24, [...axis, ...boxes]);
}
