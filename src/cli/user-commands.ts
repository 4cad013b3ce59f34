/**
 * Manages users who are locked out. An operator who can run this command has access to the database anyway.
 */

import { membershipsOf } from '../accounts/members/store.ts';
import { createLink } from '../accounts/users/account-link.ts';
import { accountEmail } from '../accounts/users/email.ts';
import { disableTotp, findUserByEmail, listUsers, type UserRow } from '../accounts/users/store.ts';
import type { Database } from '../database/database.ts';
import { recordOperatorAction } from './audit.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { withDatabase } from './installation.ts';
import { table } from './table.ts';

export const userCommands: readonly Command[] = [
  {
    name: 'user list',
    summary: 'List the users',
    example: 'user list',
    run: list,
  },
  {
    name: 'user link',
    positionals: ['EMAIL'],
    summary: 'Create a link for setting a new password of a user; the link works once, for an hour',
    explains: {
      EMAIL: 'the address that the user signs in with',
    },
    example: 'user link ada@example.org',
    run: (context, [email = '']) => link(context, email),
  },
  {
    name: 'user totp-off',
    positionals: ['EMAIL'],
    summary: 'Turn off the second factor of a user who has lost it',
    explains: {
      EMAIL: 'the address that the user signs in with',
    },
    example: 'user totp-off ada@example.org',
    run: (context, [email = '']) => totpOff(context, email),
  },
];

async function list({ config }: CommandContext): Promise<CommandAnswer> {
  const rows = await withDatabase(config, listUsers);
  const shown = rows.map(({ id, email, name, totp_enabled, email_verified, disabled }) => {
    return { id, email, name, totp_enabled, email_verified, disabled };
  });
  const cells = shown.map((row) => [
    row.id,
    row.email,
    row.name ?? '-',
    row.totp_enabled ? 'on' : 'off',
    row.email_verified ? 'yes' : 'no',
    row.disabled ? 'disabled' : 'active',
  ]);
  return { json: shown, lines: table(['ID', 'EMAIL', 'NAME', 'SECOND FACTOR', 'PROVEN', 'STATE'], cells) };
}

async function link(context: CommandContext, email: string): Promise<CommandAnswer> {
  const { clock, config } = context;
  const { publicUrl } = config;
  const made = await withDatabase(config, async (db) => {
    const user = await findUserOrFail(db, email);
    if (user.disabled)
      throw new CliError(
        `${user.email} is disabled. Enable the user first: npx postrider user enable ${user.email}`,
      );
    const link = await createLink(
      { db, clock, publicUrl },
      { userId: user.id, purpose: 'password', mailed: false },
    );
    if (link === undefined)
      throw new CliError(
        'Several links were created within the last hour. Use the latest link, or try again in an hour.',
        EXIT_FAILED,
      );
    await recordOperatorActionOn(db, context, user, 'user.link_created');
    return link;
  });
  return { json: { link: made }, lines: [made] };
}

async function totpOff(context: CommandContext, email: string): Promise<CommandAnswer> {
  const user = await withDatabase(context.config, async (db) => {
    const found = await findUserOrFail(db, email);
    await disableTotp(db, found.id);
    await recordOperatorActionOn(db, context, found, 'user.totp_disabled');
    return found;
  });
  return {
    json: { id: user.id, totp_enabled: false },
    lines: [`${user.email} now signs in with the password alone.`],
  };
}

/** Recorded in every organization that the user is a member of. */
export async function recordOperatorActionOn(
  db: Database,
  context: CommandContext,
  user: UserRow,
  action: string,
): Promise<void> {
  const ids = (await membershipsOf(db, user.id)).map(({ id }) => id);
  for (const organizationId of ids.length === 0 ? [null] : ids)
    await recordOperatorAction(db, context, {
      action,
      organizationId,
      targetId: user.id,
      targetName: user.email,
    });
}

export async function findUserOrFail(db: Database, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, accountEmail(email));
  if (!user) throw new CliError(`There is no user ${email}. See: npx postrider user list`, EXIT_FAILED);
  return user;
}
