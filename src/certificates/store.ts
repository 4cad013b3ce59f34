/**
 * The only writer of `certificates`. Times come from the database, because the clocks of several hosts may
 * differ.
 */
import { sealedColumn } from '../database/sealed-column.ts';
import { type Sql, sql } from '../database/sql.ts';

export const sealedCertificateKeys = sealedColumn('certificates', 'sealed_key');
export const sealedOrderKeys = sealedColumn('certificates', 'sealed_order_key');

/** A certificate claimed by this process. */
export interface DueCertificate {
  readonly id: string;
  readonly name: string;
  readonly failures: number;
  readonly order_url: string | null;
  readonly sealed_order_key: Buffer | null;
}

export interface ServedCertificate {
  readonly id: string;
  readonly name: string;
  readonly chain: string;
  readonly sealed_key: Buffer;
}

export interface CertificateState {
  readonly name: string;
  readonly directory_url: string;
  readonly issued_at: Date | null;
  readonly expires_at: Date | null;
  readonly due_at: Date;
  readonly failures: number;
  readonly last_error: string | null;
  readonly failed_at: Date | null;
  /** Marks the name as currently needed by a process. */
  readonly wanted: boolean;
}

/** Longer than an attempt takes. */
const LEASE_SECONDS = 600;

const insertWanted = sql(
  'certificates.want',
  `INSERT INTO certificates (id, directory_url, name)
   SELECT gen_random_uuid()::text, $1, wanted FROM unnest($2::text[]) AS wanted
   ON CONFLICT (directory_url, name) DO NOTHING`,
  { home: 'control' },
);

const updateWanted = sql(
  'certificates.still_want',
  `UPDATE certificates SET wanted_at = now()
   WHERE directory_url = $1 AND name = ANY($2::text[]) AND wanted_at < now() - interval '1 hour'`,
  { home: 'control' },
);

const deleteUnwanted = sql(
  'certificates.delete',
  `DELETE FROM certificates
   WHERE wanted_at < now() - interval '7 days' AND (expires_at IS NULL OR expires_at < now())`,
  { home: 'control' },
);

/** Names of the settings ($4) first: however many tracking hosts tenants add, their certificates do not wait. */
const claim = sql<DueCertificate>(
  'certificates.claim',
  `UPDATE certificates SET holder = $3, held_until = now() + make_interval(secs => ${LEASE_SECONDS})
   WHERE id = (
     SELECT id FROM certificates
     WHERE directory_url = $1 AND name = ANY($2::text[]) AND due_at <= now()
       AND (held_until IS NULL OR held_until < now())
     ORDER BY (name = ANY($4::text[])) DESC, due_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   RETURNING id, name, failures, order_url, sealed_order_key`,
  { home: 'control' },
);

const saveOrder = sql(
  'certificates.save_order',
  'UPDATE certificates SET order_url = $3, sealed_order_key = $4 WHERE id = $1 AND holder = $2',
  { home: 'control' },
);

const saveIssued = sql(
  'certificates.save_issued',
  `UPDATE certificates SET chain = $3, sealed_key = $4, issued_at = now(), expires_at = $5,
     due_at = now() + $6::float8 * interval '1 millisecond', order_url = NULL, sealed_order_key = NULL,
     failures = 0, last_error = NULL, failed_at = NULL, holder = NULL, held_until = NULL
   WHERE id = $1 AND holder = $2`,
  { home: 'control' },
);

const saveFailure = sql(
  'certificates.save_failure',
  `UPDATE certificates SET failures = failures + 1, last_error = $3, failed_at = now(),
     due_at = now() + $4::float8 * interval '1 millisecond', holder = NULL, held_until = NULL,
     order_url = CASE WHEN $5::boolean THEN NULL ELSE order_url END,
     sealed_order_key = CASE WHEN $5::boolean THEN NULL ELSE sealed_order_key END
   WHERE id = $1 AND holder = $2`,
  { home: 'control' },
);

const release = sql(
  'certificates.release',
  'UPDATE certificates SET holder = NULL, held_until = NULL WHERE id = $1 AND holder = $2',
  { home: 'control' },
);

const listStates = sql<CertificateState>(
  'certificates.list',
  `SELECT name, directory_url, issued_at, expires_at, due_at, failures, last_error, failed_at,
     wanted_at > now() - interval '3 hours' AS wanted
   FROM certificates ORDER BY name, directory_url`,
  { home: 'control' },
);

/** For each name, the certificate of the current directory, or else the newest of another one. */
const BEST = `SELECT DISTINCT ON (name) id, name, chain, sealed_key, issued_at FROM certificates
  WHERE chain IS NOT NULL ORDER BY name, (directory_url = $1) DESC, expires_at DESC`;

const listVersions = sql<{ id: string; name: string; version: string }>(
  'certificates.versions',
  `SELECT id, name, extract(epoch FROM issued_at)::text AS version FROM (${BEST}) AS best`,
  { home: 'control' },
);

const selectServed = sql<ServedCertificate>(
  'certificates.served',
  'SELECT id, name, chain, sealed_key FROM certificates WHERE id = ANY($1::text[]) AND chain IS NOT NULL',
  { home: 'control' },
);

/** Counts names needed recently; `wanted_at` is updated hourly. */
const selectFigures = sql<CertificateFigures>(
  'certificates.figures',
  `SELECT extract(epoch FROM min(expires_at) - now())::float8 AS left_seconds,
     count(*) FILTER (WHERE failures > 0)::int AS failing
   FROM certificates WHERE directory_url = $1 AND wanted_at > now() - interval '3 hours'`,
  { home: 'control' },
);

interface CertificateFigures {
  /** Seconds left on the certificate that expires first; null without certificates. */
  readonly left_seconds: number | null;
  /** Names whose last attempt failed. */
  readonly failing: number;
}

export function certificateFigures(db: Sql, directoryUrl: string): Promise<CertificateFigures> {
  return db.one(selectFigures, [directoryUrl]);
}

export async function wantCertificates(
  db: Sql,
  directoryUrl: string,
  names: readonly string[],
): Promise<void> {
  await db.exec(insertWanted, [directoryUrl, names]);
  await db.exec(updateWanted, [directoryUrl, names]);
}

/** Deletes names that were not needed for a week, once their certificate has expired. */
export async function forgetUnwanted(db: Sql): Promise<void> {
  await db.exec(deleteUnwanted);
}

interface Claimer {
  readonly directoryUrl: string;
  readonly names: readonly string[];
  /** Those of `names` that are claimed before the others. */
  readonly configured: readonly string[];
  readonly holder: string;
}

/** Claims a name exclusively until it is saved or released, or the lease expires. */
export function claimDueCertificate(
  db: Sql,
  { directoryUrl, names, configured, holder }: Claimer,
): Promise<DueCertificate | undefined> {
  return db.maybeOne(claim, [directoryUrl, names, holder, configured]);
}

/** False, here and below, when another process has taken over. */
export async function saveStartedOrder(
  db: Sql,
  id: string,
  holder: string,
  order: { readonly url: string; readonly sealedKey: Buffer },
): Promise<boolean> {
  return (await db.exec(saveOrder, [id, holder, order.url, order.sealedKey])) > 0;
}

export async function saveIssuedCertificate(
  db: Sql,
  id: string,
  holder: string,
  issued: {
    readonly chain: string;
    readonly sealedKey: Buffer;
    readonly expiresAt: Date;
    readonly renewInMs: number;
  },
): Promise<boolean> {
  const { chain, sealedKey, expiresAt, renewInMs } = issued;
  return (await db.exec(saveIssued, [id, holder, chain, sealedKey, expiresAt, renewInMs])) > 0;
}

export async function saveFailedAttempt(
  db: Sql,
  id: string,
  holder: string,
  failure: {
    readonly message: string;
    readonly retryInMs: number;
    /** The next attempt begins a new order. */
    readonly dropsOrder: boolean;
  },
): Promise<void> {
  const { message, retryInMs, dropsOrder } = failure;
  await db.exec(saveFailure, [id, holder, message, retryInMs, dropsOrder]);
}

export async function releaseCertificate(db: Sql, id: string, holder: string): Promise<void> {
  await db.exec(release, [id, holder]);
}

export function listCertificates(db: Sql): Promise<CertificateState[]> {
  return db.many(listStates);
}

/** The version of each served certificate, without chains and keys, to detect changes. */
export function servedVersions(db: Sql, directoryUrl: string) {
  return db.many(listVersions, [directoryUrl]);
}

export function findServed(db: Sql, ids: readonly string[]): Promise<ServedCertificate[]> {
  return db.many(selectServed, [ids]);
}
