/** Exchanges an address and a password for a session. A refusal takes equally long for users that do not exist. */
import { callerOfAddress } from '../../runtime/caller-address.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { AccountDeps } from '../users/accounts.ts';
import { accountEmail } from '../users/email.ts';
import { createFirstUser, type FirstUser, isSetUpToken, setUpTokenNeeded } from '../users/first-user.ts';
import type { SignInAttempt } from '../users/sign-in-throttle.ts';
import { findUserByEmail, hasUsers, rehashPassword, type UserRow } from '../users/store.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
}

/** The network address and device of a sign-in. */
interface Origin {
  readonly ip: string;
  /** The browser's known-device cookie. */
  readonly device: string | undefined;
}

export async function signIn(deps: AccountDeps, given: Credentials, from: Origin): Promise<UserRow> {
  const email = accountEmail(given.email);
  const user = await findUserByEmail(deps.db, email);
  const device = user && deps.devices.recognise(from.device, user);
  return deps.failures.noted(user, from.ip, async () => {
    const attempt = await deps.throttle.begin(from.ip, email, device);
    const caller = callerOfAddress(from.ip);
    const { right, outdated } = await deps.passwords.verify(given.password, user?.password ?? null, caller);
    if (!user || !right) throw wrongPassword();
    if (user.totp_enabled) await demandCode(deps, user, given.code, { ip: from.ip, device, attempt });
    await attempt.refund();
    if (outdated) await rehash(deps, user, given.password, caller);
    return user;
  });
}

function wrongPassword(): ServiceError {
  return new ServiceError(
    'UNAUTHORIZED',
    'The email address or the password is wrong. Try again, or set a new password.',
  );
}

interface Trying {
  readonly ip: string;
  readonly device: string | undefined;
  readonly attempt: SignInAttempt;
}

async function demandCode(
  { secondFactor, ceiling }: AccountDeps,
  user: UserRow,
  code: string | undefined,
  { ip, device, attempt }: Trying,
): Promise<void> {
  if (code === undefined) {
    await attempt.refund();
    throw new ServiceError('TOTP_REQUIRED');
  }
  const guess = { user, knownDevice: device !== undefined, ip };
  const right = await ceiling.guarded(guess, async () => (await secondFactor.accepts(user, code)) || null);
  if (right) return;
  const message =
    'This code is not valid or was already used. Enter the next code of your authenticator app.';
  throw new ServiceError('TOTP_REQUIRED', message, { problems: [{ field: 'code', message }] });
}

async function rehash(
  { db, passwords }: AccountDeps,
  user: UserRow,
  password: string,
  caller: string,
): Promise<void> {
  await rehashPassword(db, user.id, user.password, await passwords.hash(password, caller));
}

/** `token` proves that the future owner started the installation. */
export async function signUp(
  deps: AccountDeps,
  given: FirstUser,
  { token, ip }: { readonly token: string | undefined; readonly ip: string },
): Promise<UserRow> {
  if (await hasUsers(deps.db)) throw userExists();
  if (!isSetUpToken(token, deps.setUpToken)) {
    // Only wrong tokens count, so that guesses by others do not block the holder of the right token.
    await deps.throttle.begin(ip, 'sign-up');
    throw setUpTokenNeeded();
  }
  const user = await createFirstUser(deps.db, deps.clock, deps.passwords, given);
  if (user === null) throw userExists();
  return user;
}

function userExists(): ServiceError {
  return new ServiceError(
    'CONFLICT',
    'The first user already exists. Sign in, or ask an owner for an invite.',
  );
}
