/** Reads a command line, runs the command and prints its answer. Exit codes: 0 done, 1 failed, 2 wrong usage. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { SchemaError } from '../../kit/database/errors.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { type Config, ConfigError } from '../../kit/runtime/config.ts';
import { packageVersion } from '../package-version.ts';
import { applyCommands } from './apply-commands.ts';
import { backupCommands } from './backup-command.ts';
import { canaryCommands } from './canary-commands.ts';
import { cellCommands } from './cell-commands.ts';
import {
  CliError,
  type Command,
  EXIT_FAILED,
  EXIT_USAGE,
  type Operator,
  type Options,
  usageOf,
  type World,
} from './command.ts';
import { contentCommands } from './content-commands.ts';
import { discardCommand } from './discard-command.ts';
import { dkimCommand } from './dkim-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { domainCommands } from './domain-commands.ts';
import { eventCommands } from './event-commands.ts';
import { holdCommands } from './hold-commands.ts';
import { inboundCommands } from './inbound-commands.ts';
import { keyCommands } from './key-commands.ts';
import { listenCommand } from './listen/listen-command.ts';
import { mcpCommand } from './mcp-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { moveCommand } from './move-command.ts';
import { organizationCommands } from './organization-commands.ts';
import { verifyProofCommand } from './proof-command.ts';
import { queueCommands } from './queue-commands.ts';
import { recipientCommands } from './recipient-commands.ts';
import { restoreCommand } from './restore-command.ts';
import { secretCommands } from './secret-commands.ts';
import { setUpCommand } from './setup-command.ts';
import { startCommand } from './start-command.ts';
import { statusCommand } from './status-command.ts';
import { templatesCommands } from './templates-commands.ts';
import { undoCommands } from './undo-commands.ts';
import { userCommands } from './user-commands.ts';

const COMMANDS: readonly Command[] = [
  startCommand,
  ...organizationCommands,
  ...cellCommands,
  moveCommand,
  ...keyCommands,
  ...domainCommands,
  setUpCommand,
  ...userCommands,
  ...applyCommands,
  ...templatesCommands,
  ...holdCommands,
  ...undoCommands,
  ...canaryCommands,
  discardCommand,
  ...queueCommands,
  ...secretCommands,
  ...recipientCommands,
  ...eventCommands,
  listenCommand,
  mcpCommand,
  verifyProofCommand,
  ...contentCommands,
  ...inboundCommands,
  statusCommand,
  doctorCommand,
  dkimCommand,
  migrateCommand,
  ...backupCommands,
  restoreCommand,
];

export interface Terminal {
  /** Called only when a command needs it, so that help works whatever the environment holds. */
  loadConfig(): Config;
  readonly clock: Clock;
  out(text: string): void;
  err(text: string): void;
  readonly operator: Operator;
  /** Aborted when the person has seen enough of a command that would go on. */
  readonly enough?: AbortSignal;
  readonly confirm?: World['confirm'];
  readonly onKey?: World['onKey'];
  readonly become: World['become'];
}

export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const call = parseCall(argv);
    if (typeof call === 'string') {
      terminal.out(call);
      return 0;
    }
    const world = worldOf(terminal, call);
    const answer = await call.command.run(world, call.positionals, call.options);
    if (answer === null) return 0;
    terminal.out(call.json ? JSON.stringify(answer.json, null, 2) : answer.lines.join('\n'));
    return answer.exitCode ?? 0;
  } catch (error) {
    const code = report(error, terminal);
    // There 2 means that something would change, which a mistyped command must not be taken for.
    return argv.includes('--detailed-exitcode') ? EXIT_FAILED : code;
  }
}

function worldOf(terminal: Terminal, { json }: Call): World {
  return {
    config: terminal.loadConfig(),
    clock: terminal.clock,
    json,
    say: (line) => terminal.out(line),
    warn: (line) => terminal.err(line),
    operator: terminal.operator,
    enough: terminal.enough ?? new AbortController().signal,
    confirm: terminal.confirm ?? null,
    onKey: terminal.onKey,
    become: terminal.become,
  };
}

interface Call {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly options: Options;
  readonly json: boolean;
}

/** A string is the help to show instead. */
function parseCall(argv: readonly string[]): Call | string {
  if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')) return help();
  if (['version', '--version', '-v'].includes(argv[0] ?? '')) return packageVersion();
  const command = findCommand(argv);
  if (argv.includes('--help') || argv.includes('-h')) {
    return `Usage: npx postrider ${usageOf(command)} [--json]\n\n${command.summary}.`;
  }
  const args = argv.slice(command.name.split(' ').length);
  const { values, positionals } = parseOptions(command, args);
  const { json, ...given } = values as Record<string, string | boolean | undefined>;
  const options: Options = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === true ? '' : (value as string)]),
  );
  checkComplete(command, positionals, options);
  return { command, positionals, options, json: json === true };
}

function findCommand(argv: readonly string[]): Command {
  const found = COMMANDS.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name);
  if (found !== undefined) return found;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${argv[0]} `));
  const hint =
    group.length > 0
      ? `Did you mean ${group.map(({ name }) => `\`${name}\``).join(' or ')}?`
      : '`npx postrider help` shows what there is.';
  throw new CliError(`There is no command \`${argv.slice(0, 2).join(' ')}\`. ${hint}`, EXIT_USAGE);
}

function parseOptions(command: Command, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = { json: { type: 'boolean' } };
  for (const name of Object.keys({ ...command.required, ...command.optional }))
    options[name] = { type: 'string', ...(command.short?.[name] ? { short: command.short[name] } : {}) };
  for (const name of command.flags ?? []) options[name] = { type: 'boolean' };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw wrongUsage(command, error instanceof Error ? error.message : String(error));
  }
}

function checkComplete(command: Command, positionals: readonly string[], options: Options): void {
  const missing = [
    ...command.positionals.slice(positionals.length),
    ...Object.keys(command.required)
      .filter((name) => options[name] === undefined)
      .map((name) => `--${name}`),
  ];
  if (missing.length > 0) throw wrongUsage(command, `Missing: ${missing.join(', ')}.`);
  const most = command.positionals.length + (command.optionalPositionals?.length ?? 0);
  const extra = positionals.slice(most);
  if (extra.length > 0) {
    throw wrongUsage(
      command,
      `Too many arguments: ${extra.join(' ')}. Put quotes around a name with spaces.`,
    );
  }
}

function wrongUsage(command: Command, message: string): CliError {
  return new CliError(`${message}\nUsage: npx postrider ${usageOf(command)}`, EXIT_USAGE);
}

function help(): string {
  const usages = COMMANDS.map((command) => [`  ${usageOf(command)}`, `      ${command.summary}`]);
  return [
    'Usage: npx postrider COMMAND [--json]',
    '',
    ...usages.flat(),
    '',
    'It works on the installation that DATABASE_URL or the data folder (POSTRIDER_DATA_DIR) names.',
    '--json prints the answer for programs. Exit codes: 0 done, 1 failed, 2 wrong usage.',
  ].join('\n');
}

/** Mistakes of the person or their machine are told in a sentence; only ours come with a stack. */
function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CliError) {
    terminal.err(error.message);
    return error.exitCode;
  }
  const expected = error instanceof ConfigError || error instanceof SchemaError;
  terminal.err(expected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message));
  return EXIT_FAILED;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
