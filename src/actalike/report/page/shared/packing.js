// Arrays that Python has packed as base64 (report/packing.py).

export function unpack(text, Numbers) {
  return new Numbers(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
}

// What follows what in a log (report/log_data.py).
export const unpackFollows = ({ first, second, counts, starts, ends }) => ({
  first: unpack(first, Uint16Array),
  second: unpack(second, Uint16Array),
  counts: unpack(counts, Uint32Array),
  starts,
  ends,
});

// Whole numbers in groups of 7 bits; a 0 is followed by how many zeros there are (packed_runs).
export function unpackRuns(text, length) {
  const bytes = unpack(text, Uint8Array);
  const numbers = new Float64Array(length);
  let at = 0;
  const next = () => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  };
  for (let i = 0; at < bytes.length; ) {
    const number = next();
    if (number === 0) i += next();
    else numbers[i++] = number;
  }
  return numbers;
}

// Shares above the diagonal of a symmetric matrix, each as the percentage that is shown (packed_percentages).
export class Percentages {
  constructor(cells, size) {
    this.size = size;
    this.cells = typeof cells === "string" ? unpack(cells, Uint8Array) : cells;
  }

  // A share that reads as the percentage does.
  at(i, j) {
    const step = this.cells[cellOf(i, j, this.size)];
    if (step === 0 || step === 102) return step / 102;
    return step === 1 ? 0.005 : step === 101 ? 0.995 : (step - 1) / 100;
  }
}

// The number of a cell above the diagonal, row by row.
function cellOf(i, j, size) {
  const [a, b] = i < j ? [i, j] : [j, i];
  return a * size - (a * (a + 1)) / 2 + b - a - 1;
}
