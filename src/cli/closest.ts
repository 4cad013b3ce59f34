/** Suggests the command for a mistyped word. */

const MOST_MISTAKES = 3;

/** The candidate with the fewest typing errors, or undefined when none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.min(MOST_MISTAKES, Math.floor(word.length / 3)));
  const rated = candidates.map((candidate) => ({ candidate, mistakes: mistakesBetween(word, candidate) }));
  return rated.toSorted((a, b) => a.mistakes - b.mistakes).find(({ mistakes }) => mistakes <= limit)
    ?.candidate;
}

/** Counts missing, additional, wrong and swapped letters. */
function mistakesBetween(typed: string, meant: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: meant.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= meant.length; column += 1) {
      const isSame = typed[row - 1] === meant[column - 1];
      const isSwapped =
        row > 1 && column > 1 && typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, meant.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
