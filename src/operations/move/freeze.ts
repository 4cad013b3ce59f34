/**
 * The switch of an organization between cells. From the mark until it lives in the new cell, its mail is refused with 503, and
 * clients retry. Everything slow is done beforehand.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NOTICED_MS } from '../../cells/directory.ts';
import { recordArrival, recordMarked, recordReturn } from '../../cells/move-store.ts';
import { closeFrozenOrganization, unfreezeOrganization } from '../../cells/organization-freeze-store.ts';
import { assignCell } from '../../cells/store.ts';
import { type Compared, compareTable } from './compare.ts';
import { copyTables, countRows } from './copy-rows.ts';
import { advanceSequences } from './finish-arrival.ts';
import { MoveError } from './move-error.ts';
import { copyOfOrganization, type MoveRun, replicated } from './move-run.ts';
import { removeRows } from './remove-rows.ts';
import { caughtUp } from './replication.ts';
import { claimedOf, waitForTransactions } from './wait-until-idle.ts';

/** If the switch takes longer, it is called off, and sending continues in the old cell. */
const FROZEN_WITHIN_MS = 5_000;
/**
 * The time for comparing tables during the switch. Slower tables were compared beforehand, and only their newest rows are
 * compared again.
 */
const COMPARE_WITHIN_MS = 250;

export interface Beforehand {
  /** The first email accepted after the comparison. */
  readonly since: string;
  readonly compared: readonly Compared[];
}

/** Resolves when the organization lives in the new cell, with the duration of the freeze. */
export async function switchOrganization(run: MoveRun, before: Beforehand | null): Promise<number> {
  const { control, move, source, organizationId, at } = run;
  const began = performance.now();
  await run.isOurs();
  const markedAt = await control.transaction(async (tx) => {
    const at = await recordMarked(tx, move);
    await assignCell(tx, organizationId, move.from_cell, { isMoving: true });
    return at;
  });
  await at('marked');
  await sleep(NOTICED_MS);
  await closeFrozenOrganization(source.db, organizationId);
  await at('closed');
  await waitForTransactions(source, waitLimit(run));
  const { deliveries, webhooks } = await claimedOf(source, organizationId);
  if (deliveries + webhooks > 0)
    throw new MoveError(
      'A worker has claimed mail although the organization is frozen. Run the command again, or undo the move with --abandon.',
    );
  await run.isOurs();
  await bringRows(run);
  await at('copied');
  await compareAll(run, before);
  await advanceSequences(run.target, organizationId);
  await copyOfOrganization(run);
  await at('compared');
  await run.isOurs();
  await control.transaction(async (tx) => {
    if (!(await recordArrival(tx, move, markedAt)))
      throw new MoveError('Another command has abandoned the move.');
    await assignCell(tx, organizationId, move.to_cell);
  });
  return performance.now() - began;
}

/** Returns the organization to its old cell. False if it already lives in the new cell. */
export async function rollBackMove({
  control,
  move,
  source,
  organizationId,
  isOurs,
}: MoveRun): Promise<boolean> {
  await isOurs();
  const isBack = await control.transaction(async (tx) => {
    const isBefore = await recordReturn(tx, move);
    if (isBefore) await assignCell(tx, organizationId, move.from_cell);
    return isBefore;
  });
  if (isBack) await unfreezeOrganization(source.db, organizationId);
  return isBack;
}

function waitLimit({ move, signal }: MoveRun) {
  return { withinMs: move.way === 'replicated' ? FROZEN_WITHIN_MS : 60_000, signal };
}

/**
 * Replicated tables are complete when the target has caught up; the others are copied, after removing rows of an earlier try.
 */
async function bringRows(run: MoveRun): Promise<void> {
  const { target, organizationId, tables, move, say, signal } = run;
  const isReplicated = new Set(replicated(run));
  const rest = tables.filter((table) => !isReplicated.has(table));
  await removeRows(target, rest, organizationId, { signal, onRemoved: () => undefined });
  let done = 0;
  await copyTables(run, rest, (name, rows) => {
    done += 1;
    if (move.way === 'offline' && rows > 0) say(`  ${name}: ${rows} rows`);
    if (move.way === 'offline') say(`Copying: ${done} of ${rest.length} tables`, done / rest.length);
  });
  if (isReplicated.size > 0) await caughtUp(run, waitLimit(run));
}

/**
 * Compares copied tables as a whole. Of tables that were compared beforehand, compares the quick ones again, and only new rows
 * of the others.
 */
async function compareAll(run: MoveRun, before: Beforehand | null): Promise<void> {
  const tooLong = moveTimeout(COMPARE_WITHIN_MS, before?.compared.filter(({ isSame }) => isSame) ?? []);
  for (const table of run.tables) {
    const isLong = tooLong.has(table.name);
    if (isLong && table.weeklyBy === null) continue;
    const { isSame } = await compareTable(run, table, isLong ? (before?.since ?? null) : null);
    if (!isSame)
      throw new MoveError(
        `${table.name}: ${await countRows(run.source, table, run.organizationId)} rows in ${run.source.name}, ` +
          `${await countRows(run.target, table, run.organizationId)} in ${run.target.name}, or they differ.`,
      );
  }
}

/** The names of the tables that do not fit into the time, with the quickest first. */
export function moveTimeout(withinMs: number, compared: readonly Compared[]): ReadonlySet<string> {
  let spentMs = 0;
  const slow = compared
    .toSorted((a, b) => a.tookMs - b.tookMs)
    .filter(({ tookMs }) => {
      spentMs += tookMs;
      return spentMs > withinMs;
    });
  return new Set(slow.map(({ table }) => table.name));
}
