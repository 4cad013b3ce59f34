/** A forgotten password: a link by mail, which works once and for an hour. */
import type { Sql } from '../../database/sql.ts';
import { hashToken } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import type { AccountDeps } from '../sessions/accounts.ts';
import { newToken } from '../sessions/session.ts';
import { removeSessionsOf } from '../sessions/store.ts';
import { accountEmail } from './email.ts';
import { assertPassword } from './password-rules.ts';
import { findReset, insertReset, removeResetsOf, takeReset } from './reset-store.ts';
import { findUser, findUserByEmail, holdUser, setPassword, type UserRow } from './store.ts';

export const RESET_MS = 3_600_000;
/** Links that one user is sent within RESET_MS. */
const MOST_MAILS = 3;

/** Nobody waits for this, so that the answer does not tell whether there is such a user. */
export async function sendReset(deps: AccountDeps, given: string): Promise<void> {
  const user = await findUserByEmail(deps.db, accountEmail(given));
  const link = user && (await createResetLink(deps, user));
  if (!link) return;
  await deps.sendMail({ to: user.email, subject: 'Set a new password', text: letter(user, link) });
}

/** Undefined when the user was given enough of them within the hour. */
export async function createResetLink(
  { db, clock, publicUrl }: Pick<AccountDeps, 'db' | 'clock' | 'publicUrl'>,
  user: Pick<UserRow, 'id'>,
): Promise<string | undefined> {
  const token = newToken();
  const nowMs = clock.nowMs();
  const reset = {
    hash: hashToken(token),
    userId: user.id,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + RESET_MS),
  };
  const limit = { most: MOST_MAILS, since: new Date(nowMs - RESET_MS) };
  const isInserted = await db.transaction(async (tx) => {
    // Many requests at once are counted one after the other.
    await holdUser(tx, user.id);
    return insertReset(tx, reset, limit);
  });
  if (!isInserted) return undefined;
  return `${publicUrl}/reset-password?token=${token}`;
}

function letter({ name, email }: UserRow, link: string): string {
  return `Hello${name === null ? '' : ` ${name}`},

somebody asked for a new password for ${email} at Postrider. To choose one, open this link within the hour:

${link}

It works once. If it was not you, leave it: your password stays as it is.
`;
}

/** The user, whose every session has ended with this. */
export async function confirmReset(deps: AccountDeps, token: string, password: string): Promise<UserRow> {
  const { db, clock, passwords, gate } = deps;
  const hash = hashToken(token);
  const user = await userOfReset(db, hash, new Date(clock.nowMs()));
  assertPassword(password, user.email, 'password');
  const stored = await passwords.hash(password);
  await db.transaction(async (tx) => {
    // Somebody else may have used it while we were hashing.
    if ((await takeReset(tx, hash, new Date(clock.nowMs()))) === undefined) throw unknownLink();
    await setPassword(tx, user.id, stored);
    await removeResetsOf(tx, user.id);
    await removeSessionsOf(tx, user.id);
  });
  gate.forgetAll();
  return user;
}

async function userOfReset(db: Sql, hash: Buffer, now: Date): Promise<UserRow> {
  const userId = await findReset(db, hash, now);
  const user = userId === undefined ? undefined : await findUser(db, userId);
  if (!user) throw unknownLink();
  return user;
}

function unknownLink(): ApiError {
  return new ApiError('NOT_FOUND', [], 'This link was used already, or it is too old. Ask for another one.');
}
