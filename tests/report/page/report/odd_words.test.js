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
    context: [position ? CASE[position - 1] : OUTSIDE],
    seam: position,
    times: 1,
    total: 1204,
    expected: expected.map(([name, times]) => [value(name), times]),
    missing: missing.map(number),
    belongs: null,
    attribute,
    value: null,
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
    "'Pay' is unexpected after 'Check': after 'Check' comes 'Pay' in 700 of 1,204",
  );
  assert.equal(
    said(at(5, "early", { events: [4], expected: [], total: 1 })),
    "'Archive' comes too early: after 'Archive' the case ends in 1 of 1",
  );
});

test("the context is quoted where the sequence breaks", () => {
  assert.equal(
    said(at(1, "inserted", { context: [0, 1], seam: 2 })),
    "'Pay' is unexpected after 'Check': after 'Check' and then 'Pay' 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204",
  );
  assert.equal(
    said(at(1, "inserted", { context: [OUTSIDE, 0] })),
    "after 'Check' at the start 99 % go on to 'Approve'; here: 'Pay', 1 of 1,204",
  );
});

test("every kind has a claim, a shift without a place is only named, long lists are cut", () => {
  const claim = (place) => plainText(data, oddClaim(one, place));
  for (const kind of ["skipped", "inserted", "repeated", "early", "late", "attribute"])
    assert.ok(claim(at(1, kind, { attribute: "role" })));
  assert.throws(() => oddClaim(one, at(1, "strange")));
  assert.equal(claim(at(1, "early")), "'Pay' comes too early");
  assert.equal(claim(at(3, "late", { belongs: 3 })), "'Approve' comes too late");
  assert.equal(claim(at(0, "inserted")), "'Check' is unexpected at the start");
  assert.equal(claim(at(0, "repeated", { events: [0, 1, 2, 3, 4] })), "'Check', 'Pay', 'Pay' and 2 more are repeated");
});

test("it is said how many cases are odd, and how many of them are listed", () => {
  assert.equal(listedWords({ number: 1, listed: 1, cases: Array(1) }, 106), "1 of 106 cases are odd.");
  assert.equal(
    listedWords({ number: 2500, listed: 1312, cases: Array(200) }, 10500),
    "2,500 of 10,500 cases are odd; listed are the 1,312 oddest. Those with the same events and the same odd places stand once.",
  );
});
