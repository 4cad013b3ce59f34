/**
 * Slows repeats of one email that flood an address: more emails than FLOOD allows from the same sender's domain, with the same
 * template and subject, to the same recipient. One repeat is sent per minute, always the newest. Older repeats that waited are
 * withdrawn. Other mail to the address is not affected. Neither is mail with attached files, because two different invoices may
 * have the same subject.
 *
 * The counts are in the memory of a worker. The newest repeat is in the database, so that an older repeat is also withdrawn by
 * another worker or after a restart.
 */

import type { Database } from '../../database/database.ts';
import { hasNewerRepeat, noteRepeat, repeatDigestOf } from '../../emails/collapse.ts';
import { hasSlowedMail } from '../../interventions/holds/guard-findings.ts';
import { type ClaimedDelivery, wasPutOff } from '../../outbox/states.ts';
import { domainOf } from '../../protocols/message/address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SECOND_MS } from '../../runtime/durations.ts';
import type { Log } from '../../runtime/log.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import type { LoadEmail, LoadedEmail } from '../attempt/load.ts';
import { isFlood, RepeatCounts, SPACING_MS } from './flood-limit.ts';
import { type FloodAction, judgeFlood } from './judge-flood.ts';

interface FloodsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** How much faster than real time repeats are sent, in tests. */
  readonly speed: number;
}

/** A change of the settings takes effect within this time. */
const JUDGED_FOR = { keepMs: 10 * SECOND_MS, max: 10_000 };

export class Floods {
  readonly #options: FloodsOptions;
  readonly #counts: RepeatCounts;
  readonly #judged: TtlCache<Promise<FloodAction>>;
  readonly #slowing: TtlCache<Promise<boolean>>;

  constructor(options: FloodsOptions) {
    this.#options = options;
    this.#counts = new RepeatCounts(SPACING_MS / options.speed);
    const kept = { ...JUDGED_FOR, keepMs: JUDGED_FOR.keepMs / options.speed, clock: options.clock };
    this.#judged = new TtlCache(kept);
    this.#slowing = new TtlCache(kept);
  }

  /** Wraps `load`: withdraws repeats that waited and were replaced by a newer one. */
  loading(load: LoadEmail): LoadEmail {
    return async (delivery) => {
      const email = await load(delivery);
      if (email === null || !isReturning(delivery, email) || !mayBeRepeat(email)) return email;
      return (await this.#isReplaced(delivery, email))
        ? { ...email, withdrawnFor: 'flood_collapsed' }
        : email;
    };
  }

  /** Null: the email may be sent. Otherwise the time of the next try. */
  async putOffUntil(delivery: ClaimedDelivery, email: LoadedEmail): Promise<number | null> {
    if (delivery.attempt > 1 || !mayBeRepeat(email)) return null;
    const { db, clock } = this.#options;
    const digest = digestOf(email);
    const key = keyOf(delivery, digest);
    const repeats = isReturning(delivery, email)
      ? this.#counts.of(key)
      : this.#counts.count(key, clock.nowMs());
    if (repeats === undefined || !isFlood(repeats)) return null;
    repeats.isSlowed = (await this.#judge(key, delivery, email)) === 'slow';
    if (!repeats.isSlowed) return null;
    this.#slowing.set(delivery.organizationId, Promise.resolve(true));
    await noteRepeat(db, delivery, digest);
    return this.#counts.takeTurn(repeats, clock.nowMs());
  }

  /** Only while the guard slows these repeats: the guard may have been turned off, or the address allowed. */
  async #isReplaced(delivery: ClaimedDelivery, email: LoadedEmail): Promise<boolean> {
    if (!(await this.#isSlowing(delivery.organizationId))) return false;
    const digest = digestOf(email);
    if (!(await hasNewerRepeat(this.#options.db, delivery, digest))) return false;
    return (await this.#judge(keyOf(delivery, digest), delivery, email)) === 'slow';
  }

  #judge(key: string, { organizationId }: ClaimedDelivery, { recipient }: LoadedEmail): Promise<FloodAction> {
    const known = this.#judged.get(key);
    if (known !== undefined) return known;
    const judging = judgeFlood(this.#options, organizationId, recipient).catch(
      (error: unknown): FloodAction => {
        this.#options.log.error(
          { err: error },
          'the guard could not examine repeats of an email; they are sent',
        );
        return 'pass';
      },
    );
    this.#judged.set(key, judging);
    return judging;
  }

  #isSlowing(organizationId: string): Promise<boolean> {
    const known = this.#slowing.get(organizationId);
    if (known !== undefined) return known;
    const { db, clock } = this.#options;
    const asking = hasSlowedMail(db, organizationId, clock.nowMs());
    this.#slowing.set(organizationId, asking);
    asking.catch(() => this.#slowing.delete(organizationId));
    return asking;
  }
}

/** The email was put off or held before, so it is not counted again. */
function isReturning(delivery: ClaimedDelivery, { createdAtMs, scheduledAtMs }: LoadedEmail): boolean {
  return wasPutOff(delivery, Math.max(createdAtMs, scheduledAtMs ?? 0));
}

function mayBeRepeat({ withdrawnFor, attachments, mime }: LoadedEmail): boolean {
  const hasFiles = attachments.some(({ contentId }) => contentId === null) || hasMixedParts(mime);
  return withdrawnFor === null && !hasFiles;
}

/** Whether a message that was submitted as MIME has attached files, which are beside its text in `multipart/mixed`. */
function hasMixedParts(mime: Buffer | null): boolean {
  if (mime === null) return false;
  const header = mime.subarray(0, mime.indexOf('\r\n\r\n')).toString('latin1');
  return /^content-type:\s*multipart\/mixed/im.test(header);
}

function keyOf({ organizationId }: ClaimedDelivery, digest: Buffer): string {
  return `${organizationId} ${digest.toString('base64')}`;
}

function digestOf({ from, template_id: templateId, subject, recipient }: LoadedEmail): Buffer {
  return repeatDigestOf({ fromDomain: domainOf(from.email), templateId, subject, recipient });
}
