/** The content store of tests: a bucket on loopback, or none. */

import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { MovedContents } from '../../src/emails/moved/moved-contents.ts';
import { applyOutcomes } from '../../src/emails/outcomes.ts';
import { ContentMover } from '../../src/operations/content-mover.ts';
import { removeWaitingObjects } from '../../src/operations/object-removal.ts';
import { S3Store } from '../../src/protocols/object-store/s3-store.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { TestOrganization } from './api.ts';
import type { S3Sink } from './s3-sink.ts';

/** For tests that move no content. */
export function nothingMoved(db: Database, clock: Clock = systemClock): MovedContents {
  return new MovedContents({ db, clock, store: undefined });
}

export function storeOf(sink: S3Sink, readWithinMs = 2_000): S3Store {
  const { contentStore } = parseConfig({ ...sink.env });
  if (contentStore === undefined) throw new Error('The sink is not configured.');
  return new S3Store(contentStore, systemClock, readWithinMs);
}

const ENOUGH_MS = 20_000;

/** The content chores of a worker for mail older than an hour. Each function runs a chore once. */
export function contentChores(db: Database, clock: Clock, sink: S3Sink) {
  const deps = { db, clock, log: createLog('test', 'silent'), store: storeOf(sink) };
  const mover = new ContentMover({ ...deps, afterMs: HOUR_MS });
  return {
    move: (signal = AbortSignal.timeout(ENOUGH_MS)) => mover.run(signal),
    remove: () => removeWaitingObjects(deps, AbortSignal.timeout(ENOUGH_MS)),
    /** Chores without the state of these, as in a new worker. */
    another: () => contentChores(db, clock, sink),
  };
}

/** Makes an email final, with the records that a worker would write. */
export async function settleAs(
  db: Database,
  org: Pick<TestOrganization, 'id'>,
  emailId: string,
  state: 'delivered' | 'failed' | 'bounced',
  nowMs: number,
): Promise<void> {
  const outcome = { organizationId: org.id, emailId, position: 0, attempts: 1, atMs: nowMs };
  await db.transaction(async (tx) => {
    await applyOutcomes(tx, [{ ...outcome, state }], nowMs);
    await tx.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [emailId]);
  });
}

const COUNTED = ['email_contents', 'email_attachments', 'moved_contents', 'object_removals'] as const;

export async function contentRows(db: Database): Promise<Record<(typeof COUNTED)[number], number>> {
  const columns = COUNTED.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  return db.one(adHoc<Record<(typeof COUNTED)[number], number>>(`SELECT ${columns.join(', ')}`));
}
