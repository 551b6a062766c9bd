// The number of a group.

import { make } from "../shared/dom.js";

export function badge(group) {
  const mark = make("span.badge", { "aria-hidden": "true" }, String(group.number));
  mark.style.setProperty("--group", group.colour);
  return mark;
}
