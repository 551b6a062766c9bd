import assert from "node:assert/strict";
import { test } from "node:test";
import { readContent } from "../../../../src/actalike/report/page/report/decision_file.js";
import { DecisionBranch, DecisionStore, fingerprint } from "../../../../src/actalike/report/page/shared/decision_store.js";

const NOW = "2026-01-02T03:04:05Z";
const KEY = "decisions d";

const session = (note) => ({
  decisions: {
    format: "actalike decisions",
    version: 1,
    log: { digest: "d", name: "", activities: 0 },
    note,
    at_least: 0.5,
    groups: [],
  },
});

function browser(limit = Infinity) {
  const kept = new Map();
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (kept.size >= limit && !kept.has(key)) throw new Error("full");
      kept.set(key, text);
    },
    removeItem: (key) => kept.delete(key),
    key: (k) => [...kept.keys()][k],
    get length() {
      return kept.size;
    },
  };
  const tab = () =>
    new DecisionStore(
      () => storage,
      KEY,
      readContent,
      () => NOW,
    );
  const branch = (prefix = "b") =>
    new DecisionBranch(
      () => storage,
      prefix,
      readContent,
      () => NOW,
    );
  return { kept, tab, branch };
}

test("a session is kept in the storage, and another tab's is not overwritten before it was read", () => {
  const { tab } = browser();
  const [one, other] = [tab(), tab()];
  assert.deepEqual(one.read(), { session: null, problem: "" });
  assert.equal(one.write(session("a")), "stored");
  assert.equal(one.write(session("a")), "same");
  assert.equal(other.write(session("b")), "changed");
  assert.deepEqual(other.read(), { session: { saved: NOW, ...session("a") }, problem: "" });
  assert.equal(other.write(session("b")), "stored");
  assert.equal(one.write(session("c")), "changed");
});

test("what cannot be used is set aside, each under a key of its own, and never overwritten", () => {
  const { kept, tab } = browser();
  const newer = JSON.stringify({ saved: NOW, decisions: { ...session("a").decisions, version: 2 } });
  const unusable = ["{garbage", newer, "null", JSON.stringify(session("no date"))];
  unusable.forEach((text, k) => {
    kept.set(KEY, text);
    const store = tab();
    const { session: found, problem } = store.read();
    assert.equal(found, null);
    assert.match(problem, [/not JSON/, /version 2/, /format/, /no date/][k]);
    assert.equal(store.write(session("b")), "changed");
    assert.deepEqual(store.setAside(), { key: `${KEY} set aside ${k + 1}`, text });
    assert.equal(store.write(session("b")), "stored");
  });
  assert.deepEqual([...kept.values()].slice(0, -1).sort(), unusable.sort());
});

test("what cannot be set aside stays where it is", () => {
  const { kept, tab } = browser(1);
  kept.set(KEY, "{garbage");
  const store = tab();
  store.read();
  assert.equal(store.setAside(), null);
  assert.equal(store.write(session("b")), "changed");
  assert.equal(kept.get(KEY), "{garbage");
});

test("each tab has a branch of its own, which is read again until it is removed", () => {
  const { kept, branch } = browser();
  const [one, other] = [branch(), branch()];
  assert.equal(one.read(), null);
  assert.equal(one.write(session("a")), "stored");
  assert.equal(one.write(session("b")), "stored");
  assert.equal(other.write(session("c")), "stored");
  assert.deepEqual([...kept.keys()], ["b 1", "b 2"]);
  const again = branch();
  assert.equal(again.read().decisions.note, "b");
  assert.equal(again.write(session("d")), "stored"); // it goes on with the first one
  assert.equal(one.write(session("e")), "stored"); // whose tab is still open, and moves on
  assert.deepEqual([...kept.keys()], ["b 1", "b 2", "b 3"]);
  one.remove();
  again.remove();
  assert.equal(branch().read().decisions.note, "c");
  assert.equal(branch("x").read(), null);
});

test("a storage that is forbidden or full fails, and nothing is thrown", () => {
  const forbidden = () => {
    throw new Error("forbidden");
  };
  const store = new DecisionStore(forbidden, KEY);
  assert.deepEqual(store.read(), { session: null, problem: "" });
  assert.equal(store.write(session("a")), "failed");
  assert.equal(store.setAside(), null);
  store.remove();
  const branch = new DecisionBranch(forbidden, "b");
  assert.equal(branch.read(), null);
  assert.equal(branch.write(session("a")), "failed");
  branch.remove();
  assert.notEqual(fingerprint("ab"), fingerprint("ba"));
});
