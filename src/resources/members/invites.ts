/** Invites: a link for one person into one organization, which works once and for a week. */
import { isUniqueViolation } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { hashToken } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import type { PrincipalSession, Role } from '../../http/principal.ts';
import { newId } from '../../runtime/ids.ts';
import type { AccountDeps } from '../sessions/accounts.ts';
import { newToken } from '../sessions/session.ts';
import { accountEmail } from '../users/email.ts';
import { assertPassword } from '../users/password-rules.ts';
import { findUser, findUserByEmail, insertUser, type UserRow } from '../users/store.ts';
import { findInvite, type InviteRow, insertInvite, takeInvite } from './invite-store.ts';
import { findMemberByEmail, insertMembership } from './store.ts';

export const INVITE_MS = 7 * 86_400_000;

export interface InviteRequest {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
}

export async function invite({ db, clock, publicUrl }: AccountDeps, asked: InviteRequest) {
  const email = accountEmail(asked.email);
  const [inviter, member] = await Promise.all([
    findUser(db, asked.userId),
    findMemberByEmail(db, asked.organizationId, email),
  ]);
  if (member) throw new ApiError('CONFLICT', [], `${email} is a member already.`);
  const token = newToken();
  const nowMs = clock.nowMs();
  const row = await insertInvite(db, {
    id: newId('inv'),
    organizationId: asked.organizationId,
    email,
    role: asked.role,
    hash: hashToken(token),
    invitedBy: inviter?.email ?? '',
    createdBy: asked.userId,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + INVITE_MS),
  });
  return { ...row, link: `${publicUrl}/invite/${token}` };
}

export async function findOpenInvite({ db, clock }: AccountDeps, token: string) {
  const row = await findInvite(db, hashToken(token), new Date(clock.nowMs()));
  if (!row) throw unknownInvite();
  const user = await findUserByEmail(db, row.email);
  return { row, user };
}

export interface Acceptance {
  readonly token: string;
  readonly session: PrincipalSession | undefined;
  readonly name: string | null;
  readonly password: string | undefined;
}

/** Who joined what. */
export async function acceptInvite(
  deps: AccountDeps,
  given: Acceptance,
): Promise<{ readonly userId: string; readonly organizationId: string; readonly isNew: boolean }> {
  const { row, user } = await findOpenInvite(deps, given.token);
  if (!user) return join(deps, given.token, await newUser(deps, row, given));
  assertIs(user, given.session);
  return join(deps, given.token, { userId: user.id, isNew: false, create: async () => undefined });
}

interface Joining {
  readonly userId: string;
  readonly isNew: boolean;
  readonly create: (tx: Sql) => Promise<unknown>;
}

/** The invite is taken in the transaction that uses it: of two that accept it at once, one joins. */
async function join({ db, clock }: AccountDeps, token: string, { userId, isNew, create }: Joining) {
  const now = new Date(clock.nowMs());
  const organizationId = await db
    .transaction(async (tx) => {
      const taken = await takeInvite(tx, hashToken(token), now);
      if (!taken) throw unknownInvite();
      await create(tx);
      const membership = { organizationId: taken.organization_id, userId, role: taken.role, joinedAt: now };
      await insertMembership(tx, membership);
      return taken.organization_id;
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new ApiError('CONFLICT', [], 'There is such a user by now. Sign in, then open the link again.');
    });
  return { userId, organizationId, isNew };
}

async function newUser(
  { clock, passwords }: AccountDeps,
  row: InviteRow,
  given: Acceptance,
): Promise<Joining> {
  assertPassword(given.password ?? '', row.email, 'password');
  const password = await passwords.hash(given.password ?? '');
  const id = newId('usr');
  const user = { id, email: row.email, name: given.name, password, createdAt: new Date(clock.nowMs()) };
  return { userId: id, isNew: true, create: (tx) => insertUser(tx, user) };
}

function assertIs(user: UserRow, session: PrincipalSession | undefined): void {
  if (session?.userId === user.id) return;
  const message = `This invite is for ${user.email}. Sign in with that address, then open the link again.`;
  throw new ApiError(session ? 'FORBIDDEN' : 'UNAUTHORIZED', [], message);
}

function unknownInvite(): ApiError {
  return new ApiError('NOT_FOUND', [], 'This invite was used or withdrawn, or it is too old.');
}
