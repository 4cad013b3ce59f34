/** With `check-store.ts`, the one writer of `domains`. */
import { sealedColumn } from '../database/sealed-column.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { MailDomain } from '../protocols/message/address.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import type { Mode } from '../runtime/config.ts';
import type { VerificationState } from './verification-state.ts';
import type { DnsCheck } from './verify.ts';

/** Without the private key, which only signing-keys.ts reads. */
export interface DomainRow extends VerificationState {
  readonly id: string;
  readonly organization_id: string;
  readonly domain: DomainName;
  readonly selector: string;
  readonly public_key: Buffer | null;
  readonly checks: readonly DnsCheck[] | null;
  readonly check_number: number;
  readonly last_checked_at: Date | null;
  readonly created_at: Date;
}

interface NewDomain {
  readonly id: string;
  readonly organization_id: string;
  readonly domain: DomainName;
  readonly spf_verified: boolean;
  readonly dkim_verified: boolean;
  readonly verified_at: Date | null;
  readonly verified_in?: Mode;
  readonly next_check_at?: Date;
  readonly created_at: Date;
  /** Created later when absent. */
  readonly key?: { readonly publicKey: Buffer; readonly sealedPrivateKey: Buffer };
}

export const DOMAIN_COLUMNS = `id, organization_id, domain, selector, public_key, spf_verified, dkim_verified, verified_at, verified_in,
  checks, check_number, last_checked_at, next_check_at, failed_checks, failing_since, created_at`;

const insert = sql<DomainRow>(
  'domains.insert',
  `INSERT INTO domains (id, organization_id, domain, spf_verified, dkim_verified, verified_at, verified_in,
     next_check_at, public_key, private_key, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${DOMAIN_COLUMNS}`,
  { home: 'cell', organization: '$2' },
);

const selectVerifiedNames = sql<DomainRow>(
  'domains.verified_names',
  `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE domain = ANY ($1::text[]) AND spf_verified AND dkim_verified`,
  { home: 'cell' },
);

const selectByName = sql<DomainRow>(
  'domains.find_by_name',
  `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE organization_id = $1 AND domain = $2`,
  { home: 'cell', organization: '$1' },
);

const selectOne = sql<DomainRow>(
  'domains.find',
  `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE id = $1 AND organization_id = $2`,
  { home: 'cell', organization: '$2' },
);

const selectAll = sql<DomainRow>(
  'domains.list',
  `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE organization_id = $1 ORDER BY created_at DESC, id DESC`,
  { home: 'cell', organization: '$1' },
);

const selectOfAll = sql<DomainRow>(
  'domains.list_of_all',
  `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE domain <> $1
   ORDER BY (spf_verified AND dkim_verified) DESC, created_at, id LIMIT $2`,
  { home: 'cell' },
);

const countAll = sql<{ count: number }>(
  'domains.count',
  'SELECT count(*) AS count FROM domains WHERE domain <> $1',
  { home: 'cell' },
);

const deleteOne = sql<{ domain: string }>(
  'domains.delete',
  'DELETE FROM domains WHERE id = $1 AND organization_id = $2 RETURNING domain',
  { home: 'cell', organization: '$2' },
);

const selectFirstVerification = sql<{ at: Date | null }>(
  'domains.first_verification',
  'SELECT min(verified_at) AS at FROM domains WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

const setKeyOnce = sql<DomainRow>(
  'domains.set_key',
  `UPDATE domains SET public_key = $3, private_key = $4
   WHERE organization_id = $1 AND id = $2 AND private_key IS NULL RETURNING ${DOMAIN_COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

const forgetSandbox = sql<EndedVerification>(
  'domains.delete_sandbox',
  `UPDATE domains SET spf_verified = false, dkim_verified = false, verified_at = NULL, verified_in = NULL,
     failing_since = NULL, failed_checks = 0, checks = NULL, next_check_at = $1, check_number = check_number + 1
   WHERE verified_in = 'sandbox'
   RETURNING organization_id, domain`,
  { home: 'cell' },
);

const recheckUnverified = sql(
  'domains.recheck_unverified',
  'UPDATE domains SET next_check_at = $1 WHERE NOT (spf_verified AND dkim_verified)',
  { home: 'cell' },
);

const selectPublished = sql<DomainRow>(
  'domains.published',
  `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE domain = $1 AND ($2::text IS NULL OR selector = $2)
   ORDER BY created_at, id LIMIT 1`,
  { home: 'cell' },
);

export const sealedDkimKeys = sealedColumn('domains', 'private_key', { ofOrganizations: true });

export function insertDomain(db: Sql, row: NewDomain): Promise<DomainRow> {
  return db.one(insert, [
    row.id,
    row.organization_id,
    row.domain,
    row.spf_verified,
    row.dkim_verified,
    row.verified_at,
    row.verified_in ?? null,
    row.next_check_at ?? row.created_at,
    row.key?.publicKey ?? null,
    row.key?.sealedPrivateKey ?? null,
    row.created_at,
  ]);
}

export function findByName(db: Sql, organizationId: string, domain: MailDomain) {
  return db.maybeOne(selectByName, [organizationId, domain]);
}

/**
 * The first of these names that is verified. Undefined when several organizations have verified it, because the owner
 * is ambiguous.
 */
export async function findSoleVerified(
  db: Pick<Sql, 'many'>,
  names: readonly string[],
): Promise<DomainRow | undefined> {
  const rows = await db.many(selectVerifiedNames, [names]);
  const nearest = names.find((name) => rows.some(({ domain }) => domain === name));
  const [first, second] = rows.filter(({ domain }) => domain === nearest);
  return second === undefined ? first : undefined;
}

export function findDomain(db: Sql, organizationId: string, id: string): Promise<DomainRow | undefined> {
  return db.maybeOne(selectOne, [id, organizationId]);
}

/** Newest first. */
export function listDomains(db: Sql, organizationId: string): Promise<DomainRow[]> {
  return db.many(selectAll, [organizationId]);
}

/** Domains of all organizations, verified ones first. */
export function listDomainsOfAll(db: Sql, but: string, limit: number): Promise<DomainRow[]> {
  return db.many(selectOfAll, [but, limit]);
}

export async function countDomains(db: Sql, but: string): Promise<number> {
  return (await db.one(countAll, [but])).count;
}

/** The name of the deleted domain, or undefined when it does not exist. */
export async function deleteDomain(db: Sql, organizationId: string, id: string): Promise<string | undefined> {
  return (await db.maybeOne(deleteOne, [id, organizationId]))?.domain;
}

/** Undefined when the domain has a key already or was deleted. */
export function setKey(
  db: Sql,
  { organization_id, id }: Pick<DomainRow, 'organization_id' | 'id'>,
  key: { readonly publicKey: Buffer; readonly sealedPrivateKey: Buffer },
): Promise<DomainRow | undefined> {
  return db.maybeOne(setKeyOnce, [organization_id, id, key.publicKey, key.sealedPrivateKey]);
}

export interface EndedVerification {
  readonly organization_id: string;
  readonly domain: string;
}

/** Unverifies domains that only the sandbox's own DNS verified, and returns them. */
export function clearSandboxVerifications(db: Sql, now: Date): Promise<EndedVerification[]> {
  return db.many(forgetSandbox, [now]);
}

export async function checkUnverifiedSoon(db: Sql, now: Date): Promise<void> {
  await db.exec(recheckUnverified, [now]);
}

/** Any organization's registration of the name, or the one with the given selector. */
export function findPublished(db: Sql, domain: string, selector: string | null) {
  return db.maybeOne(selectPublished, [domain, selector]);
}

/** When the organization's earliest verified domain was verified; null without one. */
export async function firstVerificationOf(db: Sql, organizationId: string): Promise<Date | null> {
  return (await db.one(selectFirstVerification, [organizationId])).at;
}
