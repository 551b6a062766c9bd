// Small marks that several sections show: the bar of a similarity, the number of a group.

import { make } from "../shared/dom.js";

// Empty where half of all pairs are more alike, full where two activities cannot be told apart; with the interval.
export function similarityBar(data, value, interval) {
  const [empty, full] = [data.medianSimilarity, data.largestSimilarity];
  const at = (number) => `${(Math.max(0, Math.min(1, (number - empty) / (full - empty || 1))) * 100).toFixed(2)}%`;
  const bar = make("span", { class: "meter", "aria-hidden": "true" }, make("span", { class: "meter-fill" }));
  bar.firstChild.style.width = at(value);
  if (interval && interval[0] !== null) {
    const ends = make("span", { class: "meter-interval" });
    ends.style.left = at(interval[0]);
    ends.style.width = `calc(${at(interval[1])} - ${at(interval[0])})`;
    bar.append(ends);
  }
  return bar;
}

export function badge(group) {
  const mark = make("span", { class: "badge", "aria-hidden": "true" }, String(group.number));
  mark.style.setProperty("--group", group.colour);
  return mark;
}
