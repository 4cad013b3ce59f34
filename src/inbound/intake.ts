/**
 * Stores received messages in the database. It owns the messages that wait for the current flush: a burst is written in few
 * commits, a single message is written at once, and the number of waiting messages is bounded. backlog-limit.ts bounds the unread
 * messages in the database.
 */
import { concernsOne, isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { Batcher, BatcherFullError } from '../runtime/work-loop/batcher.ts';
import { InboundBacklogLimit } from './backlog-limit.ts';
import type { CapsByKind, WaitingCount } from './caps.ts';
import type { Received } from './smtp/inbound-dialogue.ts';
import type { ServedMailbox } from './smtp/mailboxes.ts';
import { insertInbound, type NewInbound, UNNAMED_DOMAIN } from './store.ts';

export interface IntakeOptions {
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
