// Numbers as text.

const numbers = new Intl.NumberFormat("en");

export const thousands = (count) => numbers.format(count);

export const counted = (count, singular, plural) => `${thousands(count)} ${count === 1 ? singular : plural}`;

export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 1) return "under 1\u00a0%";
  if (value < 100 && value > 99) return "over 99\u00a0%";
  return `${Math.round(value)}\u00a0%`;
}

// A similarity with three decimals; with four where three would read 1.000 although it is less.
export function similarityText(value) {
  return value.toFixed(value < 0.99995 && value >= 0.9995 ? 4 : 3);
}

// One decimal is enough for coordinates.
export const round1 = (number) => Math.round(number * 10) / 10;

// So many characters of a longer text, the beginning and the end; given as a list of whole characters.
export function withoutMiddle(characters, kept) {
  const tail = Math.floor(kept / 2);
  const end = tail ? characters.slice(-tail).join("").trimStart() : "";
  return `${characters
    .slice(0, kept - tail)
    .join("")
    .trimEnd()}…${end}`;
}
