// Sentences that Python has sent as lists of parts (support/text.py): words, { label: number } for a label, { text } for another
// text of the log. How a label is shown is up to the page.

import { foreignText } from "./dom.js";

// The elements of a sentence; `element` makes that of a label.
export const sentenceElements = (parts, element) =>
  parts.map((part) => {
    if (typeof part === "string") return part.replaceAll(" %", "\u00a0%");
    return part.label === undefined ? foreignText(part.text) : element(part.label);
  });

// A sentence as plain text, for files; `text` makes that of a label.
export const sentenceText = (parts, text) =>
  parts.map((part) => (typeof part === "string" ? part : (part.text ?? text(part.label)))).join("");
