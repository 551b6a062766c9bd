import assert from "node:assert/strict";
import { test } from "node:test";
import { sentenceText } from "../../../../src/actalike/report/page/shared/dom.js";

test("a sentence of parts is a text with its labels as the page wants them", () => {
  const parts = [{ label: 3 }, " is missing: 98 % go on to ", { label: 5 }, " by ", { text: "<b>" }];
  assert.equal(
    sentenceText(parts, (i) => `'${i}'`),
    "'3' is missing: 98 % go on to '5' by <b>",
  );
});
