// Labels of activities in the document, the marks of groups, and why a group or a pair has its verdict.

import { sentenceElements } from "../shared/dom.js";
import { labelElement, reasonLines } from "../shared/labels.js";
import { counted, percent, similarityText } from "../shared/texts.js";
import { shorten, shortenAll, widthOf } from "../shared/widths.js";
import { html } from "../vendor/preact.js";

// A label that opens the panel of its activity, if it is drawn.
export function activityButton(/** @type {ReportPage} */ { data, choices }, i) {
  if (!data.isDrawn(i)) return labelElement(data, i);
  const select = (event) => choices.select(i, null, event);
  return html`<button type="button" class="activity" data-activity=${i} onclick=${select}>${labelElement(data, i)}</button>`;
}

// The elements of a sentence that Python has sent, by its number.
const said = (/** @type {ReportPage} */ page, number, element = (i) => labelElement(page.data, i)) =>
  sentenceElements(page.data.sentences[number], element);

// The number of a group.
export const badge = ({ number, colour }) =>
  html`<span class="badge" aria-hidden="true" style=${{ "--group": colour }}>${number}</span>`;

// --- Labels in pictures, each with as much of its second name as there is room for.

const JOINT = " · ";
const LEAST_ROOM = 34; // pixels: less of a second name says nothing

// The texts of activities, each on a line that is at most so many pixels wide. The label comes first; the second name gets what is left.
export function picturedNames(data, activities, pixels, room, weight = 400) {
  const labels = shortenAll(
    activities.map((i) => data.name(i)),
    pixels,
    room,
    weight,
  );
  return labels.map((label, k) => {
    const second = data.secondName(activities[k]);
    if (second === null) return label;
    const rest = room - widthOf(label + JOINT, pixels, weight);
    return rest < LEAST_ROOM ? label : label + JOINT + shorten(second, pixels, rest, weight);
  });
}

// --- Why a group or a pair has its verdict: lines with their signs, the contexts in common, and the log-odds that sum to the probability.

const SHOWN = 5; // reasons of a pair
const WEIGHTY = 0.5; // log-odds: what weighs less is shown only where all reasons are

// The proposal that two activities are both in, if there is one.
export const groupOfBoth = ({ groups }, i, j) => groups.find(({ members }) => members.includes(i) && members.includes(j));

// What is said of two activities: how their group is related, or how likely they are one step.
export const pairVerdict = ({ data }, i, j) => data.verdict(groupOfBoth(data, i, j)?.relation ?? null, data.probability(i, j));

// Lines of a group or pair: signs and numbers of sentences.
export const argumentList = (/** @type {ReportPage} */ page, lines) =>
  reasonLines(lines.map(([sign, sentence]) => [sign, said(page, sentence)]));

// The weightiest reasons of two activities.
export function reasonList(/** @type {ReportPage} */ page, reasons) {
  const shown = reasons.filter(
    ({ logOdds, sentence }) => Math.abs(logOdds) >= WEIGHTY && !page.data.isHiddenReason.has(sentence),
  );
  return argumentList(
    page,
    shown.slice(0, SHOWN).map(({ logOdds, sentence }) => [logOdds > 0 ? "+" : "-", sentence]),
  );
}

export const evidenceList = (/** @type {ReportPage} */ page, contexts) => html`
  <ul class="evidence">
    ${contexts.map(
      ([sentence, shares]) =>
        html`<li>${said(page, sentence, (i) => activityButton(page, i))} <span class="muted">${shares}</span></li>`,
    )}
  </ul>
`;

// Rows of a figure and a sentence; the last one may be a sum.
export const shareList = (/** @type {ReportPage} */ page, rows, last, kind) => html`
  <ul class="shares">
    ${rows.map(([figure, sentence]) => html`<li><b>${figure}</b><span>${said(page, sentence, (i) => activityButton(page, i))}</span></li>`)}
    <li class=${kind}><b>${last[0]}</b><span>${last[1]}</span></li>
  </ul>
`;

// Log-odds with their sign.
const signed = (logOdds) => `${logOdds < 0 ? "\u2212" : "+"}${Math.abs(logOdds).toFixed(1)}`;

// All reasons with their log-odds, folded.
export function reasonSum(
  /** @type {ReportPage} */ page,
  /** @type {{ reasons: Reason[], members?: number[] }} */ { reasons, members },
) {
  const total = reasons.reduce((sum, { logOdds }) => sum + logOdds, 0);
  const isPair = (members?.length ?? 2) === 2; // the mean log-odds of more pairs are not those of their mean probability
  const rows = reasons.map(({ logOdds, sentence }) => [signed(logOdds), sentence]);
  const sum = isPair ? `sum: a probability of ${percent(1 / (1 + Math.exp(-total)))}` : "sum";
  return html`
    <details class="fold sum">
      <summary>What the probability ${isPair ? "is made of" : "of two members is made of, on average"}</summary>
      ${shareList(page, rows, [signed(total), sum], "total")}
    </details>
  `;
}

// --- What the page says of what it holds.

// How many groups there are that are never accepted by themselves.
export function otherGroupsWords(others) {
  const number = (relation) => others.filter((group) => group.relation === relation).length;
  const [together, named, rare] = [number("belong together"), number("same name"), number("too rare to judge")];
  const parts = [
    together ? counted(together, "group belongs together", "groups belong together") : "",
    named ? counted(named, "group has one name for different codes", "groups have one name for different codes") : "",
    rare ? counted(rare, "group is too rare to judge", "groups are too rare to judge") : "",
  ];
  return parts.filter(Boolean).join(", ");
}

// The ends of an interval, beside the similarity that they belong to.
export function intervalWords(interval) {
  if (!interval) return "";
  return interval[0] === null ? "too rare to judge" : `${similarityText(interval[0])} to ${similarityText(interval[1])}`;
}

export const INTERVAL_TITLE = "95 % interval (cases resampled)";

// Of a label in a group that is too rare to be drawn.
export const HIDDEN = "not drawn";

// Why a label of a decision is not shown.
export const missingWords = (/** @type {{ left_out?: LeftOut }} */ { left_out: leftOut }) =>
  leftOut ? "not on this page" : "not in this log";
