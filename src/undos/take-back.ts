/**
 * Takes an incident back, in small transactions, each whole in itself: how far it has come is written with what it did. So
 * it may be cut off anywhere and goes on later, several may do it at once, and doing it twice changes nothing more.
 */
import { lockEmailsOf } from '../emails/outcomes.ts';
import { contentSizesOf, type FinalDelivery, putBack, tellQueuedAgain } from '../emails/put-back.ts';
import { finalDeliveriesOf } from '../emails/store-final.ts';
import type { Database } from '../kit/database/database.ts';
import type { Sql } from '../kit/database/sql.ts';
import { addressKeyOf } from '../kit/message/address.ts';
import type { Mode } from '../kit/runtime/config.ts';
import type { LifetimeMs } from '../outbox/lifetime.ts';
import { wakeWorkers } from '../outbox/wake.ts';
import { suppressionReasons } from '../suppressions/reasons.ts';
import { removeAutomatic } from '../suppressions/store.ts';
import { type Bounce, nextBounces } from './bounces.ts';
import { advanceUndo, lockUndo, openUndos, type UndoRow } from './store.ts';
import { BOUNCE_UNDONE, type Incident, type LeftAlone } from './undo.ts';

export interface TakeBackDeps {
  readonly db: Database;
  readonly nowMs: () => number;
  /** Mail of the other mode stays as it is. */
  readonly mode: Mode;
  readonly lifetimeMs: LifetimeMs;
}

const STEP = 200;

export async function takeBackIncidents(deps: TakeBackDeps, signal: AbortSignal): Promise<void> {
  for (const id of await openUndos(deps.db)) await takeBackIncident(deps, id, signal);
}

export async function takeBackIncident(deps: TakeBackDeps, id: string, signal: AbortSignal): Promise<void> {
  for (let isDone = false; !isDone && !signal.aborted; ) {
    isDone = await deps.db.transaction((tx) => takeBackNext(deps, tx, id));
    await wakeWorkers(deps.db);
  }
}

/** True when there is nothing more. */
async function takeBackNext(deps: TakeBackDeps, tx: Sql, id: string): Promise<boolean> {
  const undo = await lockUndo(tx, id);
  if (undo === undefined) return true;
  const bounces = await nextBounces(tx, incidentOf(undo), undo.at_event, STEP);
  // Before the emails and their counters are locked, as whoever records deliveries does.
  const unsuppressed = await unsuppress(tx, undo, bounces);
  const { final, leftAlone } = await sortOut(deps, tx, undo, bounces);
  if (final.length > 0) {
    const nowMs = deps.nowMs();
    const sizes = await contentSizesOf(
      tx,
      undo.organization_id,
      final.map(({ emailId }) => emailId),
    );
    await putBack(tx, final, sizes, { lifetimeMs: deps.lifetimeMs, nowMs });
    await tellQueuedAgain(tx, final, BOUNCE_UNDONE, nowMs);
  }
  const isLast = bounces.length < STEP;
  const atEvent = bounces.at(-1)?.id ?? null;
  await advanceUndo(tx, undo, { atEvent, requeued: final.length, unsuppressed, leftAlone, isLast });
  return isLast;
}

function unsuppress(tx: Sql, undo: UndoRow, bounces: readonly Bounce[]): Promise<number> {
  const entries = bounces.map(({ recipient, email_id }) => ({
    key: addressKeyOf(recipient),
    emailId: email_id,
  }));
  return removeAutomatic(tx, undo.organization_id, entries, undo.to_at);
}

interface SortedOut {
  readonly final: readonly FinalDelivery[];
  readonly leftAlone: Readonly<Partial<Record<LeftAlone, number>>>;
}

/** Which of these recipients can be tried again; the email's rows are locked from here on. */
async function sortOut(
  { mode }: TakeBackDeps,
  tx: Sql,
  { organization_id: organizationId, to_at }: UndoRow,
  bounces: readonly Bounce[],
): Promise<SortedOut> {
  const keys = bounces.map(({ email_id, position }) => ({ organizationId, emailId: email_id, position }));
  await lockEmailsOf(tx, keys);
  const found = await finalDeliveriesOf(tx, organizationId, keys);
  const sizes = await contentSizesOf(
    tx,
    organizationId,
    found.map(({ emailId }) => emailId),
  );
  const addresses = found.map(({ address }) => addressKeyOf(address));
  const suppressed = await suppressionReasons(tx, organizationId, addresses);
  const final: FinalDelivery[] = [];
  const leftAlone: Partial<Record<LeftAlone, number>> = {};
  const leave = (why: LeftAlone, count = 1) => {
    if (count > 0) leftAlone[why] = (leftAlone[why] ?? 0) + count;
  };
  for (const one of found) {
    if (one.state !== 'bounced' || one.updatedAt > to_at) leave('not_bounced');
    else if (one.mode !== mode) leave('other_mode');
    else if (!sizes.has(one.emailId)) leave('content_gone');
    else if (suppressed.has(addressKeyOf(one.address))) leave('suppressed');
    else final.push({ ...one, mode });
  }
  // A recipient that bounced twice in the window, or whose email is gone.
  leave('not_bounced', bounces.length - found.length);
  return { final, leftAlone };
}

export function incidentOf(row: UndoRow): Incident {
  return {
    organizationId: row.organization_id,
    from: row.from_at,
    to: row.to_at,
    templateId: row.template_id,
    tag: row.tag,
    provider: row.provider,
    reply: row.reply,
  };
}
