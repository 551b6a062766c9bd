// Colours of similarities. The stronger the colour, the more alike.

const SHADES = {
  light: ["#f2f0ea", "#cfe0e8", "#8fbcd4", "#3f86b0", "#123f66"],
  dark: ["#1a222b", "#20384a", "#2b6387", "#53a5d3", "#d3f0ff"],
};
const POWER = 1.8; // the most alike pairs have the largest part of the colours

export const shades = (isDark) => SHADES[isDark ? "dark" : "light"];

// 257 colours, each as red, green, blue.
export function shadeRamp(isDark) {
  const stops = shades(isDark).map((colour) => [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16)));
  return Array.from({ length: 257 }, (_, k) => {
    const place = (k / 256) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(place));
    return stops[low].map((value, c) => value + (stops[low + 1][c] - value) * (place - low));
  });
}

// Colours go by how many pairs are less alike: the similarities of a log may all lie close together.
export function rankScale(triangle) {
  const sorted = triangle.sorted();
  const rank = new Float32Array(65536);
  for (let step = 0, below = 0; step < 65536; step++) {
    while (below < sorted.length && sorted[below] < step) below++;
    rank[step] = sorted.length > 1 ? Math.min(1, below / (sorted.length - 1)) : 1;
  }
  return {
    strength: (step) => rank[step] ** POWER, // from 0 to 1
    similarityAt: (strength) => triangle.value(sorted[Math.round(strength ** (1 / POWER) * (sorted.length - 1))] ?? 65535),
  };
}
