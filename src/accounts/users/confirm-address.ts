/**
 * Confirms an address: a link is mailed to the address and must be opened in a signed-in session. Without the
 * session, the recipient of an unexpected mail could confirm an account that somebody else opened in the recipient's
 * name.
 */

import { ServiceError } from '../../runtime/service-error.ts';
import { hashToken } from '../../runtime/tokens.ts';
import { createLink, unknownLink } from './account-link.ts';
import type { AccountDeps } from './accounts.ts';
import { consumeLink } from './link-store.ts';
import { findUser, markEmailVerified } from './store.ts';

/** False when no mail can be sent. */
export async function sendConfirmation(deps: AccountDeps, userId: string): Promise<boolean> {
  const user = await findUser(deps.db, userId);
  if (!user) throw new ServiceError('UNAUTHORIZED');
  if (user.email_verified) throw new ServiceError('CONFLICT', 'Your address is already confirmed.');
  const link = await createLink(deps, { userId, purpose: 'address', mailed: true });
  if (link === undefined) {
    const message = 'Several links were sent to you within the last hour. Check your mail, or wait.';
    throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: 3_600 });
  }
  const text = `Hello${user.name === null ? '' : ` ${user.name}`},

to confirm that ${user.email} is yours, open this link within the hour, in the browser you are signed in with:

${link}

If you have no account at Postrider, somebody created an account with your address. Do not open the link. Instead,
ask for a new password: that removes their access.
`;
  return deps.sendMail({
    kind: 'address_confirmation',
    to: user.email,
    subject: 'Confirm your address',
    text,
  });
}

export async function confirmAddress(deps: AccountDeps, userId: string, token: string): Promise<void> {
  const { db, clock, mode } = deps;
  const now = new Date(clock.nowMs());
  await db.transaction(async (tx) => {
    const taken = await consumeLink(tx, hashToken(token), 'address', now);
    if (taken?.user_id !== userId) throw unknownLink();
    await markEmailVerified(tx, userId, now, mode);
  });
}
