import { make } from "./dom.js";

// A bar that is as full as a share is large.
export function shareBar(share) {
  const bar = make("span.meter", { "aria-hidden": "true" }, make("span.meter-fill"));
  bar.firstChild.style.width = `${(share * 100).toFixed(1)}%`;
  return bar;
}
