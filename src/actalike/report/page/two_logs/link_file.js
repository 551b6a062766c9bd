// Decisions about two logs as a file: the content of decisions.json, and what such a text says. docs/file_formats.md describes the
// format; labels/matching_decisions.py reads and writes the same bytes, and refuses the same files.

import { check, checkKeys, checkLog, isObject, isText, LONGEST_NOTE, NO_NOTE, parsedFile } from "../shared/file_checks.js";
import { thousands } from "../shared/formats.js";

const FORMAT = "actalike matching decisions";
export const VERSION = 1;
const LEAST_SURE = 0.001; // smaller ones would be written with an exponent, not as Python writes them
const MOST_PAIRS = 400000; // as in labels/matching_decisions.py
const KEYS = {
  file: ["format", "version", "a", "b", "note", "at_least", "pairs"],
  pair: ["decision", "by", "a", "b", "note"],
};

// The content of the file, with its keys in their order; `logs` are { digest, name, activities }.
export const fileContent = (state, logs) => ({
  format: FORMAT,
  version: VERSION,
  a: logs[0],
  b: logs[1],
  note: state.note,
  at_least: Math.max(LEAST_SURE, state.atLeast),
  pairs: state.links.map(({ decision, by, a, b, note }) => ({ decision, by, a, b, note })),
});

// What a text says: { logs, note, atLeast, links }, or an error in one sentence.
export function readText(text) {
  return readContent(parsedFile(text, "at_least"));
}

export function readContent(content) {
  if (content?.format !== FORMAT) throw new Error(`its "format" is not "${FORMAT}"`);
  if (content.version !== VERSION) {
    const version = Number.isInteger(content.version) ? content.version : "?";
    throw new Error(`it has version ${version}, and this page reads version ${VERSION}`);
  }
  const { a, b, note, at_least: atLeast, pairs } = content;
  checkKeys(content, KEYS.file, "it");
  checkLog(a, "a");
  checkLog(b, "b");
  check(isText(note, LONGEST_NOTE), `"note" ${NO_NOTE}`);
  check(typeof atLeast === "number" && atLeast >= LEAST_SURE && atLeast <= 1, '"at_least" is not a probability');
  check(Array.isArray(pairs) && pairs.length <= MOST_PAIRS, `"pairs" is not a list of up to ${thousands(MOST_PAIRS)}`);
  const links = pairs.map((pair, k) => readPair(pair, `pair ${k + 1}`));
  checkAgreement(links);
  return { logs: [a, b], note, atLeast, links };
}

function readPair(pair, place) {
  check(isObject(pair), `${place} is not an object`);
  checkKeys(pair, KEYS.pair, place);
  const { decision, by, a, b, note } = pair;
  check(["accepted", "rejected", "undecided"].includes(decision), `${place} has an unknown "decision"`);
  check(["person", "actalike"].includes(by), `${place} has an unknown "by"`);
  for (const label of [a, b]) check(label === null || isText(label), `a label of ${place} is neither null nor a text`);
  check(a !== null || b !== null, `${place} has no label at all`);
  check(isText(note, LONGEST_NOTE), `the "note" of ${place} ${NO_NOTE}`);
  return { a, b, decision, by, note };
}

// Refuses a pair that is there twice, labels that have a partner and none, and accepted pairs of which both labels have others.
function checkAgreement(links) {
  const seen = new Set();
  const partners = { a: new Map(), b: new Map() };
  const add = (side, label, partner) => {
    if (label === null) return;
    if (!partners[side].has(label)) partners[side].set(label, []);
    partners[side].get(label).push(partner);
  };
  for (const { a, b, decision } of links) {
    const key = JSON.stringify([a, b]);
    check(!seen.has(key), "a pair is there twice");
    seen.add(key);
    if (decision !== "accepted") continue;
    add("a", a, b);
    add("b", b, a);
  }
  for (const { a, b, decision } of links) {
    if (decision !== "accepted") continue;
    const [ofA, ofB] = [a === null ? [] : partners.a.get(a), b === null ? [] : partners.b.get(b)];
    for (const some of [ofA, ofB]) check(some.length < 2 || !some.includes(null), "a label has no partner and has one");
    check(ofA.length < 2 || ofB.length < 2, "both labels of an accepted pair have other partners too");
  }
}
