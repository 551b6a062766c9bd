import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceText } from "../../../../src/actalike/report/page/shared/dom.js";
import { counted, percent, similarityText, withoutMiddle } from "../../../../src/actalike/report/page/shared/texts.js";
import { shortLabels } from "../../../../src/actalike/report/page/shared/widths.js";

test("a share that is not nothing is never 0 %, one that is not all never 100 %", () => {
  assert.deepEqual([0, 0.00001, 0.004, 0.5, 0.996, 1].map(percent), [
    "0\u00a0%",
    "under 1\u00a0%",
    "under 1\u00a0%",
    "50\u00a0%",
    "over 99\u00a0%",
    "100\u00a0%",
  ]);
});

test("a similarity below 1 does not look like 1", () => {
  assert.deepEqual([0.9974, 0.9996, 1].map(similarityText), ["0.997", "0.9996", "1.000"]);
});

test("things are counted in the singular and the plural", () => {
  assert.equal(counted(1, "case", "cases"), "1 case");
  assert.equal(counted(1234, "case", "cases"), "1,234 cases");
});

test("a text is shortened in its middle, by whole characters", () => {
  const characters = Array.from("Declaration FINAL_APPROVED by 🎉");
  assert.equal(withoutMiddle(characters, 9), "Decla…by 🎉");
  assert.equal(withoutMiddle(characters, 1), "D…");
  assert.equal(withoutMiddle(characters, 0), "…");
});

const within = (length) => (text) => Array.from(text).length <= length;

test("short labels stay, long ones keep their beginning and their end", () => {
  const [first, second, third] = shortLabels(
    ["Declaration FINAL_APPROVED by SUPERVISOR", "Declaration FINAL_APPROVED by DIRECTOR", "Pay"],
    within(18),
  );
  assert.match(first, /^Declarat.*….*VISOR$/);
  assert.match(second, /^Declarat.*….*DIRECTOR$/);
  assert.equal(third, "Pay");
});

test("labels that would read the same keep the part that differs", () => {
  const short = shortLabels(
    ["Check the form of kind A for the customer", "Check the form of kind B for the customer"],
    within(20),
  );
  assert.deepEqual(short, ["Check th…A…customer", "Check th…B…customer"]);
});

test("every text fits, whatever the labels are", () => {
  const labels = [
    "",
    "x".repeat(1000),
    "xy".repeat(500),
    "🎉".repeat(60),
    "a\nb\tc",
    ...Array.from({ length: 300 }, (_, k) => "x".repeat(50 + k)),
  ];
  for (const text of shortLabels(labels, within(12))) assert.ok(within(12)(text), text);
});

test("a sentence of parts is a text with its labels as the page wants them", () => {
  const parts = [{ label: 3 }, " is missing: 98 % go on to ", { label: 5 }, " by ", { text: "<b>" }];
  assert.equal(
    sentenceText(parts, (i) => `'${i}'`),
    "'3' is missing: 98 % go on to '5' by <b>",
  );
});
