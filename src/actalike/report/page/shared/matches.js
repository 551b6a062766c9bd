// Finding labels by a part of them.

// The activities whose label, or second name, contains a text: those that begin with it first, then the more frequent.
export function matches(labels, text, names = null) {
  const query = text.trim().toLowerCase();
  if (!query) return [];
  const place = (words) => words?.toLowerCase().indexOf(query) ?? -1;
  return labels
    .map((label, i) => [place(label) >= 0 ? place(label) : place(names?.[i]), i])
    .filter(([found]) => found >= 0)
    .sort((a, b) => Number(a[0] > 0) - Number(b[0] > 0) || a[1] - b[1])
    .map(([, i]) => i);
}
