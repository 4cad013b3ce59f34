/** Every registered statement is PREPAREd against the migrated schema: a renamed column fails here, in seconds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc, type StatementPlace } from '../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { derivedPlace } from './support/derived-place.ts';
import { allStatements } from './support/statements.ts';

const statements = await allStatements();

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

describe('every SQL statement fits the schema', () => {
  it('finds the modules that hold them', () => {
    expect(statements.map((one) => one.name)).toContain('organizations.insert');
  });

  it('needs no session that lasts: a pooler may have lent it to somebody else by the next one', () => {
    const ofSession =
      /pg_(try_)?advisory_(lock|unlock)|\b(UN)?LISTEN\b|\bTEMP(ORARY)?\b|\bcurrval\(|set_config\([^)]*false\)/i;
    const lasting = statements.filter(({ text }) => ofSession.test(text));
    expect(lasting.map(({ name }) => name)).toEqual([]);
    expect(ofSession.test('SELECT pg_try_advisory_lock(1)')).toBe(true);
  });

  it('declares where each statement belongs and which parameter is the organization, as its text says', () => {
    const declared = statements.map(({ name, place }) => [name, place?.home, organizationsIn(place)]);
    const derived = statements.map((statement) => {
      const { home, organizations } = derivedPlace(statement);
      return [statement.name, home, home === 'cell' ? organizations.map((index) => `$${index + 1}`) : []];
    });
    expect(declared).toEqual(derived);
  });

  it.each(statements.map((one) => [one.name, one.text] as const))('%s', async (_name, text) => {
    await test.db.transaction(async (tx) => {
      await tx.exec(adHoc(`PREPARE checked AS ${text}`));
      await tx.exec(adHoc('DEALLOCATE checked'));
    });
  });
});

/** Where the organization of a statement of control stands does not matter. */
function organizationsIn(place: StatementPlace | undefined): readonly string[] {
  return place?.home === 'cell' ? [place.organization ?? []].flat() : [];
}
