/** Invites and disables users, for an operator who manages accounts from a shell. */

import { invite } from '../accounts/members/invites.ts';
import { changeRole, createMember, disableUser } from '../accounts/members/service.ts';
import { findMember } from '../accounts/members/store.ts';
import { createLink } from '../accounts/users/account-link.ts';
import { parseAccountEmail } from '../accounts/users/email.ts';
import { Passwords } from '../accounts/users/password.ts';
import { setDisabled } from '../accounts/users/store.ts';
import { createAccountMailer } from '../ingress/account-mailer.ts';
import { ROLES, type Role } from '../runtime/permissions.ts';
import { recordOperatorAction } from './audit.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  type CommandContext,
  EXIT_USAGE,
  ONLY_ORGANIZATION,
  type Options,
} from './command.ts';
import { organizationOf } from './event-commands.ts';
import { withDatabase } from './installation.ts';
import { refuseInWords } from './refusal.ts';
import { withSubmission } from './submitting.ts';
import { findUserOrFail, recordOperatorActionOn } from './user-commands.ts';

const EMAIL = 'the address that the user signs in with';
const ROLE = 'owner: everything, with members and keys; member: everything else; read_only: looks only';

export const memberCommands: readonly Command[] = [
  {
    name: 'user create',
    positionals: ['EMAIL'],
    required: { role: ROLES.join('|') },
    optional: { org: 'ID' },
    summary: 'Create a user, and a link for setting the password; the link works once, for an hour',
    explains: { EMAIL, '--role': ROLE, '--org': ONLY_ORGANIZATION },
    example: 'user create ada@example.org --role member',
    run: (context, [email = ''], options) => create(context, email, options),
  },
  {
    name: 'user invite',
    positionals: ['EMAIL'],
    required: { role: ROLES.join('|') },
    optional: { org: 'ID' },
    summary: 'Invite a person by mail, or print the link if no mail can be sent',
    explains: { EMAIL: 'the email address of the person', '--role': ROLE, '--org': ONLY_ORGANIZATION },
    example: 'user invite ada@example.org --role read_only',
    run: (context, [email = ''], options) => inviteTo(context, email, options),
  },
  {
    name: 'user role',
    positionals: ['EMAIL', 'ROLE'],
    optional: { org: 'ID' },
    summary: 'Change the role of a user in an organization',
    explains: { EMAIL, ROLE, '--org': ONLY_ORGANIZATION },
    choices: { ROLE: ROLES },
    example: 'user role ada@example.org owner',
    run: (context, [email = '', role = ''], options) => setRole(context, email, role, options),
  },
  {
    name: 'user disable',
    positionals: ['EMAIL'],
    flags: ['revoke'],
    summary: 'Disable a user: end all sessions, and refuse to sign the user in until `user enable`',
    explains: {
      EMAIL,
      '--revoke': 'also revoke the keys, withdraw the invites and disable the webhooks that the user created',
    },
    example: 'user disable ada@example.org --revoke',
    run: (context, [email = ''], { revoke }) => disable(context, email, revoke !== undefined),
  },
  {
    name: 'user enable',
    positionals: ['EMAIL'],
    summary: 'Let a disabled user sign in again',
    explains: { EMAIL },
    example: 'user enable ada@example.org',
    run: (context, [email = '']) => enable(context, email),
  },
];

async function create(
  context: CommandContext,
  given: string,
  { org, role = '' }: Options,
): Promise<CommandAnswer> {
  const { clock, config } = context;
  const asked = { email: emailOf(given), role: roleOf('--role', role) };
  const made = await withDatabase(config, async (db) => {
    const organizationId = await organizationOf(db, org);
    const user = await createMember(db, clock, new Passwords(), { ...asked, organizationId });
    if (user === null)
      throw new CliError(
        `The user ${asked.email} already exists. To add the user to an organization: npx postrider user invite`,
      );
    const link = await createLink(
      { db, clock, publicUrl: config.publicUrl },
      { userId: user.id, purpose: 'password', mailed: false },
    );
    await recordOperatorActionOn(db, context, user, 'user.created');
    return { id: user.id, ...asked, organization_id: organizationId, link };
  });
  return {
    json: made,
    lines: [
      `Created ${made.email}, ${made.role} of ${made.organization_id}. The password is set with this link, within an hour:`,
      '',
      `  ${made.link}`,
      '',
      `For another link: npx postrider user link ${made.email}`,
    ],
  };
}

async function inviteTo(
  context: CommandContext,
  given: string,
  { org, role = '' }: Options,
): Promise<CommandAnswer> {
  const { clock, config } = context;
  const asked = { email: emailOf(given), role: roleOf('--role', role) };
  const { row, link } = await withDatabase(config, async (db) => {
    const organizationId = await organizationOf(db, org);
    const made = await withSubmission(context, db, (submission) => {
      const sendMail = createAccountMailer(db, submission);
      const deps = { db, clock, publicUrl: config.publicUrl, sendMail };
      return invite(deps, { ...asked, organizationId, userId: null });
    }).catch((error) => refuseInWords(error));
    const target = { organizationId, targetId: made.row.id, targetName: made.row.email };
    await recordOperatorAction(db, context, {
      ...target,
      action: 'invite.created',
      details: { role: asked.role },
    });
    return made;
  });
  const { id, email, organization_id, mailed, expires_at } = row;
  return {
    json: { id, email, role: row.role, organization_id, mailed, link, expires_at },
    lines:
      link === null
        ? [
            `Invited ${email} to ${organization_id} as ${row.role}. The invite is sent by mail. Its link works for a week.`,
          ]
        : [
            `No mail can be sent. Give ${email} this link, which works once, for a week:`,
            '',
            `  ${link}`,
            '',
          ],
  };
}

async function setRole(
  context: CommandContext,
  email: string,
  given: string,
  { org }: Options,
): Promise<CommandAnswer> {
  const role = roleOf('ROLE', given);
  const member = await withDatabase(context.config, async (db) => {
    const organizationId = await organizationOf(db, org);
    const user = await findUserOrFail(db, email);
    if ((await findMember(db, organizationId, user.id)) === undefined)
      throw new CliError(
        `${user.email} is not a member of ${organizationId}. First: npx postrider user invite ${user.email} --role ${role} --org ${organizationId}`,
      );
    const changed = await changeRole(db, organizationId, user.id, role).catch((error) =>
      refuseInWords(error),
    );
    const target = { organizationId, targetId: user.id, targetName: user.email };
    await recordOperatorAction(db, context, { ...target, action: 'member.updated', details: { role } });
    return { ...changed, organization_id: organizationId };
  });
  const { id, organization_id } = member;
  return {
    json: { id, email: member.email, organization_id, role },
    lines: [`${member.email} is ${role} of ${organization_id}.`],
  };
}

async function disable(context: CommandContext, email: string, revoke: boolean): Promise<CommandAnswer> {
  const now = new Date(context.clock.nowMs());
  const { user, made } = await withDatabase(context.config, async (db) => {
    const found = await findUserOrFail(db, email);
    const ended = await disableUser(db, found.id, { revoke, now });
    await recordOperatorActionOn(db, context, found, 'user.disabled');
    return { user: found, made: ended };
  });
  const names = [
    ...made.keys.map(({ id, name }) => `  key ${name} (${id})`),
    ...made.invites.map((one) => `  invite of ${one.email}`),
    ...made.webhooks.map(({ id, url }) => `  webhook to ${url} (${id})`),
  ];
  const still = revoke
    ? 'What the user had created no longer works:'
    : 'What the user had created still works. To end it, add --revoke:';
  return {
    json: {
      ...{ id: user.id, email: user.email, disabled: true, revoked: revoke },
      api_keys: made.keys.map(({ id }) => id),
      invites: made.invites.map(({ id }) => id),
      webhooks: made.webhooks.map(({ id }) => id),
    },
    lines: [
      `${user.email} is signed out everywhere and cannot sign in.`,
      ...(names.length === 0 ? [] : [still, ...names]),
      `To let the user sign in again: npx postrider user enable ${user.email}`,
    ],
  };
}

async function enable(context: CommandContext, email: string): Promise<CommandAnswer> {
  const user = await withDatabase(context.config, async (db) => {
    const found = await findUserOrFail(db, email);
    await setDisabled(db, found.id, false);
    await recordOperatorActionOn(db, context, found, 'user.enabled');
    return found;
  });
  return {
    json: { id: user.id, email: user.email, disabled: false },
    lines: [`${user.email} can sign in again.`],
  };
}

function emailOf(text: string): string {
  const parsed = parseAccountEmail(text);
  if (!parsed.ok) throw new CliError(`EMAIL ${parsed.message}.`, EXIT_USAGE);
  return parsed.email;
}

function roleOf(word: string, text: string): Role {
  const role = ROLES.find((one) => one === text);
  if (role === undefined) throw new CliError(`${word} must be ${ROLES.join(', ')}.`, EXIT_USAGE);
  return role;
}
