import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startState, storedGroups } from "../../../../src/actalike/report/page/report/decisions.js";
import { fileContent, fileText, readContent, readText } from "../../../../src/actalike/report/page/shared/decision_file.js";
import { startState as startLinks, storedPairs } from "../../../../src/actalike/report/page/two_logs/links.js";

const sample = (name) => readFileSync(new URL(`../../../samples/${name}`, import.meta.url), "utf-8");
const byPerson = (list) => list.filter(({ by }) => by === "person");

test("the sample of one log is read, with its numbers and splits, and by persons written as it is", () => {
  const text = sample("decisions-v2.json");
  const read = readText(text, 1);
  const state = startState([], read.atLeast, read);
  const expected = JSON.parse(text);
  expected.groups = byPerson(expected.groups);
  assert.equal(fileText(fileContent(read.logs, state, { groups: storedGroups(state, []) })), fileText(expected));
  assert.equal(fileText(JSON.parse(text)), text);
});

test("the sample of two logs is read and by persons written as it is", () => {
  const text = sample("matching-decisions-v2.json");
  const read = readText(text, 2);
  const state = startLinks([], read.atLeast, read);
  const expected = JSON.parse(text);
  expected.pairs = byPerson(expected.pairs);
  assert.equal(fileText(fileContent(read.logs, state, { pairs: storedPairs(state) })), fileText(expected));
  assert.throws(() => readText(text, 1), /decisions about 2 logs/);
});

test("version 1 is read as what it meant", () => {
  const groups = readText(sample("decisions-v1.json"), 1);
  const now = readText(sample("decisions-v2.json"), 1);
  assert.deepEqual(
    groups.groups.map(({ id: _, ...group }) => group),
    now.groups.map(({ id: _, ...group }) => group),
  );
  assert.deepEqual([groups.logs, groups.note, groups.atLeast, groups.splits], [now.logs, now.note, now.atLeast, []]);
  assert.deepEqual(readText(sample("matching-decisions-v1.json"), 2), readText(sample("matching-decisions-v2.json"), 2));
});

test("the page refuses what Python refuses, but for what no writer makes", () => {
  for (const [refused, name, number] of [
    ["refused_decisions.json", "decisions-v1.json", 1],
    ["refused_decisions_v2.json", "decisions-v2.json", 1],
    ["refused_matching_decisions.json", "matching-decisions-v1.json", 2],
  ])
    for (const { why, from, to, times = 1, only } of JSON.parse(sample(refused))) {
      const text = sample(name);
      assert.ok(text.includes(from), why);
      if (!only)
        assert.throws(
          () =>
            readText(
              text.replace(from, () => to.repeat(times)),
              number,
            ),
          why,
        );
    }
  assert.throws(() => readText("{", 1), /not JSON/);
  assert.throws(() => readContent(null, 1), /format/);
  assert.throws(() => readText(sample("decisions-v2.json").replace('"version": 2', '"version": 9'), 1), /version 9/);
});

test("an accepted group with a blank name renames nothing, here as in Python", () => {
  const full = JSON.parse(sample("decisions-v2.json"));
  assert.equal(full.groups[0].decision, "accepted");
  for (const name of ["", " ", "\x1c \x85\t"]) {
    const { groups } = readContent({ ...full, groups: [{ ...full.groups[0], name }] }, 1);
    assert.deepEqual([groups[0].decision, groups[0].name], ["undecided", null]);
  }
});
