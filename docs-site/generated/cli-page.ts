/** The part of docs/reference/cli.md that comes from the table of commands. */
import { type Command, parametersOf, usageOf } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { explanationOf, typedAs } from '../../src/cli/help.ts';
import { block, code, prose, table } from '../reference/markdown.ts';
import { replaceBlock } from './block.ts';

export const CLI_PAGE = 'docs/reference/cli.md';

/** Headings, with the first words of the commands below each. */
const GROUPS: readonly (readonly [title: string, firstWords: readonly string[]])[] = [
  ['Start and upgrade', ['start', 'setup-link', 'migrate', 'completion', 'help']],
  ['Status and diagnosis', ['status', 'doctor', 'certificates']],
  ['Domains', ['domain', 'dkim']],
  ['API keys', ['key']],
  ['Users', ['user']],
  ['Organizations and cells', ['org', 'cell']],
  ['Configuration and templates as files', ['apply', 'templates']],
  ['Send and look up mail', ['send', 'events', 'listen', 'mcp', 'verify-proof']],
  ['Suppressions', ['suppression']],
  ['Webhooks', ['webhook']],
  ['Hold and undo', ['hold', 'release', 'discard', 'incident', 'undo']],
  ['The queue', ['queue']],
  ['Canaries', ['canary']],
  ['Received mail', ['inbound']],
  ['Backups and stored content', ['backup', 'restore', 'content']],
  ['Secret keys', ['secret']],
  ['Personal data', ['erase', 'export']],
];

export function withCommands(page: string): string {
  const known = new Set(GROUPS.flatMap(([, words]) => words));
  const homeless = COMMANDS.find(({ name }) => !known.has(firstWordOf(name)));
  if (homeless) throw new Error(`The command ${homeless.name} has no group: add one to cli-page.ts.`);
  const groups = GROUPS.map(([title, words]) => groupText(title, membersOf(words)));
  return replaceBlock(CLI_PAGE, page, 'commands', () => groups.join('\n\n'));
}

function firstWordOf(name: string): string {
  return name.split(' ')[0] ?? '';
}

/** A group's own command comes before those of two words: `queue` before `queue pause`. */
function membersOf(words: readonly string[]): Command[] {
  return words.flatMap((word) => {
    const all = COMMANDS.filter(({ name }) => firstWordOf(name) === word);
    return all.toSorted((a, b) => Number(b.name === word) - Number(a.name === word));
  });
}

function groupText(title: string, commands: readonly Command[]): string {
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
