// Verdicts, witnesses and reasons in English: the one place that turns those of labels/groups.py, labels/witnesses.py and
// labels/step_probabilities.py into words. Sentences are lists, as in words.js; { text } is a text that others have written.

import { counted, percent } from "../shared/formats.js";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const SHOWN = 5; // reasons, before all of them are asked for
const WEIGHTY = 0.5; // log-odds: what weighs less is told only where all reasons are

export const FEW_NEIGHBOURS = 0.1; // a share of neighbours in common, below which ranks are what counts

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

// The verdict about labels. Whether alternatives are one step, behaviour cannot tell, so there is no percentage.
export function verdictWords(relation, probability) {
  switch (relation) {
    case "synonyms":
      return likelyWords(probability);
    case "alternatives":
      return `take the same place: ${ALTERNATIVES}`;
    case "belong together":
      return "belong together: in the same cases, parallel or one after the other";
    case "too rare to judge":
      return "too rare to judge";
    default:
      throw new Error(`unknown relation: ${relation}`);
  }
}

// The verdict where there is little room: a percentage, or the relation where there is none.
export const shortVerdict = (relation, probability) =>
  relation === "alternatives" || relation === "belong together" || relation === "too rare to judge"
    ? verdictWords(relation, probability).split(":")[0]
    : percent(probability);

export const NO_WITNESS = "only their behaviour says that they are one step";

// What says, beside behaviour, that the members of a group are names of one step.
export function witnessWords({ kind, labels, members, attribute, earlier, until, since, pattern, parts, steps }, size) {
  const [a, b] = labels;
  const ofHowMany = members < size - 1 ? ` (${members} of ${size - 1})` : "";
  switch (kind) {
    case "text":
      return [`spelled alike${ofHowMany}`];
    case "pattern":
      return ["they differ only in what varies in ", { text: pattern }];
    case "periods":
      return [
        label(earlier === a ? b : a),
        ` is used from ${dayWords(since)} on, `,
        label(earlier),
        ` until ${dayWords(until)} (95 % of their cases)`,
      ];
    case "people":
      return ["different people use them (", { text: attribute }, `), and otherwise do the same work${ofHowMany}`];
    case "vocabularies":
      return [
        "two vocabularies, split by ",
        { text: attribute },
        " (",
        { text: parts[0] },
        " and ",
        { text: parts[1] },
        `): ${counted(steps, "step", "steps")} matched`,
      ];
    default:
      throw new Error(`unknown kind of witness: ${kind}`);
  }
}

// A reason for the probability of two labels, or of a group of so many, with the figure that can be checked in the log.
export function reasonWords({ kind, logOdds, figure }, size = 2) {
  const mean = size > 2 ? " on average" : "";
  switch (kind) {
    case "any pair":
      return "any two labels: few are one step";
    case "neighbours":
      return `${percent(figure)} of their neighbours are the same${mean}${logOdds > 0 && figure < FEW_NEIGHBOURS ? "; but their contexts rank high among each other's" : ""}`;
    case "company":
      return logOdds < 0
        ? "the steps around them are less alike than those of other labels"
        : "the steps around them are alike, near and far, compared with other labels";
    case "position":
      return `${percent(figure)} of their positions in the case are the same${mean}`;
    case "cases":
      if (figure === 0) return "never in the same case";
      return `${percent(figure)} of the cases of the rarer one have both${mean}${logOdds < 0 ? "" : ", no more than chance and repetition explain"}`;
    case "rarity":
      return `the rarer one is in ${counted(Math.round(figure), "case", "cases")}${mean}`;
    case "text":
      return `they are spelled ${percent(figure)} alike${mean}`;
    case "opposites":
      return "their words say the opposite";
    case "pattern":
      return "they differ only in a number, an id, a date or a name";
    case "vocabularies":
      return "the parts of the log that use them follow the same flow";
    default:
      throw new Error(`unknown kind of reason: ${kind}`);
  }
}

// The few reasons that carry the result, the weightiest first. Not told are those that witnesses and cautions tell better, and that
// the steps around are alike, which has no figure to check; the sum has them all.
export function mainReasons(reasons, witnesses = []) {
  const told = new Set(["any pair", "rarity", "opposites", ...witnesses.map(({ kind }) => kind)]);
  return reasons
    .filter(({ kind, logOdds }) => Math.abs(logOdds) >= WEIGHTY && !told.has(kind) && (kind !== "company" || logOdds < 0))
    .slice(0, SHOWN);
}

// Log-odds with their sign.
export const signed = (logOdds) => `${logOdds < 0 ? "\u2212" : "+"}${Math.abs(logOdds).toFixed(1)}`;

export const probabilityOf = (reasons) => 1 / (1 + Math.exp(-reasons.reduce((sum, { logOdds }) => sum + logOdds, 0)));

// How many groups there are that are never accepted by themselves, as the headline says it.
export function otherGroupsWords(together, rare) {
  if (!together && !rare) return "";
  const parts = [
    together ? counted(together, "group belongs together", "groups belong together") : "",
    rare ? counted(rare, "group is too rare to judge", "groups are too rare to judge") : "",
  ];
  return parts.filter(Boolean).join(", ");
}
