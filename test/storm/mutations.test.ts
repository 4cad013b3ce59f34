import { describe, expect, it } from 'vitest';
import { mutationStorm } from './mutation-storm.ts';
import { MUTATIONS, type Mutation, mutatedBuild } from './mutations.ts';
import { isClean, tableOf } from './report.ts';

/** A storm takes 30 seconds on an idle machine, and twice to three times as long on a busy one. */
const TIMEOUT_MS = 180_000;

for (const scenario of new Set(MUTATIONS.map((one) => one.scenario)))
  describe(`the storm “${scenario.name}”`, () => {
    it(
      'finds nothing in the build as it is',
      async () => {
        const report = await mutationStorm(scenario, null);
        expect(isClean(report), tableOf(report)).toBe(true);
      },
      TIMEOUT_MS,
    );

    for (const mutation of MUTATIONS.filter((one) => one.scenario === scenario))
      it(
        `finds the planted bug: ${mutation.name}`,
        async () => {
          const report = await mutationStorm(scenario, mutation);
          const found = report.findings.find(({ name }) => name === mutation.foundAs)?.found ?? [];
          expect(found.length, tableOf(report)).toBeGreaterThan(0);
        },
        TIMEOUT_MS,
      );
  });

describe('a planted bug', () => {
  it('is an error if the text that it replaces is not in the build', () => {
    const [first] = MUTATIONS as readonly [Mutation];
    const gone = { ...first, name: 'a bug', replaced: /no such text/g };
    expect(() => mutatedBuild(gone)).toThrow(/“a bug” cannot be planted: dist\/processes\/worker\.js/);
  });
});
