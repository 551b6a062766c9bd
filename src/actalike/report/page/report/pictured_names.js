// Labels in pictures, each with as much of its second name as there is room for.

import { shorten, shortenAll, widthOf } from "../shared/text_width.js";

const JOINT = " · ";
const LEAST_ROOM = 34; // pixels: less of a second name says nothing

// The texts of activities, each on a line that is at most so many pixels wide. The label comes first; the second name gets what is left.
export function picturedNames(data, activities, pixels, room, weight = 400) {
  const labels = shortenAll(
    activities.map((i) => data.name(i)),
    pixels,
    room,
    weight,
  );
  return labels.map((label, k) => {
    const second = data.secondName(activities[k]);
    if (second === null) return label;
    const rest = room - widthOf(label + JOINT, pixels, weight);
    return rest < LEAST_ROOM ? label : label + JOINT + shorten(second, pixels, rest, weight);
  });
}
