/** Inserts rows into the outbox without emails, which the queue does not read. */

import type { Database } from '../../src/database/database.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { claim } from '../../src/outbox/claim.ts';
import { enqueue } from '../../src/outbox/enqueue.ts';
import { patrol } from '../../src/outbox/lanes.ts';
import { register } from '../../src/outbox/lease.ts';
import {
  type ClaimedDelivery,
  type DeliveryKey,
  type Priority,
  priorityRank,
} from '../../src/outbox/states.ts';
import type { Mode } from '../../src/runtime/config.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { domainName } from './addresses.ts';

export interface Waiting {
  readonly organizationId?: string;
  readonly domain?: string;
  readonly mode?: Mode;
  readonly priority?: Priority;
  /** How long ago the delivery was due; negative for a later time. */
  readonly dueAgoMs?: number;
  readonly emailId?: string;
  readonly position?: number;
}

/** Enqueues one delivery for each entry, in one statement. */
export async function enqueueEach(db: Database, each: readonly Waiting[]): Promise<DeliveryKey[]> {
  const deliveries = each.map((one) => ({
    organizationId: one.organizationId ?? 'org_a',
    emailId: one.emailId ?? uuidv7(Date.now()),
    position: one.position ?? 0,
    mode: one.mode ?? 'live',
    domain: domainName(one.domain ?? 'example.org'),
    priority: priorityRank(one.priority ?? 'normal'),
    dueAtMs: Date.now() - (one.dueAgoMs ?? 1_000),
    expiresAtMs: Date.now() + 3_600_000,
    size: 100,
  }));
  await enqueue(db, deliveries);
  return deliveries.map(({ organizationId, emailId, position }) => ({ organizationId, emailId, position }));
}

export const times = (count: number, one: Waiting = {}): Waiting[] =>
  Array.from({ length: count }, () => one);

export const newWorker = (db: Database): Promise<number> =>
  register(db, { host: 'test', machine: 'test', pid: process.pid });

/** Claims up to `limit` due deliveries of either mode, lane by lane. */
export async function claimDue(db: Sql, epoch: number, limit: number): Promise<ClaimedDelivery[]> {
  const { dueLanes } = await patrol(db, null, 1_000);
  const claimed: ClaimedDelivery[] = [];
  for (const lane of dueLanes) {
    const room = limit - claimed.length;
    for (const mode of room > 0 ? (['live', 'sandbox'] as const) : []) {
      claimed.push(...(await claim(db, { epoch, mode }, [{ ...lane, room }])));
    }
  }
  return claimed;
}

export interface OutboxRow {
  readonly email_id: string;
  readonly worker: number | null;
  readonly attempt: number;
  readonly due_at: Date;
}

export function outboxRows(db: Database): Promise<OutboxRow[]> {
  return db.many(
    adHoc<OutboxRow>('SELECT email_id, worker, attempt, due_at FROM outbox ORDER BY email_id, position'),
  );
}

export async function emptyOutbox(db: Database): Promise<void> {
  await db.exec(adHoc('TRUNCATE outbox, workers'));
}
