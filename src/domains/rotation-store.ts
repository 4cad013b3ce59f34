/** The one writer of `dkim_rotations`. The switch changes `domains` in the same statement. */
import { sealedColumn } from '../database/sealed-column.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { RotationRow } from './rotation.ts';
import type { DomainRow } from './store.ts';
import type { DnsCheck } from './verify.ts';

const COLUMNS = `organization_id, domain_id, status, selector, public_key, last_check, started_at, seen_at, switched_at,
   retires_at`;

/** Replaces a rotation that is finished or only keeps its old key. */
const insert = sql<RotationRow>(
  'dkim_rotations.start',
  `INSERT INTO dkim_rotations AS r (organization_id, domain_id, status, selector, public_key, private_key, started_at)
   VALUES ($1, $2, 'waiting_for_dns', $3, $4, $5, $6)
   ON CONFLICT (domain_id, organization_id) DO UPDATE SET status = EXCLUDED.status, selector = EXCLUDED.selector,
     public_key = EXCLUDED.public_key, private_key = EXCLUDED.private_key, started_at = EXCLUDED.started_at,
     last_check = NULL, seen_at = NULL, switched_at = NULL, retires_at = NULL
   WHERE r.status <> 'waiting_for_dns'
   RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

/** Schedules the first lookup soon. */
const scheduleLookup = sql(
  'domains.look_soon',
  `UPDATE domains SET next_check_at = least(coalesce(next_check_at, $3), $3)
   WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'dkim_rotations.cancel',
  `DELETE FROM dkim_rotations
   WHERE organization_id = $1 AND domain_id = $2 AND status = 'waiting_for_dns'`,
  { home: 'cell', organization: '$1' },
);

const selectOf = sql<RotationRow>(
  'dkim_rotations.of',
  `SELECT ${COLUMNS} FROM dkim_rotations WHERE organization_id = $1 AND domain_id = ANY($2::text[])`,
  { home: 'cell', organization: '$1' },
);

const recordCheckResult = sql(
  'dkim_rotations.look',
  `UPDATE dkim_rotations SET seen_at = $4, last_check = $5
   WHERE organization_id = $1 AND domain_id = $2 AND selector = $3 AND status = 'waiting_for_dns'`,
  { home: 'cell', organization: '$1' },
);

/** Exchanges the current and the pending key. */
const exchange = sql(
  'dkim_rotations.switch',
  `WITH next AS (
     SELECT d.organization_id, d.id, d.selector, d.public_key, d.private_key, r.selector AS new_selector,
            r.public_key AS new_public, r.private_key AS new_private
     FROM dkim_rotations r JOIN domains d ON d.organization_id = r.organization_id AND d.id = r.domain_id
     WHERE r.organization_id = $1 AND r.domain_id = $2 AND r.selector = $3 AND r.status = 'waiting_for_dns' FOR UPDATE
   ), turned AS (
     UPDATE domains SET selector = next.new_selector, public_key = next.new_public, private_key = next.new_private
     FROM next WHERE domains.organization_id = next.organization_id AND domains.id = next.id
   )
   UPDATE dkim_rotations r SET status = 'switched', selector = next.selector, public_key = next.public_key,
     private_key = next.private_key, switched_at = $4, retires_at = $5, last_check = $6
   FROM next WHERE r.organization_id = next.organization_id AND r.domain_id = next.id`,
  { home: 'cell', organization: '$1' },
);

const retire = sql(
  'dkim_rotations.retire',
  `UPDATE dkim_rotations SET status = 'finished', private_key = NULL
   WHERE status = 'switched' AND retires_at <= $1`,
  { home: 'cell' },
);

const selectPublished = sql<{ domain: string; selector: string; public_key: Buffer }>(
  'dkim_rotations.published',
  `SELECT d.domain, r.selector, r.public_key
   FROM dkim_rotations r JOIN domains d ON d.organization_id = r.organization_id AND d.id = r.domain_id
   WHERE d.domain = $1 AND r.selector = $2 AND r.status <> 'finished'`,
  { home: 'cell' },
);

export const sealedRotationKeys = sealedColumn('dkim_rotations', 'private_key', {
  idColumn: 'domain_id',
  ofOrganizations: true,
});

type DomainKey = Pick<DomainRow, 'organization_id' | 'id'>;

interface NewRotation {
  readonly selector: string;
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
}

/** Starts a rotation, or returns why not: another one is pending, or the domain was deleted meanwhile. */
export async function startRotation(
  tx: Sql,
  { organization_id, id }: DomainKey,
  { selector, publicKey, sealedPrivateKey }: NewRotation,
  { startedAt, firstLook }: { readonly startedAt: Date; readonly firstLook: Date },
): Promise<RotationRow | 'waits' | 'gone'> {
  const which = [organization_id, id];
  // First, because this locks the domain against a concurrent deletion.
  if ((await tx.exec(scheduleLookup, [...which, firstLook])) === 0) return 'gone';
  const made = [selector, publicKey, sealedPrivateKey, startedAt];
  return (await tx.maybeOne(insert, [...which, ...made])) ?? 'waits';
}

/** False when there is no rotation to cancel. */
export async function cancelRotation(db: Sql, { organization_id, id }: DomainKey): Promise<boolean> {
  return (await db.exec(remove, [organization_id, id])) > 0;
}

export async function findRotation(db: Sql, { organization_id, id }: DomainKey): Promise<RotationRow | null> {
  return (await db.maybeOne(selectOf, [organization_id, [id]])) ?? null;
}

export async function rotationsOf(
  db: Sql,
  organizationId: string,
  domainIds: readonly string[],
): Promise<ReadonlyMap<string, RotationRow>> {
  const rows = domainIds.length === 0 ? [] : await db.many(selectOf, [organizationId, domainIds]);
  return new Map(rows.map((row) => [row.domain_id, row]));
}

export async function recordRotationCheck(
  db: Sql,
  rotation: RotationRow,
  seenAt: Date | null,
  check: DnsCheck,
): Promise<void> {
  await db.exec(recordCheckResult, [...keyOf(rotation), seenAt, JSON.stringify(check)]);
}

/** False when the rotation was cancelled or another process was faster. */
export async function switchKeys(
  db: Sql,
  rotation: RotationRow,
  times: { readonly switchedAt: Date; readonly retiresAt: Date },
  check: DnsCheck,
): Promise<boolean> {
  const params = [...keyOf(rotation), times.switchedAt, times.retiresAt, JSON.stringify(check)];
  return (await db.exec(exchange, params)) > 0;
}

/** With the selector, so that a later rotation of the domain does not match. */
function keyOf({ organization_id, domain_id, selector }: RotationRow): string[] {
  return [organization_id, domain_id, selector];
}

/** Deletes old keys whose retention is over. */
export async function retireDkimKeys(db: Sql, nowMs: number): Promise<void> {
  await db.exec(retire, [new Date(nowMs)]);
}

/** The second key that the sandbox's DNS publishes, besides the key that signs. */
export function findPublishedRotation(db: Sql, domain: string, selector: string) {
  return db.maybeOne(selectPublished, [domain, selector]);
}
