// The box plots of positions as a picture to be saved.

import { builtPicture } from "../shared/built_picture.js";
import { draw } from "../shared/dom.js";
import { round1 } from "../shared/formats.js";
import { shortenAll } from "../shared/text_width.js";

const [GUTTER, WIDTH, ROW] = [220, 560, 26];

// Rows are { text, colour, quartiles }: the least, the quartiles and the largest position.
export function positionsPicture(parent, rows) {
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
