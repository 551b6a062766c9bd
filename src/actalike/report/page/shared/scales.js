// Logarithmic scales and the ticks of axes.

export const logScale = (low, high, from, to) => (value) =>
  from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low) || 1)) * (to - from);

// The powers of ten from low to high.
export function decades(low, high) {
  const powers = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.floor(Math.log10(high) + 1e-9); power++)
    powers.push(10 ** power);
  return powers;
}

// 1, 2, 5, 10, 20, ... from low to high.
export const roundNumbers = (low, high) =>
  decades(low / 10, high)
    .flatMap((power) => [1, 2, 5].map((factor) => Number((factor * power).toPrecision(1))))
    .filter((value) => value >= low && value <= high);

// Evenly spaced ticks from low to high, at most nine.
export function evenTicks(low, high) {
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((width) => (high - low) / width <= 8) ?? 0.5;
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9; n++) ticks.push(Number((n * step).toFixed(2)));
  return ticks;
}
