/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours, each of
 * cost 1.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (isSwap(one, i, other, j)) cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[other.length] as number;
}

function isSwap(one: string, i: number, other: string, j: number): boolean {
  return (
    i > 1 &&
    j > 1 &&
    one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
    one.charCodeAt(i - 2) === other.charCodeAt(j - 1)
  );
}

/** One bit per letter. Other characters share bits, which only makes texts look more alike. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

/** An edit changes at most two of the letters in use, so this cheap test excludes most pairs. */
export function mayBeWithin(limit: number, one: number, other: number): boolean {
  let different = 0;
  for (let left = one ^ other; left !== 0; left &= left - 1) different += 1;
  return different <= 2 * limit;
}

/** A single typing error: two neighbours swapped, or a letter doubled or dropped from a pair. */
export function isSlip(typed: string, meant: string): boolean {
  if (typed.length === meant.length) return editDistance(typed, meant, 1) === 1 && sameLetters(typed, meant);
  if (Math.abs(typed.length - meant.length) !== 1) return false;
  return squeezed(typed) === squeezed(meant);
}

function sameLetters(one: string, other: string): boolean {
  return [...one].sort().join('') === [...other].sort().join('');
}

function squeezed(text: string): string {
  return text.replace(/(.)\1+/g, '$1');
}
