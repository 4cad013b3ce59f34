import { ApiError } from '../../http/errors.ts';
import { Problems } from '../../http/problems.ts';
import type { AccountDeps } from '../sessions/accounts.ts';
import { assertPassword } from './password-rules.ts';
import { findUser, setPassword } from './store.ts';

/** A session that somebody left open must not be enough to take the account over, so the old one is asked for. */
export async function changePassword(
  { db, passwords, throttle }: AccountDeps,
  userId: string,
  { current, wanted }: { readonly current: string; readonly wanted: string },
  ip: string,
): Promise<void> {
  const user = await findUser(db, userId);
  if (!user) throw new ApiError('UNAUTHORIZED');
  assertPassword(wanted, user.email, 'new');
  const attempt = throttle.begin(ip, user.email);
  const { right } = await passwords.verify(current, user.password);
  if (!right) throw new Problems().add('current', 'is not your password').toError();
  attempt.giveBack();
  await setPassword(db, userId, await passwords.hash(wanted));
}
