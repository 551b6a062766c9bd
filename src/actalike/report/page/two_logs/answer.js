// The first screen: how many labels are matched, how surely, and how many are not; the two logs and how they were understood. And the
// last section: what changed.

import { glance, understood } from "../shared/controls.js";
import { button, find, foreignText, shareBar, theme } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { counted, percent, thousands } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { LETTERS, OUTSIDE } from "./data.js";

export function startAnswer(/** @type {TwoLogPage} */ page) {
  const { data, choices } = page;
  find("bar-title").textContent = data.title;
  find("made").textContent = "Written by actalike. This page holds the labels and figures of both logs, no cases and no people.";
  choices.shows("decisions", find("answer"), () => {
    const undecided = choices.steps.length - choices.accepted.length;
    return html`
      <p class="eyebrow">Two logs</p>
      <h1 id="answer-title">${headline({ ...sureness(choices.steps, data.sure), undecided })}</h1>
      <p class="lead" id="answer-lead">${lead(page)}</p>
      <div class="log-cards">${data.sides.map(logCard)}</div>
    `;
  });
}

// What the first screen says of the whole: how many steps are likely in both logs, and how many are doubtful.
export function headline({ likely, doubtful, undecided }) {
  if (!likely && !doubtful && !undecided) return "No label of one log looks like a label of the other";
  if (!likely && !doubtful)
    return `${counted(undecided, "pair of labels might be the same step", "pairs of labels might be the same step")}: you decide`;
  if (!likely) return `No step is likely in both logs, ${thousands(doubtful)} doubtful`;
  const words = `${counted(likely, "step is", "steps are")} likely in both logs`;
  return doubtful ? `${words}, ${thousands(doubtful)} doubtful` : words;
}

// How sure the steps are: of those that are accepted, or not decided, how many are `doubtful`; what a person has accepted is not
// doubted, and not averaged.
export function sureness(steps, sure) {
  const accepted = steps.filter(({ decision }) => decision === "accepted");
  const own = accepted.filter(({ links }) => links.every(({ link }) => link.by === "person"));
  const judged = accepted.filter((step) => !own.includes(step));
  const isDoubtful = ({ probability }) => (probability ?? 0) < sure;
  const mean = judged.length ? judged.reduce((sum, { probability }) => sum + (probability ?? 0), 0) / judged.length : null;
  return {
    own: own.length,
    likely: accepted.length - judged.filter(isDoubtful).length,
    doubtful: steps.filter((step) => !own.includes(step) && isDoubtful(step)).length,
    mean,
  };
}

function lead(/** @type {TwoLogPage} */ { data, choices }) {
  const undecided = choices.steps.length - choices.accepted.length;
  const { own, likely, doubtful, mean } = sureness(choices.steps, data.sure);
  const [alone, aloneB] = choices.unmatched.map(({ length }) => length);
  const [a, b] = data.sides;
  const splits = choices.accepted.filter((step) => step.a.length > 1 || step.b.length > 1).length;
  return [
    doubtful > likely ? "The logs may not record the same process: most of the pairs are doubtful." : "",
    own ? `You accepted ${counted(own, "step", "steps")}.` : "",
    mean === null
      ? ""
      : `${own ? "The others" : undecided ? "The accepted ones" : "They"} are ${percent(mean)} likely on average.`,
    choices.accepted.length
      ? `The steps in both logs have ${percent(covered(a, choices.accepted))} of the events of log A, ${percent(covered(b, choices.accepted))} of log B.`
      : "",
    doubtful ? `A step is doubtful if it is less than ${percent(data.sure)} likely.` : "",
    splits ? `${counted(splits, "step has", "steps have")} several labels in one of the logs.` : "",
    undecided ? `${counted(undecided, "pair is", "pairs are")} undecided.` : "",
    `Without a partner: ${counted(alone, "label", "labels")} of log A, ${counted(aloneB, "label", "labels")} of log B.`,
    data.use_labels ? "The texts of the labels were compared too." : "Only behaviour was compared, not the texts of the labels.",
  ]
    .filter(Boolean)
    .join(" ");
}

// The share of the events of a log whose labels are in accepted steps.
function covered(log, steps) {
  const events = steps.flatMap((step) => step[log.side ? "b" : "a"]).reduce((sum, i) => sum + log.counts[i], 0);
  return log.facts.events ? events / log.facts.events : 0;
}

function logCard(log) {
  const { facts, letter, left_out: leftOut } = log;
  const rarer = () =>
    `The page shows the ${thousands(log.size)} most frequent labels of this log; ${counted(leftOut.activities, "rarer label", "rarer labels")} with ${counted(leftOut.events, "event", "events")} are not on it. All of them were matched.`;
  return html`
    <div class=${`card log-card log-${letter.toLowerCase()}`}>
      <p class="card-head"><b>Log ${letter}</b> ${foreignText(log.title)}</p>
      <dl class="log-facts">${glance(facts)}</dl>
      ${understood(log.reading)}
      ${leftOut && html`<p class="caution">${rarer()}</p>`}
    </div>
  `;
}

// What is said on paper where a list is cut.
export const cutWords = (shown, all, what) =>
  `The first ${thousands(shown)} of ${thousands(all)} ${what} are printed; the page has all.`;

// --- What changed: steps that have other neighbours in log B than in log A, with what came and what went.

const SHOWN = 10;
const ALL = "all changes"; // a key of what is unfolded
const DISTANCES = ["", "directly", "two steps"];

export function startChanges(/** @type {TwoLogPage} */ page) {
  const { data, choices } = page;
  const { drift } = data;
  choices.shows("open print", find("changes-list"), () => {
    if (!drift) return html`<p class="guide" id="changes-guide">Without a pair that is accepted there is nothing to compare.</p>`;
    const { changed, number, judged, pairs } = drift;
    const shown = changed.slice(0, choices.open.has(ALL) && !theme.printing ? changed.length : SHOWN);
    const isCut = shown.length < changed.length;
    const cut = number > changed.length && ` The ${thousands(changed.length)} largest are listed here; actalike drift lists all.`;
    const found = number
      ? `${thousands(number)} of ${counted(judged, "step", "steps")} changed.`
      : "Nothing changed beyond chance.";
    return html`
      <p class="guide" id="changes-guide">
        Which steps have other neighbours in log B than in log A, beyond chance: from 0 (the same) to 1 (none in common). The figures are shares of the step’s events.
        Steps have the names of log A; where the logs have different steps of one name, the partner or the log stands behind it. They were computed when the page was
        written, with the ${counted(pairs, "pair", "pairs")} that were accepted then; after other decisions, write the page again with --decisions.
      </p>
      <p><b>${found}</b>${cut}</p>
      <ol class="changes">${shown.map((one) => changeItem(data, one))}</ol>
      ${isCut && button(`Show ${thousands(changed.length)}`, () => choices.unfold(ALL))}
      ${isCut && html`<p class="paper-only muted">${cutWords(SHOWN, changed.length, "changes")}</p>`}
    `;
  });
}

// A label; if it is another step there than in the other log, with its partner, or without one with its log.
function toldElement({ sides, drift }, side, i) {
  const label = labelElement(sides[side], i);
  const marked = drift.marked[side].find(([one]) => one === i);
  if (!marked) return label;
  const [, partner] = marked;
  return html`<span>${label}${partner < 0 ? ` of log ${LETTERS[side]}` : [" = ", labelElement(sides[1], partner)]}</span>`;
}

function neighbourItem(data, [offset, side, i, before, after]) {
  const isBefore = offset < 0;
  const where = `${DISTANCES[Math.abs(offset)]} ${isBefore ? "after" : "before"} `;
  const what = i === OUTSIDE ? (isBefore ? "the beginning of the case" : "the end of the case") : toldElement(data, side, i);
  return html`<li>${where}${what}<span class="muted"> ${percent(before)} → ${percent(after)}</span></li>`;
}

function changeItem(data, [i, change, casesA, casesB, came, went]) {
  const list = (title, some) =>
    some.length > 0 && html`<div><h4>${title}</h4><ul class="evidence">${some.map((one) => neighbourItem(data, one))}</ul></div>`;
  return html`
    <li class="change">
      <p class="change-head">
        ${toldElement(data, 0, i)}${shareBar(change)}
        <span class="count">change ${change.toFixed(2)}, in ${thousands(casesA)} and ${thousands(casesB)} cases</span>
      </p>
      <div class="change-parts">${list("More in log B", came)}${list("Less in log B", went)}</div>
    </li>
  `;
}
