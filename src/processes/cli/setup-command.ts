/** For those who lost the link that `npm start` printed, or run the roles separately. */
import { setUpLink, setUpToken } from '../../accounts/users/set-up.ts';
import { hasUsers } from '../../accounts/users/store.ts';
import { loadKeyRing } from '../../kit/runtime/key-store.ts';
import { CliError, type Command, type CommandAnswer, EXIT_FAILED, type World } from './command.ts';
import { withDatabase } from './installation.ts';

export const setUpCommand: Command = {
  name: 'setup-link',
  positionals: [],
  required: {},
  optional: {},
  summary: 'Print the link for creating the first user; it works until there is one',
  run,
};

async function run({ config }: World): Promise<CommandAnswer> {
  if (await withDatabase(config, hasUsers)) {
    const message =
      'There is already a user. `npx postrider user list` shows who, `user link EMAIL` lets them back in.';
    throw new CliError(message, EXIT_FAILED);
  }
  const link = setUpLink(config.publicUrl, setUpToken(loadKeyRing(config).first));
  return { json: { link }, lines: [link] };
}
