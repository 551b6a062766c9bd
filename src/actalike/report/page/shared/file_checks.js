// What files of decisions have in common: limits, and checks that throw an error in a few words.

import { thousands } from "./formats.js";
import { parseStrictly } from "./strict_json.js";

export const MOST_BYTES = 1 << 26;
export const LONGEST_NOTE = 100000;
export const NO_NOTE = `is not a text of up to ${thousands(LONGEST_NOTE)} characters`;
const [MOST_ACTIVITIES, LONGEST_TEXT] = [10000000, 16777216]; // as in labels/decisions.py

export const fileText = (content) => `${JSON.stringify(content, null, 2)}\n`;

// The content of a file. Only the value of the key `fraction` may be a number that is not whole.
export function parsedFile(text, fraction) {
  check(text.length <= MOST_BYTES, "the file is too large for decisions");
  return parseStrictly(text.replace(/^\ufeff/, ""), fraction);
}

// What a file says of a log that the decisions were made for, under a key.
export function checkLog(log, key) {
  check(isObject(log), `"${key}" is not an object`);
  checkKeys(log, ["digest", "name", "activities"], `"${key}"`);
  check(isText(log.digest, 64), 'the "digest" of the log is not a text of up to 64 characters');
  check(isText(log.name, 65536), 'the "name" of the log is not a text, or too long');
  check(isCount(log.activities), 'the "activities" of the log are not a number of activities');
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const areLabels = (value) =>
  Array.isArray(value) && value.every((label) => isText(label)) && new Set(value).size === value.length;
const isCount = (value) => Number.isInteger(value) && value >= 0 && value <= MOST_ACTIVITIES;

// A text of up to so many characters, none of them half.
export const isText = (value, longest = LONGEST_TEXT) =>
  typeof value === "string" && !/\p{Surrogate}/u.test(value) && (value.length <= longest || Array.from(value).length <= longest);

// An object has just the keys that the format names.
export function checkKeys(object, keys, place) {
  for (const key of keys) check(Object.hasOwn(object, key), `${place} has no "${key}"`);
  for (const key of Object.keys(object)) check(keys.includes(key), `${place} has "${key.slice(0, 80)}", which is not known`);
}

export function check(holds, words) {
  if (!holds) throw new Error(words);
}
