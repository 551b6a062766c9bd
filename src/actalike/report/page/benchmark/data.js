// The figures of a benchmark page (report/leaderboard_data.py), and their means over the logs that are chosen.

import { unpack } from "../shared/packing.js";

export class BenchmarkData {
  constructor(packed) {
    Object.assign(this, packed);
    this.families = [...new Set(packed.methods.map((method) => method.family))];
    this.windows = [...new Set(packed.methods.map((method) => method.window))].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
    this.unpackedDraws = new Map();
  }

  // The same draws of n logs as in the tables of the command line, row by row.
  drawsOf(n) {
    if (!this.unpackedDraws.has(n)) this.unpackedDraws.set(n, unpack(this.draws[n], n > 256 ? Uint16Array : Uint8Array));
    return this.unpackedDraws.get(n);
  }

  // The mean of a method over some logs, or null: arithmetic with an interval for shares, geometric for seconds and bytes.
  mean(column, method, logs) {
    const values = logs.map((log) => column.values[method][log]).filter((value) => value !== null);
    if (!values.length) return null;
    if (isShare(column)) {
      const sum = values.reduce((total, value) => total + value, 0);
      return { value: sum / values.length, logs: values.length, interval: this.interval(values) };
    }
    const least = column.kind === "bytes" ? 1 : 1e-9;
    const sum = values.reduce((total, value) => total + Math.log(Math.max(value, least)), 0);
    return { value: Math.exp(sum / values.length), logs: values.length, interval: null };
  }

  // The 95 % interval of a mean: the logs are resampled.
  interval(values) {
    const n = values.length;
    if (n < 2) return null;
    const draws = this.drawsOf(n);
    const means = new Float64Array(draws.length / n);
    for (let row = 0; row < means.length; row++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += values[draws[row * n + i]];
      means[row] = sum / n;
    }
    means.sort();
    return [quantile(means, 0.025), quantile(means, 0.975)];
  }

  failure(column, method, log) {
    return this.failures.find(
      (failure) => failure.method === method && failure.log === log && failure.of === benchmarkOf(column),
    );
  }
}

export function quantile(sorted, share) {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

export const isShare = (column) => column.kind === "share";

// Whether a figure is better than another, by more than the error of its sum.
export const isBetter = (column, a, b) => (isShare(column) ? a > b : a < b) && Math.abs(a - b) > 1e-12;

const benchmarkOf = (column) => ({ Intrinsic: "intrinsic", "Next activity": "prediction", Speed: "efficiency" })[column.of];

export const columnName = (column) => (column.of === "Next activity" ? `Next activity, ${column.title}` : column.title);
