/**
 * How often a property is tried: as often as finds a mistake that is not rare, so that all tests together take minutes.
 * `PROPERTY_RUNS=20 npm test -- src` tries twenty times as often.
 */
const FACTOR = Number(process.env.PROPERTY_RUNS ?? 1);

export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: usual * FACTOR };
}
