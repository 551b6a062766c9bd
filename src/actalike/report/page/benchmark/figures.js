// Figures as text.

import { thousands } from "../shared/formats.js";

export function secondsText(value) {
  if (value >= 100) return `${thousands(Math.round(value))} s`;
  if (value >= 1) return `${value.toFixed(1)} s`;
  if (value >= 0.001) return `${(value * 1000).toPrecision(value >= 0.1 ? 3 : 2)} ms`;
  return `${(value * 1e6).toPrecision(2)} µs`;
}

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
