import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dayWords,
  differenceWords,
  duration,
  periodsWords,
  periodWords,
  togetherWords,
} from "../../../../src/actalike/report/page/report/compare_uses.js";
import { OUTSIDE } from "../../../../src/actalike/report/page/report/data.js";

const text = (words) =>
  words
    .map((word) => (typeof word === "string" ? word : word.side === undefined ? `<${word.activity}>` : "AB"[word.side]))
    .join("")
    .replaceAll("\u00a0", " ");

test("times are said as on the command line", () => {
  const said = [0, 12.4, 100, 5400, 130000, 2000000, -7200].map((seconds) => duration(seconds).replace("\u00a0", " "));
  assert.deepEqual(said, ["0 s", "12 s", "1.7 min", "1.5 h", "1.5 days", "23 days", "-2.0 h"]);
});

test("days and periods have their names", () => {
  assert.equal(dayWords("2024-03-01"), "1 March 2024");
  assert.equal(dayWords("-0044-03-15"), "-0044-03-15");
  const units = ["day", "week", "month", "quarter", "year"].map((unit) => periodWords("2024-04-01", unit));
  assert.deepEqual(units, ["1 April 2024", "the week of 1 April 2024", "April 2024", "April to June 2024", "2024"]);
  assert.equal(periodWords("2024-04-01T09", "hour"), "1 April 2024, 09:00");
});

test("the side that has a neighbour more often is named first", () => {
  assert.equal(
    text(differenceWords({ key: 4, where: "after", shareA: 0.12, shareB: 0.8 })),
    "B is followed by <4> in 80 % of its events, A in 12 %.",
  );
  assert.equal(
    text(differenceWords({ key: OUTSIDE, where: "before", shareA: 0.5, shareB: 0 })),
    "A begins the case in 50 % of its events, B never.",
  );
});

test("a label that replaces another is said to", () => {
  const periods = { earlier: 0, until: "2024-03-13", since: "2024-03-22", replaces: true };
  assert.equal(
    text(periodsWords(periods)),
    "B replaces A from 22 March 2024 on; A is used until 13 March 2024 (95 % of their cases).",
  );
  assert.equal(
    text(periodsWords({ ...periods, earlier: 1, replaces: false })),
    "B is used until 13 March 2024, A from 22 March 2024 on (95 % of their cases).",
  );
});

test("how often both are in a case is said as exactly as it is known", () => {
  assert.equal(text(togetherWords({ share: 0 })), "They are never in the same case.");
  const beside = { aBeforeB: 1, bBeforeA: 0 };
  assert.equal(
    text(togetherWords({ ...beside, share: 0.5, cases: 1200, instants: 2 })),
    "50 % of the cases of the rarer one have both, 1,200 cases; A is directly before B once, directly after it never; at the same instant 2 times.",
  );
  assert.equal(
    text(togetherWords({ ...beside, share: 0.5, cases: null, instants: null })),
    "50 % of the cases of the rarer one have both; A is directly before B once, directly after it never.",
  );
  assert.equal(
    text(togetherWords({ aBeforeB: 0, bBeforeA: 0, share: 0.5, cases: 1, instants: null })),
    "50 % of the cases of the rarer one have both, 1 case; they never directly follow each other.",
  );
  assert.equal(
    text(togetherWords({ ...beside, share: null, cases: null, instants: null })),
    "A is directly before B once, directly after it never.",
  );
});
