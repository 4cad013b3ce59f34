/** The one writer of `api_keys`. */
import { columns } from '../../database/call.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { DomainName } from '../../protocols/message/domain-name.ts';
import type { DomainReach, KeyPolicy, Scope } from '../../runtime/permissions.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scope: Scope;
  readonly domain: DomainName | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
  /** The user behind the key; null for keys created by the operator. */
  readonly created_by: string | null;
  /** The display name of that user. */
  readonly created_by_name: string | null;
  readonly created_by_key: string | null;
  readonly created_by_key_name: string | null;
  /** The key that replaced this one, after a rotation. */
  readonly replaced_by: string | null;
  /** Sending restrictions beyond the scope; null for none. */
  readonly policy: KeyPolicy | null;
  /** The key whose budget this key uses: itself, or the first key of its rotation chain. */
  readonly budget_of: string;
}

export interface KeyUse {
  readonly organizationId: string;
  readonly id: string;
  readonly atMs: number;
}

const COLUMNS = `id, organization_id, name, prefix, scope, domain, created_at, expires_at, last_used_at, revoked_at,
  created_by, (SELECT coalesce(u.name, u.email) FROM users u WHERE u.id = created_by) AS created_by_name, replaced_by,
  created_by_key, (SELECT k.name FROM api_keys k WHERE k.id = api_keys.created_by_key) AS created_by_key_name,
  policy, coalesce(budget_of, id) AS budget_of`;

/**
 * Inserts only below $11 usable keys. Concurrent requests do not see each other's keys, so the limit can be exceeded
 * by a few. $10 is a user or a key; a key that a key creates belongs to the same user.
 */
const insert = sql<ApiKeyRow>(
  'api_keys.insert',
  `INSERT INTO api_keys (id, organization_id, name, prefix, hash, scope, domain, created_at, expires_at, created_by,
                         created_by_key, policy, budget_of)
   SELECT $1, $2::text, $3, $4, $5, $6, $7, $8::timestamptz, $9,
          coalesce((SELECT id FROM users WHERE id = $10::text),
                   (SELECT created_by FROM api_keys WHERE id = $10::text)),
          (SELECT id FROM api_keys WHERE id = $10::text),
          $12::jsonb, $13
   WHERE $11 > (SELECT count(*) FROM api_keys
                WHERE organization_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $8))
   RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const byHash = sql<ApiKeyRow>('api_keys.by_hash', `SELECT ${COLUMNS} FROM api_keys WHERE hash = $1`, {
  home: 'control',
});

const selectRevoked = sql<{ id: string; revoked_at: Date }>(
  'api_keys.revoked_among',
  'SELECT id, revoked_at FROM api_keys WHERE id = ANY ($1::text[]) AND revoked_at IS NOT NULL',
  { home: 'control' },
);

const page = sql<ApiKeyRow>(
  'api_keys.page',
  `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = $1 AND ($4::text IS NULL OR domain = $4)
   ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`,
  { home: 'control' },
);

const count = sql<{ count: number }>(
  'api_keys.count',
  'SELECT count(*) AS count FROM api_keys WHERE organization_id = $1 AND ($2::text IS NULL OR domain = $2)',
  { home: 'control' },
);

/** Ignores an unused key of the operator: an installation comes with one that its first user may not know about. */
const anyCreated = sql<{ any: boolean }>(
  'api_keys.any_made',
  `SELECT EXISTS (SELECT FROM api_keys
     WHERE organization_id = $1 AND (created_by IS NOT NULL OR last_used_at IS NOT NULL)) AS any`,
  { home: 'control' },
);

/** Of one organization, or of all when $1 is null. */
const listAll = sql<ApiKeyRow>(
  'api_keys.list',
  `SELECT ${COLUMNS} FROM api_keys WHERE $1::text IS NULL OR organization_id = $1
   ORDER BY organization_id, created_at DESC, id DESC`,
  { home: 'control' },
);

const one = sql<ApiKeyRow>(
  'api_keys.one',
  `SELECT ${COLUMNS} FROM api_keys
   WHERE id = $1 AND organization_id = $2 AND ($3::text IS NULL OR domain = $3)`,
  { home: 'control' },
);

const selectInAnyOrganization = sql<ApiKeyRow>(
  'api_keys.anybodys',
  `SELECT ${COLUMNS} FROM api_keys WHERE id = $1`,
  {
    home: 'control',
  },
);

/** Only a usable key that was not replaced before. The replacement never extends the old key's expiry. */
const replace = sql<ApiKeyRow>(
  'api_keys.replace',
  `UPDATE api_keys SET replaced_by = $3, expires_at = least(expires_at, $4)
   WHERE id = $1 AND organization_id = $2 AND replaced_by IS NULL AND revoked_at IS NULL
     AND (expires_at IS NULL OR expires_at > $5)
   RETURNING ${COLUMNS}`,
  { home: 'control' },
);

/** Only for keys that send: a key of scope `full` could remove its own restriction. */
const changePolicy = sql<ApiKeyRow>(
  'api_keys.set_policy',
  `UPDATE api_keys SET policy = $3::jsonb
   WHERE id = $1 AND organization_id = $2 AND scope IN ('agent', 'send') AND ($4::text IS NULL OR domain = $4)
   RETURNING ${COLUMNS}`,
  { home: 'control' },
);

/** A repeated revocation keeps the first time. */
const revoke = sql<ApiKeyRow>(
  'api_keys.revoke',
  `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3)
   WHERE id = $1 AND ($2::text IS NULL OR organization_id = $2) AND ($4::text IS NULL OR domain = $4)
   RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const usableOf = sql<ApiKeyRow>(
  'api_keys.usable_of',
  `SELECT ${COLUMNS} FROM api_keys
   WHERE organization_id = $1 AND created_by = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
   ORDER BY created_at, id`,
  { home: 'control' },
);

const revokeOf = sql<ApiKeyRow>(
  'api_keys.revoke_of',
  `WITH ended AS (
     UPDATE api_keys SET revoked_at = $3
     WHERE organization_id = $1 AND created_by = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
     RETURNING ${COLUMNS}
   )
   SELECT * FROM ended ORDER BY created_at, id`,
  { home: 'control' },
);

const revokeAllOf = sql(
  'api_keys.revoke_all_of',
  'UPDATE api_keys SET revoked_at = $2 WHERE created_by = $1 AND revoked_at IS NULL',
  { home: 'control' },
);

const revokeOrganization = sql(
  'api_keys.revoke_organization',
  'UPDATE api_keys SET revoked_at = $2 WHERE organization_id = $1 AND revoked_at IS NULL',
  { home: 'control' },
);

/**
 * Each process writes at most once a minute per key; the condition enforces the minute across processes. Rows locked
 * by another process are skipped to avoid deadlocks.
 */
const touch = sql(
  'api_keys.touch',
  `WITH stale AS (
     SELECT api_keys.organization_id, api_keys.id, used.at
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS used (organization_id, id, at)
     JOIN api_keys ON api_keys.organization_id = used.organization_id AND api_keys.id = used.id
     WHERE last_used_at IS NULL OR last_used_at <= used.at - interval '1 minute'
     FOR UPDATE OF api_keys SKIP LOCKED
   )
   UPDATE api_keys SET last_used_at = stale.at FROM stale
   WHERE api_keys.organization_id = stale.organization_id AND api_keys.id = stale.id`,
  { home: 'control' },
);

interface NewApiKeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly prefix: string;
  readonly hash: Buffer;
  readonly scope: Scope;
  readonly domain: DomainName | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** The user or key that requested the key; null for the operator. */
  readonly maker: string | null;
  readonly policy?: KeyPolicy | null;
  readonly budgetOf?: string;
}

/** Undefined when the organization has `most` keys. */
export function insertApiKey(db: Sql, key: NewApiKeyRow, most: number): Promise<ApiKeyRow | undefined> {
  const { id, organizationId, name, prefix, hash, scope, domain, createdAt, expiresAt, maker } = key;
  const { policy = null, budgetOf = null } = key;
  const values = [id, organizationId, name, prefix, hash, scope, domain, createdAt, expiresAt, maker, most];
  return db.maybeOne(insert, [...values, policy && JSON.stringify(policy), budgetOf]);
}

/** The revocation times of those keys that are revoked. */
export async function revokedAmong(db: Sql, ids: readonly string[]): Promise<Map<string, Date>> {
  return new Map((await db.many(selectRevoked, [ids])).map(({ id, revoked_at }) => [id, revoked_at]));
}

/** Revokes all usable keys and returns their number. */
export function revokeKeysOfOrganization(db: Sql, organizationId: string, now: Date): Promise<number> {
  return db.exec(revokeOrganization, [organizationId, now]);
}

export function findKey(db: Sql, { organizationId, domain = null }: DomainReach, id: string) {
  return db.maybeOne(one, [id, organizationId, domain]);
}

/** For the operator: finds the key in any organization. */
export function findKeyInAnyOrganization(db: Sql, id: string): Promise<ApiKeyRow | undefined> {
  return db.maybeOne(selectInAnyOrganization, [id]);
}

interface Replacement {
  readonly id: string;
  readonly organizationId: string;
  readonly by: string;
  readonly worksUntil: Date;
  readonly now: Date;
}

/** Undefined when the key is no longer usable or was already replaced. */
export function replaceKey(db: Sql, { id, organizationId, by, worksUntil, now }: Replacement) {
  return db.maybeOne(replace, [id, organizationId, by, worksUntil, now]);
}

/** Undefined when the key does not exist or does not send. */
export function setPolicy(
  db: Sql,
  { organizationId, domain = null }: DomainReach,
  id: string,
  policy: KeyPolicy | null,
): Promise<ApiKeyRow | undefined> {
  return db.maybeOne(changePolicy, [id, organizationId, policy && JSON.stringify(policy), domain]);
}

export function findByHash(db: Sql, hash: Buffer): Promise<ApiKeyRow | undefined> {
  return db.maybeOne(byHash, [hash]);
}

export function pageOfKeys(
  db: Sql,
  { organizationId, domain = null }: DomainReach,
  limit: number,
  offset: number,
): Promise<ApiKeyRow[]> {
  return db.many(page, [organizationId, limit, offset, domain]);
}

export async function countKeys(db: Sql, { organizationId, domain = null }: DomainReach): Promise<number> {
  return (await db.one(count, [organizationId, domain])).count;
}

export async function hasCreatedKey(db: Sql, organizationId: string): Promise<boolean> {
  return (await db.one(anyCreated, [organizationId])).any;
}

export function listKeys(db: Sql, organizationId: string | null): Promise<ApiKeyRow[]> {
  return db.many(listAll, [organizationId]);
}

/** `whose` is null for the operator, who may revoke keys of any organization. */
export function revokeKey(db: Sql, id: string, reach: DomainReach | null, revokedAt: Date) {
  return db.maybeOne(revoke, [id, reach?.organizationId ?? null, revokedAt, reach?.domain ?? null]);
}

/** Keys of the user that are still usable. */
export function usableKeysOf(db: Sql, organizationId: string, userId: string, now: Date) {
  return db.many(usableOf, [organizationId, userId, now]);
}

export function revokeKeysOf(db: Sql, organizationId: string, userId: string, now: Date) {
  return db.many(revokeOf, [organizationId, userId, now]);
}

/** In every organization of the user. */
export async function revokeKeysCreatedBy(db: Sql, userId: string, now: Date): Promise<void> {
  await db.exec(revokeAllOf, [userId, now]);
}

export async function recordUses(db: Sql, uses: readonly KeyUse[]): Promise<void> {
  await db.exec(touch, [...columns(uses, 'organizationId', 'id'), uses.map((use) => new Date(use.atMs))]);
}
