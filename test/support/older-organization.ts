/** An organization whose first day is over, for tests of the guard: on the first day it only watches. */
import type { Sql } from '../../src/database/sql.ts';
import { adHoc } from '../../src/database/sql.ts';

const STATEMENTS = [
  'UPDATE organizations SET created_at = $2 WHERE id = $1',
  'UPDATE domains SET verified_at = $2 WHERE organization_id = $1',
].map((text) => adHoc(text));

/** As if it had been created, and its domains verified, at that time. */
export async function makeOlder(db: Sql, organizationId: string, since: Date): Promise<void> {
  for (const statement of STATEMENTS) await db.exec(statement, [organizationId, since]);
}
