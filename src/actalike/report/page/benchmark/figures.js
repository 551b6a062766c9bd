// Figures as text.

import { thousands } from "../shared/formats.js";

export function secondsText(value) {
  if (value >= 100) return `${thousands(Math.round(value))} s`;
  if (value >= 1) return `${value.toFixed(1)} s`;
  if (value >= 0.001) return `${digits(value * 1000, value >= 0.1 ? 3 : 2)} ms`;
  return `${digits(value * 1e6, 2)} µs`;
}

// So many digits that count, and no powers of ten: 550, 5.5, 0.055.
const digits = (value, n) => (value >= 10 ** (n - 1) ? String(Number(value.toPrecision(n))) : value.toPrecision(n));

export function bytesText(value) {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e7 ? 0 : 1)} MB`;
  return value >= 1e3 ? `${Math.round(value / 1e3)} kB` : `${Math.round(value)} B`;
}

export const shareText = (value) => value.toFixed(3);

export const figureText = (column, value) => ({ share: shareText, seconds: secondsText, bytes: bytesText })[column.kind](value);

export function ordinal(n) {
  const isTeen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(isTeen ? null : ["th", "st", "nd", "rd"][n % 10]) ?? "th"}`;
}
