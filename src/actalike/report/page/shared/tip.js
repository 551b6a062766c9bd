// The small box beside the pointer.

import { fill, find } from "./dom.js";

// Content is texts and elements, also in lists.
export function showTip(x, y, ...content) {
  const tip = find("tip");
  tip.replaceChildren();
  fill(tip, {}, content);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(innerWidth - width - 6, x + 14))}px`;
  tip.style.top = `${y + 18 + height > innerHeight ? Math.max(6, y - height - 12) : y + 18}px`;
}

export function hideTip() {
  find("tip").hidden = true;
}
