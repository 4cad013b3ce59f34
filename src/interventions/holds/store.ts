/** The one writer of `holds`. Rows are kept: they record who stopped which mail, when and why, and how it ended. */

import { notMigrating } from '../../database/organization-freezes.ts';
import type { RenamedAddress } from '../../database/renamed-address.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { hasEarlierWorker } from '../../outbox/lease.ts';
import { wakeForHolds } from '../../outbox/wake.ts';
import { newId } from '../../runtime/ids.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { type HoldableMail, type HoldEnding, HoldIndex, type HoldInForce, type HoldScope } from './hold.ts';

export interface NewHold {
  /** The same id in every cell, for a hold in all of them. */
  readonly id?: string;
  readonly scope: HoldScope;
  readonly organizationId?: string | null;
  readonly value?: string | null;
  readonly reason: string;
  /** The author's name, for display. */
  readonly by?: string;
  readonly byOperator?: boolean;
  readonly withWebhooks?: boolean;
}

export interface HoldRow {
  readonly id: string;
  readonly organization_id: string | null;
  readonly by_operator: boolean;
  readonly scope: HoldScope;
  readonly value: string | null;
  readonly with_webhooks: boolean;
  readonly reason: string;
  readonly placed_by: string;
  readonly placed_at: Date;
  readonly ending: HoldEnding | null;
  readonly ending_reason: string | null;
  readonly ending_by: string | null;
  readonly ending_at: Date | null;
  readonly lifted_at: Date | null;
  readonly ended_at: Date | null;
  readonly released: number;
  readonly discarded: number;
}

const COLUMNS = `id, organization_id, by_operator, scope, value, with_webhooks, reason, placed_by, placed_at, ending,
   ending_reason, ending_by, ending_at, lifted_at, ended_at, released, discarded`;

/** An existing hold stays as it is, except that webhooks may be added to it. */
const insert = sql<HoldRow>(
  'holds.insert',
  `INSERT INTO holds (id, organization_id, by_operator, scope, value, reason, placed_by, with_webhooks, placed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
   ON CONFLICT (scope, (coalesce(organization_id, '')), (coalesce(value, '')), by_operator) WHERE lifted_at IS NULL
   DO UPDATE SET with_webhooks = true WHERE excluded.with_webhooks AND NOT holds.with_webhooks
   RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$2' },
);

/** The same rule as the unique index that permits one hold of a kind. */
const selectLike = sql<{ id: string }>(
  'holds.open_like',
  `SELECT id FROM holds WHERE scope = $1 AND coalesce(value, '') = coalesce($2, '') AND by_operator = $3
     AND organization_id IS NULL AND lifted_at IS NULL`,
  { home: 'cell' },
);

const forgetEnding = sql(
  'holds.delete_ending',
  `UPDATE holds SET ending = NULL, ending_reason = NULL, ending_by = NULL, ending_at = NULL
   WHERE scope = 'all' AND lifted_at IS NULL`,
  { home: 'cell' },
);

const selectInForce = sql<HoldInForce>(
  'holds.in_force',
  `SELECT id, organization_id AS "organizationId", scope, value, with_webhooks AS "withWebhooks"
   FROM holds WHERE lifted_at IS NULL`,
  { home: 'cell' },
);

/** A hold with its reason and author, for answers to senders. */
export interface DescribedHold extends HoldInForce {
  readonly reason: string;
  readonly placedBy: string;
  readonly placedAt: Date;
}

/** Mail that is accepted while a hold is discarded is sent, so such holds are left out. */
const selectDescribed = sql<DescribedHold>(
  'holds.in_force_described',
  `SELECT id, organization_id AS "organizationId", scope, value, with_webhooks AS "withWebhooks", reason,
          placed_by AS "placedBy", placed_at AS "placedAt"
   FROM holds WHERE lifted_at IS NULL AND ending IS NULL`,
  { home: 'cell' },
);

const lockShared = sql<{ id: string }>(
  'holds.lock_in_force',
  'SELECT id FROM holds WHERE id = ANY ($1::text[]) AND lifted_at IS NULL ORDER BY id FOR SHARE',
  { home: 'cell' },
);

const lockOne = sql<HoldRow>(
  'holds.lock_unfinished',
  `SELECT ${COLUMNS} FROM holds WHERE id = $1 AND ended_at IS NULL FOR UPDATE`,
  { home: 'cell' },
);

/**
 * A release lifts a hold at once, except for a hold of all mail, which is lifted after lifetimes are saved. The organization
 * determines the cell.
 */
const end = sql<HoldRow>(
  'holds.end',
  `UPDATE holds SET ending = $2, ending_reason = $3, ending_by = $4, ending_at = now(),
     lifted_at = CASE WHEN $2 = 'release' AND scope <> 'all' THEN clock.now END
   FROM (SELECT now() AS now) AS clock
   WHERE id = $1 AND (organization_id = $5 OR organization_id IS NULL AND $5 IS NULL) AND ending IS NULL RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$5' },
);

/** A discard may be moved to cover later mail, and is carried out once more then. `Date` is less precise than a timestamp. */
const setLifted = sql(
  'holds.lift',
  `UPDATE holds SET lifted_at = now()
   WHERE id = $1 AND lifted_at IS NULL AND ending_at < $2::timestamptz + interval '10 milliseconds'`,
  { home: 'cell' },
);

const extendDiscard = sql<HoldRow>(
  'holds.extend_discard',
  `UPDATE holds SET ending_at = now()
   WHERE id = $1 AND organization_id = $2 AND ending = 'discard' AND lifted_at IS NULL RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$2' },
);

const setEnded = sql('holds.finish', 'UPDATE holds SET ended_at = now() WHERE id = $1 AND ended_at IS NULL', {
  home: 'cell',
});

const addToCounts = sql(
  'holds.count',
  'UPDATE holds SET released = released + $2, discarded = discarded + $3 WHERE id = $1',
  { home: 'cell' },
);

const selectEnding = sql<HoldRow>(
  'holds.ending',
  `SELECT ${COLUMNS} FROM holds
   WHERE ending IS NOT NULL AND ended_at IS NULL AND (organization_id IS NULL OR ${notMigrating()}) ORDER BY ending_at`,
  { home: 'cell' },
);

const selectOne = sql<HoldRow>('holds.one', `SELECT ${COLUMNS} FROM holds WHERE id = $1`, { home: 'cell' });

/** A hold that is not being discarded comes first, then an operator's hold before the organization's own. */
const selectOfKey = sql<HoldRow>(
  'holds.open_of_key',
  `SELECT ${COLUMNS} FROM holds
   WHERE scope = 'key' AND organization_id = $1 AND value = $2 AND lifted_at IS NULL
   ORDER BY ending IS NOT NULL, by_operator DESC LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

/** Holds in force first, then the newest. */
const selectOfOrganization = sql<HoldRow>(
  'holds.of_organization',
  `SELECT ${COLUMNS} FROM holds WHERE organization_id = $1
   ORDER BY ending IS NOT NULL, placed_at DESC, id LIMIT $2 OFFSET $3`,
  { home: 'cell', organization: '$1' },
);

const selectAll = sql<HoldRow>(
  'holds.all',
  `SELECT ${COLUMNS} FROM holds WHERE by_operator OR NOT $3 ORDER BY ending IS NOT NULL, placed_at DESC, id LIMIT $1 OFFSET $2`,
  { home: 'cell' },
);

/** Of the holds on all organizations, only those that name no domain, template or tag. */
const selectFelt = sql<HoldRow>(
  'holds.felt_by',
  `SELECT ${COLUMNS} FROM holds
   WHERE lifted_at IS NULL
     AND (organization_id = $1 OR (organization_id IS NULL AND scope IN ('all', 'provider')))
   ORDER BY placed_at LIMIT 20`,
  { home: 'cell', organization: '$1' },
);

const renameRecipient = sql(
  'holds.rename_recipient',
  `UPDATE holds SET value = $3 WHERE organization_id = $1 AND scope = 'recipient' AND value = lower($2)`,
  { home: 'cell', organization: '$1' },
);

const countOfOrganization = sql<{ total: number; open: number }>(
  'holds.count_of_organization',
  'SELECT count(*) AS total, count(*) FILTER (WHERE lifted_at IS NULL) AS open FROM holds WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

const countAll = sql<{ total: number; open: number }>(
  'holds.count_all',
  'SELECT count(*) AS total, count(*) FILTER (WHERE lifted_at IS NULL) AS open FROM holds WHERE by_operator OR NOT $1',
  { home: 'cell' },
);

/**
 * Takes effect with the commit, which notifies the workers. Without an organization, it is the operators' hold. Undefined if an
 * identical hold already exists.
 */
export async function placeHold(tx: Sql, hold: NewHold): Promise<HoldRow | undefined> {
  const { scope, organizationId = null, value = null, reason } = hold;
  const { by = 'operator', byOperator = true, withWebhooks = false } = hold;
  const of = [organizationId, byOperator, scope, value, reason, by, withWebhooks];
  const placed = await tx.maybeOne(insert, [hold.id ?? newId('hold'), ...of]);
  await wakeForHolds(tx);
  return placed;
}

/** An open hold on all organizations. */
export async function openHoldLike(
  db: Sql,
  { scope, value = null, byOperator = true }: NewHold,
): Promise<string | undefined> {
  return (await db.maybeOne(selectLike, [scope, value, byOperator]))?.id;
}

/** In a restored database: keeps a hold of all mail whose ending had begun, until an operator ends it again. */
export async function keepHoldingAll(tx: Sql): Promise<void> {
  await tx.exec(forgetEnding);
}

export function holdsInForce(db: Sql): Promise<HoldInForce[]> {
  return db.many(selectInForce);
}

export function describedHolds(db: Sql): Promise<DescribedHold[]> {
  return db.many(selectDescribed);
}

/** Which of these holds are in force. Locks them until the transaction ends. */
export async function lockInForce(tx: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.many(lockShared, [[...new Set(ids)]]);
  return new Set(rows.map(({ id }) => id));
}

/** For a step of ending it. Undefined once it has ended. */
export function lockUnfinished(tx: Sql, id: string): Promise<HoldRow | undefined> {
  return tx.maybeOne(lockOne, [id]);
}

/** The first schema whose workers know holds of API keys. Earlier ones would discard the queue of the whole organization. */
const KNOWS_KEYS = 130;

export class EarlierWorkerError extends ServiceError {
  constructor() {
    super(
      'CONFLICT',
      'A worker of an earlier release is still running, which cannot discard the mail of an API key. Try again when the upgrade has finished.',
    );
  }
}

/** Decides how the hold ends. Undefined if that was decided before. */
export async function endHold(
  tx: Sql,
  { id, organization_id, scope }: Pick<HoldRow, 'id' | 'organization_id' | 'scope'>,
  ending: { readonly how: HoldEnding; readonly reason: string | null; readonly by: string },
): Promise<HoldRow | undefined> {
  if (scope === 'key' && ending.how === 'discard' && (await hasEarlierWorker(tx, KNOWS_KEYS)))
    throw new EarlierWorkerError();
  const row = await tx.maybeOne(end, [id, ending.how, ending.reason, ending.by, organization_id]);
  await wakeForHolds(tx);
  return row;
}

/** Extends the discard to mail accepted until now. Undefined if the hold was lifted before. */
export function discardUntilNow(db: Sql, { id, organization_id }: Pick<HoldRow, 'id' | 'organization_id'>) {
  return db.maybeOne(extendDiscard, [id, organization_id]);
}

/** From now on the hold stops no mail. False if its discard was extended after this row was read, or if the hold was lifted before. */
export async function liftHold(
  tx: Sql,
  { id, ending_at }: Pick<HoldRow, 'id' | 'ending_at'>,
): Promise<boolean> {
  const isLifted = (await tx.exec(setLifted, [id, ending_at])) === 1;
  await wakeForHolds(tx);
  return isLifted;
}

/** Marks the hold as ended: no mail is left under it. */
export async function finishHold(tx: Sql, id: string): Promise<void> {
  await tx.exec(setEnded, [id]);
}

export async function countHandled(
  tx: Sql,
  id: string,
  { released = 0, discarded = 0 }: { readonly released?: number; readonly discarded?: number },
): Promise<void> {
  await tx.exec(addToCounts, [id, released, discarded]);
}

export function endingHolds(db: Sql): Promise<HoldRow[]> {
  return db.many(selectEnding);
}

export function findHold(db: Sql, id: string): Promise<HoldRow | undefined> {
  return db.maybeOne(selectOne, [id]);
}

/** A hold in force on the mail of an API key. */
export function openHoldOfKey(db: Sql, organizationId: string, keyId: string): Promise<HoldRow | undefined> {
  return db.maybeOne(selectOfKey, [organizationId, keyId]);
}

/** The hold then stops no mail, because the address no longer exists. */
export async function eraseFromHolds(
  tx: Sql,
  organizationId: string,
  { email, shownAs }: RenamedAddress,
): Promise<void> {
  await tx.exec(renameRecipient, [organizationId, email, shownAs]);
}

/** Holds in force that stop mail of an organization, for display to its members. */
export function holdsAffecting(db: Sql, organizationId: string): Promise<HoldRow[]> {
  return db.many(selectFelt, [organizationId]);
}

export interface HoldPage {
  readonly rows: readonly HoldRow[];
  readonly total: number;
  /** Holds in force. */
  readonly open: number;
}

/** Which holds: an organization's, those that operators placed, or all. */
type HoldsOf = { readonly organizationId: string } | 'operators' | 'everybody';

export async function listHolds(
  db: Sql,
  whose: HoldsOf,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<HoldPage> {
  if (typeof whose === 'string') {
    const isOperators = whose === 'operators';
    const rows = await db.many(selectAll, [limit, offset, isOperators]);
    return { rows, ...(await db.one(countAll, [isOperators])) };
  }
  const { organizationId } = whose;
  const rows = await db.many(selectOfOrganization, [organizationId, limit, offset]);
  return { rows, ...(await db.one(countOfOrganization, [organizationId])) };
}

/** Finds the hold that keeps mail from being sent, for status queries. Reads only. */
export interface WaitingForHold extends HoldableMail {
  /** The hold that has parked it. */
  readonly holdId: string | null;
}

/** In the order given; null without a hold. Due mail that is not parked yet is matched as workers do it. */
export async function holdsOn(db: Sql, mail: readonly WaitingForHold[]): Promise<(HoldRow | null)[]> {
  if (mail.length === 0) return [];
  const index = new HoldIndex(await holdsInForce(db));
  const ids = mail.map((one) => one.holdId ?? index.find(one)?.id ?? null);
  const known = new Map<string, HoldRow | undefined>();
  for (const id of new Set(ids)) if (id !== null) known.set(id, await findHold(db, id));
  return ids.map((id) => (id === null ? null : (known.get(id) ?? null)));
}

/** Why all mail is held; null if it is not. */
export async function reasonAllIsHeld(db: Sql): Promise<string | null> {
  const { ofAll } = new HoldIndex(await holdsInForce(db));
  return ofAll === null ? null : ((await findHold(db, ofAll.id))?.reason ?? null);
}
