// The rows (and columns) of the matrix: an activity each, or a folded group.

// Rows in the order of the clustering: { members, group }, where group is null for an activity alone. A folded group stands where its
// first member does; activities that are not shown are left out.
export function matrixRows(order, groupOf, folded, isShown) {
  const rows = [];
  const ofGroup = new Map();
  for (const i of order) {
    if (!isShown(i)) continue;
    const group = groupOf[i];
    if (!group || !folded.has(group.id)) rows.push({ members: [i], group: null });
    else if (ofGroup.has(group.id)) ofGroup.get(group.id).members.push(i);
    else {
      ofGroup.set(group.id, { members: [i], group });
      rows.push(ofGroup.get(group.id));
    }
  }
  return rows.map((row) => (row.members.length > 1 ? row : { ...row, group: null }));
}

// The mean step of the similarities between two rows, or inside one; null for an activity and itself.
export function meanStep(triangle, a, b) {
  let [sum, pairs] = [0, 0];
  for (const i of a.members)
    for (const j of b.members)
      if (i !== j) {
        sum += triangle.step(i, j);
        pairs++;
      }
  return pairs ? Math.round(sum / pairs) : null;
}
