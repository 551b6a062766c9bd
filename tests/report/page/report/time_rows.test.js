import assert from "node:assert/strict";
import { test } from "node:test";
import { periodText, timeRows } from "../../../../src/actalike/report/page/report/time.js";
import { caseSteps } from "../../../../src/actalike/report/page/shared/controls.js";

const counts = [
  [0, 2, 1],
  [3, 0, 0],
  [0, 0, 0],
  [1, 1, 0],
];
const groupOf = [null, { number: 2 }, null, { number: 1 }];
const rows = (order, isShown = () => true) => timeRows(counts, groupOf, isShown, order);

test("rows are the labels that were used in the period, in the order that was chosen", () => {
  assert.deepEqual(rows("first"), [1, 3, 0]);
  assert.deepEqual(rows("group"), [3, 1, 0]);
  assert.deepEqual(rows("frequency"), [0, 1, 3]);
  assert.deepEqual(
    rows("first", (i) => i !== 1),
    [3, 0],
  );
});

test("periods are called by their unit", () => {
  assert.equal(periodText("2024-04-01", "quarter"), "2024 Q2");
  assert.equal(periodText("2024-04-01", "month"), "2024-04");
  assert.equal(periodText("2024-04-01", "week"), "week of 2024-04-01");
  assert.equal(periodText("2024-04-01T07", "hour"), "2024-04-01 07:00");
});

test("the filter ends where two labels are left", () => {
  assert.deepEqual(caseSteps([500, 12, 3, 1]), [1, 2, 3, 5, 7, 10]);
  assert.deepEqual(caseSteps([1]), [1]);
});
