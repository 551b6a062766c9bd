import assert from "node:assert/strict";
import { test } from "node:test";
import { fileContent, readContent } from "../../../../src/actalike/report/page/shared/decision_file.js";
import { DecisionStore, fingerprint } from "../../../../src/actalike/report/page/shared/session.js";

const NOW = "2026-01-02T03:04:05Z";
const [KEY, OLD] = ["decisions 2 d", "decisions 1 d"];
const LOG = { digest: "d", name: "", activities: 0 };
const check = (content) => readContent(content, 1);
const session = (note) => ({ decisions: fileContent([LOG], { note, atLeast: 0.5 }, {}) });

function browser(limit = Infinity) {
  const kept = new Map();
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (kept.size >= limit && !kept.has(key)) throw new Error("full");
      kept.set(key, text);
    },
    removeItem: (key) => kept.delete(key),
  };
  const tab = () =>
    new DecisionStore(
      () => storage,
      [KEY, OLD],
      check,
      () => NOW,
    );
  return { kept, tab };
}

test("a session is kept in the storage, and what another tab has stored is noticed", () => {
  const { tab } = browser();
  const [one, other] = [tab(), tab()];
  assert.deepEqual(one.read(), { session: null, problem: "" });
  assert.equal(one.write(session("a")), true);
  assert.equal(one.isChanged, false);
  assert.equal(other.isChanged, true);
  assert.deepEqual(other.read(), { session: { saved: NOW, ...session("a") }, problem: "" });
  assert.equal(other.isChanged, false);
  assert.equal(other.write(session("b")), true);
  assert.equal(one.isChanged, true);
});

test("what an older page has kept is read where this one has kept nothing", () => {
  const { kept, tab } = browser();
  const { logs, pairs: _, splits: __, ...rest } = session("old").decisions;
  kept.set(OLD, JSON.stringify({ saved: NOW, decisions: { ...rest, version: 1, log: logs[0] } }));
  const store = tab();
  assert.equal(store.read().session.decisions.note, "old");
  store.write(session("new"));
  assert.equal(tab().read().session.decisions.note, "new");
});

test("what cannot be used is set aside, each under a key of its own, and never overwritten", () => {
  const { kept, tab } = browser();
  const newer = JSON.stringify({ saved: NOW, decisions: { ...session("a").decisions, version: 3 } });
  const other = JSON.stringify({ saved: NOW, ...session("a"), other: { saved: NOW, decisions: 1 } });
  const unusable = ["{garbage", newer, "null", JSON.stringify(session("no date")), other];
  unusable.forEach((text, k) => {
    kept.set(KEY, text);
    const store = tab();
    const { session: found, problem } = store.read();
    assert.equal(found, null);
    assert.match(problem, [/not JSON/, /version 3/, /format/, /no date/, /format/][k]);
    assert.equal(store.isChanged, true);
    assert.deepEqual(store.setAside(), { key: `${KEY} set aside ${k + 1}`, text });
    assert.equal(store.write(session("b")), true);
  });
  assert.deepEqual([...kept.values()].slice(0, -1).sort(), unusable.sort());
});

test("what cannot be set aside stays where it is", () => {
  const { kept, tab } = browser(1);
  kept.set(KEY, "{garbage");
  const store = tab();
  store.read();
  assert.equal(store.setAside(), null);
  assert.equal(kept.get(KEY), "{garbage");
});

test("a storage that is forbidden or full fails, and nothing is thrown", () => {
  const forbidden = () => {
    throw new Error("forbidden");
  };
  const store = new DecisionStore(forbidden, [KEY], check);
  assert.deepEqual(store.read(), { session: null, problem: "" });
  assert.equal(store.write(session("a")), false);
  assert.equal(store.isChanged, false);
  assert.equal(store.setAside(), null);
  assert.notEqual(fingerprint("ab"), fingerprint("ba"));
});
