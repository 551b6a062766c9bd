// The matrix as a picture to be saved, with all labels.

import { builtPicture, cellPaths } from "../shared/built_picture.js";
import { draw } from "../shared/dom.js";
import { shortenAll } from "../shared/text_width.js";

const GUTTER = 190;
const LARGEST = 1600; // pixels of the cells together
const SHADES = 32; // so that cells of a shade are one path

export function matrixPicture(parent, rows, colourOf) {
  const cell = Math.max(1, Math.min(16, Math.floor(LARGEST / rows.length)));
  const side = GUTTER + cell * rows.length;
  const texts = shortenAll(
    rows.map(({ text }) => text),
    10,
    GUTTER - 12,
  );
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
  const shade = (colour) =>
    `rgb(${colour.map((part) => Math.round(Math.round((part / 255) * SHADES) * (255 / SHADES))).join(",")})`;
  for (let row = 0; row < size; row++) {
    let start = 0;
    let colour = shade(colourOf(row, 0));
    for (let column = 1; column <= size; column++) {
      const next = column < size ? shade(colourOf(row, column)) : null;
      if (next === colour) continue;
      yield [GUTTER + start * cell, GUTTER + row * cell, (column - start) * cell, cell, colour];
      [start, colour] = [column, next];
    }
  }
}
