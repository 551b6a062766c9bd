// Decisions as a file: the text of decisions.json, and what such a text says. docs/file_formats.md describes the format;
// labels/decisions.py reads and writes the same bytes, and refuses the same files.

import {
  areLabels,
  check,
  checkKeys,
  checkLog,
  isObject,
  isText,
  LONGEST_NOTE,
  NO_NOTE,
  parsedFile,
} from "../shared/file_checks.js";
import { thousands } from "../shared/formats.js";
import { isBlank } from "../shared/label_texts.js";
import { stepName } from "./decisions.js";

const FORMAT = "actalike decisions";
export const VERSION = 1;
const LEAST_SURE = 0.001; // smaller ones would be written with an exponent, not as Python writes them
const MOST_GROUPS = 80000; // as in labels/decisions.py
const KEYS = {
  file: ["format", "version", "log", "note", "at_least", "groups"],
  group: ["decision", "by", "name", "activities", "note", "proposed"],
};

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

// What a text says: { log, note, atLeast, groups }, or an error in one sentence.
export function readText(text) {
  return readContent(parsedFile(text, "at_least"));
}

export function readContent(content) {
  if (content?.format !== FORMAT) throw new Error(`its "format" is not "${FORMAT}"`);
  if (content.version !== VERSION) {
    const version = Number.isInteger(content.version) ? content.version : "?";
    throw new Error(`it has version ${version}, and this page reads version ${VERSION}`);
  }
  const { log, note, at_least: atLeast, groups } = content;
  checkKeys(content, KEYS.file, "it");
  checkLog(log, "log");
  check(isText(note, LONGEST_NOTE), `"note" ${NO_NOTE}`);
  check(typeof atLeast === "number" && atLeast >= LEAST_SURE && atLeast <= 1, '"at_least" is not a probability');
  check(Array.isArray(groups) && groups.length <= MOST_GROUPS, `"groups" is not a list of up to ${thousands(MOST_GROUPS)}`);
  const accepted = new Set();
  return { log, note, atLeast, groups: groups.map((group, k) => readGroup(group, `group ${k + 1}`, accepted)) };
}

function readGroup(group, place, accepted) {
  check(isObject(group), `${place} is not an object`);
  checkKeys(group, KEYS.group, place);
  const { decision, by, name, activities, note, proposed } = group;
  check(["accepted", "rejected", "undecided"].includes(decision), `${place} has an unknown "decision"`);
  check(["person", "actalike"].includes(by), `${place} has an unknown "by"`);
  check(isText(name), `the "name" of ${place} is not a text`);
  check(areLabels(activities), `the "activities" of ${place} are not different texts`);
  check(isText(note, LONGEST_NOTE), `the "note" of ${place} ${NO_NOTE}`);
  check(proposed === null || areLabels(proposed), `"proposed" of ${place} is neither null nor different texts`);
  if (decision === "accepted")
    for (const label of activities) {
      check(!accepted.has(label), `"${label.slice(0, 80)}" is in two accepted groups`);
      accepted.add(label);
    }
  // a blank name renames nothing; a byte order mark is not blank for Python
  if (isBlank(name) && !name.includes("\ufeff"))
    return { decision: decision === "accepted" ? "undecided" : decision, by, name: null, members: activities, note, proposed };
  return { decision, by, name, members: activities, note, proposed };
}
