/**
 * Removes an organization's rows from a cell: from the old cell after a move, or from the new one after an abandoned move. Runs
 * in small independent steps, so that it may be interrupted anywhere and blocks other work only briefly.
 */
import { adHoc } from '../../database/sql.ts';
import { quotedName } from '../backup/catalog.ts';
import type { CellEnd } from './cell-end.ts';
import { type MovingTable, quotedList } from './moving-tables.ts';

const AT_ONCE = 2_000;

/** The tables that workers poll go first, so that workers no longer find the organization here. */
const QUEUES: readonly string[] = ['outbox', 'webhook_deliveries', 'inbound_messages', 'received_emails'];

export async function removeRows(
  end: CellEnd,
  tables: readonly MovingTable[],
  organizationId: string,
  { signal, onRemoved }: { readonly signal: AbortSignal; readonly onRemoved: (rows: number) => void },
): Promise<void> {
  const reverse = tables.toReversed();
  const ordered = [
    ...reverse.filter(({ name }) => QUEUES.includes(name)),
    ...reverse.filter(({ name }) => !QUEUES.includes(name)),
  ];
  for (const table of ordered) {
    const step = table.weeklyBy === null ? plainStep(table) : weeklyStep(table, table.weeklyBy);
    for (let removed = 1; removed > 0; ) {
      signal.throwIfAborted();
      removed = await end.db.exec(adHoc(step), [organizationId]);
      onRemoved(removed);
    }
  }
}

function plainStep({ name, key }: MovingTable): string {
  const table = quotedName(name);
  // A table with one row per organization has the organization as its key.
  if (key.length === 0) return `DELETE FROM ${table} WHERE organization_id = $1`;
  const list = quotedList(key);
  return `DELETE FROM ${table} WHERE organization_id = $1 AND (${list}) IN (
    SELECT ${list} FROM ${table} WHERE organization_id = $1 LIMIT ${AT_ONCE})`;
}

/** All rows of the oldest emails, found and removed by one range of the key. */
function weeklyStep({ name }: MovingTable, column: string): string {
  const table = quotedName(name);
  return `DELETE FROM ${table} WHERE organization_id = $1 AND ${column} <= (
    SELECT max(${column}::text)::uuid FROM (
      SELECT ${column} FROM ${table} WHERE organization_id = $1 ORDER BY ${column} LIMIT ${AT_ONCE}) AS oldest)`;
}
