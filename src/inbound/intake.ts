/**
 * Stores received messages in the database. It owns the messages that wait for the current flush: a burst is written in few
 * commits, a single message is written at once, and the number of waiting messages is bounded. `InboundBacklogLimit` bounds the unread
 * messages in the database.
 */
import { concernsOne, isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { SharedRun } from '../runtime/single-flight.ts';
import { Turns } from '../runtime/turns.ts';
import { Batcher, BatcherFullError } from '../runtime/work-loop/batcher.ts';
import { type CapsByKind, Tally, WAITING_CAPS, type WaitingCount } from './caps.ts';
import type { Received } from './smtp/inbound-dialogue.ts';
import type { ServedMailbox } from './smtp/mailboxes.ts';
import { countWaiting, insertInbound, type NewInbound, UNNAMED_DOMAIN } from './store.ts';

interface IntakeOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly clock: Clock;
  /** Called when there is something to read. */
  readonly onStored: () => void;
  /** The limits of waiting messages. Set only by tests. */
  readonly caps?: CapsByKind | undefined;
}

const MAX_BATCH = 250;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_WAITING = 2_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export class Intake {
  readonly #options: IntakeOptions;
  readonly #batcher: Batcher<NewInbound, undefined>;
  readonly #backlog: InboundBacklogLimit;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#backlog = new InboundBacklogLimit(options);
    this.#batcher = new Batcher({
      flush: async (messages) => {
        await insertInbound(options.db, messages);
        return messages.map(() => undefined);
      },
      maxBatchItems: MAX_BATCH,
      maxQueuedItems: MAX_WAITING,
      weigh: ({ head }) => head.length,
      maxBatchWeight: MAX_BATCH_BYTES,
      maxQueuedWeight: MAX_WAITING_BYTES,
      retryAlone: concernsOne,
    });
  }

  /** Resolves when the message is committed, or when it is certain that it is not. */
  store(message: Received): Promise<'stored' | 'full' | 'failed'> {
    return this.#backlog.store(counted(message), () => this.#write(message));
  }

  async #write(message: Received): Promise<'stored' | 'full' | 'failed'> {
    const { clock, log, onStored } = this.#options;
    try {
      await this.#batcher.add({ ...message, receivedAtMs: clock.nowMs() });
      onStored();
      return 'stored';
    } catch (error) {
      if (error instanceof BatcherFullError) return 'full';
      log[isUnavailable(error) ? 'warn' : 'error']({ err: error }, 'a report could not be stored');
      return 'failed';
    }
  }

  drained(): Promise<void> {
    return this.#batcher.drained();
  }
}

function counted({ mailbox, remoteAddress, head }: Received): WaitingCount {
  return { ...countedAs(mailbox), remoteAddress, messages: 1, bytes: head.length };
}

function countedAs(mailbox: ServedMailbox): Pick<WaitingCount, 'kind' | 'delivery'> {
  switch (mailbox.kind) {
    case 'open':
      return { kind: 'open', delivery: null };
    case 'report':
      return { kind: 'report', delivery: mailbox.domain?.domainId ?? UNNAMED_DOMAIN };
    case 'return_path':
      return { kind: 'signed', delivery: `${mailbox.delivery.emailId} ${mailbox.delivery.position}` };
  }
}

interface BacklogLimitOptions {
  readonly db: Sql;
  /** A monotonic clock; tests pass another. */
  readonly steady?: Clock;
  readonly log: Log;
  readonly caps?: CapsByKind | undefined;
}

const CHECK_INTERVAL_MS = 1_000;

/**
 * Limits the messages that wait to be read.
 *
 * It owns a count of waiting messages: those in the table at the last check, plus those accepted since. The table is checked at
 * most once a second, in the background while messages arrive, and synchronously before a message is refused. Other processes
 * accept messages between two checks, too, so the caps hold to within a second of mail.
 */
class InboundBacklogLimit {
  readonly #options: BacklogLimitOptions;
  readonly #caps: CapsByKind;
  readonly #steady: Clock;
  #tally = new Tally();
  /** Accepted, and perhaps not yet in the table. */
  readonly #underWay = new Set<WaitingCount>();
  #lookedMs = Number.NEGATIVE_INFINITY;
  readonly #looking = new SharedRun(() => this.#count());

  constructor(options: BacklogLimitOptions) {
    this.#options = options;
    this.#caps = options.caps ?? WAITING_CAPS;
    this.#steady = options.steady ?? steadyClock;
  }

  async store<T>(one: WaitingCount, store: () => Promise<T>): Promise<T | 'full'> {
    if (!(await this.#fits(one))) return 'full';
    this.#tally.add(one, this.#caps);
    this.#underWay.add(one);
    try {
      return await store();
    } finally {
      this.#underWay.delete(one);
    }
  }

  async #fits(one: WaitingCount): Promise<boolean> {
    if (this.#steady.nowMs() - this.#lookedMs >= CHECK_INTERVAL_MS) {
      const looked = this.#looking.run();
      if (!this.#tally.fits(one, this.#caps)) await looked;
    }
    return this.#tally.fits(one, this.#caps);
  }

  async #count(): Promise<void> {
    const { db, log } = this.#options;
    // Messages that are in progress when the check begins or ends: a few count twice until the next check.
    const before = [...this.#underWay];
    try {
      const tally = new Tally();
      const waiting = await countWaiting(db);
      const turns = new Turns();
      for (const one of waiting) {
        tally.add(one, this.#caps);
        if (turns.isOver) await turns.next();
      }
      for (const one of new Set([...before, ...this.#underWay])) tally.add(one, this.#caps);
      this.#tally = tally;
      this.#lookedMs = this.#steady.nowMs();
    } catch (error) {
      log.warn({ err: error }, 'cannot count the waiting inbound messages');
    }
  }
}
