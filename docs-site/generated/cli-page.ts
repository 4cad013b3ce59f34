/** The part of docs/reference/cli.md that comes from the table of commands. */
import { type Command, parametersOf, usageOf } from '../../src/cli/command.ts';
import { COMMAND_GROUPS, type CommandGroup } from '../../src/cli/commands.ts';
import { explanationOf, typedAs } from '../../src/cli/help.ts';
import { block, code, prose, table } from '../reference/markdown.ts';
import { replaceBlock } from './block.ts';

export const CLI_PAGE = 'docs/reference/cli.md';

export function withCommands(page: string): string {
  const groups = COMMAND_GROUPS.map(groupText);
  return replaceBlock(CLI_PAGE, page, 'commands', () => groups.join('\n\n'));
}

function groupText({ title, commands }: CommandGroup): string {
  return [`## ${title}`, ...commands.map(section)].join('\n\n');
}

function section(command: Command): string {
  const { arguments: positionals, options } = parametersOf(command);
  const required = new Set([
    ...(command.positionals ?? []),
    ...Object.keys(command.required ?? {}).map((name) => `--${name}`),
  ]);
  const rows = [...positionals, ...options].map((one) => [
    code(typedAs(one)),
    required.has(one.word) ? 'yes' : '',
    prose(explanationOf(command, one)),
  ]);
  return [
    `### \`${command.name}\``,
    `${prose(command.summary)}.`,
    block('text', `npx postrider ${usageOf(command)}`),
    ...(rows.length === 0 ? [] : [table(['Argument or option', 'Required', 'Meaning'], rows)]),
    'Example:',
    block('sh', `npx postrider ${command.example}`),
  ].join('\n\n');
}
