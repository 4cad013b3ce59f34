/**
 * Reads mail for organizations and emits its events.
 *
 * A process claims a mail for a while, parses and examines it (with DNS and scanners) without a transaction, and then records
 * it together with its event in one. A process that dies in between has recorded nothing, and another one claims the mail
 * later. A process that is too slow finds the mail recorded and emits no event: one mail is one event.
 */

import type { Database } from '../../database/database.ts';
import { appendEvents } from '../../events/append.ts';
import { threadOf } from '../../received/conversations.ts';
import type { MailAuthentication, MailScans, ReadMail } from '../../received/received-email.ts';
import {
  type ClaimedMail,
  claimReceived,
  recordAsUnreadable,
  recordReceived,
  type Threaded,
  type UnreadMail,
} from '../../received/store.ts';
import { sourceOf } from '../../received/store-read.ts';
import type { Log } from '../../runtime/log.ts';
import { answeredIds, readReceived } from './read-received.ts';

export interface ReaderDeps {
  readonly db: Database;
  readonly log: Log;
  readonly authenticate: (mail: UnreadMail) => Promise<MailAuthentication>;
  readonly scan: (mail: UnreadMail) => Promise<MailScans>;
  readonly onRead?: (result: 'read' | 'unreadable') => void;
  /** Called after new events. */
  readonly onRecorded?: () => void;
  /** Set only by tests. */
  readonly leaseMs?: number | undefined;
}

/** Each may have 25 MB, and mostly waits for answers from others. */
const AT_ONCE = 4;
/** Longer than all lookups for one mail may take. */
const LEASE_MS = 180_000;
/** Mail that failed or crashed three processes counts as unreadable. */
const MAX_TRIES = 3;

/** Returns how many mails it processed. */
export async function readUnreadMail(deps: ReaderDeps): Promise<number> {
  const waiting = await claimReceived(deps.db, AT_ONCE, deps.leaseMs ?? LEASE_MS);
  await Promise.all(waiting.map((mail) => readOne(deps, mail)));
  return waiting.length;
}

async function readOne(deps: ReaderDeps, claimed: ClaimedMail): Promise<void> {
  const raw = await sourceOf(deps.db, claimed.organizationId, claimed.id);
  // Deleted meanwhile.
  if (raw === undefined) return;
  if (raw === null)
    return recordUnreadable(
      deps,
      claimed,
      'The content of this message was deleted when its retention period ended.',
    );
  const mail: UnreadMail = { ...claimed, raw };
  const read = mail.tries > MAX_TRIES ? 'It was tried three times.' : await tryReading(deps, mail);
  if (typeof read === 'string') return recordUnreadable(deps, mail, read);
  const [authentication, scans] = await Promise.all([deps.authenticate(mail), deps.scan(mail)]);
  const threaded = await threadOf(deps.db, { ...mail, references: answeredIds(read) });
  const recorded = await deps.db.transaction(async (tx) => {
    const found = { authentication, scans, threaded };
    if (!(await recordReceived(tx, mail, read, found))) return false;
    await appendEvents(tx, [eventOf(mail)]);
    return true;
  });
  if (recorded) tell(deps, 'read');
}

/** Returns a description of the problem if the mail is unreadable. */
async function tryReading({ log }: ReaderDeps, mail: UnreadMail): Promise<ReadMail | string> {
  try {
    return await readReceived(mail.raw, mail.mailFrom);
  } catch (error) {
    log.error({ err: error, receivedId: mail.id }, 'received mail could not be read');
    return 'Its source could not be read.';
  }
}

async function recordUnreadable(deps: ReaderDeps, mail: ClaimedMail, problem: string): Promise<void> {
  const threaded: Threaded = await threadOf(deps.db, { ...mail, references: [] });
  const recorded = await deps.db.transaction(async (tx) => {
    if (!(await recordAsUnreadable(tx, mail, problem, threaded))) return false;
    await appendEvents(tx, [eventOf(mail)]);
    return true;
  });
  if (recorded) tell(deps, 'unreadable');
}

function eventOf({ organizationId, id, recipients, receivedAt }: ClaimedMail) {
  return {
    organizationId,
    emailId: id,
    position: 0,
    recipient: recipients[0] ?? '',
    type: 'received' as const,
    atMs: receivedAt.getTime(),
  };
}

function tell({ onRead, onRecorded }: ReaderDeps, result: 'read' | 'unreadable'): void {
  onRead?.(result);
  onRecorded?.();
}
