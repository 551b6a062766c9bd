// The look of a family of methods: a colour and a shape. Either alone tells families apart.

import { draw } from "../shared/dom.js";
import { theme } from "../shared/theme.js";

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "down"];

export function lookOf({ families, palette }, family) {
  const place = families.indexOf(family);
  const colours = palette[theme.isDark ? "dark" : "light"];
  return { colour: colours[place % colours.length], shape: SHAPES[place % SHAPES.length] };
}

export function shapePath(shape, x, y, r) {
  return {
    circle: `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    square: `M${x - r * 0.88},${y - r * 0.88}h${r * 1.76}v${r * 1.76}h${-r * 1.76}z`,
    triangle: `M${x},${y - r * 1.15}L${x + r * 1.1},${y + r * 0.8}H${x - r * 1.1}z`,
    down: `M${x},${y + r * 1.15}L${x + r * 1.1},${y - r * 0.8}H${x - r * 1.1}z`,
    diamond: `M${x},${y - r * 1.25}L${x + r * 1.25},${y}L${x},${y + r * 1.25}L${x - r * 1.25},${y}z`,
    cross: `M${x - r * 0.4},${y - r * 1.1}h${r * 0.8}v${r * 0.7}h${r * 0.7}v${r * 0.8}h${-r * 0.7}v${r * 0.7}h${-r * 0.8}v${-r * 0.7}h${-r * 0.7}v${-r * 0.8}h${r * 0.7}z`,
  }[shape];
}

export function swatch(data, family) {
  const { colour, shape } = lookOf(data, family);
  return draw(
    "svg.swatch",
    { viewBox: "-6 -6 12 12", "aria-hidden": "true" },
    draw("path", { d: shapePath(shape, 0, 0, 4.4), fill: colour, "data-family": family }),
  );
}

// After a change between light and dark.
export function repaintSwatches(data, box) {
  for (const path of box.querySelectorAll("[data-family]")) path.setAttribute("fill", lookOf(data, path.dataset.family).colour);
}
