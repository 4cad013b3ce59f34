/**
 * Temporary sandbox organizations, for example for one test run: created with everything that sending needs,
 * and removed automatically (`operations/throw-away.ts`).
 */
import { storeNewKey } from '../accounts/api-keys/service.ts';
import { revokeKeysOfOrganization } from '../accounts/api-keys/store.ts';
import { type Sql, sql } from '../database/sql.ts';
import { insertSandboxDomain, SANDBOX_DOMAIN } from '../domains/sandbox-domain.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { ServiceError } from '../runtime/service-error.ts';

interface ThrowAway {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly apiKey: string;
  readonly expiresAt: Date;
}

/** Limit for the installation, so that organizations that are never ended cannot fill the database. */
export const MAX_THROW_AWAYS = 1_000;
/** Daily sending limit of each, which bounds the later cleanup. */
const DAILY_LIMIT = 10_000;
const COME_BACK_SECONDS = 60;

const insert = sql(
  'organizations.insert_throw_away',
  `INSERT INTO organizations (id, name, daily_limit, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
  { home: 'control' },
);

const countAll = sql<{ count: number }>(
  'organizations.count_throw_aways',
  'SELECT count(*) FROM organizations WHERE expires_at IS NOT NULL',
  { home: 'control' },
);

const selectOne = sql<{ found: boolean }>(
  'organizations.is_throw_away',
  'SELECT EXISTS (SELECT FROM organizations WHERE id = $1 AND expires_at IS NOT NULL) AS found',
  { home: 'control' },
);

const end = sql(
  'organizations.end_throw_away',
  'UPDATE organizations SET expires_at = least(expires_at, $2) WHERE id = $1 AND expires_at IS NOT NULL',
  { home: 'control' },
);

const selectOver = sql<{ id: string }>(
  'organizations.throw_aways_over',
  'SELECT id FROM organizations WHERE expires_at < $1 ORDER BY expires_at LIMIT $2',
  { home: 'control' },
);

const remove = sql(
  'organizations.remove_throw_away',
  'DELETE FROM organizations WHERE id = $1 AND expires_at IS NOT NULL',
  { home: 'control' },
);

/**
 * Creates the key last, because the key allows sending. If that fails, the rest expires like any other
 * temporary organization.
 */
export async function createThrowAway(
  db: Sql,
  clock: Clock,
  { name, forMs }: { readonly name: string; readonly forMs: number },
): Promise<ThrowAway> {
  if ((await db.one(countAll)).count >= MAX_THROW_AWAYS) throw tooMany();
  const [id, createdAt] = [newId('org'), new Date(clock.nowMs())];
  const expiresAt = new Date(clock.nowMs() + forMs);
  await db.exec(insert, [id, name, DAILY_LIMIT, createdAt, expiresAt]);
  await insertSandboxDomain(db, id, createdAt);
  const key = { name: 'Test run', scope: 'full' as const, domain: null, expiresAt };
  const { secret } = await storeNewKey(db, clock, id, key);
  return { id, name, domain: SANDBOX_DOMAIN, apiKey: secret, expiresAt };
}

/** Ends the organization now and disables its keys. False when it is not a temporary organization. */
export async function endThrowAway(tx: Sql, id: string, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs);
  if ((await tx.exec(end, [id, now])) === 0) return false;
  await revokeKeysOfOrganization(tx, id, now);
  return true;
}

/** Organizations that expired before this time, oldest first. */
export async function throwAwaysOver(db: Sql, beforeMs: number, limit: number): Promise<string[]> {
  return (await db.many(selectOver, [new Date(beforeMs), limit])).map(({ id }) => id);
}

/** Call this when nothing refers to the organization any more. */
export async function removeThrowAway(db: Sql, id: string): Promise<void> {
  await db.exec(remove, [id]);
}

function tooMany(): ServiceError {
  const message = `There are already ${MAX_THROW_AWAYS} test organizations, which is the maximum. End one with DELETE /sandbox/organization, or wait until one expires.`;
  return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: COME_BACK_SECONDS });
}

export async function isThrowAway(db: Sql, id: string): Promise<boolean> {
  return (await db.one(selectOne, [id])).found;
}
