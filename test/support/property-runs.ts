/**
 * How often a property is tried: often enough to find common mistakes, while all tests together take minutes.
 * `PROPERTY_RUNS=20 npm test -- src` tries each property twenty times as often.
 */
const FACTOR = Number(process.env.PROPERTY_RUNS ?? 1);

export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: usual * FACTOR };
}
