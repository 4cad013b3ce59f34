/**
 * The way of mail for organizations into the database.
 *
 * It owns what it knew lately of how much each of them has: asked at most once a second, so that the limits are kept to within a
 * second of mail.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../../kit/database/database.ts';
import { isUnavailable } from '../../kit/database/errors.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { SECOND_MS } from '../../kit/runtime/durations.ts';
import { uuidv7 } from '../../kit/runtime/ids.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { ShortMemory } from '../../kit/runtime/short-memory.ts';
import { makeSafe } from '../../kit/smtp/reply-parser.ts';
import type { Receiver } from '../../received/receivers.ts';
import { insertReceived, receivedUsage, receivedWaiting } from '../../received/store.ts';
import { headerBytes, headerHas } from './header-look.ts';
import { RECEIVING_LIMITS, type ReceivingLimits } from './limits.ts';

/** A message for organizations, as it was brought. */
export interface BroughtMail {
  readonly receivers: readonly Receiver[];
  readonly mailFrom: string;
  readonly remoteAddress: string;
  readonly helo: string;
  readonly secured: boolean;
  readonly raw: Buffer;
}

export interface ReceivedIntakeOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** There is something to read. */
  readonly onStored: () => void;
  /** Only tests give others. */
  readonly limits?: ReceivingLimits | undefined;
}

const KNOWN_FOR_MS = SECOND_MS;
const MAX_KNOWN = 5_000;
const MAX_HELO_CHARS = 255;
const IN_ALL = '';

export class ReceivedIntake {
  readonly #options: ReceivedIntakeOptions;
  readonly #limits: ReceivingLimits;
  readonly #hasRoom: ShortMemory<boolean>;

  constructor(options: ReceivedIntakeOptions) {
    this.#options = options;
    this.#limits = options.limits ?? RECEIVING_LIMITS;
    const clock = options.clock;
    this.#hasRoom = new ShortMemory({ keepMs: KNOWN_FOR_MS, max: MAX_KNOWN, clock });
  }

  /** Whether an organization may get more. */
  async hasRoom(organizationId: string): Promise<boolean> {
    const inAll = await this.#known(IN_ALL, async () => {
      return (await receivedWaiting(this.#options.db)) < this.#limits.waiting;
    });
    if (!inAll) return false;
    return this.#known(organizationId, async () => {
      const { messages, bytes } = await receivedUsage(this.#options.db, organizationId);
      return messages < this.#limits.messagesPerDay && bytes < this.#limits.storedBytes;
    });
  }

  async #known(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const known = this.#hasRoom.get(key);
    if (known !== undefined) return known;
    const found = await ask();
    this.#hasRoom.set(key, found);
    return found;
  }

  /** Resolves when it is committed for all of them, or when it is sure that it is not. */
  async store(mail: BroughtMail): Promise<'stored' | 'failed'> {
    const { db, log, onStored } = this.#options;
    try {
      await db.transaction(async (tx) => {
        for (const one of this.#apart(mail)) await insertReceived(tx, one);
      });
      onStored();
      return 'stored';
    } catch (error) {
      log[isUnavailable(error) ? 'warn' : 'error']({ err: error }, 'received mail could not be stored');
      return 'failed';
    }
  }

  /** Each organization has its own, and learns nothing of the others'. */
  #apart(mail: BroughtMail) {
    const nowMs = this.#options.clock.nowMs();
    const { mailFrom, remoteAddress, secured, raw } = mail;
    const helo = makeSafe(mail.helo).slice(0, MAX_HELO_CHARS);
    return [...new Set(mail.receivers.map((one) => one.organizationId))].map((organizationId) => {
      const receivers = mail.receivers.filter((one) => one.organizationId === organizationId);
      const arrived = { mailFrom, receivers, remoteAddress, helo, secured, raw };
      const digest = digestOf(mail, receivers);
      return { organizationId, id: uuidv7(nowMs), receivedAtMs: nowMs, ...arrived, digest };
    });
  }
}

/** Only of mail that says which one it is: two that a program sends may be alike to the last byte otherwise. */
function digestOf({ mailFrom, raw }: BroughtMail, receivers: readonly Receiver[]): Buffer | null {
  if (!headerHas(headerBytes(raw), 'message-id')) return null;
  const addresses = receivers.map(({ address }) => address).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([mailFrom, addresses]))
    .update(raw)
    .digest();
}
