/** For operators who lost the link that `npm start` printed, or run the roles separately. */
import { setUpLink, setUpToken } from '../accounts/users/first-user.ts';
import { hasUsers } from '../accounts/users/store.ts';
import { CliError, type Command, type CommandAnswer, type CommandContext, EXIT_FAILED } from './command.ts';
import { openKeyRing, withDatabase } from './installation.ts';

export const setUpCommand: Command = {
  name: 'setup-link',
  summary: 'Print the link for creating the first user; the link works until there is a user',
  example: 'setup-link',
  run,
};

async function run({ config }: CommandContext): Promise<CommandAnswer> {
  const ring = await withDatabase(config, async (db) =>
    (await hasUsers(db)) ? null : openKeyRing(db, config),
  );
  if (ring === null) {
    const message =
      'The first user already exists. `npx postrider user list` shows the users, and `npx postrider user link EMAIL` gives them a link to sign in.';
    throw new CliError(message, EXIT_FAILED);
  }
  const link = setUpLink(config.publicUrl, setUpToken(ring.first));
  return { json: { link }, lines: [link] };
}
