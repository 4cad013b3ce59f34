/** Figures in words for people. Pure. */

/** A share of mail: one digit where that tells it from none or all. */
export function share(rate: number | null): string {
  if (rate === null) return '–';
  const percent = rate * 100;
  const isRound = percent === 0 || percent === 100;
  return `${percent.toFixed(isRound ? 0 : percent < 1 || percent > 99 ? 2 : 1)}%`;
}

const UNITS = [
  ['s', 60],
  ['min', 60],
  ['h', 24],
  ['d', Number.POSITIVE_INFINITY],
] as const;

/** How long something took. */
export function took(seconds: number | null): string {
  if (seconds === null) return '–';
  let value = seconds;
  for (const [unit, size] of UNITS) {
    if (value < size) return `${value < 10 ? Number(value.toPrecision(2)) : Math.round(value)} ${unit}`;
    value /= size;
  }
  return '–';
}
