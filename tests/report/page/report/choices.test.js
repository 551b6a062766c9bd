import assert from "node:assert/strict";
import { test } from "node:test";
import { Choices, groupColour, mappingText } from "../../../../src/actalike/report/page/report/choices.js";
import { decide, leaveOut, newGroup, rename } from "../../../../src/actalike/report/page/report/decisions.js";
import { byCodePoint, csv, matches } from "../../../../src/actalike/report/page/shared/texts.js";

function example() {
  const data = {
    size: 5,
    labels: ["pay", "Pay out", 'say "x", y', "b", "a"],
    hidden: [],
    facts: { activities: 7 },
    at_least: 0.5,
    palette: { light: Array(10).fill("#111111"), dark: Array(10).fill("#eeeeee") },
    groups: [
      { members: [0, 1], name: "pay", relation: "synonyms", probability: 0.6 },
      { members: [2, 3], name: "b", relation: "alternatives", probability: 0.9 },
      { members: [4, 0], name: "a", relation: "belong together", probability: 0.1 },
    ],
  };
  return { data, choices: new Choices(data, () => false) };
}

const brief = (groups) => groups.map((group) => group?.id ?? null);

test("synonyms and alternatives are proposed, and only synonyms are accepted", () => {
  const { choices } = example();
  assert.deepEqual(
    choices.groups.map((group) => [group.id, group.number, choices.isAccepted(group), group.colour]),
    [
      [0, 1, true, "#111111"],
      [1, 2, false, "#111111"],
      [2, 3, false, "#111111"],
    ],
  );
  assert.deepEqual(brief(choices.proposed), [0, 1]);
  assert.deepEqual(brief(choices.groupOf), [0, 0, 1, 1, null]);
  assert.equal(choices.otherOf[4].id, 2);
  assert.equal(choices.activitiesLeft(), 6);
  assert.deepEqual(choices.progress, { decided: 0, all: 2 });
});

test("decisions, names and members that are left out make the mapping", () => {
  const { data, choices } = example();
  choices.apply(rename(decide(choices.state, 1, "accepted"), 0, " One step "));
  assert.equal(mappingText(data, choices), 'activity,group\npay,One step\nPay out,One step\n"say ""x"", y",b\nb,b\na,a\n');
  choices.apply(rename(leaveOut(choices.state, 0, "Pay out"), 0, ""));
  assert.equal(choices.isMerged(choices.group(0)), false);
  assert.equal(choices.activitiesLeft(), 6);
  choices.undo();
  assert.equal(choices.activitiesLeft(), 5);
});

test("the mapping has the second names as a third column", () => {
  const { data, choices } = example();
  data.names = ["Pay", null, "=1", "Bee", null];
  assert.equal(
    mappingText(data, choices),
    `activity,group,name\npay,pay,Pay\nPay out,pay,\na,a,\nb,b,Bee\n"say ""x"", y","say ""x"", y",'=1\n`,
  );
});

test("rejected groups stay in the list without a colour, groups by hand and accepted ones have one", () => {
  const { choices } = example();
  choices.apply(decide(choices.state, 1, "rejected"));
  assert.deepEqual([brief(choices.listed), brief(choices.proposed), brief(choices.others)], [[0, 1], [0], [2]]);
  assert.deepEqual(brief(choices.groupOf), [0, 0, null, null, null]);
  choices.apply(newGroup(decide(choices.state, 2, "accepted"), 3, ["b", "gone"]));
  assert.deepEqual(brief(choices.proposed), [3, 0, 2]); // those made by hand come first
  assert.deepEqual(brief(choices.groupOf), [2, 0, null, 3, 2]);
  assert.deepEqual([choices.group(3).members, choices.group(3).unknown, choices.unknownLabels], [[3], ["gone"], ["gone"]]);
  assert.equal(choices.group(3).relation, "made by hand");
});

test("a renamed label is no merged group, and labels that the log does not have count for nothing", () => {
  const { data, choices } = example();
  const counts = () => [choices.effects.merged.length, choices.effects.renamed.length];
  assert.deepEqual(counts(), [1, 0]);
  choices.apply(rename(newGroup(decide(choices.state, 0, "rejected"), 3, ["a"]), 3, "A"));
  assert.deepEqual(counts(), [0, 1]);
  choices.apply(newGroup(choices.state, 4, ["gone", "lost"]));
  assert.deepEqual(counts(), [0, 1]);
  assert.equal(choices.isMerged(choices.group(4)), false);
  assert.ok(!mappingText(data, choices).includes("gone"));
  data.left_out = { activities: 2 }; // then the log may have them
  assert.deepEqual(counts(), [1, 1]);
});

test("members of groups that are too rare to be drawn are decided about as all others", () => {
  const { data } = example();
  Object.assign(data, { hidden: ["Rare pay", "Rarer"], left_out: { activities: 4 }, facts: { activities: 9 } });
  data.names = ["Pay", null, null, null, null, "Seldom", null];
  data.groups[0].members = [0, 1, 5];
  data.groups[1].members = [2, 6];
  const choices = new Choices(data, () => false);
  const [first, second] = choices.groups;
  assert.deepEqual([first.members, first.hidden, first.unknown], [[0, 1], ["Rare pay"], []]);
  assert.deepEqual(first.decided.members, ["pay", "Pay out", "Rare pay"]);
  assert.deepEqual([second.members, second.hidden, choices.unknownLabels], [[2], ["Rarer"], []]);
  assert.deepEqual(brief(choices.mapping()), [0, 0, null, null, null]);
  assert.equal(choices.activitiesLeft(), 7);
  assert.equal(
    mappingText(data, choices),
    `activity,group,name\npay,pay,Pay\nPay out,pay,\nRare pay,pay,Seldom\nRarer,Rarer,\na,a,\nb,b,\n"say ""x"", y","say ""x"", y",\n`,
  );
  choices.apply(decide(choices.state, 1, "accepted"));
  assert.equal(choices.activitiesLeft(), 5); // its name is that of another label
  assert.match(mappingText(data, choices), /\n"say ""x"", y",b,\nRarer,b,\na,a,\nb,b,\n$/);
  choices.apply(rename(leaveOut(choices.state, 0, "Rare pay"), 0, "Rare pay"));
  assert.equal(choices.nameProblem(choices.group(0)), "taken");
  assert.equal(choices.activitiesLeft(), 5);
  choices.apply(newGroup(choices.state, 3, ["Rare pay"]));
  assert.deepEqual([choices.group(3).members, choices.isMerged(choices.group(3))], [[], false]);
  choices.apply(rename(choices.state, 3, "Seldom pay"));
  assert.equal(choices.effects.renamed.length, 1);
  assert.equal(choices.nameProblem(choices.group(0)), "chain");
});

test("a group without labels is neither listed nor counted, and its proposal does not come back", () => {
  const { choices } = example();
  choices.apply(newGroup(choices.state, 3, ["pay", "Pay out"]));
  assert.deepEqual([brief(choices.listed), choices.progress.all], [[3, 1], 2]);
  assert.equal(choices.group(0), undefined);
  assert.deepEqual(choices.state.groups[0].members, []); // it is known to be decided
  choices.apply(leaveOut(leaveOut(choices.state, 3, "pay"), 3, "Pay out"));
  assert.deepEqual(brief(choices.listed), [1]);
  choices.undo();
  assert.deepEqual(brief(choices.listed), [3, 1]);
});

test("the review counts what a person has decided", () => {
  const { choices } = example();
  choices.apply(decide(choices.state, 1, "rejected"));
  assert.deepEqual(choices.progress, { decided: 1, all: 2 });
  choices.apply(decide(choices.state, 1, "undecided"));
  assert.deepEqual(choices.progress, { decided: 0, all: 2 });
});

test("groups 1, 11 and 21 have different colours, darker ones on paper and lighter ones in the dark", () => {
  const colours = (isDark) => [0, 10, 20, 30].map((id) => groupColour(Array(10).fill("#6496c8"), id, isDark));
  assert.deepEqual(colours(false), ["#6496c8", "#3c5a78", "#233546", "#6496c8"]);
  assert.deepEqual(colours(true), ["#6496c8", "#a2c0de", "#c9daec", "#6496c8"]);
});

test("a name that another step has is noticed, and a chain", () => {
  const { choices } = example();
  assert.equal(choices.nameProblem(choices.group(0)), null);
  choices.apply(rename(choices.state, 0, "a"));
  assert.equal(choices.nameProblem(choices.group(0)), "taken");
  choices.apply(rename(newGroup(choices.state, 3, ["a"]), 3, "z"));
  assert.equal(choices.nameProblem(choices.group(0)), "chain");
});

test("whoever watches a kind of change is called, others are not", () => {
  const { choices } = example();
  const calls = [];
  choices.watch("theme decisions", () => calls.push("first"));
  choices.watch("selection", () => calls.push("second"));
  choices.changed("decisions");
  choices.select(3);
  assert.deepEqual(calls, ["first", "second"]);
  assert.equal(choices.selected, 3);
  assert.throws(() => choices.watch("theme ticks", () => {}), /nothing changes as ticks/);
});

test("CSV is quoted, and sorted by whole characters as Python does", () => {
  assert.equal(csv([["a,b", 'c"d', "e\nf", "g"]]), '"a,b","c""d","e\nf",g\n');
  assert.deepEqual(["\u{1f389}", "\uffee", "b", "B", "", "ba"].sort(byCodePoint), ["", "B", "b", "ba", "\uffee", "\u{1f389}"]);
});

test("a search finds labels that contain the text, those that begin with it first", () => {
  assert.deepEqual(matches(["repay", "Pay", "x"], " PAY"), [1, 0]);
  assert.deepEqual(matches(["repay"], "  "), []);
});

test("pictures wait until nobody is typing, and follow everything else at once", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { choices } = example();
  const changes = [];
  choices.watch("decisions", () => changes.push("d"));
  choices.watch("pictures", () => changes.push("p"));
  for (const name of ["N", "Na", "Nam"]) choices.apply(rename(choices.state, 0, name), "name 0");
  mock.timers.tick(199);
  assert.equal(changes.join(""), "ddd");
  mock.timers.tick(1);
  assert.equal(changes.join(""), "dddp");
  choices.apply(rename(choices.state, 0, "Name"), "name 0");
  choices.undo();
  mock.timers.tick(1000);
  assert.equal(changes.join(""), "dddpddp");
});
