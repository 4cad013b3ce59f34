/**
 * The seeds of the protocol models: one random seed and fixed seeds, which every run repeats. A failure prints its seed.
 *
 *   POSTRIDER_MODEL_SEEDS=200   how many fixed seeds the slow test tries; 40 by default
 *   POSTRIDER_MODEL_SEED=7      replaces the random seed, to repeat a run
 */
import { randomInt } from 'node:crypto';

const FIRST = 20_261_115;
const QUICK = 2;
const MANY = Number(process.env.POSTRIDER_MODEL_SEEDS ?? 40);

export const freshSeed = Number(process.env.POSTRIDER_MODEL_SEED ?? randomInt(2 ** 31 - 1));

/** The random seed comes first, because the time limit may end the run before the last seed. */
const seeds = (fixed: number) => [freshSeed, ...Array.from({ length: fixed }, (_, nth) => FIRST + nth)];

export const modelSeeds: readonly number[] = seeds(QUICK);
export const manySeeds: readonly number[] = seeds(MANY);
