/** `npx postrider help` needs no installation, so it works in any environment. */
import type { Command } from './command.ts';
import { helpFor } from './help.ts';

/** `commands` is a function, because the table is complete only later. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    optionalPositionals: ['COMMAND', 'SUBCOMMAND'],
    summary: 'Explain a command with every option and an example, or list all commands',
    explains: {
      COMMAND: 'the command, or the first word of several: key',
      SUBCOMMAND: 'the second word of the command: create',
    },
    example: 'help key create',
    json: false,
    run: async (_world, words) => ({ json: null, lines: [helpFor(commands(), words)] }),
  };
}
