/** Invites: a single-use link for one person into one organization, valid for a week. */
import { isUniqueViolation } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { findOrganization } from '../../organizations/store.ts';
import { callerOfAddress } from '../../runtime/caller-address.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/durations.ts';
import { newId } from '../../runtime/ids.ts';
import type { Role } from '../../runtime/permissions.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { hashToken, newToken } from '../../runtime/tokens.ts';
import type { AccountDeps } from '../users/accounts.ts';
import { accountEmail } from '../users/email.ts';
import { assertPassword } from '../users/password-rules.ts';
import { findUser, findUserByEmail, insertUser, markEmailVerified, type UserRow } from '../users/store.ts';
import {
  consumeInvite,
  countMailedSince,
  findInvite,
  type InviteRow,
  insertInvite,
  markMailed,
} from './invite-store.ts';
import { findMemberByEmail, insertMembership } from './store.ts';

const INVITE_MS = 7 * DAY_MS;
/** The maximum number of invites that one organization mails within an hour. */
const MAX_MAILS = 50;
const MAILS_WITHIN_MS = HOUR_MS;
const MAX_SUBJECT_CHARS = 200;

interface InviteRequest {
  readonly organizationId: string;
  /** The member who invites; null for the operator of the installation. */
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
}

type InviteDeps = Pick<AccountDeps, 'db' | 'clock' | 'publicUrl' | 'sendMail'>;

const OPERATOR = 'The operator of this installation';

interface CreatedInvite {
  readonly row: InviteRow;
  /** Set only when the mail could not be sent. The owner then hands the link over, and the link proves no address. */
  readonly link: string | null;
}

/**
 * The last pending invite of each organization. Invites of one organization run one after the other, so that the
 * count of sent mails is exact.
 */
const lastOf = new Map<string, Promise<unknown>>();

export function invite(deps: InviteDeps, asked: InviteRequest): Promise<CreatedInvite> {
  const { organizationId } = asked;
  const before = lastOf.get(organizationId) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(() => inviteNow(deps, asked));
  const leave = () => void (lastOf.get(organizationId) === mine && lastOf.delete(organizationId));
  lastOf.set(organizationId, mine);
  mine.then(leave, leave);
  return mine;
}

async function inviteNow(deps: InviteDeps, asked: InviteRequest): Promise<CreatedInvite> {
  const { db, clock, publicUrl } = deps;
  const email = accountEmail(asked.email);
  const [inviter, member] = await Promise.all([
    asked.userId === null ? undefined : findUser(db, asked.userId),
    findMemberByEmail(db, asked.organizationId, email),
  ]);
  if (member) throw new ServiceError('CONFLICT', `${email} is already a member of this organization.`);
  await assertNotFlooding(deps, asked.organizationId);
  const token = newToken();
  const nowMs = clock.nowMs();
  const row = await insertInvite(db, {
    id: newId('inv'),
    organizationId: asked.organizationId,
    email,
    role: asked.role,
    hash: hashToken(token),
    invitedBy: asked.userId === null ? OPERATOR : (inviter?.email ?? ''),
    createdBy: asked.userId,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + INVITE_MS),
  });
  const link = `${publicUrl}/invite/${token}`;
  if (!(await mail(deps, row, link))) return { row, link };
  await markMailed(db, row);
  return { row: { ...row, mailed: true }, link: null };
}

/** The mail carries the installation's name, so an owner must not be able to send it in bulk. */
async function assertNotFlooding({ db, clock }: InviteDeps, organizationId: string): Promise<void> {
  const sinceMs = clock.nowMs() - MAILS_WITHIN_MS;
  if ((await countMailedSince(db, organizationId, sinceMs)) < MAX_MAILS) return;
  const message = `At most ${MAX_MAILS} invites are mailed per hour. Try again in an hour.`;
  throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: MAILS_WITHIN_MS / 1000 });
}

async function mail(deps: InviteDeps, row: InviteRow, link: string): Promise<boolean> {
  const organization = await findOrganization(deps.db, row.organization_id);
  const name = organization?.name ?? '';
  const text = `Hello,

${row.invited_by} invites you to ${name} at Postrider. To accept, open this link within a week:

${link}

The link works once, and only for ${row.email}. If you did not expect this invite, ignore this email.
`;
  const subject = `You are invited to ${name}`.slice(0, MAX_SUBJECT_CHARS);
  const { organization_id: organizationId } = row;
  return deps.sendMail({ kind: 'invite', to: row.email, subject, text, organizationId });
}

export async function findOpenInvite({ db, clock }: AccountDeps, token: string) {
  const row = await findInvite(db, hashToken(token), new Date(clock.nowMs()));
  if (!row) throw unknownInvite();
  const user = await findUserByEmail(db, row.email);
  return { row, user };
}

interface Acceptance {
  readonly token: string;
  /** The signed-in user, if any. */
  readonly userId: string | undefined;
  readonly name: string | null;
  readonly password: string | undefined;
  readonly ip: string;
}

/** Returns the user and the organization joined. */
export async function acceptInvite(
  deps: AccountDeps,
  given: Acceptance,
): Promise<{ readonly userId: string; readonly organizationId: string; readonly isNew: boolean }> {
  const { row, user } = await findOpenInvite(deps, given.token);
  if (!user) return join(deps, given.token, await newUser(deps, row, given));
  assertIs(user, given.userId);
  return join(deps, given.token, { userId: user.id, isNew: false, create: async () => undefined });
}

interface Joining {
  readonly userId: string;
  readonly isNew: boolean;
  readonly create: (tx: Sql) => Promise<unknown>;
}

/** Consumes the invite in the same transaction, so that of two concurrent requests only one joins. */
async function join({ db, clock, mode }: AccountDeps, token: string, { userId, isNew, create }: Joining) {
  const now = new Date(clock.nowMs());
  const organizationId = await db
    .transaction(async (tx) => {
      const taken = await consumeInvite(tx, hashToken(token), now);
      if (!taken) throw unknownInvite();
      await create(tx);
      if (taken.mailed) await markEmailVerified(tx, userId, now, mode);
      const membership = { organizationId: taken.organization_id, userId, role: taken.role, joinedAt: now };
      await insertMembership(tx, membership);
      return taken.organization_id;
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new ServiceError(
        'CONFLICT',
        'An account with this address exists by now. Sign in, then open the link again.',
      );
    });
  return { userId, organizationId, isNew };
}

async function newUser(
  { clock, passwords }: AccountDeps,
  row: InviteRow,
  given: Acceptance,
): Promise<Joining> {
  assertPassword(given.password ?? '', row.email, 'password');
  const password = await passwords.hash(given.password ?? '', callerOfAddress(given.ip));
  const id = newId('usr');
  const user = {
    id,
    email: row.email,
    name: given.name,
    password,
    createdAt: new Date(clock.nowMs()),
    proof: null,
  };
  return { userId: id, isNew: true, create: (tx) => insertUser(tx, user) };
}

function assertIs(user: UserRow, userId: string | undefined): void {
  if (userId === user.id) return;
  const message = `This invite is for ${user.email}. Sign in with that address, then open the link again.`;
  throw new ServiceError(userId === undefined ? 'UNAUTHORIZED' : 'FORBIDDEN', message);
}

function unknownInvite(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'This invite was used or withdrawn, or has expired. Ask for a new invite.',
  );
}
