// The labels of a log: how they are called, and their elements.

import { html } from "../vendor/preact.js";
import { foreignText, Sent } from "./dom.js";
import { shownLabel, withoutMiddle } from "./texts.js";

const LONGEST = 90; // characters: the middle of a longer label is left out, because labels often differ at their ends

// What a page knows of the labels of a log: `labels`, which are numbers from 0 on, `names` (their second names, or null), and `spaced`, how
// those are shown that differ from others in spaces only.
export class Labels extends Sent {
  /** @param {PackedLabels} packed */
  constructor(packed) {
    super(packed);
    this.labels = packed.labels;
    this.names = packed.names;
    this.size = packed.labels.length;
    this.withSigns = new Map((packed.spaced ?? []).map(([i, shown]) => [this.label(i), shown]));
  }

  label(i) {
    return this.labels[i];
  }

  name(i) {
    return i < 0 ? "a rarer activity" : this.shownLabel(this.label(i));
  }

  // A label as text that can be seen; if it differs from others in spaces only, with signs for these.
  shownLabel(label) {
    return this.withSigns.get(label) || shownLabel(label);
  }

  // The second name of a label, null if it has none that says more.
  secondName(i) {
    const second = this.names?.[i] ?? null;
    return second === null || second === this.label(i) || !second.trim() ? null : second;
  }

  // The label with its second name, if it has one.
  fullName(i) {
    const second = this.secondName(i);
    return second === null ? this.name(i) : `${this.name(i)} (${second})`;
  }

  // Whether a label or its second name contains a text in lower case.
  hasText(i, query) {
    return this.label(i).toLowerCase().includes(query) || Boolean(this.names?.[i]?.toLowerCase().includes(query));
  }
}

// A label that may be long: its beginning and its end, and the whole of it as a tip.
export function labelText(text) {
  const characters = Array.from(text);
  if (characters.length <= LONGEST) return foreignText(text);
  return html`<bdi class="label" title=${text}>${withoutMiddle(characters, LONGEST)}</bdi>`;
}

// A label, with its second name if it has one; the whole of it as a tip if it is too long to be shown.
export function labelElement(log, i) {
  const second = log.secondName(i);
  return second === null ? labelText(log.name(i)) : html`<span>${labelText(log.name(i))}${secondName(second)}</span>`;
}

export const secondName = (second) => html`<span> <span class="second-name">${labelText(second)}</span></span>`;

// Lines of why something has its verdict, as Python has chosen them: [sign, content].
export const reasonLines = (lines) => html`
  <ul class="reasons">
    ${lines.map(
      ([sign, content]) => html`
        <li class=${sign === "+" ? "for" : "against"}>
          <span class="sign" role="img" aria-label=${sign === "+" ? "for:" : "against:"}>${sign === "+" ? "+" : "\u2212"}</span>
          <span>${content}</span>
        </li>
      `,
    )}
  </ul>
`;
