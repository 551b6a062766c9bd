// Pictures that exist only to be saved: the page shows the same as a canvas or as boxes.

import { draw } from "./dom.js";

// An SVG element in the document, because only there its styles are known; it is gone in the next turn.
export function builtPicture(parent, width, height, parts) {
  const picture = draw("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, class: "built-picture" }, parts);
  parent.append(picture);
  setTimeout(() => picture.remove());
  return picture;
}

// Cells as one path for each colour: far smaller than a rectangle for each. `cells` yields [x, y, width, height, colour].
export function cellPaths(cells) {
  const paths = new Map();
  for (const [x, y, width, height, colour] of cells) {
    if (!paths.has(colour)) paths.set(colour, []);
    paths.get(colour).push(`M${x},${y}h${width}v${height}h${-width}z`);
  }
  return [...paths].map(([colour, parts]) => draw("path.cells", { d: parts.join(""), fill: colour }));
}
