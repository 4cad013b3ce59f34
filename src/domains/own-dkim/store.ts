/** The one writer of `own_dkim_keys`. */
import { sealedColumn } from '../../database/sealed-column.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { DnsCheck } from '../verify.ts';
import type { Publication } from './publication.ts';

export interface OwnKeyRow extends Publication {
  readonly domain: string;
  readonly selector: string;
  readonly public_key: Buffer;
  readonly private_key: Buffer;
  readonly last_check: DnsCheck | null;
  readonly checked_at: Date | null;
}

interface NewOwnKey {
  readonly domain: string;
  readonly selector: string;
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
}

const select = sql<OwnKeyRow>(
  'own_dkim_keys.find',
  `SELECT domain, selector, public_key, private_key, switches, missing_since, last_check, checked_at
   FROM own_dkim_keys WHERE domain = $1`,
  { home: 'control' },
);

/** Of several processes that create the key concurrently, the first one wins. */
const insert = sql(
  'own_dkim_keys.insert',
  `INSERT INTO own_dkim_keys (domain, selector, public_key, private_key, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (domain) DO NOTHING`,
  { home: 'control' },
);

/** Applies only if the number of switches is unchanged: a switch made meanwhile wins over this check. */
const update = sql(
  'own_dkim_keys.record',
  `UPDATE own_dkim_keys SET switches = $3::timestamptz[], missing_since = $4, last_check = $5, checked_at = $6
   WHERE domain = $1 AND cardinality(switches) = $2`,
  { home: 'control' },
);

export const sealedOwnKeys = sealedColumn('own_dkim_keys', 'private_key', { idColumn: 'domain' });

export function findOwnKey(db: Sql, domain: string): Promise<OwnKeyRow | undefined> {
  return db.maybeOne(select, [domain]);
}

export async function insertOwnKey(db: Sql, key: NewOwnKey, createdAt: Date): Promise<void> {
  await db.exec(insert, [key.domain, key.selector, key.publicKey, key.sealedPrivateKey, createdAt]);
}

/** False when another check switched signing on or off meanwhile. */
export async function recordCheckResult(
  db: Sql,
  before: OwnKeyRow,
  after: Publication,
  check: DnsCheck,
  checkedAt: Date,
): Promise<boolean> {
  const { switches, missing_since: missingSince } = after;
  const params = [
    before.domain,
    before.switches.length,
    [...switches],
    missingSince,
    JSON.stringify(check),
    checkedAt,
  ];
  return (await db.exec(update, params)) > 0;
}
