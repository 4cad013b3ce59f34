/**
 * Organizations that come to this cell or leave it. Whoever takes up work for all organizations of a cell leaves theirs alone:
 * it says `notMigrating` of each row in the same statement, so that it holds from the moment the standstill is committed.
 */
import { type Sql, sql } from './sql.ts';

const exists = sql<{ found: boolean }>(
  'standstills.any',
  'SELECT EXISTS (SELECT FROM standstills) AS found',
  { home: 'cell' },
);

/** Part of a WHERE. The table is empty but while somebody moves, so it costs a look at nothing. */
export function notMigrating(organizationId = 'organization_id'): string {
  return `${organizationId} NOT IN (SELECT s.organization_id FROM standstills s)`;
}

/** What sweeps through the rows of all organizations, and may as well do so later, does it when nobody moves. */
export async function anyMigration(db: Sql): Promise<boolean> {
  return (await db.one(exists)).found;
}
