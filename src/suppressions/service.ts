/** Operations on one organization's suppression list. */
import type { Database } from '../database/database.ts';
import { type ListPlace, type PlacedPage, pageAt } from '../database/list-place.ts';
import type { Reads } from '../database/reads.ts';
import type { Sql } from '../database/sql.ts';
import { type Address, addressKeyOf, type EmailAddress } from '../protocols/message/address.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { putAll, removeOne } from './store.ts';
import {
  countSuppressions,
  entriesOfAddress,
  entriesOfKeys,
  findByAddress,
  findSuppressionById,
  pageOfSuppressions,
  searchSuppressions,
  suppressionsFrom,
} from './store-read.ts';
import { type HashAddress, recordSuppressionEvents } from './suppressed.ts';
import {
  type AddressOf,
  entryKey,
  newSuppression,
  parsePublicId,
  publicId,
  type Reason,
  type SuppressionRow,
} from './suppression.ts';

export interface SuppressionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly reads: Reads;
  readonly hash: HashAddress;
}

/** The number of tries when the address is concurrently deleted while it is added. */
const ADD_TRIES = 3;

/** An existing entry gets the new reason and is returned. */
export async function addSuppression(
  { db, clock }: SuppressionDeps,
  organizationId: string,
  { email, key }: Address,
  asked: { readonly reason: Reason; readonly unsubscribe_group?: string },
): Promise<SuppressionRow> {
  const why = { reason: asked.reason, source: 'manual', group: asked.unsubscribe_group ?? null } as const;
  const entry = newSuppression({ organizationId, email, key }, why, clock.nowMs());
  for (let tries = 0; tries < ADD_TRIES; tries += 1) {
    const row = await db.transaction(async (tx) => {
      const { added, replaced } = await putAll(tx, [entry]);
      await recordSuppressionEvents(tx, 'suppression.added', added);
      return added[0] ?? replaced[0] ?? (await findByAddress(tx, entry));
    });
    if (row !== undefined) return row;
  }
  throw new ServiceError('CONFLICT', 'Another request is removing this address. Try again.');
}

/** Adds all in one transaction; existing entries get the new reason. */
export async function addSuppressions(
  { db, clock }: SuppressionDeps,
  organizationId: string,
  asked: readonly { readonly address: Address; readonly reason: Reason; readonly group: string | null }[],
): Promise<void> {
  const nowMs = clock.nowMs();
  const entries = asked.map(({ address: { email, key }, reason, group }) =>
    newSuppression({ organizationId, email, key }, { reason, source: 'manual', group }, nowMs),
  );
  const distinct = new Map(entries.map((entry) => [entry.key, entry]));
  await db.transaction(async (tx) => {
    const { added } = await putAll(tx, [...distinct.values()]);
    await recordSuppressionEvents(tx, 'suppression.added', added);
  });
}

interface ListQuery {
  /** Only the entry of this address. */
  readonly address: Address | null;
  /** Only entries whose address begins or ends with this text. */
  readonly search?: string | null;
  readonly reason?: Reason | null;
  readonly page: number;
  readonly limit: number;
}

export async function listSuppressions(
  { reads, hash }: SuppressionDeps,
  organizationId: string,
  { address, search = null, reason = null, page, limit }: ListQuery,
): Promise<{ rows: SuppressionRow[]; total: number }> {
  const offset = (page - 1) * limit;
  if (address !== null) {
    const rows = await entriesOf(reads.of(organizationId), { organizationId, key: address.key }, hash);
    const found = rows.filter((row) => reason === null || row.reason === reason);
    return { rows: found.slice(offset, offset + limit), total: found.length };
  }
  const db = reads.lately(organizationId);
  if (search !== null) {
    const found = await searchSuppressions(db, organizationId, search, reason);
    return { rows: found.slice(offset, offset + limit), total: found.length };
  }
  const total = await countSuppressions(db, organizationId, reason);
  // A page past the end would scan the whole list to find nothing.
  const rows =
    offset >= total ? [] : await pageOfSuppressions(db, organizationId, reason, { limit, offset, total });
  return { rows, total };
}

/** Entries that stop all mail to an address, from one entry on; null includes all reasons. */
export async function listSuppressionsFrom(
  { reads }: SuppressionDeps,
  organizationId: string,
  reasons: readonly Reason[] | null,
  place: ListPlace,
): Promise<PlacedPage<SuppressionRow>> {
  return pageAt(await suppressionsFrom(reads.lately(organizationId), organizationId, reasons, place), place);
}

interface StoppedRecipient {
  readonly recipient: EmailAddress;
  readonly entry: SuppressionRow;
}

/** The entries that stop mail of a group to these recipients, in their order. Without a group, those that stop all mail. */
export async function suppressionsOfRecipients(
  { reads, hash }: Pick<SuppressionDeps, 'reads' | 'hash'>,
  organizationId: string,
  recipients: readonly EmailAddress[],
  group: string | null,
): Promise<readonly StoppedRecipient[]> {
  const asked = recipients.flatMap((recipient) => {
    const key = addressKeyOf(recipient);
    const keys = [key, hash({ organizationId, key })].filter((one) => one !== null);
    const groups = group === null ? [null] : [null, group];
    return keys.flatMap((one) => groups.map((of) => ({ recipient, key: entryKey(one, of) })));
  });
  const rows = await entriesOfKeys(
    reads.of(organizationId),
    organizationId,
    asked.map(({ key }) => key),
  );
  return rows.flatMap(({ index, ...entry }) => {
    const recipient = asked[index]?.recipient;
    return recipient === undefined ? [] : [{ recipient, entry }];
  });
}

/** By id, or by address: then the entry that stops all mail to the address. */
export async function findSuppression(
  { db, hash }: SuppressionDeps,
  organizationId: string,
  asked: string | Address,
): Promise<SuppressionRow> {
  const uuid = typeof asked === 'string' ? parsePublicId(asked) : null;
  const row =
    typeof asked === 'string'
      ? uuid !== null && (await findSuppressionById(db, organizationId, uuid))
      : (await entriesOf(db, { organizationId, key: asked.key }, hash)).find(
          ({ unsubscribe_group }) => unsubscribe_group === null,
        );
  if (!row) throw noSuchSuppression();
  return row;
}

/**
 * The address's entries and those under its erasure hash, so that support sees every reason why an address gets no
 * mail.
 */
export async function entriesOf(db: Sql, address: AddressOf, hash: HashAddress): Promise<SuppressionRow[]> {
  const hashed = hash(address);
  const own = await entriesOfAddress(db, address);
  return hashed === null ? own : [...own, ...(await entriesOfAddress(db, { ...address, key: hashed }))];
}

/** Returns the address that may be mailed again. */
export async function removeSuppression(
  { db }: SuppressionDeps,
  organizationId: string,
  id: string,
): Promise<string> {
  const uuid = parsePublicId(id);
  const email = uuid === null ? undefined : await db.transaction((tx) => removeOne(tx, organizationId, uuid));
  if (email === undefined) throw noSuchSuppression();
  return email;
}

function noSuchSuppression(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'No suppression has this id. GET /suppressions lists the suppressions.',
  );
}

export function suppressionView(row: SuppressionRow) {
  const { email, reason, source, email_id, cause, unsubscribe_group, created_at } = row;
  return { id: publicId(row.id), email, reason, source, email_id, cause, unsubscribe_group, created_at };
}
