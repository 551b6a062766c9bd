import assert from "node:assert/strict";
import { test } from "node:test";
import { shortLabels } from "../../../../src/actalike/report/page/shared/widths.js";

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
