// How often activities occur: shares of events by rank (Zipf), and the number of activities beside well-known logs.

import { draw, make } from "../shared/dom.js";
import { figureTable } from "../shared/figure_table.js";
import { counted, percent, round1, thousands } from "../shared/formats.js";
import { pictureButtons } from "../shared/picture_files.js";
import { decades, logScale, roundNumbers } from "../shared/scales.js";
import { hideTip, showTip } from "../shared/tip.js";
import { labelElement } from "./labels.js";

const CHART = { width: 520, height: 340, left: 92, right: 14, top: 14, bottom: 50 };

export function zipfFigure({ data, choices }) {
  const { size } = data;
  const { width, height, left, right, top, bottom } = CHART;
  const harmonic = data.counts.reduce((sum, _, i) => sum + 1 / (i + 1), 0);
  const expected = data.counts.map((_, i) => 1 / ((i + 1) * harmonic));
  const shares = data.counts.map((count) => count / data.facts.events);
  const least = Math.min(shares.at(-1), expected.at(-1));
  const largest = Math.max(shares[0], expected[0]);
  const low = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const x = logScale(1, Math.max(size, 2), left, width - right);
  const y = logScale(low, Math.min(1, largest * 1.6), height - bottom, top);
  const line = (values) => values.map((value, i) => `${i ? "L" : "M"}${round1(x(i + 1))},${round1(y(value))}`).join("");
  const top5 = shares.slice(0, 5).reduce((sum, share) => sum + share, 0);
  const picture = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "chart",
    role: "img",
    "aria-label": `Share of events by rank, on logarithmic axes. ${data.name(0)} makes up ${percent(shares[0])}, the five most frequent ${percent(top5)}.`,
  });
  for (const tick of decades(low, 1)) {
    if (y(tick) < top - 1) continue;
    picture.append(
      draw("line.grid", { x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      draw("text.tick", { x: left - 7, y: y(tick) + 4, "text-anchor": "end" }, shareText(tick)),
    );
  }
  for (const rank of roundNumbers(1, Math.max(size, 2)).filter((_, k, all) => all.length < 9 || k % 3 === 0))
    picture.append(
      draw("line.grid", { x1: x(rank), x2: x(rank), y1: top, y2: height - bottom }),
      draw("text.tick", { x: x(rank), y: height - bottom + 18, "text-anchor": "middle" }, thousands(rank)),
    );
  picture.append(
    draw("text.axis", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "rank by frequency"),
    draw(
      "text.axis",
      { x: -(top + height - bottom) / 2, y: 14, transform: "rotate(-90)", "text-anchor": "middle" },
      "share of events",
    ),
    draw("path.curve", { d: line(shares) }),
    ...shares.map((share, i) =>
      draw("circle", {
        class: size > 100 ? "point rimless" : "point",
        cx: round1(x(i + 1)),
        cy: round1(y(share)),
        r: size > 100 ? 2.4 : 4,
        "data-activity": i,
        onclick: () => choices.select(i),
        onpointerleave: hideTip,
        onpointerenter: (event) =>
          showTip(
            event.clientX,
            event.clientY,
            make("b", labelElement(data, i)),
            make("br"),
            `rank ${i + 1}: ${counted(data.counts[i], "event", "events")}, ${percent(share)}`,
          ),
      }),
    ),
    draw("path.reference", { d: line(expected) }),
  );
  return [
    make(
      "figcaption",
      make("b", "Zipf plot."),
      ` The most frequent activity makes up ${percent(shares[0])} of all events${size > 5 ? `, the first five ${percent(top5)}` : ""}. Dashed: Zipf's law, by which words of a language are distributed: 1 / (rank × H), with H so that the shares sum to 1.`,
    ),
    picture,
    pictureButtons(data.title, "Zipf plot", () => picture),
    figureTable("Activities by frequency", ["Rank", "Activity", "Events", "Share", "Cases"], () =>
      data.counts.map((count, i) => [
        String(i + 1),
        labelElement(data, i),
        thousands(count),
        percent(shares[i]),
        thousands(data.cases[i]),
      ]),
    ),
  ];
}

// A power of ten as a percentage: 10 %, 0.01 %.
const shareText = (share) => `${Number((share * 100).toPrecision(1)).toLocaleString("en", { maximumFractionDigits: 20 })}\u00a0%`;

export function knownLogsFigure({ data }) {
  const { width, height, right, top } = CHART;
  const left = 14;
  const mine = data.facts.activities;
  const most = Math.max(mine, ...data.known.map(([, count]) => count));
  const least = Math.min(mine, ...data.known.map(([, count]) => count), 2);
  const x = logScale(Math.max(1, least), most, left + 14, width - right - 14);
  const base = height - 74;
  const fewer = data.known.filter(([, count]) => count < mine).length;
  const picture = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "chart",
    role: "img",
    "aria-label": `Number of activities: ${mine} here; ${fewer} of ${data.known.length} well-known logs have fewer.`,
  });
  for (const tick of roundNumbers(least, most))
    picture.append(
      draw("line.grid", { x1: x(tick), x2: x(tick), y1: top, y2: base + 12 }),
      draw("text.tick", { x: x(tick), y: base + 27, "text-anchor": "middle" }, thousands(tick)),
    );
  picture.append(
    draw("line.grid.strong", { x1: left, x2: width - right, y1: base + 12, y2: base + 12 }),
    draw("text.axis", { x: width / 2, y: base + 46, "text-anchor": "middle" }, "number of activities"),
  );
  const taken = [];
  for (const [name, count] of data.known) {
    // dots that would cover each other stack up
    let level = 0;
    while (taken.some(([other, height]) => height === level && Math.abs(other - x(count)) < 12.5)) level++;
    taken.push([x(count), level]);
    picture.append(
      draw("circle.known-log", {
        cx: round1(x(count)),
        cy: base - level * 13,
        r: 5.5,
        onpointerenter: (event) => showTip(event.clientX, event.clientY, make("b", name), ` ${count}`),
        onpointerleave: hideTip,
      }),
    );
  }
  const here = x(mine);
  const anchor = here > width * 0.7 ? "end" : here < width * 0.3 ? "start" : "middle";
  picture.append(
    draw("line.mine-line", { x1: here, x2: here, y1: top + 22, y2: base + 12 }),
    draw("circle.mine", { cx: here, cy: base + 12, r: 6 }),
    draw("text.mine-text", { x: here, y: top + 14, "text-anchor": anchor }, `this log: ${thousands(mine)}`),
  );
  return [
    make(
      "figcaption",
      make("b", "Beside well-known logs."),
      ` ${fewer} of ${data.known.length} public logs have fewer activities than this one. Each dot is a log.`,
    ),
    picture,
    pictureButtons(data.title, "Beside well-known logs", () => picture),
    figureTable("Activities of well-known logs", ["Log", "Activities"], () =>
      [...data.known, [`${data.title} (this log)`, mine]]
        .sort((a, b) => a[1] - b[1])
        .map(([name, count]) => [name, thousands(count)]),
    ),
  ];
}
