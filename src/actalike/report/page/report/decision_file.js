// Decisions as a file: the text of decisions.json, and what such a text says. docs/file_formats.md describes the format;
// labels/decisions.py reads and writes the same bytes.

import { isBlank, stepName } from "./decisions.js";

const FORMAT = "actalike decisions";
export const VERSION = 1;
export const MOST_BYTES = 1 << 26;
export const LONGEST_NOTE = 100000;
const LEAST_SURE = 0.001; // smaller ones would be written with an exponent, not as Python writes them

// The content of the file, with its keys in their order.
export const fileContent = (state, log, proposals) => ({
  format: FORMAT,
  version: VERSION,
  log: { digest: log.digest, name: log.name, activities: log.activities },
  note: state.note,
  at_least: Math.max(LEAST_SURE, state.atLeast),
  groups: state.groups.map((group) => ({
    decision: group.decision,
    by: group.by,
    name: stepName(group, proposals),
    activities: group.members,
    note: group.note,
    proposed: group.proposed,
  })),
});

export const fileText = (content) => `${JSON.stringify(content, null, 2)}\n`;

// What a text says: { log, note, atLeast, groups }, or an error in one sentence.
export function readText(text) {
  if (text.length > MOST_BYTES) throw new Error("the file is too large for decisions");
  let content;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new Error("it is not JSON");
  }
  return readContent(content);
}

export function readContent(content) {
  if (content?.format !== FORMAT) throw new Error(`its "format" is not "${FORMAT}"`);
  if (content.version !== VERSION) {
    const version = Number.isInteger(content.version) ? content.version : "?";
    throw new Error(`it has version ${version}, and this page reads version ${VERSION}`);
  }
  const { log, note, at_least: atLeast, groups } = content;
  check(isObject(log) && isText(log.digest) && isText(log.name) && Number.isInteger(log.activities), '"log" is incomplete');
  check(isText(note) && note.length <= 2 * LONGEST_NOTE, '"note" is not a text');
  check(typeof atLeast === "number" && atLeast >= LEAST_SURE && atLeast <= 1, '"at_least" is not a probability');
  check(Array.isArray(groups), '"groups" is not a list');
  const accepted = new Set();
  return { log, note, atLeast, groups: groups.map((group, k) => readGroup(group, `group ${k + 1}`, accepted)) };
}

function readGroup(group, place, accepted) {
  check(isObject(group), `${place} is not an object`);
  const { decision, by, name, activities, note, proposed } = group;
  check(["accepted", "rejected", "undecided"].includes(decision), `${place} has an unknown "decision"`);
  check(["person", "actalike"].includes(by), `${place} has an unknown "by"`);
  check(isText(name) && !isBlank(name), `${place} has no name`);
  check(areLabels(activities), `the "activities" of ${place} are not different texts`);
  check(isText(note) && note.length <= 2 * LONGEST_NOTE, `the "note" of ${place} is not a text`);
  check(proposed === null || areLabels(proposed), `"proposed" of ${place} is neither null nor different texts`);
  if (decision === "accepted")
    for (const label of activities) {
      check(!accepted.has(label), `"${label.slice(0, 80)}" is in two accepted groups`);
      accepted.add(label);
    }
  return { decision, by, name, members: activities, note, proposed };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const areLabels = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

function check(holds, words) {
  if (!holds) throw new Error(words);
}
