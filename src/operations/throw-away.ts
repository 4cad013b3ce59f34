/**
 * Removes expired temporary organizations with all of their rows, table by table.
 *
 * This is the one exception to "one writer per table". Each statement is independent and may be repeated, so several workers
 * may run this at once, and a stopped worker leaves the rest for the next turn. The organization's own row goes last.
 */
import { revokeKeysOfOrganization } from '../accounts/api-keys/store.ts';
import { TABLES, tablesThat } from '../cells/tables.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { organizationBeginning } from '../emails/moved/object-name.ts';
import { removeObjects } from '../emails/moved/object-removals.ts';
import type { Clock } from '../runtime/clock.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import { removeThrowAway, throwAwaysOver } from '../sandbox/throw-away.ts';

/** In an order in which their rows can be removed. */
export const TABLES_OF_AN_ORGANIZATION = tablesThat(({ throwAway }) => throwAway === 'rows');

const removals = TABLES_OF_AN_ORGANIZATION.map((table) =>
  sql(`throw_away.remove_${table}`, `DELETE FROM ${table} WHERE organization_id = $1`, {
    home: TABLES[table].home === 'control' ? 'control' : 'cell',
    organization: '$1',
  }),
);

/** Skips claimed deliveries, because a worker will still write their outcomes. */
const removeQueued = sql(
  'throw_away.remove_outbox',
  'DELETE FROM outbox WHERE organization_id = $1 AND worker IS NULL',
  { home: 'cell', organization: '$1' },
);

const selectQueued = sql(
  'throw_away.select_outbox',
  'SELECT FROM outbox WHERE organization_id = $1 LIMIT 1',
  { home: 'cell', organization: '$1' },
);

/** By then, delayed writes such as a key's last use are done. */
const GRACE_MS = 10 * SECOND_MS;
const AT_ONCE = 100;

interface ThrowAwayDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export async function removeThrowAways({ db, clock }: ThrowAwayDeps, signal: AbortSignal): Promise<void> {
  for (const id of await throwAwaysOver(db, clock.nowMs() - GRACE_MS, AT_ONCE)) {
    if (signal.aborted) return;
    const ended = await revokeKeysOfOrganization(db, id, new Date(clock.nowMs()));
    // Requests that the keys admitted a moment ago are finished by the next turn.
    if (ended === 0) await removeAllOf(db, id, clock.nowMs());
  }
}

const selectMoved = sql(
  'throw_away.select_moved',
  'SELECT FROM moved_contents WHERE organization_id = $1 LIMIT 1',
  { home: 'cell', organization: '$1' },
);

async function removeAllOf(db: Database, organizationId: string, nowMs: number): Promise<void> {
  await db.exec(removeQueued, [organizationId]);
  if ((await db.maybeOne(selectQueued, [organizationId])) !== undefined) return;
  // Before the rows that know of the objects are removed.
  if ((await db.maybeOne(selectMoved, [organizationId])) !== undefined)
    await removeObjects(db, organizationId, [organizationBeginning(organizationId)], nowMs);
  for (const removal of removals) await db.exec(removal, [organizationId]);
  await removeThrowAway(db, organizationId);
}
