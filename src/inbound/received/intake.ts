/**
 * Stores mail for organizations in the database.
 *
 * It owns a cache of each organization's usage: read at most once a second, so that the limits hold to within a second of mail.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { isUnavailable } from '../../database/errors.ts';
import { makeSafe } from '../../protocols/smtp/reply-parser.ts';
import type { ArrivedMail } from '../../received/received-email.ts';
import type { Receiver } from '../../received/receivers.ts';
import { insertReceived, receivedUsage, receivedWaiting } from '../../received/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SECOND_MS } from '../../runtime/durations.ts';
import { uuidv7 } from '../../runtime/ids.ts';
import type { Log } from '../../runtime/log.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { Turns } from '../../runtime/turns.ts';
import { headerHas } from './header-facts.ts';
import { RECEIVING_LIMITS, type ReceivingLimits } from './limits.ts';

/** A message for organizations, as it arrived. */
export interface IncomingMail {
  readonly receivers: readonly Receiver[];
  readonly mailFrom: string;
  readonly remoteAddress: string;
  readonly helo: string;
  readonly secured: boolean;
  readonly raw: Buffer;
}

interface ReceivedIntakeOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when there is something to read. */
  readonly onStored: () => void;
  /** Set only by tests. */
  readonly limits?: ReceivingLimits | undefined;
}

const KNOWN_FOR_MS = SECOND_MS;
const MAX_KNOWN = 5_000;
const MAX_HELO_CHARS = 255;
const HASHED_AT_ONCE = 256 * 1024;

export class ReceivedIntake {
  readonly #options: ReceivedIntakeOptions;
  readonly #limits: ReceivingLimits;
  readonly #mayReceive: TtlCache<boolean>;

  constructor(options: ReceivedIntakeOptions) {
    this.#options = options;
    this.#limits = options.limits ?? RECEIVING_LIMITS;
    const clock = options.clock;
    this.#mayReceive = new TtlCache({ keepMs: KNOWN_FOR_MS, max: MAX_KNOWN, clock });
  }

  async mayReceive(organizationId: string): Promise<boolean> {
    const known = this.#mayReceive.get(organizationId);
    if (known !== undefined) return known;
    const found = await this.#isBelowLimit(organizationId);
    this.#mayReceive.set(organizationId, found);
    return found;
  }

  async #isBelowLimit(organizationId: string): Promise<boolean> {
    const { db } = this.#options;
    const { waiting, waitingOfOne, messagesPerDay, storedBytes } = this.#limits;
    const { all, own } = await receivedWaiting(db, organizationId);
    if (all >= waiting || own >= waitingOfOne) return false;
    const { messages, bytes } = await receivedUsage(db, organizationId);
    return messages < messagesPerDay && bytes < storedBytes;
  }

  /** Resolves when the message is committed for all organizations, or when it is certain that it is not. */
  async store(mail: IncomingMail): Promise<'stored' | 'failed'> {
    const { db, log, onStored } = this.#options;
    try {
      const arrived = await this.#apart(mail);
      await db.transaction(async (tx) => {
        for (const one of arrived) await insertReceived(tx, one);
      });
      onStored();
      return 'stored';
    } catch (error) {
      log[isUnavailable(error) ? 'warn' : 'error']({ err: error }, 'received mail could not be stored');
      return 'failed';
    }
  }

  /** Each organization gets a copy of its own, without any information about the others. */
  async #apart(mail: IncomingMail): Promise<ArrivedMail[]> {
    const nowMs = this.#options.clock.nowMs();
    const { mailFrom, remoteAddress, secured, raw } = mail;
    const helo = makeSafe(mail.helo).slice(0, MAX_HELO_CHARS);
    const content = headerHas(raw, 'message-id') ? await contentDigest(raw) : null;
    return [...new Set(mail.receivers.map((one) => one.organizationId))].map((organizationId) => {
      const receivers = mail.receivers.filter((one) => one.organizationId === organizationId);
      const arrived = { mailFrom, receivers, remoteAddress, helo, secured, raw };
      const digest = content === null ? null : digestOf(mailFrom, receivers, content, raw.length);
      return { organizationId, id: uuidv7(nowMs), receivedAtMs: nowMs, ...arrived, digest };
    });
  }
}

/** Only mail with a Message-ID has a digest: without one, two separate mails of a program may be identical to the last byte. */
function digestOf(mailFrom: string, receivers: readonly Receiver[], content: Hash, bytes: number): Buffer {
  const addresses = receivers.map(({ address }) => address).toSorted();
  return content
    .copy()
    .update(JSON.stringify([mailFrom, addresses, bytes]))
    .digest();
}

/** Computed once for all organizations, and in turns, because it may have 25 MB. */
async function contentDigest(raw: Buffer): Promise<Hash> {
  const hash = createHash('sha256');
  const turns = new Turns();
  for (let from = 0; from < raw.length; from += HASHED_AT_ONCE) {
    hash.update(raw.subarray(from, from + HASHED_AT_ONCE));
    if (turns.isOver) await turns.next();
  }
  return hash;
}
