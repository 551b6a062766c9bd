// Pictures of a comparison: both sides over time, and the quartiles of the times to the steps beside them.

import { draw, make } from "../shared/dom.js";
import { round1, thousands } from "../shared/formats.js";
import { duration, periodWords } from "./compare_words.js";
import { labelElement } from "./labels.js";

const WIDTH = 600;
const HALF = 46;
const MEMBERS = 6; // of a group, of which the quartiles are drawn

// A column for each period: side A above the axis, side B below it, on one scale.
export function timePicture({ unit, starts, countsA, countsB }) {
  const largest = Math.max(1, ...countsA, ...countsB);
  const width = WIDTH / starts.length;
  const column = (count, k, side) => {
    if (!count) return null;
    const height = Math.max(1, (count / largest) * HALF);
    const title = draw("title", `${periodWords(starts[k], unit)}: ${thousands(count)} (${"AB"[side]})`);
    return draw(
      "rect",
      {
        class: `side-${side}`,
        x: round1(k * width),
        y: round1(side ? HALF + 1 : HALF - height),
        width: round1(Math.max(width * 0.86, 0.8)),
        height: round1(height),
      },
      title,
    );
  };
  const used = (counts) => {
    const places = counts.flatMap((count, k) => (count ? [k] : []));
    return places.length ? `${periodWords(starts[places[0]], unit)} to ${periodWords(starts[places.at(-1)], unit)}` : "never";
  };
  const label = `Events by ${unit}. A: ${used(countsA)}. B: ${used(countsB)}.`;
  return make(
    "figure.compare-time",
    draw(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${2 * HALF + 1}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      draw("line", { x1: 0, x2: WIDTH, y1: HALF + 0.5, y2: HALF + 0.5, class: "grid strong" }),
      starts.map((_, k) => [column(countsA[k], k, 0), column(countsB[k], k, 1)]),
    ),
    make("p.compare-axis.muted", make("span", periodWords(starts[0], unit)), make("span", periodWords(starts.at(-1), unit))),
    make("figcaption.muted", `Events by ${unit}, at most ${thousands(largest)}. A above the line, B below.`),
  );
}

// The quartiles of each activity as a box on one scale; null if nobody has any.
export function gapBars(data, what, gaps, sides) {
  const boxes = sides.flatMap((members, side) => members.slice(0, MEMBERS).map((i) => ({ i, side, gap: gaps[i] })));
  if (boxes.every(({ gap }) => !gap)) return null;
  const largest = Math.max(1, ...boxes.map(({ gap }) => (gap ? gap[3] : 0)));
  return make(
    "div.gaps",
    make("h4", `Time ${what}`),
    boxes.map(({ i, side, gap }) =>
      make(
        "div",
        { class: `gap side-${side}` },
        make("span", { class: `side-letter side-${side}` }, "AB"[side]),
        sides[side].length > 1 ? make("span.gap-name", labelElement(data, i)) : null,
        gap ? box(gap, largest) : null,
        make(
          "span.gap-words",
          gap ? [make("b", duration(gap[2])), ` (${duration(gap[1])} to ${duration(gap[3])})`] : "no such event",
        ),
      ),
    ),
  );
}

function box([, lower, median, upper], largest) {
  const place = (seconds) => `${round1((Math.max(seconds, 0) / largest) * 100)}%`;
  const track = make("span.gap-track", { "aria-hidden": "true" }, make("span.gap-box"), make("span.gap-median"));
  track.firstChild.style.left = place(lower);
  track.firstChild.style.width = place(upper - lower);
  track.lastChild.style.left = place(median);
  return track;
}
