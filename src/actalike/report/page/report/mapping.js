// The mapping of labels to steps, as "actalike group -o mapping.csv" writes it.

// A row for each activity that the page knows: those that are merged first, by group; then all others, by label. Second names are a third column.
export function mappingText(data, choices) {
  const merged = choices.groups
    .filter((group) => choices.isMerged(group))
    .flatMap((group) =>
      group.decided.members.filter((label) => choices.isHere(label)).map((label) => [label, choices.stepName(group)]),
    );
  const done = new Set(merged.map(([label]) => label));
  const labels = [...data.labels, ...data.hidden];
  const others = labels
    .filter((label) => !done.has(label))
    .sort(byCodePoint)
    .map((label) => [label, label]);
  const rows = [["activity", "group"], ...merged, ...others];
  if (!data.names) return csv(rows);
  const second = new Map(labels.map((label, i) => [label, data.names[i]]));
  return csv(rows.map((row, k) => [...row, k ? (second.get(row[0]) ?? "") : "name"]));
}

export const csv = (rows) => rows.map((row) => `${row.map(quote).join(",")}\n`).join("");

const quote = (text) => {
  const cell = escapeFormula(text);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
};

// A spreadsheet would run a cell with such a beginning: an apostrophe in front makes it a text. See support/spreadsheets.py.
const FORMULA = /^'*(?:[\p{Cc}\p{Cf}\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

export const escapeFormula = (text) => (FORMULA.test(text) ? `'${text}` : text);

// Compare as Python does: by whole characters, not by halves of them.
export function byCodePoint(a, b) {
  const [first, second] = [Array.from(a), Array.from(b)];
  const k = first.findIndex((character, i) => character !== second[i]);
  return k < 0 ? first.length - second.length : first[k].codePointAt() - (second[k]?.codePointAt() ?? -1);
}
