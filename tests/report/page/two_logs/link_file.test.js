import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileText } from "../../../../src/actalike/report/page/shared/file_checks.js";
import { fileContent, readContent, readText } from "../../../../src/actalike/report/page/two_logs/link_file.js";
import { startState } from "../../../../src/actalike/report/page/two_logs/links.js";

const sample = (name) => readFileSync(new URL(`../../../samples/${name}`, import.meta.url), "utf-8");
const SAMPLE = sample("matching-decisions-v1.json");

test("the sample of version 1 is read and, by persons, written as it is", () => {
  const read = readText(SAMPLE);
  const expected = JSON.parse(SAMPLE);
  expected.pairs = expected.pairs.filter(({ by }) => by === "person");
  assert.equal(fileText(fileContent(startState([], read.atLeast, read), read.logs)), fileText(expected));
  assert.equal(fileText(JSON.parse(SAMPLE)), SAMPLE);
});

test("the page refuses what Python refuses", () => {
  for (const { why, from, to, times = 1 } of JSON.parse(sample("refused_matching_decisions.json"))) {
    assert.ok(SAMPLE.includes(from), why);
    assert.throws(() => readText(SAMPLE.replace(from, () => to.repeat(times))), why);
  }
  assert.throws(() => readContent(null), /format/);
  assert.throws(() => readText(SAMPLE.replace('"version": 1', '"version": 2')), /version 2, and this page reads version 1/);
});
