// The rows of the time view: when each label was used.

export const ORDERS = { first: "first use", group: "group", frequency: "frequency" };

// The activities that are shown and dated, in an order: by first use (then last use), by group, or by frequency.
export function timeRows(counts, groupOf, isShown, order) {
  const uses = counts.map((row) => {
    const first = row.findIndex((count) => count > 0);
    return { first, last: row.findLastIndex((count) => count > 0) };
  });
  const rows = counts.map((_, i) => i).filter((i) => isShown(i) && uses[i].first >= 0);
  const byFirst = (a, b) => uses[a].first - uses[b].first || uses[a].last - uses[b].last || a - b;
  const place = (i) => groupOf[i]?.number ?? Infinity;
  const compare = {
    first: byFirst,
    group: (a, b) => (place(a) === place(b) ? byFirst(a, b) : place(a) - place(b)),
    frequency: (a, b) => a - b,
  }[order];
  return rows.sort(compare);
}

// The first day of a period as it is shown, by the unit of the timeline.
export function periodText(start, unit) {
  if (unit === "hour") return start.replace("T", " ").concat(start.includes(":") ? "" : ":00");
  if (unit === "year") return start.slice(0, 4);
  if (unit === "month") return start.slice(0, 7);
  if (unit === "quarter") return `${start.slice(0, 4)} Q${Math.ceil(Number(start.slice(5, 7)) / 3)}`;
  return unit === "week" ? `week of ${start.slice(0, 10)}` : start.slice(0, 10);
}
