/** `npx postrider completion` prints a shell's completion script, generated from the table of commands. */

import { closest } from '../closest.ts';
import { CliError, type Command, EXIT_USAGE } from '../command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
const SHELLS = Object.keys(SCRIPTS);

/** `commands` is a function, because the table is complete only later. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    positionals: ['SHELL'],
    summary: 'Print a script that completes commands, options and their values in bash, zsh or fish',
    explains: { SHELL: 'the shell that the script is for' },
    choices: { SHELL: SHELLS },
    example: 'completion bash > ~/.local/share/bash-completion/completions/postrider',
    json: false,
    run: async (_world, [shell = '']) => ({
      json: null,
      lines: [scriptFor(shell)(commands()).trimEnd()],
    }),
  };
}

function scriptFor(shell: string) {
  const script = SCRIPTS[shell];
  if (script !== undefined) return script;
  const meant = closest(shell, SHELLS);
  const hint = meant === undefined ? `SHELL must be one of ${SHELLS.join(', ')}` : `Did you mean ${meant}`;
  throw new CliError(
    `There is no completion for \`${shell}\`. ${hint}${meant === undefined ? '.' : '?'}`,
    EXIT_USAGE,
  );
}
