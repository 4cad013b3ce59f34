/** Both models with many seeds, for as long as the limit allows. The fresh seed is printed; each seed that was reached is counted. */
import { expect, it } from 'vitest';
import { freshSeed, manySeeds } from '../support/model-seeds.ts';
import { exploreCells } from './cells-steps.ts';
import { explore, losesNothing, repeatsOnlyTheUncertain } from './queue-steps.ts';

const LIMIT_MS = 75_000;
const numRuns = 1_000;

it('holds its promises in both models with many seeds', () => {
  const began = performance.now();
  const tried: number[] = [];
  for (const seed of manySeeds) {
    if (performance.now() - began > LIMIT_MS) break;
    explore({ sharedFolder: true }, repeatsOnlyTheUncertain, { seed, numRuns });
    explore({ sharedFolder: false }, losesNothing, { seed, numRuns });
    exploreCells({ seed, numRuns });
    tried.push(seed);
  }
  process.stdout.write(
    `The models ran with ${tried.length} of ${manySeeds.length} seeds; the fresh one is ${freshSeed}.\n`,
  );
  expect(tried).toContain(freshSeed);
}, 300_000);
