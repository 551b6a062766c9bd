import assert from "node:assert/strict";
import { test } from "node:test";
import { OUTSIDE } from "../../../../src/actalike/report/page/report/data.js";
import { listedWords, oddClaim, oddSentence, plainText } from "../../../../src/actalike/report/page/report/odd_words.js";

// the labels, the case and the sentences of tests/oddities/test_odd_words.py
const LABELS = ["Check", "Pay", "Approve", "Archive", "Wait", "Order", "Call", "Close"];
const number = (name) => (name === null ? OUTSIDE : LABELS.indexOf(name));
const CASE = ["Check", "Pay", "Pay", "Approve", "Archive"].map(number);
const USUAL = [
  ["Approve", 1190],
  ["Wait", 13],
];
const data = { label: (i) => LABELS[i], secondName: () => null };
const one = { events: [[0, CASE]] };

function at(position, kind, { expected = USUAL, missing = [], attribute = null, ...changed } = {}) {
  const value = attribute === null ? number : (text) => text;
  return {
    position,
    kind,
    words: `too ${kind}`,
    events: [position],
    before: position ? CASE[position - 1] : OUTSIDE,
    after: CASE[position + 1] ?? OUTSIDE,
    context: [position ? CASE[position - 1] : OUTSIDE],
    seam: position,
    times: 1,
    total: 1204,
    expected: expected.map(([name, times]) => [value(name), times]),
    missing: missing.map(number),
    belongs: null,
    attribute,
    value: null,
    occurs: [],
    ...changed,
  };
}

const said = (place) => plainText(data, oddSentence(one, place));

test("every kind has a sentence with counts, the same as in Python", () => {
  assert.equal(said(at(1, "inserted")), "after 'Check' 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204");
  assert.equal(
    said(at(1, "skipped", { missing: ["Approve"] })),
    "'Approve' is missing between 'Check' and 'Pay': after 'Check' 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204",
  );
  assert.equal(
    said(at(0, "skipped", { missing: ["Order", "Call"], expected: [["Order", 1203]] })),
    "'Order' and 'Call' are missing at the start, before 'Check': over 99 % of the cases begin with 'Order'; here: 'Check', 1 of 1,204",
  );
  assert.equal(
    said(at(5, "skipped", { missing: ["Close"], expected: [["Close", 9]], total: 10 })),
    "'Close' is missing at the end, after 'Archive': after 'Archive' 90 % go on to 'Close'; here: the case ends, 1 of 10",
  );
  const archived = [
    ["Archive", 6],
    [null, 3],
  ];
  assert.equal(
    said(at(2, "repeated", { events: [2, 3], expected: archived, total: 10 })),
    "'Pay' and 'Approve' are repeated: after 'Pay' 90 % go on to 'Archive' or end; here: 'Pay', 1 of 10",
  );
  assert.match(
    said(at(2, "repeated", { expected: [...archived, ["Wait", 1]], total: 11 })),
    /after 'Pay' 91 % go on to 'Archive', 'Wait' or end; here/,
  );
  assert.equal(
    said(at(4, "repeated", { expected: [[null, 9]], total: 10 })),
    "'Archive' is repeated: after 'Approve' 90 % end; here: 'Archive', 1 of 10",
  );
  assert.equal(
    said(at(1, "early", { belongs: 4 })),
    "'Pay' comes 2 events too early, it belongs after 'Approve': after 'Check' 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204",
  );
  assert.equal(
    said(at(3, "late", { events: [3, 4], belongs: 2, times: 3, expected: [["Wait", 1190]] })),
    "'Approve' and 'Archive' come 1 event too late, they belong before 'Pay': after 'Pay' 99 % go on to 'Wait'; here: 'Approve', 3 of 1,204",
  );
  const people = [
    ["Sue", 97],
    [null, 12],
  ];
  assert.equal(
    said(at(3, "attribute", { expected: people, attribute: "org:resource", value: "Bob", total: 100 })),
    "org:resource is 'Bob' (1 of 100): for 'Approve' it is 'Sue' (97 %) or missing (12 %)",
  );
  assert.equal(said(at(3, "attribute", { expected: [], attribute: "role", times: 0 })), "role is missing (0 of 1,204)");
});

test("a place that is mostly as here says so", () => {
  assert.equal(
    said(at(1, "inserted", { times: 700 })),
    "'Pay' does not belong between 'Check' and 'Pay': after 'Check' comes 'Pay' in 700 of 1,204",
  );
  assert.equal(
    said(at(5, "skipped", { expected: [], total: 1 })),
    "a step is missing at the end, after 'Archive': after 'Archive' the case ends in 1 of 1",
  );
});

test("a repetition that goes on as usual is shown by the number of occurrences", () => {
  assert.equal(
    said(at(2, "repeated", { events: [2, 3], times: 800, occurs: [2, 12, 80000] })),
    "'Pay' and 'Approve' are repeated: 'Pay' occurs 2 times here, and so often in 12 of the 80,000 cases with it",
  );
  const goingOn = "'Pay' is repeated: after 'Pay' 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204";
  assert.equal(said(at(2, "repeated", { occurs: [2, 1, 9000] })), goingOn);
  assert.match(said(at(2, "repeated", { times: 200, occurs: [2, 9, 10] })), /; here: 'Pay', 200 of 1,204$/);
});

test("the context is quoted where the sequence breaks", () => {
  assert.equal(
    said(at(1, "inserted", { context: [0, 1], seam: 2 })),
    "'Pay' does not belong between 'Check' and 'Pay': after 'Check' and then 'Pay' 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204",
  );
  assert.equal(
    said(at(1, "inserted", { context: [OUTSIDE, 0] })),
    "after 'Check' at the start 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204",
  );
});

test("every kind has a claim, and long lists are cut", () => {
  const claim = (place) => plainText(data, oddClaim(one, place));
  for (const kind of ["skipped", "inserted", "repeated", "early", "late", "attribute"])
    assert.ok(claim(at(1, kind, { attribute: "role", belongs: kind === "early" ? 3 : 0 })));
  assert.throws(() => oddClaim(one, at(1, "strange")));
  assert.equal(claim(at(0, "inserted")), "'Check' does not belong at the start, before 'Pay'");
  assert.equal(claim(at(4, "inserted")), "'Archive' does not belong at the end, after 'Approve'");
  assert.equal(claim(at(0, "repeated", { events: [0, 1, 2, 3, 4] })), "'Check', 'Pay', 'Pay' and 2 more are repeated");
});

test("it is said how many cases are odd, and how many of them are listed", () => {
  const words = (places, number, listed, cases) =>
    listedWords({ found: { places, cases: number }, listed, cases: Array(cases) }, 10500);
  assert.equal(words(1, 1, 1, 1), "1 odd place in 1 of 10,500 cases.");
  assert.equal(
    words(2600, 2500, 1312, 200),
    "2,600 odd places in 2,500 of 10,500 cases; listed are the 1,312 cases with the oddest. Cases with the same events and the same odd places stand once.",
  );
});
