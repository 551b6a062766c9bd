// A comparison in English. A sentence is a list of texts and of { side }, which the view shows as the name of a side, and
// { activity, button }, as in words.js.

import { counted, percent, thousands } from "../shared/formats.js";
import { OUTSIDE } from "./data.js";

const UNITS = [
  ["days", 86400],
  ["h", 3600],
  ["min", 60],
];
const MONTHS = "January February March April May June July August September October November December".split(" ");

// A time in the largest unit of which it has 1.5 or more, as labels/comparison_words.py says it.
export function duration(seconds) {
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) < 1.5 * length) continue;
    const amount = seconds / length;
    return `${amount.toFixed(Math.abs(amount) >= 9.95 ? 0 : 1)}\u00a0${unit}`;
  }
  return `${Math.round(seconds)}\u00a0s`;
}

// 2024-03-01 -> 1 March 2024
export function dayWords(iso) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)/.exec(iso);
  return parts ? `${Number(parts[3])} ${MONTHS[Number(parts[2]) - 1]} ${parts[1]}` : iso;
}

// The period that begins on a day: March 2024, the week of 4 March 2024.
export function periodWords(start, unit) {
  const day = dayWords(start);
  const [, month, year] = day.split(" ");
  if (!year) return start;
  if (unit === "hour") return `${day}, ${start.slice(11, 13)}:00`;
  if (unit === "week") return `the week of ${day}`;
  if (unit === "month") return `${month} ${year}`;
  if (unit === "quarter") return `${month} to ${MONTHS[MONTHS.indexOf(month) + 2]} ${year}`;
  return unit === "year" ? year : day;
}

// "A is followed by X in 80 % of its events, B in 12 %."
export function differenceWords({ key, where, shareA, shareB }) {
  const [more, less] = shareA >= shareB ? [0, 1] : [1, 0];
  const [high, low] = [Math.max(shareA, shareB), Math.min(shareA, shareB)];
  const what =
    key === OUTSIDE
      ? [where === "before" ? " begins the case" : " ends the case"]
      : [where === "before" ? " follows " : " is followed by ", { activity: key, button: false }];
  return [
    { side: more },
    ...what,
    ` in ${percent(high)} of its events, `,
    { side: less },
    low ? ` in ${percent(low)}.` : " never.",
  ];
}

export function periodsWords({ earlier, until, since, replaces }) {
  const [old, later] = [{ side: earlier }, { side: 1 - earlier }];
  const [from, to] = [dayWords(since), dayWords(until)];
  return replaces
    ? [later, " replaces ", old, ` from ${from} on; `, old, ` is used until ${to} (95 % of their cases).`]
    : [old, ` is used until ${to}, `, later, ` from ${from} on (95 % of their cases).`];
}

const times = (count) => (count === 0 ? "never" : count === 1 ? "once" : `${thousands(count)} times`);

export function togetherWords({ share, cases, instants, aBeforeB, bBeforeA }) {
  if (share === 0) return ["They are never in the same case."];
  const beside =
    aBeforeB || bBeforeA
      ? [{ side: 0 }, " is directly before ", { side: 1 }, ` ${times(aBeforeB)}, directly after it ${times(bBeforeA)}`]
      : ["they never directly follow each other"];
  if (share === null) return aBeforeB || bBeforeA ? [...beside, "."] : ["They never directly follow each other."];
  const many = cases === null ? "" : `, ${counted(cases, "case", "cases")}`;
  const atOnce = instants === null ? "." : `; at the same instant ${times(instants)}.`;
  return [`${percent(share)} of the cases of the rarer one have both${many}; `, ...beside, atOnce];
}
