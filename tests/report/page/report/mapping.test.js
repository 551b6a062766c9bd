import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, escapeFormula } from "../../../../src/actalike/report/page/shared/texts.js";

// the examples of tests/support/test_text.py
const RUN = ["=1", "+1", "-1", "@x", "\t=", "\r", "\nx", " =1", "\u00a0-", "\ufeff@", "\uff1d1", "'=1", "''\t", "' +"];
const TEXTS = ["", "Check", "'quoted'", "a=b", " x", "'", "1-1", "\u2212"];

test("what a spreadsheet would run gets an apostrophe", () => {
  const escaped = RUN.map((text) => `'${text}`);
  assert.deepEqual(RUN.map(escapeFormula), escaped);
});

test("everything else stays as it is", () => {
  assert.deepEqual(TEXTS.map(escapeFormula), TEXTS);
});

test("an escaped cell is quoted if CSV requires it", () => {
  assert.equal(csv([["=1,2", "b"]]), `"'=1,2",b\n`);
});
