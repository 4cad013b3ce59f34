/** What commands answer where the database does not. */
import { expect, it } from 'vitest';
import { runCommand } from '../../test/support/command-line.ts';
import { COMMANDS } from './commands.ts';

/** Commands that do not use the database, or whose example names a file that they read first. */
const WITHOUT_DATABASE = [
  ...['start', 'help', 'completion', 'verify-proof', 'mcp', 'listen', 'doctor'],
  ...['apply', 'apply export', 'templates push', 'backup check', 'dkim', 'content bring-back'],
];
const asking = COMMANDS.filter(({ name }) => !WITHOUT_DATABASE.includes(name));

it.each(asking.map((command) => [command.name, command.example]))(
  '%s says in one sentence that the database cannot be reached',
  async (_name, example) => {
    const [typed = ''] = example.split(' > ');
    const argv = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
    const env = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.9:1/x', POSTRIDER_SECRET_KEY: 'k'.repeat(43) };
    const { code, err } = await runCommand(argv, env);
    expect(err).toBe(
      'The database in DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.9:1. Check that it runs and that the address is right.',
    );
    expect(code).toBe(1);
  },
);
