/**
 * Organizations that move to or from this cell. Statements that start work for all organizations of a cell skip them: they
 * apply `notMigrating` to each row in the same statement, so that this holds from the moment the freeze is committed.
 */
import { type Sql, sql } from './sql.ts';

const exists = sql<{ found: boolean }>(
  'standstills.any',
  'SELECT EXISTS (SELECT FROM standstills) AS found',
  { home: 'cell' },
);

/** Part of a WHERE clause. The table is empty except during a move, so the check is nearly free. */
export function notMigrating(organizationId = 'organization_id'): string {
  return `${organizationId} NOT IN (SELECT s.organization_id FROM standstills s)`;
}

/** Periodic cleanup of all organizations' rows can wait until no organization is moving. */
export async function anyMigration(db: Sql): Promise<boolean> {
  return (await db.one(exists)).found;
}
