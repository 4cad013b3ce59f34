/**
 * The right to be forgotten: removes an organization's data about an address. Can be interrupted anywhere and
 * repeated: processed data no longer contains the address, so the next call continues with the rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eraseFromAuditLog } from '../accounts/audit-log/store.ts';
import { deleteNamedCounts } from '../counters/delivery-counts.ts';
import type { Database } from '../database/database.ts';
import type { RenamedAddress } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';
import { searchTokens } from '../emails/lists/search-tokens.ts';
import { deliveriesTo, eraseFromEmails, unusedNames } from '../emails/store-removal.ts';
import { recordWithdrawal } from '../emails/withdrawal.ts';
import { eraseFromAttempts } from '../events/attempts.ts';
import { eraseFromEvents } from '../events/remove.ts';
import { eraseFromHolds } from '../interventions/holds/store.ts';
import { eraseFromAllowList } from '../organizations/settings/guard.ts';
import { queuedAmong, withdrawEach } from '../outbox/withdraw.ts';
import { type EmailAddress, parseAddress } from '../protocols/message/address.ts';
import { receivedOf, removeReceived } from '../received/store-removal.ts';
import { eraseFromRequestLog } from '../request-logs/store.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { eraseFromAnswers } from '../submission/idempotency/store.ts';
import type { ErasedEntry } from '../suppressions/erased-entry.ts';
import { eraseFromImports } from '../suppressions/import-store.ts';
import { deleteMailboxFailures } from '../suppressions/mailbox-failures.ts';
import { replaceByHash } from '../suppressions/store.ts';
import type { AddressOf } from '../suppressions/suppression.ts';
import { eraseFromSamples } from '../templates/store.ts';
import { eraseFromViews } from '../views/store.ts';
import { eraseFromWebhookLog } from '../webhooks/log.ts';
import type { ErasedAddresses } from './erased-address-hash.ts';

export interface EraseDeps {
  readonly db: Database;
  readonly erased: ErasedAddresses;
  /** Removes copies of emails that belong to other roles: the sandbox's inbox and received bounces. */
  readonly eraseCopies: (tx: Sql, organizationId: string, emailIds: readonly string[]) => Promise<void>;
  readonly nowMs: () => number;
  /** Replaced only by tests. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** In canonical form and as a comparison key. */
export interface AddressToErase extends AddressOf {
  readonly email: EmailAddress;
}

export function addressToErase(organizationId: string, text: string): AddressToErase {
  const parsed = parseAddress(text);
  if (parsed.ok) return { organizationId, email: parsed.email, key: parsed.key };
  const problems = [{ field: 'email', message: parsed.message }];
  throw new ServiceError('VALIDATION_ERROR', undefined, { problems });
}

interface ErasureResult {
  /** Replaces the address from now on. */
  readonly shownAs: EmailAddress;
  readonly emails: number;
  /** The number of emails in delivery; repeat the call when they are settled. */
  readonly waiting: number;
  /** No data about the address remains. */
  readonly complete: boolean;
}

const EMAILS_PER_STEP = 50;
/** Every process checks for the key once a second. A suppression may be stored under a hash only after all have it. */
const KEY_NOTICED_MS = 2_500;

export async function eraseAddress(
  deps: EraseDeps,
  address: AddressToErase,
  { untilMs, onProgress }: { readonly untilMs: number; readonly onProgress?: (emails: number) => void },
): Promise<ErasureResult> {
  const { db, erased, nowMs } = deps;
  await erased.ensure(nowMs());
  const entry = erased.entryOf(address);
  const shownAs = entry.email;
  await eraseFromLists(deps, address, entry);
  await eraseReceived(deps, address, shownAs);
  let after = BEFORE_ALL;
  let emails = 0;
  let waiting = 0;
  while (nowMs() < untilMs) {
    const ids = await emailsOf(db, address.organizationId, address.email, after, EMAILS_PER_STEP);
    const last = ids.at(-1);
    if (last === undefined) return { shownAs, emails, waiting, complete: waiting === 0 };
    const done = await db.transaction((tx) => eraseFromMail(tx, deps, address, shownAs, ids));
    emails += done.length;
    waiting += ids.length - done.length;
    after = last;
    onProgress?.(emails);
  }
  return { shownAs, emails, waiting, complete: false };
}

/** Deletes mail received from the address, and mail sent to the address and us together. */
async function eraseReceived(
  { db }: EraseDeps,
  { organizationId, email }: AddressToErase,
  shownAs: EmailAddress,
) {
  for (;;) {
    const ids = await receivedOf(db, organizationId, email, EMAILS_PER_STEP);
    if (ids.length === 0) return;
    await db.transaction(async (tx) => {
      await removeReceived(tx, organizationId, ids);
      await eraseFromEvents(tx, organizationId, ids, { email, shownAs });
      await eraseFromWebhookLog(tx, organizationId, ids);
    });
  }
}

class KeyTooYoung extends Error {}

/**
 * If a suppression is to be stored under the hash, waits until all processes have the key: the transaction is rolled
 * back and repeated after the wait.
 */
async function eraseFromLists(deps: EraseDeps, address: AddressToErase, entry: ErasedEntry): Promise<void> {
  const { db, erased, nowMs } = deps;
  const unnoticedMs = KEY_NOTICED_MS - erased.ageMs(nowMs());
  try {
    await db.transaction(async (tx) => {
      const hides = await eraseOutsideOfMail(tx, address, entry);
      if (hides && unnoticedMs > 0) throw new KeyTooYoung();
    });
  } catch (error) {
    if (!(error instanceof KeyTooYoung)) throw error;
    await (deps.sleep ?? sleep)(unnoticedMs);
    await db.transaction((tx) => eraseOutsideOfMail(tx, address, entry));
  }
  // Outside of that transaction, because organizations, views and the audit log are in another database than mail.
  await eraseFromAllowList(db, address.organizationId, address.key);
  await eraseFromViews(db, address.organizationId, address);
  await eraseFromAuditLog(db, address.organizationId, { email: address.email, shownAs: entry.email });
}

/**
 * Erases the address from lists, stored responses, samples, holds and the request log. True when a suppression is now
 * stored under the hash.
 */
async function eraseOutsideOfMail(tx: Sql, address: AddressToErase, entry: ErasedEntry): Promise<boolean> {
  const { organizationId, email } = address;
  const shownAs = entry.email;
  // First, so that a running import adds no entry that the next step would miss.
  const stood = await eraseFromImports(tx, address, entry);
  const hidden = await replaceByHash(tx, address, entry);
  await deleteMailboxFailures(tx, [address]);
  await eraseFromAnswers(tx, organizationId, { email, shownAs });
  await eraseFromRequestLog(tx, organizationId, { email, shownAs });
  await eraseFromSamples(tx, organizationId, { email, shownAs });
  await eraseFromHolds(tx, organizationId, { email, shownAs });
  return stood || hidden;
}

/**
 * Withdraws unsent mail to the address. Emails in delivery, to any recipient, are left for a later call, because
 * retries must send the same bytes. Returns the ids of the erased emails.
 */
async function eraseFromMail(
  tx: Sql,
  { eraseCopies, nowMs }: EraseDeps,
  { organizationId, email }: AddressToErase,
  shownAs: EmailAddress,
  ids: readonly string[],
): Promise<string[]> {
  const renamed: RenamedAddress = { email, shownAs };
  const own = await deliveriesTo(tx, organizationId, ids, email);
  await recordWithdrawal(tx, await withdrawEach(tx, own), 'erased', nowMs());
  const queued = await queuedAmong(tx, organizationId, ids);
  const done = ids.filter((id) => !queued.has(id));
  if (done.length === 0) return [];
  const names = await eraseFromEmails(tx, organizationId, done, renamed, nowMs());
  await eraseFromAttempts(tx, organizationId, done, email, own);
  await eraseFromEvents(tx, organizationId, done, renamed);
  await eraseFromWebhookLog(tx, organizationId, done);
  await eraseCopies(tx, organizationId, done);
  // Last, because other transactions wait for counters.
  await deleteNamedCounts(tx, organizationId, await unusedNames(tx, organizationId, names));
  return done;
}

const HAS = `EXISTS (SELECT FROM recipients r WHERE r.organization_id = e.organization_id AND r.email_id = e.id
             AND lower(r.address) = lower($4))`;

/** Uses the index of settled deliveries and the short list of unsettled ones. */
const select = sql<{ id: string }>(
  'emails.of_address',
  `SELECT id FROM (
     SELECT e.id FROM emails e
     WHERE e.organization_id = $1 AND e.id > $2 AND e.status <> 'queued' AND e.search @> $3::int4[] AND ${HAS}
     UNION
     SELECT e.id FROM emails e
     WHERE e.organization_id = $1 AND e.id > $2 AND (e.status = 'queued' OR e.search IS NULL) AND ${HAS}
   ) AS found ORDER BY id LIMIT $5`,
  { home: 'cell', organization: '$1' },
);

/** Finds the emails that an address received. Reads only. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** In the order of their ids, after the given one. */
export async function emailsOf(
  db: Sql,
  organizationId: string,
  email: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const tokens = searchTokens(organizationId, { to: email, from: null, subject: null, tag: null });
  const rows = await db.many(select, [organizationId, after, tokens, email, limit]);
  return rows.map(({ id }) => id);
}
