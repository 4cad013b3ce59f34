/**
 * Accepting: after this, the email is on disk and will be delivered or reported.
 *
 * Everything that belongs to an email — its row, content, recipients, deliveries to make, `queued` events and
 * counters — commits in one transaction. Concurrent requests are coalesced: whatever arrived while the previous
 * commit was under way goes into the next one, as multi-row statements. A caller is answered only after its own
 * commit has returned. What the database must be asked before accepting (may this domain send?) is asked once
 * for the whole batch, inside the same transaction; a refusal is a value and touches no other email of the batch.
 */
import type { Database } from '../../database/database.ts';
import { isMissingPartition, isUnavailable } from '../../database/errors.ts';
import { ensurePartitions } from '../../database/partitions.ts';
import type { Sql } from '../../database/sql.ts';
import { appendEvents, type NewEvent } from '../../events/append.ts';
import { enqueue } from '../../outbox/enqueue.ts';
import type { LifetimeMs } from '../../outbox/lifetime.ts';
import { type NewDelivery, priorityRank } from '../../outbox/states.ts';
import { Batcher } from '../../work-loop/batcher.ts';
import { moveEmailCounts } from '../stats/email-counts.ts';
import { contentSize, type NewEmail } from './email.ts';
import { passGates, type Refusal } from './gates.ts';
import { insertEmails } from './store.ts';

export type AcceptResult = { readonly kind: 'accepted' } | Refusal;

const ACCEPTED: AcceptResult = { kind: 'accepted' };

export interface AcceptOptions {
  readonly db: Database;
  readonly lifetimeMs: LifetimeMs;
  /** Tells the workers that there is something to do. */
  readonly wake: () => void;
}

/** As many as one commit takes without keeping the first of them waiting long. */
const MAX_BATCH_EMAILS = 250;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** What may wait in memory before new requests are told to come back later. */
const MAX_QUEUED_EMAILS = 5_000;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

export class Acceptor {
  readonly #options: AcceptOptions;
  readonly #batcher: Batcher<NewEmail, AcceptResult>;

  constructor(options: AcceptOptions) {
    this.#options = options;
    this.#batcher = new Batcher({
      flush: (emails) => this.#acceptAll(emails),
      maxBatchItems: MAX_BATCH_EMAILS,
      maxQueuedItems: MAX_QUEUED_EMAILS,
      weigh: contentSize,
      maxBatchWeight: MAX_BATCH_BYTES,
      maxQueuedWeight: MAX_QUEUED_BYTES,
      retryAlone: (error) => !isUnavailable(error),
    });
  }

  /** Resolves after the commit. Rejects with BatcherFullError when too much is waiting already. */
  accept(email: NewEmail): Promise<AcceptResult> {
    return this.#batcher.add(email);
  }

  drained(): Promise<void> {
    return this.#batcher.drained();
  }

  async #acceptAll(emails: readonly NewEmail[]): Promise<readonly AcceptResult[]> {
    const results = await this.#withPartitions(emails, () =>
      this.#options.db.transaction((tx) => this.#store(tx, emails)),
    );
    if (results.some((result) => result.kind === 'accepted')) this.#options.wake();
    return results;
  }

  async #store(tx: Sql, emails: readonly NewEmail[]): Promise<readonly AcceptResult[]> {
    const refusals = await passGates(tx, emails);
    const accepted = emails.filter((_, index) => refusals[index] === null);
    if (accepted.length > 0) {
      await insertEmails(tx, accepted);
      await enqueue(
        tx,
        accepted.flatMap((email) => this.#deliveriesOf(email)),
      );
      await appendEvents(tx, accepted.flatMap(queuedEvents));
      await moveEmailCounts(
        tx,
        accepted.map((email) => ({ ...email, status: 'queued', by: 1 })),
      );
    }
    return refusals.map((refusal) => refusal ?? ACCEPTED);
  }

  #deliveriesOf(email: NewEmail): NewDelivery[] {
    const lifetimeMs = this.#options.lifetimeMs(email.expiresInSeconds);
    const window = deliveryWindow(email.createdAtMs, email.scheduledAtMs, lifetimeMs);
    const size = contentSize(email);
    return email.recipients.map(({ domain }, position) => ({
      organizationId: email.organizationId,
      emailId: email.id,
      position,
      domain,
      priority: priorityRank(email.priority),
      ...window,
      size,
    }));
  }

  /** Should maintenance ever have failed to make this week's partitions, accepting must not. */
  async #withPartitions<T>(emails: readonly NewEmail[], store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      for (const email of [emails[0], emails.at(-1)]) {
        if (email) await ensurePartitions(this.#options.db, email.createdAtMs, 0);
      }
      return store();
    }
  }
}

/** When delivery begins, and when it is given up. */
export function deliveryWindow(nowMs: number, scheduledAtMs: number | null, lifetimeMs: number) {
  const dueAtMs = Math.max(nowMs, scheduledAtMs ?? 0);
  return { dueAtMs, expiresAtMs: dueAtMs + lifetimeMs };
}

function queuedEvents(email: NewEmail): NewEvent[] {
  return email.recipients.map(({ address }, position) => ({
    organizationId: email.organizationId,
    emailId: email.id,
    position,
    recipient: address,
    type: 'queued',
    atMs: email.createdAtMs,
  }));
}
