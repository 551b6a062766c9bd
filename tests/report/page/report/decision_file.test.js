import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileContent, readContent, readText } from "../../../../src/actalike/report/page/report/decision_file.js";
import { startState } from "../../../../src/actalike/report/page/report/decisions.js";
import { fileText } from "../../../../src/actalike/report/page/shared/file_checks.js";

const SAMPLE = readFileSync(new URL("../../../samples/decisions-v1.json", import.meta.url), "utf-8");

test("the sample of version 1 is read and, by persons, written as it is", () => {
  const read = readText(SAMPLE);
  const state = startState([], read.atLeast, read);
  const text = fileText(fileContent(state, read.log, []));
  const expected = JSON.parse(SAMPLE);
  expected.groups = expected.groups.filter(({ by }) => by === "person");
  assert.equal(text, `${JSON.stringify(expected, null, 2)}\n`);
  assert.equal(fileText(JSON.parse(SAMPLE)), SAMPLE);
});

test("what is no decisions is refused in a sentence", () => {
  const full = JSON.parse(SAMPLE);
  const [group] = full.groups;
  const refused = [
    [{ ...full, format: "x" }, /format/],
    [{ ...full, version: 2 }, /version 2, and this page reads version 1/],
    [{ ...full, log: null }, /log/],
    [{ ...full, note: 1 }, /note/],
    [{ ...full, at_least: undefined }, /"at_least" is not a probability/],
    [{ ...full, at_least: 1.01 }, /"at_least" is not a probability/],
    [{ ...full, groups: {} }, /groups/],
    [{ ...full, groups: [null] }, /group 1 is not an object/],
    [{ ...full, groups: [{ ...group, decision: "maybe" }] }, /unknown "decision"/],
    [{ ...full, groups: [{ ...group, by: "me" }] }, /unknown "by"/],
    [{ ...full, groups: [{ ...group, name: null }] }, /name/],
    [{ ...full, groups: [{ ...group, activities: ["a", "a"] }] }, /different texts/],
    [{ ...full, groups: [{ ...group, proposed: [1] }] }, /proposed/],
    [{ ...full, groups: [{ ...group, note: null }] }, /note/],
    [{ ...full, groups: [group, { ...group, name: "y" }] }, /"Verify" is in two accepted groups/],
    [null, /format/],
  ];
  for (const [content, words] of refused) assert.throws(() => readContent(content), words);
  assert.throws(() => readText("{"), /not JSON/);
});

test("the page refuses what Python refuses", () => {
  const refused = JSON.parse(readFileSync(new URL("../../../samples/refused_decisions.json", import.meta.url), "utf-8"));
  for (const { why, from, to, times = 1 } of refused) {
    assert.ok(SAMPLE.includes(from), why);
    const text = SAMPLE.replace(from, () => to.repeat(times));
    assert.throws(() => readText(text), why);
  }
});

test("an accepted group with a blank name renames nothing, here as in Python", () => {
  const full = JSON.parse(SAMPLE);
  assert.equal(full.groups[0].decision, "accepted");
  for (const name of ["", " ", "\x1c \x85\t"]) {
    const { groups } = readContent({ ...full, groups: [{ ...full.groups[0], name }] });
    assert.deepEqual([groups[0].decision, groups[0].name], ["undecided", null]);
  }
});

test("escaped quotes, equal texts and keys of different objects are no mistakes", () => {
  const odd = SAMPLE.replace("two outcomes", String.raw`\"by\": 1.5e3 \\`).replace("orders.csv", "version");
  assert.equal(readText(odd).groups[1].note, '"by": 1.5e3 \\');
  const named = SAMPLE.replace('"name": "Pay"', String.raw`"name": "\ufeff"`); // blank for JavaScript, and not for Python
  const read = readText(named);
  assert.equal(fileContent(startState([], 0.5, read), read.log, []).groups[1].name, "Pay");
});
