import { callerOfAddress } from '../../runtime/caller-address.ts';
import { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { AccountDeps } from './accounts.ts';
import { assertPassword } from './password-rules.ts';
import { deleteTries } from './second-factor-store.ts';
import { findUser, setPassword, type UserRow } from './store.ts';

/** Requires the old password, so that an unattended session is not enough to take over the account. */
export async function changePassword(
  { db, passwords, throttle }: AccountDeps,
  userId: string,
  { current, wanted }: { readonly current: string; readonly wanted: string },
  ip: string,
): Promise<UserRow> {
  const user = await findUser(db, userId);
  if (!user) throw new ServiceError('UNAUTHORIZED');
  assertPassword(wanted, user.email, 'new');
  // Counted separately from attempts at the sign-in page.
  const attempt = await throttle.begin(ip, user.email, `session of ${userId}`);
  const { right } = await passwords.verify(current, user.password, callerOfAddress(ip));
  if (!right) throw new Problems().add('current', 'is not your password').toError();
  await attempt.refund();
  const password = await passwords.hash(wanted, callerOfAddress(ip));
  await setPassword(db, userId, password);
  await deleteTries(db, userId);
  return { ...user, password };
}
