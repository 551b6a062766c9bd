// Where activities occur in a case: a box plot for each of the most frequent ones, and for the selected one.

import { fold } from "../shared/controls.js";
import { draw, find, holding, make } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { pictureButtons } from "../shared/pictures.js";
import { round1 } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { picturedNames } from "./labels.js";

const ROWS = 14;
const [ROW, AXIS] = [26, 24];

export function startPositions(/** @type {ReportPage} */ page) {
  const { data, choices } = page;
  const box = find("positions-box");
  const stage = make("div.positions-stage");
  const show = () => stage.replaceChildren(picture(page, stage.clientWidth));
  const header = ["Activity", "least", "1st quartile", "median", "3rd quartile", "largest", "mean"];
  const rows = data.positions.map((row, i) => [labelElement(data, i), ...row.map((value) => value.toFixed(2))]);
  const table = () => html`
    <div class="scroll" tabindex="0" role="region" aria-label="Relative positions of all activities">
      <table>
        <thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  `;
  choices.shows("open", box, () => [
    html`<div ref=${holding(stage)} />`,
    data.size > ROWS && html`<p class="muted note">The ${ROWS} most frequent activities, and the selected one.</p>`,
    pictureButtons(data.title, "Positions", () => stage.querySelectorAll("svg")),
    fold(choices, "positions", "As a table", table, { class: "as-table" }),
  ]);
  choices.watch("selection theme pictures", show);
  new ResizeObserver(() => stage.firstChild?.viewBox.baseVal.width === stage.clientWidth || show()).observe(stage);
}

function picture(/** @type {ReportPage} */ { data, choices }, width) {
  const chosen = new Set(Array.from({ length: Math.min(ROWS, data.size) }, (_, i) => i));
  for (const extra of [choices.selected, choices.other]) if (extra !== null) chosen.add(extra);
  const rows = [...chosen].sort(
    (a, b) => data.positions[a][2] - data.positions[b][2] || data.positions[a][5] - data.positions[b][5] || a - b,
  );
  const gutter = Math.round(Math.min(330, width * 0.38));
  const x = (position) => round1(gutter + position * (width - gutter - 24));
  const bottom = rows.length * ROW;
  const texts = picturedNames(data, rows, 12.5, gutter - 14);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((tick) => [
    draw("line.grid", { x1: x(tick), x2: x(tick), y1: 0, y2: bottom }),
    draw("text.position-tick", { x: x(tick), y: bottom + 16 }, String(tick)),
  ]);
  const boxes = rows.map((i, k) => {
    const [least, first, median, third, largest] = data.positions[i];
    const middle = (k + 0.5) * ROW;
    const words = `from ${least.toFixed(2)} to ${largest.toFixed(2)}, half of its events between ${first.toFixed(2)} and ${third.toFixed(2)}, median ${median.toFixed(2)}`;
    const row = draw(
      "g",
      {
        class: i === choices.selected || i === choices.other ? "box-row chosen" : "box-row",
        "data-activity": i,
        onclick: () => choices.select(i),
      },
      draw("rect.box-back", { x: 0, y: k * ROW, width, height: ROW }),
      draw("text.label", { x: gutter - 10, y: middle + 4 }, texts[k]),
      draw("path.box-whisker", {
        d: `M${x(least)},${middle}H${x(largest)}M${x(least)},${middle - 4}v8M${x(largest)},${middle - 4}v8`,
      }),
      draw("rect.box-box", { x: x(first), y: middle - 8, width: Math.max(2, x(third) - x(first)), height: 16, rx: 2 }),
      draw("path.box-median", { d: `M${x(median)},${middle - 9}v18` }),
      draw("title", `${data.fullName(i)}: ${words}`),
    );
    const group = choices.groupOf[i];
    if (group) row.style.setProperty("--group", group.colour);
    return row;
  });
  return draw(
    "svg",
    {
      viewBox: `0 0 ${width} ${bottom + AXIS}`,
      width,
      height: bottom + AXIS,
      role: "img",
      "aria-label": "Box plots of positions",
    },
    ticks,
    boxes,
  );
}
