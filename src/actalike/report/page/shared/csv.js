// CSV files for people, as Python writes them.

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
