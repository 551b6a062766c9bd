import assert from "node:assert/strict";
import test from "node:test";

import { matches } from "../../../../src/actalike/report/page/shared/texts.js";

test("a label is found by a part of it, or of its second name", () => {
  const labels = ["01_A", "02_B", "Pay"];
  assert.deepEqual(matches(labels, "pay"), [2]);
  assert.deepEqual(matches(labels, "pay", ["Repay", null, "x"]), [2, 0]);
  assert.deepEqual(matches(labels, " ", ["Repay", null, null]), []);
  assert.deepEqual(matches(labels, "b", [null, "begin", "end b"]), [1, 2]);
});
