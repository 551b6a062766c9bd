import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decide,
  decideAll,
  defaultName,
  differences,
  dissolve,
  hasEffect,
  leaveOut,
  newGroup,
  nextId,
  putInto,
  rename,
  setAtLeast,
  setNote,
  startState,
  stepName,
} from "../../../../src/actalike/report/page/report/decisions.js";
import { History } from "../../../../src/actalike/report/page/shared/decided_choices.js";
import { isBlank } from "../../../../src/actalike/report/page/shared/texts.js";

const PROPOSALS = [
  { members: ["a", "b"], name: "a", probability: 0.6 },
  { members: ["c", "d", "e"], name: "c", probability: 0 },
];
const start = (decided) => startState(PROPOSALS, 0.5, decided);
const group = (state, id) => state.groups.find((one) => one.id === id);
const brief = (state) => state.groups.map(({ id, members, decision, by }) => [id, members.join(""), decision, by]);
const decided = (groups) => ({
  note: "",
  groups: groups.map((one, id) => ({ id, by: "person", note: "", proposed: null, ...one })),
});

// no function changes a state that it was given
const frozen = (value) => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
};

test("sure synonyms are accepted by actalike, everything else is undecided", () => {
  assert.deepEqual(brief(start()), [
    [0, "ab", "accepted", "actalike"],
    [1, "cde", "undecided", "actalike"],
  ]);
  const surer = setAtLeast(frozen(start()), PROPOSALS, 0.61);
  assert.equal(group(surer, 0).decision, "undecided");
  assert.equal(group(setAtLeast(decide(surer, 0, "accepted"), PROPOSALS, 0.99), 0).decision, "accepted");
});

test("a label is in at most one accepted group", () => {
  const moved = putInto(frozen(decide(start(), 1, "accepted")), 1, "b");
  assert.deepEqual(brief(moved), [
    [0, "a", "accepted", "person"],
    [1, "cdeb", "accepted", "person"],
  ]);
  const both = decide(putInto(start(), 1, "a", 0), 1, "accepted");
  assert.deepEqual(group(both, 0).members, ["b"]);
  const made = newGroup(frozen(start()), nextId(start(), PROPOSALS), ["a", "c"]);
  assert.deepEqual(brief(made), [
    [0, "b", "accepted", "person"],
    [1, "cde", "undecided", "actalike"],
    [2, "ac", "accepted", "person"],
  ]);
});

test("a group that others have taken all labels of is undecided", () => {
  const made = newGroup(frozen(start()), 2, ["a", "b"]);
  assert.deepEqual(brief(made)[0], [0, "", "undecided", "person"]);
  assert.equal(stepName(group(made, 0), PROPOSALS), "a");
});

test("labels are left out and put back, groups are renamed, noted and dissolved", () => {
  const without = leaveOut(frozen(start()), 0, "a");
  assert.deepEqual(group(without, 0).members, ["b"]);
  assert.deepEqual(group(putInto(without, 0, "a"), 0).members, ["b", "a"]);
  assert.equal(stepName(group(without, 0), PROPOSALS), "b");
  assert.equal(hasEffect(group(without, 0), PROPOSALS), false);
  const named = rename(without, 0, " Check ");
  assert.equal(stepName(group(named, 0), PROPOSALS), "Check");
  assert.equal(hasEffect(group(named, 0), PROPOSALS), true); // a renaming
  assert.equal(group(rename(named, 0, " \t"), 0).name, null);
  assert.equal(group(setNote(start(), 0, "half \ud800"), 0).note, "half \ufffd");
  assert.equal(dissolve(newGroup(start(), 5, ["x"]), 5).groups.length, 2);
  assert.equal(leaveOut(newGroup(start(), 5, ["x"]), 5, "x").groups.length, 2); // made by hand, and without a label
  assert.equal(dissolve(start(), 0).groups.length, 2); // a proposal is rejected, not dissolved
  assert.ok(decideAll(start(), [0, 1], "rejected").groups.every(({ decision }) => decision === "rejected"));
});

test("what a person decided stays in a new report, and what actalike decided gives way", () => {
  const before = decided([
    { members: ["a", "x"], name: "A", decision: "accepted" },
    { members: ["c", "d", "e"], name: "c", decision: "rejected", proposed: ["e", "d", "c"] },
    { members: ["y", "z"], name: "y", decision: "accepted", by: "actalike", proposed: ["y", "z"] },
  ]);
  const state = start(before);
  assert.deepEqual(brief(state), [
    [0, "ax", "accepted", "person"],
    [1, "cde", "rejected", "person"],
    [2, "ab", "undecided", "actalike"], // because a is accepted elsewhere
  ]);
  assert.deepEqual([group(state, 1).proposal, group(state, 1).name, group(state, 0).name], [1, null, "A"]);
});

test("a proposal of labels that a person has decided about is not accepted by itself", () => {
  const proposals = [{ members: ["a", "b", "c"], name: "a", probability: 0.9 }];
  const decisionWith = (members, decision) =>
    group(startState(proposals, 0.5, decided([{ members, name: "n", decision, proposed: members }])), 1).decision;
  assert.equal(decisionWith(["a", "b"], "rejected"), "undecided");
  assert.equal(decisionWith(["a", "x"], "rejected"), "accepted");
  assert.equal(decisionWith(["a", "x"], "accepted"), "undecided");
});

test("proposals that differ from those of the decisions before are counted", () => {
  const state = start();
  const file = (groups) => differences(decided(groups), state);
  const same = state.groups.map((one) => ({ ...one, members: [...one.members].reverse() }));
  assert.deepEqual(file(same), { added: 0, accepted: 0, gone: 0, changed: 0 });
  assert.deepEqual(file([]), { added: 2, accepted: 1, gone: 0, changed: 0 });
  const [first, second] = same;
  const gone = { members: ["x", "y"], proposed: ["x", "y"], name: "x", decision: "accepted", by: "actalike" };
  const other = { ...second, decision: second.decision === "accepted" ? "undecided" : "accepted" };
  assert.deepEqual(file([gone, { ...gone, members: [], proposed: [], decision: "undecided" }, first, other]), {
    added: 0,
    accepted: 0,
    gone: 1,
    changed: 1,
  });
});

test("numbers are kept over a file, and free ones go to what has none", () => {
  const state = putInto(newGroup(rename(decide(start(), 1, "rejected"), 0, "One"), 7, ["c", "new"]), 7, "b");
  const file = { atLeast: 0.5, note: "", groups: state.groups.map((one) => ({ ...one, name: stepName(one, PROPOSALS) })) };
  assert.deepEqual(start(file), state);
  const third = { members: ["x", "y"], name: "x", probability: 0.9 };
  const grown = startState([third, ...PROPOSALS], 0.5, file);
  assert.deepEqual(
    grown.groups.map(({ id, members }) => [id, members.join("")]),
    [
      [0, "a"],
      [1, "cde"],
      [2, "xy"],
      [7, "cnewb"],
    ],
  );
});

test("a step has the proposed name, unless its label has left; it is never blank", () => {
  const made = { members: ["e", "d"], proposed: ["c", "d", "e"], proposal: 1 };
  assert.equal(defaultName(made, PROPOSALS), "e");
  assert.equal(defaultName(made, [PROPOSALS[0], { ...PROPOSALS[1], name: "Say by user" }]), "Say by user");
  assert.equal(defaultName({ members: [" ", ""], proposed: null, proposal: null }, []), "(no name)");
  assert.ok(["", " ", "\x1c", "\ufeff", "\x85"].every(isBlank));
  assert.ok(!isBlank("\x00"));
});

test("changes are undone and redone; letters of one text together", () => {
  const history = new History(0);
  history.push(1, "name");
  history.push(2, "name");
  history.push(3);
  assert.equal(history.undo() && history.present, 2);
  assert.equal(history.undo() && history.present, 0);
  assert.equal(history.undo(), false);
  assert.equal(history.redo() && history.present, 2);
  history.push(4, "name");
  assert.equal(history.redo(), false);
  assert.equal(history.undo() && history.present, 2);
});
