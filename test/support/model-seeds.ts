/**
 * The seeds that the models of protocols run with: a fresh one and fixed ones, which every run repeats. A failure prints its seed.
 *
 *   POSTRIDER_MODEL_SEEDS=200   how many fixed seeds the slow test tries; 40 without it
 *   POSTRIDER_MODEL_SEED=7      instead of a fresh seed, to repeat a run
 */
import { randomInt } from 'node:crypto';

const FIRST = 20_261_115;
const QUICK = 2;
const MANY = Number(process.env.POSTRIDER_MODEL_SEEDS ?? 40);

export const freshSeed = Number(process.env.POSTRIDER_MODEL_SEED ?? randomInt(2 ** 31 - 1));

/** The fresh one comes first: the time may end before the last one. */
const seeds = (fixed: number) => [freshSeed, ...Array.from({ length: fixed }, (_, nth) => FIRST + nth)];

export const modelSeeds: readonly number[] = seeds(QUICK);
export const manySeeds: readonly number[] = seeds(MANY);
