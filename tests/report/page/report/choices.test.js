import assert from "node:assert/strict";
import { test } from "node:test";
import { Choices } from "../../../../src/actalike/report/page/report/choices.js";
import { byCodePoint, csv, mappingText } from "../../../../src/actalike/report/page/report/mapping.js";
import { matches } from "../../../../src/actalike/report/page/report/search.js";

function example() {
  const data = {
    size: 5,
    labels: ["pay", "Pay out", 'say "x", y', "b", "a"],
    facts: { activities: 7 },
    at_least: 0.5,
    palette: { light: ["#111111"], dark: ["#eeeeee"] },
    groups: [
      { members: [0, 1], name: "pay", relation: "synonyms", probability: 0.6 },
      { members: [2, 3], name: "b", relation: "alternatives", probability: 0.9 },
      { members: [4, 0], name: "a", relation: "belong together", probability: 0.1 },
    ],
  };
  return { data, choices: new Choices(data, () => false) };
}

test("synonyms and alternatives are proposed, and only synonyms are ticked", () => {
  const { choices } = example();
  assert.deepEqual(
    choices.groups.map((group) => [group.id, group.number, choices.isTicked(group), group.colour]),
    [
      [0, 1, true, "#111111"],
      [1, 2, false, "#111111"],
      [2, 3, false, "#111111"],
    ],
  );
  assert.deepEqual(
    choices.proposed.map((group) => group.id),
    [0, 1],
  );
  assert.deepEqual(
    choices.groupOf.map((group) => group?.id ?? null),
    [0, 0, 1, 1, null],
  );
  assert.equal(choices.otherOf[4].id, 2);
  assert.equal(choices.activitiesLeft(), 6);
});

test("a reader who wants to be surer unticks synonyms, but not what was ticked by hand", () => {
  const { choices } = example();
  const [synonyms, alternatives] = choices.groups;
  choices.atLeast = 0.6;
  assert.equal(choices.isTicked(synonyms), true);
  choices.atLeast = 0.61;
  assert.equal(choices.isTicked(synonyms), false);
  choices.ticks.set(alternatives.id, true);
  choices.atLeast = 0.99;
  assert.equal(choices.isTicked(alternatives), true);
});

test("ticks, names and members that are left out make the mapping", () => {
  const { data, choices } = example();
  const [synonyms, alternatives] = choices.groups;
  choices.ticks.set(alternatives.id, true);
  choices.names.set(synonyms.id, " One step ");
  assert.equal(mappingText(data, choices), 'activity,group\npay,One step\nPay out,One step\n"say ""x"", y",b\nb,b\na,a\n');
  choices.leftOut.set(synonyms.id, new Set([1]));
  assert.equal(choices.isMerged(synonyms), false);
  assert.equal(choices.activitiesLeft(), 6);
});

test("a step has the proposed name, unless its member is left out", () => {
  const { choices } = example();
  const [synonyms, alternatives] = choices.groups;
  assert.equal(choices.defaultName(synonyms), "pay");
  choices.leftOut.set(alternatives.id, new Set([3]));
  assert.equal(choices.defaultName(alternatives), 'say "x", y');
  alternatives.name = "Say by user";
  assert.equal(choices.defaultName(alternatives), "Say by user");
});

test("a name that another step has is noticed", () => {
  const { choices } = example();
  const [synonyms] = choices.groups;
  assert.equal(choices.nameIsTaken(synonyms), false);
  choices.names.set(synonyms.id, "a");
  assert.equal(choices.nameIsTaken(synonyms), true);
});

test("whoever watches a kind of change is called, others are not", () => {
  const { choices } = example();
  const calls = [];
  choices.watch("theme ticks", () => calls.push("first"));
  choices.watch("selection", () => calls.push("second"));
  choices.changed("ticks");
  choices.select(3);
  assert.deepEqual(calls, ["first", "second"]);
  assert.equal(choices.selected, 3);
});

test("CSV is quoted, and sorted by whole characters as Python does", () => {
  assert.equal(csv([["a,b", 'c"d', "e\nf", "g"]]), '"a,b","c""d","e\nf",g\n');
  assert.deepEqual(["\u{1f389}", "\uffee", "b", "B", "", "ba"].sort(byCodePoint), ["", "B", "b", "ba", "\uffee", "\u{1f389}"]);
});

test("a search finds labels that contain the text, those that begin with it first", () => {
  assert.deepEqual(matches(["repay", "Pay", "x"], " PAY"), [1, 0]);
  assert.deepEqual(matches(["repay"], "  "), []);
});
