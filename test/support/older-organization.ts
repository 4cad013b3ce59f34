/** Makes an organization older than a day, for tests of the guard, which only observes on the first day. */
import type { Sql } from '../../src/database/sql.ts';
import { adHoc } from '../../src/database/sql.ts';

const STATEMENTS = [
  'UPDATE organizations SET created_at = $2 WHERE id = $1',
  'UPDATE domains SET verified_at = $2 WHERE organization_id = $1',
].map((text) => adHoc(text));

/** Sets the time of the organization's creation and of its domains' verification. */
export async function makeOlder(db: Sql, organizationId: string, since: Date): Promise<void> {
  for (const statement of STATEMENTS) await db.exec(statement, [organizationId, since]);
}
