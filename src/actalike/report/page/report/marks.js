// Small marks that several sections show: the bar of a share, the number of a group.

import { make } from "../shared/dom.js";

// A bar that is as full as a share is large.
export function shareBar(share) {
  const bar = make("span", { class: "meter", "aria-hidden": "true" }, make("span", { class: "meter-fill" }));
  bar.firstChild.style.width = `${(share * 100).toFixed(1)}%`;
  return bar;
}

export function badge(group) {
  const mark = make("span", { class: "badge", "aria-hidden": "true" }, String(group.number));
  mark.style.setProperty("--group", group.colour);
  return mark;
}
