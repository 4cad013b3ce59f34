/** The one writer of `receiving_names`: the names at which organizations receive mail. */
import { type Sql, sql } from '../database/sql.ts';

/** The result of a check of a name's MX records. */
export interface MxCheck {
  readonly status: 'pass' | 'fail' | 'pending';
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

export interface ReceivingName {
  readonly organization_id: string;
  readonly name: string;
  readonly domain_id: string;
  readonly mx_check: MxCheck | null;
  readonly checked_at: Date | null;
  readonly created_at: Date;
  /** Whether its domain is verified; otherwise no mail is received. */
  readonly is_verified: boolean;
}

const COLUMNS = `n.organization_id, n.name, n.domain_id, n.mx_check, n.checked_at, n.created_at,
  d.spf_verified AND d.dkim_verified AS is_verified`;
const WITH_DOMAIN = `receiving_names n JOIN domains d ON d.organization_id = n.organization_id AND d.id = n.domain_id`;

const selectAll = sql<ReceivingName>(
  'receiving_names.list',
  `SELECT ${COLUMNS} FROM ${WITH_DOMAIN} WHERE n.organization_id = $1 ORDER BY n.created_at, n.name`,
  { home: 'cell', organization: '$1' },
);

const selectOne = sql<ReceivingName>(
  'receiving_names.find',
  `SELECT ${COLUMNS} FROM ${WITH_DOMAIN} WHERE n.organization_id = $1 AND n.name = $2`,
  { home: 'cell', organization: '$1' },
);

/** The nearest verified domain that equals the name or is above it. */
const selectDomain = sql<{ id: string; domain: string }>(
  'receiving_names.domain_of',
  `SELECT id, domain FROM domains
   WHERE organization_id = $1 AND spf_verified AND dkim_verified AND ($2 = domain OR $2 LIKE '%.' || domain)
   ORDER BY length(domain) DESC LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

/** Another organization has verified a domain that is nearer to the name. */
const selectNearer = sql<{ found: boolean }>(
  'receiving_names.is_nearer_to_another',
  `SELECT EXISTS (
     SELECT FROM domains WHERE organization_id <> $1 AND spf_verified AND dkim_verified
       AND ($2 = domain OR $2 LIKE '%.' || domain) AND length(domain) > length($3)) AS found`,
  { home: 'cell' },
);

/** An organization whose domain is no longer verified must release the name. */
const release = sql(
  'receiving_names.release',
  `DELETE FROM receiving_names n USING domains d
   WHERE n.name = $2 AND n.organization_id <> $1
     AND d.organization_id = n.organization_id AND d.id = n.domain_id AND NOT (d.spf_verified AND d.dkim_verified)`,
  { home: 'cell' },
);

const insert = sql(
  'receiving_names.insert',
  `INSERT INTO receiving_names (organization_id, name, domain_id, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING`,
  { home: 'cell', organization: '$1' },
);

const record = sql(
  'receiving_names.record_check',
  'UPDATE receiving_names SET mx_check = $3, checked_at = $4 WHERE organization_id = $1 AND name = $2',
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'receiving_names.remove',
  'DELETE FROM receiving_names WHERE organization_id = $1 AND name = $2',
  { home: 'cell', organization: '$1' },
);

const selectStale = sql<{ organization_id: string; name: string }>(
  'receiving_names.stale',
  `SELECT organization_id, name FROM receiving_names
   WHERE checked_at IS NULL OR checked_at < $1 ORDER BY checked_at NULLS FIRST LIMIT $2`,
  { home: 'cell' },
);

const selectAnybodys = sql<{ found: boolean }>(
  'receiving_names.is_anybodys',
  'SELECT EXISTS (SELECT FROM receiving_names WHERE name = $1) AS found',
  { home: 'cell' },
);

const selectOfAll = sql<{ name: string }>(
  'receiving_names.of_all',
  'SELECT name FROM receiving_names ORDER BY created_at, name LIMIT $1',
  { home: 'cell' },
);

export function receivingNames(db: Sql, organizationId: string): Promise<ReceivingName[]> {
  return db.many(selectAll, [organizationId]);
}

/** Of all organizations, the oldest first. */
export async function receivingNamesOfAll(db: Sql, limit: number): Promise<string[]> {
  return (await db.many(selectOfAll, [limit])).map(({ name }) => name);
}

export function findReceivingName(
  db: Sql,
  organizationId: string,
  name: string,
): Promise<ReceivingName | undefined> {
  return db.maybeOne(selectOne, [organizationId, name]);
}

export function domainForName(db: Sql, organizationId: string, name: string) {
  return db.maybeOne(selectDomain, [organizationId, name]);
}

/** Releases the name if its owner can no longer prove ownership. */
export async function releaseName(db: Sql, organizationId: string, name: string): Promise<void> {
  await db.exec(release, [organizationId, name]);
}

export async function isReceivedAt(db: Sql, name: string): Promise<boolean> {
  return (await db.one(selectAnybodys, [name])).found;
}

export async function belongsToAnotherOrganization(
  db: Sql,
  organizationId: string,
  name: string,
  ownDomain: string,
): Promise<boolean> {
  return (await db.one(selectNearer, [organizationId, name, ownDomain])).found;
}

/** False if another organization already has the name. */
export async function addReceivingName(
  tx: Sql,
  organizationId: string,
  { name, domainId, createdAt }: { name: string; domainId: string; createdAt: Date },
): Promise<boolean> {
  await releaseName(tx, organizationId, name);
  return (await tx.exec(insert, [organizationId, name, domainId, createdAt])) === 1;
}

export async function recordMxCheck(
  db: Sql,
  { organization_id, name }: Pick<ReceivingName, 'organization_id' | 'name'>,
  check: MxCheck,
  at: Date,
): Promise<void> {
  await db.exec(record, [organization_id, name, JSON.stringify(check), at]);
}

export async function removeReceivingName(db: Sql, organizationId: string, name: string): Promise<boolean> {
  return (await db.exec(remove, [organizationId, name])) === 1;
}

export function namesToCheck(db: Sql, before: Date, limit: number) {
  return db.many(selectStale, [before, limit]);
}
