import assert from "node:assert/strict";
import { test } from "node:test";
import { kindCounts, listedCases, oddTable, stripParts } from "../../../../src/actalike/report/page/report/odd.js";

const LABELS = ["Check", "Pay", "=Archive"];
const NAMES = [null, "Betaling", null];
const place = (kind, position, changed = {}) => ({
  kind,
  position,
  events: [position],
  times: 1,
  total: 9,
  score: 4.5,
  missing: [],
  belongs: null,
  attribute: null,
  value: null,
  probability: 0.75,
  sentence: [{ label: 1 }, ` is ${kind} at `, { text: "noon" }],
  ...changed,
});
const CASES = [
  { ids: ["X-1"], number: 1, length: 2, events: [[0, [0, 2]]], places: [place("skipped", 1, { missing: [1] })] },
  {
    ids: ["Y-1", "Y-2"],
    number: 7,
    length: 1,
    events: [[0, [0]]],
    places: [place("inserted", 0), place("attribute", 0, { attribute: "who", value: "Sue" })],
  },
];
const data = {
  odd: {
    kinds: [
      ["skipped", "skipped"],
      ["early", "too early"],
      ["attribute", "unusual attribute"],
    ],
    found: { places: 9, cases: 8, kinds: { skipped: 2, early: 0, attribute: 7 } },
    cases: CASES,
  },
  label: (i) => LABELS[i],
  secondName: (i) => NAMES[i],
  hasText: (i, query) => [LABELS[i], NAMES[i]].some((text) => text?.toLowerCase().includes(query)),
};

// A strip in short: events as numbers, [missing], {where it belongs}, odd events with !.
const short = (parts) =>
  parts
    .map(({ part, activity, marks, number, isHere }) => {
      if (part === "event") return `${activity}${"!".repeat(marks.length)}`;
      if (part === "missing") return `[${activity}]`;
      if (part === "gap") return `${isHere ? "" : "absent "}…${number}…`;
      return part === "belongs" ? `{${number}}` : part;
    })
    .join(" ");
const strip = (length, places, events = [[0, Array(length).fill(0)]], opened = new Set()) =>
  short(stripParts({ length, events, places }, opened));

test("cases are counted and listed by kind, by id, label, second name and value", () => {
  assert.deepEqual(
    kindCounts(data.odd).map(({ words, number }) => `${words} ${number}`),
    ["skipped 2", "too early 0", "unusual attribute 7"],
  );
  const ids = (choice) => listedCases(data, { kind: null, query: "", byNumber: false, ...choice }).map((one) => one.ids[0]);
  assert.deepEqual(ids({}), ["X-1", "Y-1"]);
  assert.deepEqual(ids({ byNumber: true }), ["Y-1", "X-1"]);
  assert.deepEqual(ids({}), ["X-1", "Y-1"]);
  assert.deepEqual(ids({ kind: "attribute" }), ["Y-1"]);
  for (const query of ["x-1", "betal", " archive "]) assert.deepEqual(ids({ query }), ["X-1"]);
  for (const query of ["Y-2", "SUE"]) assert.deepEqual(ids({ query }), ["Y-1"]);
  assert.deepEqual(ids({ kind: "skipped", query: "sue" }), []);
});

test("missing steps, odd events and where they belong stand in their places", () => {
  assert.equal(strip(3, [place("skipped", 1, { missing: [4, 5] })]), "start 0 [4] [5] 0 0 end");
  assert.equal(strip(2, [place("skipped", 2, { missing: [4] })]), "start 0 0 [4] end");
  assert.equal(strip(4, [place("early", 0, { belongs: 3 })]), "start 0! 0 0 {0} 0 end");
  assert.equal(strip(3, [place("late", 2, { belongs: 0 }), place("repeated", 1, { events: [1, 2] })]), "start {0} 0 0! 0!! end");
  assert.equal(strip(2, [place("early", 0, { belongs: 2 })]), "start 0! 0 {0} end");
});

test("a long case is cut around its odd places, and can be opened where the page has the events", () => {
  const places = [place("inserted", 20)];
  assert.equal(strip(40, places), "…17… 0 0 0 0! 0 0 0 …16…");
  assert.equal(strip(40, places, undefined, new Set([24])).split(" ").length, 1 + 7 + 16 + 1);
  assert.equal(strip(12, [place("inserted", 1)]), `start 0 0!${" 0".repeat(10)} end`);
  assert.equal(strip(13, [place("inserted", 7)]), "…4… 0 0 0 0! 0 0 0 0 0 end");
  const some = [[15, Array(11).fill(0)]];
  assert.equal(strip(5000, places, some), "absent …15… 0 0 0 0 0 0! 0 0 0 0 0 absent …4974…");
});

test("the table has a row for each odd place, and formulas are texts", () => {
  const [header, first, second, third] = oddTable(data, CASES).split("\n");
  assert.equal(header, "score,case,cases,event,kind,activity,reason,times,total,attribute,value,probability");
  assert.equal(first, "4.5,X-1,1,2,skipped,'=Archive,'Pay' [Betaling] is skipped at noon,1,9,,,0.75");
  assert.match(second, /^4.5,Y-1,7,1,inserted,Check,/);
  assert.match(third, /^4.5,Y-1,7,1,attribute,Check,'Pay' \[Betaling\] is attribute at noon,1,9,who,Sue,0.75$/);
});
