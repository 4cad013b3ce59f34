/** Measures several installations in turns, round by round, and reverses the order after each round. */
import type { Progress } from './bench.ts';
import type { Installation } from './installation.ts';
import { number } from './table.ts';

export async function measureInTurns<Name extends string>(
  installations: ReadonlyMap<Name, Installation>,
  rounds: number,
  measure: (installation: Installation) => Promise<number>,
  progress: Progress,
): Promise<Map<Name, number[]>> {
  progress('warming up');
  for (const one of installations.values()) await measure(one);
  const rates = new Map([...installations.keys()].map((name) => [name, [] as number[]]));
  for (let round = 1; round <= rounds; round += 1) {
    const turns = [...installations];
    for (const [name, one] of round % 2 === 0 ? turns.toReversed() : turns)
      rates.get(name)?.push(await measure(one));
    const last = [...rates].map(([name, all]) => `${name} ${number(all.at(-1) ?? 0)}`);
    progress(`round ${round} of ${rounds}: ${last.join(', ')}`);
  }
  return rates;
}
