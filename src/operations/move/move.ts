/**
 * Moves the mail of one organization from its cell to another.
 *
 *   preparing → copying → quieting → moving ─┬─▶ settling → clearing → ended (moved)
 *       └───────────┴─────────┴─────────┴────│──────▶ ended (abandoned)
 *                                            it lives in the new cell
 *
 * preparing: the target gets everything that rows depend on. copying: rows are replicated. quieting: workers stop claiming, and
 * their claims are awaited. moving: freeze.ts. settling: the organization continues in the new cell. clearing: its rows are
 * removed from the old cell.
 *
 * Each step can be restarted, so after a crash anywhere the next run continues from `organization_moves`. Until the organization
 * lives in the new cell no process changes its rows there, and from then on none changes them in the old cell: `standstills`
 * enforces both.
 */
import { endMove, type MoveStep, recordStep } from '../../cells/move-store.ts';
import { freezeOrganization, unfreezeOrganization } from '../../cells/organization-freeze-store.ts';
import { ensurePartitions, weeksBefore } from '../../database/partitions.ts';
import { adHoc } from '../../database/sql.ts';
import { uuidv7Floor } from '../../runtime/ids.ts';
import { interruptImports } from '../../suppressions/import-store.ts';
import type { CellEnd } from './cell-end.ts';
import { compareTable } from './compare.ts';
import { countRows } from './copy-rows.ts';
import { finishArrival } from './finish-arrival.ts';
import { type Beforehand, rollBackMove, switchOrganization } from './freeze.ts';
import { MoveError } from './move-error.ts';
import { copyOfOrganization, isControl, type MoveRun, replicated } from './move-run.ts';
import { removeRows } from './remove-rows.ts';
import { beginReplication, caughtUp, endReplication, firstCopied, isReplicating } from './replication.ts';
import { ThrottledProgress } from './throttled-progress.ts';
import { claimsReleased, waitForTransactions } from './wait-until-idle.ts';

/** An SMTP conversation may take minutes, and is not aborted. */
const IN_HAND_WITHIN_MS = 15 * 60_000;
const TRANSACTIONS_WITHIN_MS = 60_000;
const CAUGHT_UP_WITHIN_MS = 10 * 60_000;
const COMPARE_TIMES = 3;

/** Each step returns the next one, and has recorded it if it must be recorded in the step's own transaction. */
const STEPS: Readonly<Record<Exclude<MoveStep, 'ended'>, (run: MoveRun) => Promise<MoveStep>>> = {
  preparing: prepare,
  copying: copy,
  quieting: quietAndMove,
  moving: quietAndMove,
  settling: settle,
  clearing: clear,
};

/** Continues from the current step to the end. */
export async function runMove(run: MoveRun): Promise<void> {
  for (let step: MoveStep = run.move.step; step !== 'ended'; ) {
    await run.at(step);
    await run.isOurs();
    const next: MoveStep = await STEPS[step](run);
    if (next !== 'ended') await recordStep(run.control, run.move, next);
    step = next;
  }
}

async function prepare(run: MoveRun): Promise<MoveStep> {
  const { source, target, organizationId, move, say, signal } = run;
  say(`Preparing the cell ${target.name}`);
  await freezeOrganization(target.db, organizationId);
  await copyOfOrganization(run);
  await ensureSameWeeks(source, target);
  await run.at('standing');
  if (move.way === 'offline' || (await isReplicating(target, organizationId))) return 'copying';
  await run.isOurs();
  await removeRows(target, run.tables, organizationId, { signal, onRemoved: () => undefined });
  await beginOrUndo(run);
  return 'copying';
}

/** A failed start is cleaned up: an unread slot keeps its server's log from being removed, and an open move blocks backups. */
async function beginOrUndo(run: MoveRun): Promise<void> {
  try {
    await beginReplication(run, replicated(run), run.reach);
  } catch (error) {
    const left = await abandonMove(run).then(
      () => 'Nothing was moved.',
      () => 'The move could not be undone. Run the command again, or with --abandon.',
    );
    throw new MoveError(`${messageOf(error)} ${left}`);
  }
}

async function copy(run: MoveRun): Promise<MoveStep> {
  if (run.move.way === 'offline') return 'quieting';
  const progress = new ThrottledProgress(run.say);
  await firstCopied(run, { signal: run.signal }, (ready, total) =>
    progress.now(`Copying: ${ready} of ${total} tables`, total === 0 ? 0 : ready / total),
  );
  return 'quieting';
}

/** If the switch fails now, everything continues in the old cell, and the switch may be tried again. */
async function quietAndMove(run: MoveRun): Promise<MoveStep> {
  try {
    const before = await quiet(run);
    run.say('Moving. Mail for the organization is refused for a moment, with 503');
    const tookMs = await switchOrganization(run, before);
    run.say(
      `The organization is now in ${run.target.name}. Its mail was refused for ${(tookMs / 1_000).toFixed(1)} s`,
    );
  } catch (error) {
    const isBack = await rollBackMove(run).catch(() => null);
    if (isBack !== false) throw new MoveError(isBack ? calledOff(run, error) : cutOff(error));
  }
  return 'settling';
}

function calledOff({ source }: MoveRun, error: unknown): string {
  return `${messageOf(error)} The mail of the organization continues in ${source.name}. Run the command again, or undo the move with --abandon.`;
}

function cutOff(error: unknown): string {
  return `${messageOf(error)} MAIL FOR THE ORGANIZATION IS REFUSED OR QUEUED until you run the command again, or undo the move with --abandon.`;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.endsWith('.') ? message : `${message}.`;
}

async function quiet(run: MoveRun): Promise<Beforehand | null> {
  const { source, target, organizationId, signal, move } = run;
  await ensureSameWeeks(source, target);
  await freezeOrganization(source.db, organizationId);
  await interruptImports(source.db, organizationId);
  await run.at('quiet');
  // A claim that is still running started before the freeze.
  await waitForTransactions(source, { withinMs: TRANSACTIONS_WITHIN_MS, signal });
  const progress = new ThrottledProgress(run.say);
  await claimsReleased(source, organizationId, { withinMs: IN_HAND_WITHIN_MS, signal }, (mail, webhooks) =>
    progress.now(`Waiting for ${mail} deliveries and ${webhooks} webhooks that workers have claimed`),
  );
  return move.way === 'offline' ? null : compareBeforehand(run);
}

/** Compares without a time limit, while mail is accepted. Rows that change meanwhile are compared again later. */
async function compareBeforehand(run: MoveRun): Promise<Beforehand> {
  const since = uuidv7Floor(run.clock.nowMs() - 60_000);
  const wait = { withinMs: CAUGHT_UP_WITHIN_MS, signal: run.signal };
  let left = replicated(run);
  let compared: Beforehand['compared'] = [];
  for (let times = 0; times < COMPARE_TIMES && left.length > 0; times += 1) {
    await caughtUp(run, wait);
    const found = [];
    for (const table of left) found.push(await compareTable(run, table));
    compared = [...compared.filter(({ table }) => !left.includes(table)), ...found];
    left = found.filter(({ isSame }) => !isSame).map(({ table }) => table);
  }
  const rows = compared.reduce((sum, one) => sum + one.rows, 0);
  run.say(`Compared ${rows} rows of ${compared.length} tables`);
  await caughtUp(run, wait);
  return { since, compared };
}

async function settle(run: MoveRun): Promise<MoveStep> {
  const { target, organizationId, say } = run;
  await finishArrival(target, organizationId);
  await unfreezeOrganization(target.db, organizationId);
  await run.at('released');
  await run.isOurs();
  if (run.move.way === 'replicated') await endReplication(run);
  say(`Workers of ${target.name} deliver the mail of the organization`);
  return 'clearing';
}

async function clear(run: MoveRun): Promise<MoveStep> {
  const { control, source, target, organizationId, move, say } = run;
  // The removal of rows here must not be replicated.
  if (move.way === 'replicated' && (await isReplicating(target, organizationId)))
    throw new MoveError('The rows of the organization are still replicated. Run the command again.');
  await removeAll(run, source);
  await unfreezeOrganization(source.db, organizationId);
  await endMove(control, move, 'moved');
  say(`No rows of the organization remain in ${source.name}`);
  return 'ended';
}

/** Undoes everything so far: until the organization lives in the new cell, no process has changed its rows there. */
export async function abandonMove(run: MoveRun): Promise<void> {
  const { control, source, target, organizationId, move, say } = run;
  if (!(await rollBackMove(run)))
    throw new MoveError(
      `The organization is already in ${target.name}. Run the command again without --abandon to finish.`,
    );
  say(`Its mail continues in ${source.name}`);
  if (move.way === 'replicated') await endReplication(run);
  await removeAll(run, target);
  await unfreezeOrganization(target.db, organizationId);
  await endMove(control, move, 'abandoned');
}

async function removeAll(
  { tables, organizationId, say, signal }: MoveRun,
  end: MoveRun['source'],
): Promise<void> {
  const progress = new ThrottledProgress(say);
  let total = 0;
  for (const table of tables) total += await countRows(end, table, organizationId);
  let removed = 0;
  const onRemoved = (rows: number) => {
    removed += rows;
    progress.now(
      `Removing from ${end.name}: ${removed} of ${total} rows`,
      Math.min(1, removed / Math.max(1, total)),
    );
  };
  await removeRows(end, tables, organizationId, { signal, onRemoved });
  if (!isControl(end)) await end.db.exec(adHoc('DELETE FROM organizations WHERE id = $1'), [organizationId]);
}

/** Creates partitions in the target for every week of the source, including weeks that the target would not have on its own. */
async function ensureSameWeeks(source: CellEnd, target: CellEnd): Promise<void> {
  const known = new Set((await weeksBefore(target.db, Number.POSITIVE_INFINITY)).map(({ name }) => name));
  for (const { name, startMs } of await weeksBefore(source.db, Number.POSITIVE_INFINITY))
    if (!known.has(name)) await ensurePartitions(target.db, startMs, 0);
}
