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
    boldness: 0.2,
    palette: { light: ["#111111"], dark: ["#eeeeee"] },
    groups: [
      { members: [0, 1], boldness: 0.1, sure: false },
      { members: [2, 3], boldness: 0.15, sure: true },
      { members: [0, 1, 4], boldness: 0.6, sure: true },
    ],
  };
  return { data, choices: new Choices(data, () => false) };
}

test("groups within the boldness are proposed, the sure ones first and ticked", () => {
  const { choices } = example();
  assert.deepEqual(
    choices.groups.map((group) => [group.id, group.number, choices.isTicked(group), group.colour]),
    [
      [1, 1, true, "#111111"],
      [0, 2, false, "#111111"],
    ],
  );
  assert.equal(choices.activitiesLeft(), 6);
});

test("ticks, names and members that are left out make the mapping", () => {
  const { data, choices } = example();
  const [sure, unsure] = choices.groups;
  choices.ticks.set(unsure.id, true);
  choices.names.set(sure.id, " One step ");
  assert.equal(mappingText(data, choices), 'activity,group\npay,pay\nPay out,pay\n"say ""x"", y",One step\nb,One step\na,a\n');
  choices.leftOut.set(sure.id, new Set([3]));
  assert.equal(choices.isMerged(sure), false);
  assert.equal(choices.activitiesLeft(), 6);
});

test("a name that another step has is noticed", () => {
  const { choices } = example();
  const [sure] = choices.groups;
  assert.equal(choices.nameIsTaken(sure), false);
  choices.names.set(sure.id, "a");
  assert.equal(choices.nameIsTaken(sure), true);
});

test("whoever watches a kind of change is called, others are not", () => {
  const { choices } = example();
  const calls = [];
  choices.watch("boldness ticks", () => calls.push("first"));
  choices.watch("selection", () => calls.push("second"));
  choices.boldness = 1;
  choices.changed("boldness");
  choices.select(3);
  assert.deepEqual(calls, ["first", "second"]);
  assert.equal(choices.groups.length, 3);
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
