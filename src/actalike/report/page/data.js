// The data that the page shows, unpacked. Activities are numbers; the most frequent is 0.

const data = JSON.parse(document.getElementById("data").textContent);
const size = data.labels.length;
const OUTSIDE = -1; // what is before the first and after the last event of a case
const NOT_SHOWN = -2; // an activity that is too rare to be on the page

function unpacked(text, Numbers) {
  return new Numbers(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
}

const cells = unpacked(data.similarity.cells, Uint16Array);

function similarity(i, j) {
  if (i === j) return data.scores ? data.similarity.most : 1;
  const [a, b] = i < j ? [i, j] : [j, i];
  const step = cells[a * size - (a * (a + 1)) / 2 + b - a - 1];
  return data.similarity.least + (step / 65535) * (data.similarity.most - data.similarity.least);
}

const middleSimilarity =
  data.similarity.least +
  ((Uint16Array.from(cells).sort()[cells.length >> 1] ?? 0) / 65535) * (data.similarity.most - data.similarity.least);

const follows = {
  first: unpacked(data.follows.first, Uint16Array),
  second: unpacked(data.follows.second, Uint16Array),
  counts: unpacked(data.follows.counts, Uint32Array),
  starts: data.follows.starts,
  ends: data.follows.ends,
};

const explained = new Map(data.pairs.map(([i, j, contexts, reasons]) => [i * size + j, { contexts, reasons }]));

function explanation(i, j) {
  return explained.get(Math.min(i, j) * size + Math.max(i, j));
}

function boundsOf(i, j) {
  for (const [a, b] of [
    [i, j],
    [j, i],
  ]) {
    const found = data.neighbours[a].find((neighbour) => neighbour[0] === b);
    if (found && found.length > 2) return [found[2], found[3]];
  }
  return null;
}
