/**
 * Undoes an incident in small independent transactions; the progress is written with each step. So it may be interrupted
 * anywhere and continues later, several processes may run it at once, and a repeated step changes nothing more.
 */

import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { MovedContents } from '../../emails/moved/moved-contents.ts';
import { movedAmong } from '../../emails/moved/store-moved.ts';
import { lockEmailsOf } from '../../emails/outcomes.ts';
import { appendRequeuedEvents, contentSizesOf, type FinalDelivery, requeue } from '../../emails/requeue.ts';
import { finalDeliveriesOf, type RecipientStanding } from '../../emails/store-read.ts';
import type { LifetimeMs } from '../../outbox/lifetime.ts';
import { wakeWorkers } from '../../outbox/wake.ts';
import { addressKeyOf } from '../../protocols/message/address.ts';
import type { Mode } from '../../runtime/config.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { removeAutomatic } from '../../suppressions/store.ts';
import { suppressionReasons } from '../../suppressions/suppression.ts';
import { type Bounce, nextBounces } from './bounces.ts';
import { deleteLiftedSuppressions, nextRejections, recordLiftedSuppressions } from './lifted-suppressions.ts';
import { advanceUndo, lockUndo, openUndos, type UndoRow, type UndoStep } from './store.ts';
import {
  BOUNCE_UNDONE,
  type Incident,
  type LeftAlone,
  SUPPRESSION_UNDONE,
  type UndoneEvent,
  type UndoStage,
} from './undo.ts';

interface UndoProcessingDeps {
  readonly db: Database;
  readonly nowMs: () => number;
  /** Mail of the other mode is left alone. */
  readonly mode: Mode;
  readonly lifetimeMs: LifetimeMs;
  readonly moved: MovedContents;
}

const STEP = 200;

/** An undo whose content is in an unavailable store waits until the store answers. */
export async function processUndos(deps: UndoProcessingDeps, signal: AbortSignal): Promise<void> {
  for (const id of await openUndos(deps.db)) {
    try {
      await processUndo(deps, id, signal);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'UNAVAILABLE')) throw error;
    }
  }
}

export async function processUndo(deps: UndoProcessingDeps, id: string, signal: AbortSignal): Promise<void> {
  for (let isDone = false; !isDone && !signal.aborted; ) {
    isDone = await takeBackStep(deps, id);
    await wakeWorkers(deps.db);
  }
}

interface StepDeps extends UndoProcessingDeps {
  /** Emails whose content the store no longer has. */
  readonly lost: ReadonlySet<string>;
}

/** Content of this step is in the content store: the step is rolled back, and repeated when the content is restored. */
class ContentElsewhere extends Error {
  readonly organizationId: string;
  readonly emailIds: readonly string[];

  constructor(organizationId: string, emailIds: readonly string[]) {
    super('Content has to be brought back from the content store first.');
    this.organizationId = organizationId;
    this.emailIds = emailIds;
  }
}

/** True when nothing is left. */
async function takeBackStep(deps: UndoProcessingDeps, id: string): Promise<boolean> {
  const lost = new Set<string>();
  for (;;) {
    try {
      return await deps.db.transaction((tx) => takeBackNext({ ...deps, lost }, tx, id));
    } catch (error) {
      if (!(error instanceof ContentElsewhere)) throw error;
      const { missing } = await deps.moved.bringBack(error.organizationId, error.emailIds);
      for (const emailId of missing) lost.add(emailId);
    }
  }
}

/** True when nothing is left. */
async function takeBackNext(deps: StepDeps, tx: Sql, id: string): Promise<boolean> {
  const undo = await lockUndo(tx, id);
  if (undo === undefined) return true;
  const step = await STAGES[undo.stage](deps, tx, undo);
  await advanceUndo(tx, undo, step);
  return step.nextStage === null;
}

const STAGES: Readonly<Record<UndoStage, (deps: StepDeps, tx: Sql, undo: UndoRow) => Promise<UndoStep>>> = {
  bounces: takeBackBounces,
  rejections: takeBackRejections,
};

async function takeBackBounces(deps: StepDeps, tx: Sql, undo: UndoRow): Promise<UndoStep> {
  const bounces = await nextBounces(tx, incidentOf(undo), undo.at_event, STEP);
  // Before the emails and their counters are locked, in the order in which deliveries are recorded.
  const unsuppressed = await unsuppress(tx, undo, bounces);
  const queued = await queueAgain(deps, tx, undo, bounces, {
    isLastWord: ({ state, updatedAt }) => state === 'bounced' && updatedAt <= undo.to_at,
    reason: BOUNCE_UNDONE,
  });
  const next =
    bounces.length < STEP
      ? ({ nextStage: 'rejections', atEvent: null } as const)
      : ({ nextStage: 'bounces', atEvent: lastOf(bounces) } as const);
  return { ...queued, unsuppressed, ...next };
}

/** Ignores the filters, because the suppression stopped all mail to the address. */
async function takeBackRejections(deps: StepDeps, tx: Sql, undo: UndoRow): Promise<UndoStep> {
  const rejections = await nextRejections(tx, undo, STEP);
  const queued = await queueAgain(deps, tx, undo, rejections, {
    isLastWord: ({ state }) => state === 'failed',
    reason: SUPPRESSION_UNDONE,
  });
  const isLast = rejections.length < STEP;
  if (isLast) await deleteLiftedSuppressions(tx, undo);
  const next = { nextStage: isLast ? null : undo.stage, atEvent: lastOf(rejections) };
  return { ...queued, unsuppressed: 0, ...next };
}

function lastOf(events: readonly UndoneEvent[]): string | null {
  return events.at(-1)?.id ?? null;
}

async function unsuppress(tx: Sql, undo: UndoRow, bounces: readonly Bounce[]): Promise<number> {
  const recipients = new Map(bounces.map(({ recipient }) => [addressKeyOf(recipient), recipient]));
  const entries = bounces.map(({ recipient, email_id }) => ({
    key: addressKeyOf(recipient),
    emailId: email_id,
  }));
  const lifted = await removeAutomatic(tx, undo.organization_id, entries, undo.to_at);
  await recordLiftedSuppressions(
    tx,
    undo,
    lifted.map(({ key, since }) => ({ recipient: recipients.get(key) ?? key, since })),
  );
  return lifted.length;
}

interface Undoing {
  /** Whether the undone event is the recipient's last. */
  readonly isLastWord: (recipient: RecipientStanding) => boolean;
  /** The reason in its event. */
  readonly reason: string;
}

async function queueAgain(
  deps: StepDeps,
  tx: Sql,
  undo: UndoRow,
  events: readonly UndoneEvent[],
  { isLastWord, reason }: Undoing,
): Promise<Pick<UndoStep, 'requeued' | 'leftAlone'>> {
  const { final, sizes, leftAlone } = await sortOut(deps, tx, undo, events, isLastWord);
  if (final.length > 0) {
    const nowMs = deps.nowMs();
    await requeue(tx, final, sizes, { lifetimeMs: deps.lifetimeMs, nowMs });
    await appendRequeuedEvents(tx, final, reason, nowMs);
  }
  return { requeued: final.length, leftAlone };
}

interface SortedOut {
  readonly final: readonly FinalDelivery[];
  readonly sizes: ReadonlyMap<string, number>;
  readonly leftAlone: Readonly<Partial<Record<LeftAlone, number>>>;
}

/** Selects the recipients that can be retried, and locks the email's rows. */
async function sortOut(
  { mode, lost }: StepDeps,
  tx: Sql,
  { organization_id: organizationId }: UndoRow,
  events: readonly UndoneEvent[],
  isLastWord: Undoing['isLastWord'],
): Promise<SortedOut> {
  const keys = events.map(({ email_id, position }) => ({ organizationId, emailId: email_id, position }));
  await lockEmailsOf(tx, keys);
  const found = await finalDeliveriesOf(tx, organizationId, keys);
  const sizes = await contentSizesOf(
    tx,
    organizationId,
    found.map(({ emailId }) => emailId),
  );
  const wanted = found.filter((one) => isLastWord(one) && one.mode === mode && !sizes.has(one.emailId));
  await requireHere(
    tx,
    organizationId,
    wanted.map(({ emailId }) => emailId).filter((id) => !lost.has(id)),
  );
  const addresses = found.map(({ address }) => addressKeyOf(address));
  const suppressed = await suppressionReasons(tx, organizationId, addresses);
  const final: FinalDelivery[] = [];
  const leftAlone: Partial<Record<LeftAlone, number>> = {};
  const leave = (why: LeftAlone, count = 1) => {
    if (count > 0) leftAlone[why] = (leftAlone[why] ?? 0) + count;
  };
  for (const one of found) {
    if (!isLastWord(one)) leave('not_bounced');
    else if (one.mode !== mode) leave('other_mode');
    else if (!sizes.has(one.emailId)) leave('content_gone');
    else if (suppressed.has(addressKeyOf(one.address))) leave('suppressed');
    else final.push({ ...one, mode });
  }
  // A recipient that bounced twice in the window, or whose email was removed.
  leave('not_bounced', events.length - found.length);
  return { final, sizes, leftAlone };
}

async function requireHere(tx: Sql, organizationId: string, emailIds: readonly string[]): Promise<void> {
  const moved = await movedAmong(tx, organizationId, emailIds);
  if (moved.length === 0) return;
  throw new ContentElsewhere(
    organizationId,
    moved.map(({ email_id }) => email_id),
  );
}

function incidentOf(row: UndoRow): Incident {
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
