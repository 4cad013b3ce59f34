import { expect, it } from 'vitest';
import { readMigrations } from './migrate.ts';

it('numbers the migrations from 1, without gaps or twins', () => {
  const migrations = readMigrations();
  expect(migrations.map((one) => one.version)).toEqual(migrations.map((_, index) => index + 1));
});
