// The labels of the map, as far as there is room.

import { draw } from "../shared/dom.js";
import { round1 } from "../shared/formats.js";
import { meets, touches } from "../shared/geometry.js";
import { widthOf } from "../shared/text_width.js";
import { labelSpots } from "./places.js";

const MOST_LABELS = 150;

// Labels, the important ones first; one that would cover another, or a dot, is left out.
export function mapLabels(map, grown) {
  const query = map.choices.query.trim().toLowerCase();
  const urgent = (i) =>
    i === map.choices.selected || i === map.focus || i === map.choices.other
      ? 3
      : query && map.data.hasText(i, query)
        ? 2
        : map.choices.groupOf[i]
          ? 1
          : 0;
  const order = map.data.labels
    .map((_, i) => i)
    .filter((i) => map.filter.isShown(i))
    .sort((a, b) => urgent(b) - urgent(a) || a - b);
  const spots = map.data.labels.map((_, i) => [...map.spot(i), map.radius(i) * grown]);
  const inside = spots.filter(
    ([x, y], i) => map.filter.isShown(i) && x > -20 && y > -20 && x < map.width + 20 && y < map.height + 20,
  );
  const taken = [[map.width - 50, 0, map.width, 128]]; // the buttons
  const shown = [];
  for (const i of order) {
    const [x, y] = spots[i];
    if (x < 0 || y < 0 || x > map.width || y > map.height) continue;
    const text = map.texts[i];
    const wide = widthOf(text, 11.5, urgent(i) === 3 ? 650 : 400);
    const clear = (spot, dots) => {
      const frame = [spot.left, spot.top, spot.left + wide, spot.top + 14];
      if (frame[0] < 2 || frame[2] > map.width - 2 || frame[1] < 2 || frame[3] > map.height - 2) return false;
      return !taken.some((other) => meets(frame, other)) && !dots.some((dot) => dot !== spots[i] && touches(frame, dot));
    };
    const options = labelSpots(spots[i], wide, map.data.size <= 60 || urgent(i) > 1);
    const free =
      options.find((spot) => clear(spot, inside)) ??
      (urgent(i) === 3 ? (options.find((spot) => clear(spot, [])) ?? options[0]) : null);
    if (!free) continue;
    taken.push([free.left - 4, free.top, free.left + wide + 4, free.top + 14]);
    const label = draw(
      "text",
      {
        x: round1(Math.max(2, Math.min(map.width - wide - 2, free.left))),
        y: round1(free.top + 11),
        class: urgent(i) === 3 ? "urgent" : map.filter.isRare(i) ? "rare" : null,
      },
      text,
    );
    if (map.choices.groupOf[i]) label.style.fill = map.choices.groupOf[i].colour;
    if (free.line)
      shown.push(
        draw("line", {
          x1: round1(free.line[0]),
          y1: round1(free.line[1]),
          x2: round1(free.line[2]),
          y2: round1(free.line[3]),
        }),
      );
    shown.push(label);
    if (shown.length > MOST_LABELS) break;
  }
  return shown;
}
