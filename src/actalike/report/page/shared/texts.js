// Numbers and labels as text, CSV files, and finding labels by a part of them.
const numbers = new Intl.NumberFormat("en");

export const thousands = (count) => numbers.format(count);

export const counted = (count, singular, plural) => `${thousands(count)} ${count === 1 ? singular : plural}`;

export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 1) return "under 1\u00a0%";
  if (value < 100 && value > 99) return "over 99\u00a0%";
  return `${Math.round(value)}\u00a0%`;
}

// A similarity with three decimals; with four where three would read 1.000 although it is less.
export function similarityText(value) {
  return value.toFixed(value < 0.99995 && value >= 0.9995 ? 4 : 3);
}

// One decimal is enough for coordinates.
export const round1 = (number) => Math.round(number * 10) / 10;

// So many characters of a longer text, the beginning and the end; given as a list of whole characters.
export function withoutMiddle(characters, kept) {
  const tail = Math.floor(kept / 2);
  const end = tail ? characters.slice(-tail).join("").trimStart() : "";
  return `${characters
    .slice(0, kept - tail)
    .join("")
    .trimEnd()}…${end}`;
}

// Blank as Python says it, and as JavaScript does: a name that either takes for blank is none.
export const isBlank = (text) => Array.from(text).every((c) => !c.trim() || "\x1c\x1d\x1e\x1f\x85".includes(c));

// Half a character, which no file can hold, becomes a replacement character.
export const wellFormed = (text) =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

// A label as text that can be seen.
export const shownLabel = (label) => (isBlank(label) ? `(${label ? "blank" : "no name"})` : label);

// --- CSV files for people, as Python writes them.

export const csv = (rows) => rows.map((row) => `${row.map(quote).join(",")}\n`).join("");

const quote = (text) => {
  const cell = escapeFormula(text);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

// A spreadsheet would run a cell with such a beginning: an apostrophe in front makes it a text. See support/text.py.
const FORMULA = /^'*(?:[\p{Cc}\p{Cf}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

export const escapeFormula = (text) => (FORMULA.test(text) ? `'${text}` : text);

// Compare as Python does: by whole characters, not by halves of them.
export function byCodePoint(a, b) {
  const [first, second] = [Array.from(a), Array.from(b)];
  const k = first.findIndex((character, i) => character !== second[i]);
  return k < 0 ? first.length - second.length : first[k].codePointAt() - (second[k]?.codePointAt() ?? -1);
}

// --- Finding labels by a part of them.

// The activities whose label, or second name, contains a text: those that begin with it first, then the more frequent.
export function matches(labels, text, /** @type {(string | null)[] | null} */ names = null) {
  const query = text.trim().toLowerCase();
  if (!query) return [];
  const place = (words) => words?.toLowerCase().indexOf(query) ?? -1;
  return labels
    .map((label, i) => [place(label) >= 0 ? place(label) : place(names?.[i]), i])
    .filter(([found]) => found >= 0)
    .sort((a, b) => Number(a[0] > 0) - Number(b[0] > 0) || a[1] - b[1])
    .map(([, i]) => i);
}
