/** The known name a mistyped one most likely meant, or undefined when nothing is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST_GUESSED) return undefined;
  const wanted = given.toLowerCase().replaceAll('-', '_');
  let best: string | undefined;
  let bestDistance = 1 + Math.max(1, Math.floor(given.length / 3));
  for (const name of known) {
    // As many letters as one has more than the other must be put in or left out.
    if (Math.abs(name.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

const LONGEST_GUESSED = 64;

/** Insertions, deletions, replacements and swaps of neighbours, each counting one. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
