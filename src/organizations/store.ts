/**
 * The one writer of `organizations`, except for the columns of settings (settings/column.ts). No query here returns
 * the installation's own organization, which has no members or keys.
 */
import { type Sql, sql } from '../database/sql.ts';
import { INSTALLATION } from './installation.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly daily_limit: number;
  readonly created_at: Date;
}

const COLUMNS = 'id, name, daily_limit, created_at';

const insert = sql<OrganizationRow>(
  'organizations.insert',
  `INSERT INTO organizations (id, name, daily_limit, created_at) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const list = sql<OrganizationRow>(
  'organizations.list',
  `SELECT ${COLUMNS} FROM organizations WHERE id <> '${INSTALLATION}' ORDER BY created_at, id`,
  { home: 'control' },
);

const find = sql<OrganizationRow>(
  'organizations.find',
  `SELECT ${COLUMNS} FROM organizations WHERE id = $1 AND id <> '${INSTALLATION}'`,
  { home: 'control' },
);

const first = sql<OrganizationRow>(
  'organizations.first',
  `SELECT ${COLUMNS} FROM organizations WHERE id <> '${INSTALLATION}' ORDER BY created_at, id LIMIT 1`,
  { home: 'control' },
);

const updateLimit = sql<OrganizationRow>(
  'organizations.set_daily_limit',
  `UPDATE organizations SET daily_limit = $2 WHERE id = $1 AND id <> '${INSTALLATION}' RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const updateName = sql<OrganizationRow>(
  'organizations.set_name',
  `UPDATE organizations SET name = $2 WHERE id = $1 RETURNING ${COLUMNS}`,
  { home: 'control' },
);

/** Copies the organization into its cell, for foreign keys and the sending limit. */
const copy = sql(
  'organizations.copy',
  `INSERT INTO organizations (id, name, daily_limit, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (id) DO UPDATE SET name = excluded.name, daily_limit = excluded.daily_limit`,
  { home: 'cell', organization: '$1' },
);

/** Does not block inserts of mail, whose foreign key takes a share lock of the key only. */
const lockOne = sql('organizations.lock', 'SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', {
  home: 'cell',
  organization: '$1',
});

/** Held until the transaction ends: a concurrent start waits, and then finds everything created. */
const lockBootstrap = sql(
  'organizations.lock_bootstrap',
  `SELECT pg_advisory_xact_lock(hashtext('postrider.bootstrap'))`,
  { home: 'control' },
);

export function insertOrganization(db: Sql, organization: OrganizationRow): Promise<OrganizationRow> {
  const { id, name, daily_limit, created_at } = organization;
  return db.one(insert, [id, name, daily_limit, created_at]);
}

/** Copies control's data about an organization into its cell. Can be repeated. */
export async function copyOrganization(
  db: Sql,
  { id, name, daily_limit, created_at }: OrganizationRow,
): Promise<void> {
  await db.exec(copy, [id, name, daily_limit, created_at]);
}

export function listOrganizations(db: Sql): Promise<OrganizationRow[]> {
  return db.many(list);
}

export function findOrganization(db: Sql, id: string): Promise<OrganizationRow | undefined> {
  return db.maybeOne(find, [id]);
}

export function firstOrganization(db: Sql): Promise<OrganizationRow | undefined> {
  return db.maybeOne(first);
}

/**
 * 0 means no limit. The cell is updated last; if that fails, the old limit stays in force and the call can be
 * repeated.
 */
export async function setDailyLimit(
  db: Sql,
  id: string,
  dailyLimit: number,
): Promise<OrganizationRow | undefined> {
  const row = await db.maybeOne(updateLimit, [id, dailyLimit]);
  if (row !== undefined) await copyOrganization(db, row);
  return row;
}

export function setOrganizationName(db: Sql, id: string, name: string): Promise<OrganizationRow | undefined> {
  return db.maybeOne(updateName, [id, name]);
}

/**
 * Serializes transactions on the same organization until this one ends. Read the protected rows in a later statement:
 * the snapshot of this one is older than its wait for the lock.
 */
export async function lockOrganization(tx: Sql, id: string): Promise<void> {
  await tx.exec(lockOne, [id]);
}

export async function lockForBootstrap(tx: Sql): Promise<void> {
  await tx.exec(lockBootstrap);
}
