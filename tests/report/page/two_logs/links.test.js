import assert from "node:assert/strict";
import { test } from "node:test";
import { fileContent, readContent } from "../../../../src/actalike/report/page/shared/decision_file.js";
import {
  accept,
  addPartner,
  confirm,
  differences,
  linkOf,
  nameLinks,
  noPartner,
  onlyLabels,
  partners,
  reject,
  setAtLeast,
  setLogNote,
  setNote,
  startState,
  storedPairs,
  takeBack,
} from "../../../../src/actalike/report/page/two_logs/links.js";

const PROPOSALS = [
  { a: "a1", b: "b1", probability: 0.9, split: null },
  { a: "a2", b: "b2", probability: 0.6, split: null },
  { a: "a3", b: "b3", probability: 0.7, split: null },
  { a: "a1", b: "b4", probability: 0.8, split: 0 },
];
const start = (decided, atLeast = 0.65) => startState(PROPOSALS, atLeast, decided);
const accepted = ({ links }) =>
  links
    .filter(({ decision }) => decision === "accepted")
    .map(({ a, b }) => `${a}=${b}`)
    .sort()
    .join(" ");
const LOGS = [0, 1].map(() => ({ digest: "", name: "", activities: 0 }));
const contentOf = (state) => fileContent(LOGS, state, { pairs: storedPairs(state) });
const checked = (state) => {
  readContent(contentOf(state), 2); // throws if decisions contradict each other
  return state;
};

test("likely pairs are accepted, and the threshold moves only what nobody decided", () => {
  assert.equal(accepted(start()), "a1=b1 a1=b4 a3=b3");
  const state = reject(start(), "a1", "b4");
  assert.equal(accepted(setAtLeast(state, PROPOSALS, 0.5)), "a1=b1 a2=b2 a3=b3");
  assert.equal(accepted(setAtLeast(accept(state, "a2", "b2"), PROPOSALS, 0.95)), "a2=b2");
});

test("another partner takes the place of those before, on both sides", () => {
  const state = checked(accept(start(), "a3", "b1"));
  assert.equal(accepted(state), "a1=b4 a3=b1");
  assert.equal(linkOf(state, "a1", "b1").decision, "rejected");
  assert.equal(linkOf(state, "a3", "b3").decision, "rejected");
});

test("no partner, one more partner, and back", () => {
  const alone = checked(noPartner(start(), 0, "a3"));
  assert.equal(accepted(alone), "a1=b1 a1=b4 a3=null");
  assert.equal(accepted(takeBack(alone, "a3", null)), "a1=b1 a1=b4");
  assert.equal(accepted(checked(accept(alone, "a3", "b3"))), "a1=b1 a1=b4 a3=b3");
  assert.equal(accepted(checked(noPartner(alone, 1, "b4"))), "a1=b1 a3=null null=b4");
  const more = checked(addPartner(start(), 0, "a1", "b3"));
  assert.equal(accepted(more), "a1=b1 a1=b3 a1=b4");
  assert.deepEqual(partners(more, 0, "a1").sort(), ["b1", "b3", "b4"]);
  // b1 gets a second partner, so a1, which keeps it, loses the others
  assert.equal(accepted(checked(addPartner(more, 1, "b1", "a2"))), "a1=b1 a2=b1");
});

test("a confirmed pair is a person's, and stays accepted", () => {
  const state = checked(confirm(start(), "a3", "b3"));
  assert.deepEqual(linkOf(state, "a3", "b3"), { a: "a3", b: "b3", decision: "accepted", by: "person", note: "" });
  assert.equal(accepted(setAtLeast(state, PROPOSALS, 0.95)), "a3=b3");
});

test("the name that a person chose counts, stays when the file is loaded, and several of a person are unclear", () => {
  const nameOf = (state, label) => nameLinks(state, 0).named.get(label).a;
  const more = checked(addPartner(start(), 1, "b3", "a2"));
  assert.equal(accepted(more), "a1=b1 a1=b4 a2=b3 a3=b3");
  assert.equal(nameOf(more, "b3"), "a2"); // although a3 is the first
  const again = startState(PROPOSALS, more.atLeast, readContent(contentOf(more), 2));
  assert.deepEqual(contentOf(again), contentOf(more));
  assert.deepEqual(setAtLeast(more, PROPOSALS, 0.66).links, more.links);
  assert.equal(nameLinks(more, 0).unclear.size, 0);
  assert.deepEqual([...nameLinks(confirm(more, "a3", "b3"), 0).unclear], ["b3"]);
  assert.deepEqual([...nameLinks(accept(confirm(more, "a3", "b3"), "a3", "b3"), 0).unclear], []); // only this one
});

test("pairs of labels that the logs do not have can be dropped", () => {
  const state = accept(start(), "gone", "b2");
  assert.equal(accepted(onlyLabels(state, (side, label) => side === 1 || label !== "gone")), "a1=b1 a1=b4 a3=b3");
});

test("any row of decisions can be saved", () => {
  let state = start();
  let seed = 7;
  const next = (n) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  const [as, bs] = [
    ["a1", "a2", "a3", "a4"],
    ["b1", "b2", "b3", "b4"],
  ];
  const acts = [
    (a, b) => accept(state, a, b),
    (a, b) => reject(state, a, b),
    (a, b) => addPartner(state, 0, a, b),
    (a, b) => addPartner(state, 1, b, a),
    (a) => noPartner(state, 0, a),
    (_, b) => noPartner(state, 1, b),
    (a, b) => takeBack(state, a, b),
    (a, b) => setNote(state, a, b, "n"),
    () => setAtLeast(state, PROPOSALS, 0.5 + next(5) / 10),
  ];
  for (let k = 0; k < 3000; k++) {
    state = checked(
      acts[Math.floor(next(1000) / 7) % acts.length](as[Math.floor(next(800) / 9) % 4], bs[Math.floor(next(900) / 11) % 4]),
    );
    const again = readContent(contentOf(state), 2);
    checked(startState(PROPOSALS, again.atLeast, again));
  }
});

test("what a person decided before stays, and what differs is counted", () => {
  const before = {
    note: "n",
    links: [
      { a: "a1", b: "b2", decision: "accepted", by: "person", note: "" },
      { a: "x", b: "y", decision: "accepted", by: "actalike", note: "" },
    ],
  };
  const state = checked(start(before, 0.5));
  assert.equal(accepted(state), "a1=b2 a1=b4 a3=b3");
  assert.deepEqual(differences(before, state), { added: 4, gone: 1, changed: 0 });
  assert.equal(setLogNote(state, "half \ud800").note, "half \ufffd");
});
