import { describe, expect, it } from 'vitest';
import { readMigrations, schemaNeededBy } from './migrate.ts';
import { effectsOf } from './migration-plan.ts';

const migrations = readMigrations();

it('numbers the migrations from 1, without gaps or duplicates', () => {
  expect(migrations.map((one) => one.version)).toEqual(migrations.map((_, index) => index + 1));
});

/** Before this migration, two versions never ran at once. */
const FIRST = 54;

describe('while two versions run', () => {
  it.each(migrations.slice(FIRST - 1).map((one) => [one.name, one] as const))(
    '%s takes nothing away, or says which code goes on without it',
    (_name, migration) => {
      const taken = effectsOf(migration.text).filter(({ kind }) => kind === 'breaks');
      const needs = schemaNeededBy(migration);
      expect(needs, 'the schema that code has to know comes before this one').toBeLessThan(migration.version);
      if (needs === 0) expect(taken, 'see "A migration" in CONTRIBUTING.md').toEqual([]);
      else expect(taken, 'it takes nothing away: `-- contract:` is not needed').not.toEqual([]);
    },
  );

  it('every earlier migration requires code that knows it', () => {
    for (const migration of migrations.slice(0, FIRST - 1))
      expect(schemaNeededBy(migration)).toBe(migration.version);
  });
});
