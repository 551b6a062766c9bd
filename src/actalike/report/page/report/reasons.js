// Verdicts, witnesses and reasons in English: the one place that turns those of labels/groups.py, labels/witnesses.py and
// labels/step_probabilities.py into words. Sentences are lists, as in words.js; { text } is a text that others have written.

import { counted, percent, thousands } from "../shared/formats.js";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const SHOWN = 5; // reasons, before all of them are asked for
const WEIGHTY = 0.5; // log-odds: what weighs less is told only where all reasons are

const HALF = 0.5;

const label = (activity) => ({ activity, button: false });

// 2024-03-01 -> 1 March 2024
export function dayWords(day) {
  const [, year, month, date] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  return year ? `${Number(date)} ${MONTHS[month - 1]} ${year}` : day;
}

export const ALTERNATIVES = "two names of one step, or two outcomes of one decision; you decide";

export const likelyWords = (probability) => `${percent(probability)} likely one step`;

// What holds of two labels, in figures that can be checked.
export const pairWords = (probability, overlap) => `${likelyWords(probability)}, ${percent(overlap)} of neighbours the same`;

// The verdict about a group, without its probability.
export function verdictWords(relation) {
  switch (relation) {
    case "synonyms":
      return "Likely names of one step.";
    case "alternatives":
      return `Take the same place: ${ALTERNATIVES}.`;
    case "belong together":
      return "Belong together: steps of the same cases rather than names of one step.";
    case "too rare to judge":
      return "Take the same place, but too rarely to judge.";
    default:
      throw new Error(`unknown relation: ${relation}`);
  }
}

// What says, beside behaviour, that the members of a group are names of one step.
export function witnessWords({ kind, labels, members, attribute, earlier, until, since, pattern }, size) {
  const [a, b] = labels;
  const ofHowMany = members < size - 1 ? ` (${members} of ${size - 1})` : "";
  switch (kind) {
    case "text":
      return [`spelled alike${ofHowMany}`];
    case "pattern":
      return ["differ only in a number, an id, a date or a name: ", { text: pattern }];
    case "periods":
      return [label(earlier), ` used until ${dayWords(until)}, `, label(earlier === a ? b : a), ` from ${dayWords(since)} on`];
    case "people":
      return ["different people (", { text: attribute }, `) use them, and otherwise do the same${ofHowMany}`];
    default:
      throw new Error(`unknown kind of witness: ${kind}`);
  }
}

// A reason for the probability of two labels, or of a group of so many, with the figure that can be checked in the log.
export function reasonWords({ kind, logOdds, figure }, size = 2) {
  switch (kind) {
    case "any pair":
      return "two labels of a log are rarely one step";
    case "neighbours":
      return `${percent(figure)} of their neighbours are the same${logOdds > 0 && figure < HALF ? "; longer contexts count as well" : ""}`;
    case "company":
      return logOdds < 0 ? "other labels are nearer to them" : "no other labels are clearly nearer to them";
    case "position":
      return `${percent(figure)} of their positions in the case are the same`;
    case "cases":
      if (figure === 0) return "never in the same case";
      if (figure === 1) return "always in the same cases";
      return `${percent(figure)} of the rarer one's cases have both${size > 2 ? ", on average" : ""}${logOdds > 0 ? ": no more than by chance" : ""}`;
    case "rarity":
      return logOdds < 0 && figure < 20
        ? `${counted(Math.round(figure), "case", "cases")} only`
        : `the rarer one is in ${thousands(Math.round(figure))} cases`;
    case "text":
      return logOdds < 0 ? "spelled differently" : "spelled alike";
    case "opposites":
      return "their words say the opposite";
    case "pattern":
      return "differ only in a number, an id, a date or a name";
    default:
      throw new Error(`unknown kind of reason: ${kind}`);
  }
}

// The few reasons that carry the result, the weightiest first, those without a figure to check last; what a witness says already is
// not said twice.
export function mainReasons(reasons, witnesses = []) {
  const said = new Set(witnesses.map(({ kind }) => kind));
  return reasons
    .filter(({ kind }) => kind !== "any pair" && !said.has(kind))
    .filter(({ kind, logOdds, figure }) => Math.abs(logOdds) >= WEIGHTY && (kind !== "rarity" || (logOdds < 0 && figure < 20)))
    .sort((a, b) => Number(a.kind === "company") - Number(b.kind === "company"))
    .slice(0, SHOWN);
}

// Log-odds with their sign.
export const signed = (logOdds) => `${logOdds < 0 ? "\u2212" : "+"}${Math.abs(logOdds).toFixed(1)}`;

export const probabilityOf = (reasons) => 1 / (1 + Math.exp(-reasons.reduce((sum, { logOdds }) => sum + logOdds, 0)));

// How many groups there are that are never ticked by themselves, as the headline says it.
export function otherGroupsWords(together, rare) {
  if (!together && !rare) return "";
  const parts = [
    together ? counted(together, "group belongs together", "groups belong together") : "",
    rare ? counted(rare, "group is too rare to judge", "groups are too rare to judge") : "",
  ];
  return parts.filter(Boolean).join(", ");
}
