import { editDistance, lettersOf, mayBeWithin } from './edit-distance.ts';

const LONGEST_GUESSED = 64;

/** The known name most similar to a mistyped one, or undefined when none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST_GUESSED) return undefined;
  const wanted = given.toLowerCase().replaceAll('-', '_');
  const letters = lettersOf(wanted);
  let best: string | undefined;
  let bestDistance = 1 + Math.max(1, Math.floor(given.length / 3));
  for (const name of known) {
    const meant = name.toLowerCase();
    if (!mayBeWithin(bestDistance - 1, letters, lettersOf(meant))) continue;
    const distance = editDistance(wanted, meant, bestDistance - 1);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}
