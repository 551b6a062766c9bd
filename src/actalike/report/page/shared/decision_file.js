// Decisions as a file: the content of decisions.json, and what such a text says. docs/file_formats.md describes the format, which is
// one for groups of labels, pairs across two logs, and splits of a label. labels/decisions.py reads and writes the same bytes.

import { counted, isBlank, thousands } from "./texts.js";

const VERSION = 2;
export const MOST_BYTES = 1 << 26;
export const LONGEST_NOTE = 100000;
const FORMAT = "actalike decisions";
const FIRST_PAIRS = "actalike matching decisions"; // what version 1 called decisions about two logs
const LEAST_SURE = 0.001; // smaller ones would be written with an exponent, not as Python writes them
const LONGEST_TEXT = 1 << 24;
const MOST = { activities: 10000000, groups: 80000, pairs: 400000, splits: 80000 };
const NO_NOTE = `is not a text of up to ${thousands(LONGEST_NOTE)} characters`;
const KEYS = {
  file: ["format", "version", "logs", "note", "at_least", "groups", "pairs", "splits"],
  group: ["number", "decision", "by", "name", "activities", "note", "proposed"],
  pair: ["decision", "by", "a", "b", "note"],
  split: ["decision", "by", "activity", "parts", "note"],
};

// The content of a file, with its keys in their order; `logs` are one or two { digest, name, activities }.
export const fileContent = (logs, { note, atLeast, splits = [] }, { groups = [], pairs = [] }) => ({
  format: FORMAT,
  version: VERSION,
  logs,
  note,
  at_least: Math.max(LEAST_SURE, atLeast),
  groups,
  pairs,
  splits,
});

export const fileText = (content) => `${JSON.stringify(content, null, 2)}\n`;

// What a text says of so many logs: { logs, note, atLeast, groups, links, splits }, or an error in a few words.
export function readText(text, number) {
  check(text.length <= MOST_BYTES, "the file is too large for decisions");
  let content;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new Error("it is not JSON");
  }
  return readContent(content, number);
}

export function readContent(given, number) {
  const content = upgraded(given);
  checkKeys(content, KEYS.file, "it");
  const { logs, note, at_least: atLeast, groups, pairs, splits } = content;
  check(Array.isArray(logs) && logs.length > 0 && logs.length < 3, '"logs" is not a list of one or two logs');
  logs.forEach(checkLog);
  check(logs.length === number, `it holds decisions about ${counted(logs.length, "log", "logs")}`);
  check(isText(note, LONGEST_NOTE), `"note" ${NO_NOTE}`);
  check(typeof atLeast === "number" && atLeast >= LEAST_SURE && atLeast <= 1, '"at_least" is not a probability');
  for (const [key, list] of Object.entries({ groups, pairs, splits }))
    check(Array.isArray(list) && list.length <= MOST[key], `"${key}" is not a list of up to ${thousands(MOST[key])}`);
  check(number === 2 || !pairs.length, "it has pairs of two logs");
  check(number === 1 || !(groups.length || splits.length), "it has groups of one log");
  const read = {
    logs,
    note,
    atLeast,
    groups: groups.map((group, k) => readGroup(group, `group ${k + 1}`)),
    links: pairs.map((pair, k) => readPair(pair, `pair ${k + 1}`)),
    splits,
  };
  splits.forEach((split, k) => {
    checkSplit(split, `split ${k + 1}`);
  });
  checkGroups(read.groups);
  checkAgreement(read.links);
  return read;
}

// The content of a file of an older version as this version holds it.
function upgraded(content) {
  const isFirstPairs = content?.format === FIRST_PAIRS;
  check(content?.format === FORMAT || isFirstPairs, `its "format" is not "${FORMAT}"`);
  const { format, version, ...rest } = content;
  if (version === VERSION && !isFirstPairs) return content;
  const known = Number.isInteger(version) ? version : "?";
  check(version === 1, `it has version ${known}, and this page reads versions up to ${VERSION}`);
  const [old, list] = isFirstPairs ? [["a", "b"], "pairs"] : [["log"], "groups"];
  checkKeys(rest, [...old, "note", "at_least", list], "it");
  const { note, at_least, groups = [], pairs = [] } = rest;
  const numbered = Array.isArray(groups) ? groups.map((group, k) => ({ number: k + 1, ...group })) : groups;
  return { format: FORMAT, version, logs: old.map((key) => rest[key]), note, at_least, groups: numbered, pairs, splits: [] };
}

function checkLog(log) {
  check(isObject(log), "a log is not an object");
  checkKeys(log, ["digest", "name", "activities"], "a log");
  check(isText(log.digest, 64), 'the "digest" of a log is not a text of up to 64 characters');
  check(isText(log.name, 65536), 'the "name" of a log is not a text, or too long');
  check(isNumber(log.activities, 0), 'the "activities" of a log are not a number of activities');
}

function checkDecision(one, keys, place) {
  check(isObject(one), `${place} is not an object`);
  checkKeys(one, keys, place);
  check(["accepted", "rejected", "undecided"].includes(one.decision), `${place} has an unknown "decision"`);
  check(["person", "actalike"].includes(one.by), `${place} has an unknown "by"`);
  check(isText(one.note, LONGEST_NOTE), `the "note" of ${place} ${NO_NOTE}`);
}

function readGroup(group, place) {
  checkDecision(group, KEYS.group, place);
  const { number, decision, by, name, activities: members, note, proposed } = group;
  check(isNumber(number, 1), `the "number" of ${place} is not one`);
  check(isText(name), `the "name" of ${place} is not a text`);
  check(areLabels(members), `the "activities" of ${place} are not different texts`);
  check(proposed === null || areLabels(proposed), `"proposed" of ${place} is neither null nor different texts`);
  // a blank name renames nothing; a byte order mark is not blank for Python
  const isNameless = isBlank(name) && !name.includes("\ufeff");
  const now = isNameless && decision === "accepted" ? "undecided" : decision;
  return { id: number - 1, decision: now, by, name: isNameless ? null : name, members, note, proposed };
}

function checkGroups(groups) {
  const [numbers, accepted] = [new Set(), new Set()];
  for (const { id, decision, members } of groups) {
    check(!numbers.has(id), "two groups have the same number");
    numbers.add(id);
    for (const label of decision === "accepted" ? members : []) {
      check(!accepted.has(label), `"${label.slice(0, 80)}" is in two accepted groups`);
      accepted.add(label);
    }
  }
}

function readPair(pair, place) {
  checkDecision(pair, KEYS.pair, place);
  const { decision, by, a, b, note } = pair;
  for (const label of [a, b]) check(label === null || isText(label), `a label of ${place} is neither null nor a text`);
  check(a !== null || b !== null, `${place} has no label at all`);
  return { a, b, decision, by, note };
}

// Rejects a pair that is there twice, labels that have a partner and none, and accepted pairs of which both labels have others.
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

// Splits are kept as they are: no page makes them yet.
function checkSplit(split, place) {
  checkDecision(split, KEYS.split, place);
  check(isText(split.activity), `the "activity" of ${place} is not a text`);
  const isContext = (context) =>
    Array.isArray(context) && context.length === 2 && context.every((label) => label === null || isText(label));
  const isPart = (part) =>
    isObject(part) &&
    Object.keys(part).sort().join() === "contexts,name" &&
    isText(part.name) &&
    Array.isArray(part.contexts) &&
    part.contexts.every(isContext);
  check(Array.isArray(split.parts) && split.parts.length > 1 && split.parts.every(isPart), `the "parts" of ${place} are none`);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (value, least) => Number.isInteger(value) && value >= least && value <= MOST.activities;
const areLabels = (value) =>
  Array.isArray(value) && value.every((label) => isText(label)) && new Set(value).size === value.length;

// A text of up to so many characters, none of them half.
const isText = (value, longest = LONGEST_TEXT) =>
  typeof value === "string" && !/\p{Surrogate}/u.test(value) && (value.length <= longest || Array.from(value).length <= longest);

// An object has just the keys that the format names.
function checkKeys(object, keys, place) {
  for (const key of keys) check(Object.hasOwn(object, key), `${place} has no "${key}"`);
  for (const key of Object.keys(object)) check(keys.includes(key), `${place} has "${key.slice(0, 80)}", which is not known`);
}

function check(holds, words) {
  if (!holds) throw new Error(words);
}
