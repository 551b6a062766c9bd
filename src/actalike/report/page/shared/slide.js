// A slider with its question, its ends, and what its value means.

import { make } from "./dom.js";

// `input` and `output` have ids; the output describes the input.
export const slide = (words, [low, high], input, output) =>
  make(
    "div.slide",
    make("label", { for: input.id }, words),
    make("span.slide-end", low),
    make("div.slide-track", input),
    make("span.slide-end", high),
    output,
  );
