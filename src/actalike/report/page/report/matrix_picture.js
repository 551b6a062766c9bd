// The matrix as a picture to be saved, with all labels.

import { builtPicture, cellPaths } from "../shared/built_picture.js";
import { draw } from "../shared/dom.js";
import { shortenAll } from "../shared/text_width.js";

const GUTTER = 190;
const LARGEST = 1600; // pixels of the cells together
const STEP = 8; // of the ramp: cells of a shade are one path, so that there are few shades

// Rows are { text, colour, rare }; `shadeOf` gives the place of a cell in the ramp of colours.
export function matrixPicture(parent, rows, ramp, shadeOf) {
  const cell = Math.max(1, Math.min(16, Math.floor(LARGEST / rows.length)));
  const side = GUTTER + cell * rows.length;
  const texts = shortenAll(
    rows.map(({ text }) => text),
    10,
    GUTTER - 12,
  );
  const colours = ramp.map((colour) => `rgb(${colour.map(Math.round).join(",")})`);
  const colourOf = (a, b) => colours[Math.round(shadeOf(a, b) / STEP) * STEP];
  const labels = rows.flatMap(({ colour, rare }, k) => {
    if (cell < 8) return [];
    const at = GUTTER + (k + 0.5) * cell;
    const look = { class: "built-label", "font-size": Math.min(10, cell - 1), fill: colour, opacity: rare ? 0.5 : null };
    return [
      draw("text", { ...look, x: GUTTER - 6, y: at + 3, "text-anchor": "end" }, texts[k]),
      draw("text", { ...look, transform: `translate(${at + 3},${GUTTER - 6}) rotate(-90)` }, texts[k]),
    ];
  });
  return builtPicture(parent, side, side, [...cellPaths(cells(rows.length, cell, colourOf)), ...labels]);
}

// Neighbours of one shade in a row are one cell.
function* cells(size, cell, colourOf) {
  for (let row = 0; row < size; row++) {
    let start = 0;
    let colour = colourOf(row, 0);
    for (let column = 1; column <= size; column++) {
      const next = column < size ? colourOf(row, column) : null;
      if (next === colour) continue;
      yield [GUTTER + start * cell, GUTTER + row * cell, (column - start) * cell, cell, colour];
      [start, colour] = [column, next];
    }
  }
}
