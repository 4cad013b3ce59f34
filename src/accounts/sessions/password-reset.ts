/**
 * Password reset by a mailed link, valid once and for an hour. If the address was never proven, somebody else may
 * have opened the account, so every means of access created until then is revoked.
 */
import type { Sql } from '../../database/sql.ts';
import { callerOfAddress } from '../../runtime/caller-address.ts';
import { hashToken } from '../../runtime/tokens.ts';
import { revokeKeysCreatedBy } from '../api-keys/store.ts';
import { removeInvitesCreatedBy } from '../members/invite-store.ts';
import { createLink, unknownLink } from '../users/account-link.ts';
import type { AccountDeps } from '../users/accounts.ts';
import { accountEmail } from '../users/email.ts';
import { consumeLink, findLink, removeLinksOf } from '../users/link-store.ts';
import { assertPassword } from '../users/password-rules.ts';
import { deleteTries } from '../users/second-factor-store.ts';
import {
  clearTotp,
  findUser,
  findUserByEmail,
  markEmailVerified,
  setPassword,
  type UserRow,
} from '../users/store.ts';
import { removeSessionsOf } from './store.ts';

/** The response does not wait for this, so that its time does not reveal whether the user exists. */
export async function sendReset(deps: AccountDeps, given: string): Promise<void> {
  const { mode, log } = deps;
  const user = await findUserByEmail(deps.db, accountEmail(given));
  const mayReset = user !== undefined && !user.disabled;
  const link = mayReset && (await createLink(deps, { userId: user.id, purpose: 'password', mailed: true }));
  if (!link) return;
  // Sandbox mail is not delivered; only people who run the server read this log.
  if (mode === 'sandbox') log.warn(`sandbox: ${user.email} sets a new password at ${link}`);
  const mail = { to: user.email, subject: 'Set a new password', text: letter(user, link) };
  const sent = await deps.sendMail({ kind: 'password_reset', ...mail });
  if (!sent)
    log.warn('a link for a new password could not be mailed: there is no verified domain to send from');
}

function letter({ name, email, email_verified }: UserRow, link: string): string {
  const unproven = `
This address was never confirmed at Postrider. A new password therefore also removes the second factor, the API keys and the
invites that were created with this account.
`;
  return `Hello${name === null ? '' : ` ${name}`},

somebody asked for a new password for ${email} at Postrider. To choose one, open this link within the hour:

${link}

The link works once. If you did not ask for a new password, ignore this email: your password stays the same.
${email_verified ? '' : unproven}`;
}

/** Returns the user, all of whose sessions were ended. */
export async function confirmReset(
  deps: AccountDeps,
  { token, password }: { readonly token: string; readonly password: string },
  ip: string,
): Promise<UserRow> {
  const { db, clock, passwords } = deps;
  const hash = hashToken(token);
  const user = await userOfReset(db, hash, new Date(clock.nowMs()));
  assertPassword(password, user.email, 'password');
  const stored = await passwords.hash(password, callerOfAddress(ip));
  await db.transaction(async (tx) => {
    const now = new Date(clock.nowMs());
    // Another request may have used the link while the password was being hashed.
    const taken = await consumeLink(tx, hash, 'password', now);
    if (taken === undefined) throw unknownLink();
    await setPassword(tx, user.id, stored);
    await removeLinksOf(tx, user.id);
    await removeSessionsOf(tx, user.id);
    await deleteTries(tx, user.id);
    if (!user.email_verified) await revokeAllAccess(tx, user.id, now);
    if (taken.mailed) await markEmailVerified(tx, user.id, now, deps.mode);
  });
  return { ...user, password: stored };
}

async function revokeAllAccess(tx: Sql, userId: string, now: Date): Promise<void> {
  await clearTotp(tx, userId);
  await revokeKeysCreatedBy(tx, userId, now);
  await removeInvitesCreatedBy(tx, userId);
}

async function userOfReset(db: Sql, hash: Buffer, now: Date): Promise<UserRow> {
  const link = await findLink(db, hash, 'password', now);
  const user = link === undefined ? undefined : await findUser(db, link.user_id);
  if (!user) throw unknownLink();
  return user;
}
