/** The one writer of `users`. */
import { sealedColumn } from '../../database/sealed-column.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { Mode } from '../../runtime/config.ts';

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly password: string;
  readonly totp_secret: Buffer | null;
  readonly totp_enabled: boolean;
  readonly recovery_codes_left: number;
  /** Whether the user is known to receive mail at the address. */
  readonly email_verified: boolean;
  /** Disabled by the operator; the user cannot sign in. */
  readonly disabled: boolean;
}

const COLUMNS = `id, email, name, password, totp_secret, totp_enabled,
  cardinality(recovery_codes) AS recovery_codes_left, email_proven_at IS NOT NULL AS email_verified, disabled`;

const insert = sql<UserRow>(
  'users.insert',
  `INSERT INTO users (id, email, name, password, created_at, email_proven_at, email_proven_in)
   VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const byEmail = sql<UserRow>('users.by_email', `SELECT ${COLUMNS} FROM users WHERE email = $1`, {
  home: 'control',
});

const byId = sql<UserRow>('users.find', `SELECT ${COLUMNS} FROM users WHERE id = $1`, { home: 'control' });

const lockOne = sql('users.lock', 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', { home: 'control' });

const listAll = sql<UserRow>('users.list', `SELECT ${COLUMNS} FROM users ORDER BY created_at, id`, {
  home: 'control',
});

const any = sql<{ any: boolean }>('users.any', 'SELECT EXISTS (SELECT FROM users) AS any', {
  home: 'control',
});

const updatePassword = sql('users.set_password', 'UPDATE users SET password = $2 WHERE id = $1', {
  home: 'control',
});

/** Applies only while the stored hash is the verified one, so that a concurrent change of the password wins. */
const replaceHash = sql('users.rehash', 'UPDATE users SET password = $3 WHERE id = $1 AND password = $2', {
  home: 'control',
});

const updateName = sql('users.set_name', 'UPDATE users SET name = $2 WHERE id = $1', { home: 'control' });

const updateOrganization = sql(
  'users.set_last_organization',
  'UPDATE users SET last_organization_id = $2 WHERE id = $1',
  { home: 'control' },
);

const beginSecondFactor = sql(
  'users.begin_totp',
  'UPDATE users SET totp_secret = $2, totp_last_step = 0 WHERE id = $1 AND NOT totp_enabled',
  { home: 'control' },
);

const enableSecondFactor = sql(
  'users.enable_totp',
  `UPDATE users SET totp_enabled = true, totp_last_step = $3, recovery_codes = $4
   WHERE id = $1 AND totp_secret = $2 AND NOT totp_enabled`,
  { home: 'control' },
);

const disableSecondFactor = sql(
  'users.disable_totp',
  `UPDATE users SET totp_enabled = false, totp_secret = NULL, recovery_codes = '{}' WHERE id = $1 AND totp_enabled`,
  { home: 'control' },
);

/** Also clears a second factor whose setup is pending. */
const clearSecondFactor = sql(
  'users.clear_totp',
  `UPDATE users SET totp_enabled = false, totp_secret = NULL, recovery_codes = '{}' WHERE id = $1`,
  { home: 'control' },
);

/** An earlier proof stays, unless it was only a sandbox proof. */
const prove = sql(
  'users.prove_email',
  `UPDATE users SET email_proven_at = $2, email_proven_in = $3
   WHERE id = $1 AND (email_proven_at IS NULL OR email_proven_in = 'sandbox')`,
  { home: 'control' },
);

const forgetSandbox = sql(
  'users.delete_sandbox_proofs',
  `UPDATE users SET email_proven_at = NULL, email_proven_in = NULL WHERE email_proven_in = 'sandbox'`,
  { home: 'control' },
);

/** A code is accepted once; codes of earlier steps count as used. */
const takeStep = sql(
  'users.take_totp_step',
  'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_enabled AND totp_last_step < $2',
  { home: 'control' },
);

const takeRecovery = sql(
  'users.take_recovery_code',
  `UPDATE users SET recovery_codes = array_remove(recovery_codes, $2)
   WHERE id = $1 AND totp_enabled AND $2 = ANY (recovery_codes)`,
  { home: 'control' },
);

const updateDisabled = sql('users.set_disabled', 'UPDATE users SET disabled = $2 WHERE id = $1', {
  home: 'control',
});

interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly password: string;
  readonly createdAt: Date;
  /** `set up`: the person who sets the installation up needs no proof. Null while the address is unproven. */
  readonly proof: Mode | 'set up' | null;
}

export const sealedTotpSecrets = sealedColumn('users', 'totp_secret');

export function insertUser(db: Sql, user: NewUser): Promise<UserRow> {
  const { id, email, name, password, createdAt, proof } = user;
  const provenAt = proof === null ? null : createdAt;
  return db.one(insert, [id, email, name, password, createdAt, provenAt, proof === 'set up' ? null : proof]);
}

export function findUserByEmail(db: Sql, email: string): Promise<UserRow | undefined> {
  return db.maybeOne(byEmail, [email]);
}

export function findUser(db: Sql, id: string): Promise<UserRow | undefined> {
  return db.maybeOne(byId, [id]);
}

/** Serializes transactions on the same user until this one ends. */
export async function lockUser(tx: Sql, id: string): Promise<void> {
  await tx.exec(lockOne, [id]);
}

export function listUsers(db: Sql): Promise<UserRow[]> {
  return db.many(listAll);
}

export async function hasUsers(db: Sql): Promise<boolean> {
  return (await db.one(any)).any;
}

export async function setPassword(db: Sql, id: string, password: string): Promise<void> {
  await db.exec(updatePassword, [id, password]);
}

export async function rehashPassword(db: Sql, id: string, before: string, after: string): Promise<void> {
  await db.exec(replaceHash, [id, before, after]);
}

export async function setDisabled(db: Sql, id: string, disabled: boolean): Promise<void> {
  await db.exec(updateDisabled, [id, disabled]);
}

export async function setUserName(db: Sql, id: string, name: string | null): Promise<void> {
  await db.exec(updateName, [id, name]);
}

export async function setLastOrganization(db: Sql, id: string, organizationId: string): Promise<void> {
  await db.exec(updateOrganization, [id, organizationId]);
}

/** False when the second factor is already enabled. */
export async function beginTotp(db: Sql, id: string, sealedSecret: Buffer): Promise<boolean> {
  return (await db.exec(beginSecondFactor, [id, sealedSecret])) === 1;
}

/** False when another secret is pending by now. */
export async function enableTotp(
  db: Sql,
  id: string,
  given: { readonly sealedSecret: Buffer; readonly step: number; readonly recoveryCodes: readonly Buffer[] },
): Promise<boolean> {
  return (await db.exec(enableSecondFactor, [id, given.sealedSecret, given.step, given.recoveryCodes])) === 1;
}

export async function disableTotp(db: Sql, id: string): Promise<void> {
  await db.exec(disableSecondFactor, [id]);
}

export async function clearTotp(db: Sql, id: string): Promise<void> {
  await db.exec(clearSecondFactor, [id]);
}

export async function markEmailVerified(db: Sql, id: string, at: Date, mode: Mode): Promise<void> {
  await db.exec(prove, [id, at, mode]);
}

/** Clears addresses that were proven only in the sandbox, where others can read the mail too. */
export async function clearSandboxVerifiedAddresses(db: Sql): Promise<void> {
  await db.exec(forgetSandbox);
}

/** False when this code or a later one was used before. */
export async function consumeTotpStep(db: Sql, id: string, step: number): Promise<boolean> {
  return (await db.exec(takeStep, [id, step])) === 1;
}

export async function consumeRecoveryCode(db: Sql, id: string, hash: Buffer): Promise<boolean> {
  return (await db.exec(takeRecovery, [id, hash])) === 1;
}
