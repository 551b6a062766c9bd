// Arrays that Python has packed as base64 (report/packing.py).

const STEPS = 65535;

export function unpack(text, Numbers) {
  return new Numbers(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
}

// The cells above the diagonal of a symmetric matrix: their steps, row by row, and the value of each step.
export class Triangle {
  constructor({ least, most, cells }, size) {
    Object.assign(this, { least, most, size, cells: unpack(cells, Uint16Array) });
  }

  value(step) {
    return this.least + (step / STEPS) * (this.most - this.least);
  }

  at(i, j) {
    const [a, b] = i < j ? [i, j] : [j, i];
    return this.value(this.cells[a * this.size - (a * (a + 1)) / 2 + b - a - 1]);
  }

  // All steps, the smallest first.
  sorted() {
    return Uint16Array.from(this.cells).sort();
  }
}
