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
import { headerHas } from './header-look.ts';
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
    const known = this.#hasRoom.get(organizationId);
    if (known !== undefined) return known;
    const found = await this.#findRoom(organizationId);
    this.#hasRoom.set(organizationId, found);
    return found;
  }

  async #findRoom(organizationId: string): Promise<boolean> {
    const { db } = this.#options;
    const { waiting, waitingOfOne, messagesPerDay, storedBytes } = this.#limits;
    const { all, own } = await receivedWaiting(db, organizationId);
    if (all >= waiting || own >= waitingOfOne) return false;
    const { messages, bytes } = await receivedUsage(db, organizationId);
    return messages < messagesPerDay && bytes < storedBytes;
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
  if (!headerHas(raw, 'message-id')) return null;
  const addresses = receivers.map(({ address }) => address).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([mailFrom, addresses]))
    .update(raw)
    .digest();
}
