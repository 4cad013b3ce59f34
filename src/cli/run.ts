/**
 * Parses a command line, runs the command and prints its answer. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { SchemaError } from '../database/errors.ts';
import { packageVersion } from '../processes/package-version.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Config, ConfigError } from '../runtime/config.ts';
import { EXIT_CONFIG, RefusedStart } from '../runtime/refused-start.ts';
import { closest } from './closest.ts';
import {
  CliError,
  type Command,
  type CommandContext,
  EXIT_FAILED,
  EXIT_USAGE,
  type Operator,
  type Options,
  parametersOf,
  usageOf,
} from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandsOfGroup, findCommand } from './find-command.ts';
import { helpFor, helpOf, overview } from './help.ts';
import { type LiveLine, TaskProgress } from './progress.ts';
import { startCommand } from './start-command.ts';

interface Terminal {
  /**
   * Called only when a command needs it, so that help works in any environment. `besideService`: without
   * another named installation, the command uses the one of this machine's service.
   */
  loadConfig(how: { readonly besideService: boolean }): Config;
  readonly clock: Clock;
  out(text: string): void;
  err(text: string): void;
  /** The rewritten line of a terminal, if there is one. */
  readonly live?: LiveLine | undefined;
  readonly operator: Operator;
  /** Aborted when the user interrupts a command that would continue. */
  readonly enough?: AbortSignal;
  readonly confirm?: CommandContext['confirm'];
  readonly onKey?: CommandContext['onKey'];
  readonly become: CommandContext['become'];
}

export async function runCli(argv: readonly string[], given: Terminal): Promise<number> {
  const terminal = withLine(given);
  try {
    const call = parseCall(argv);
    if (typeof call === 'string') {
      terminal.out(call);
      return 0;
    }
    const context = contextOf(terminal, call);
    const answer = await call.command.run(context, call.positionals, call.options);
    if (answer === null) return 0;
    terminal.out(call.json ? JSON.stringify(answer.json, null, 2) : answer.lines.join('\n'));
    return answer.exitCode ?? 0;
  } catch (error) {
    const code = report(error, terminal);
    if (argv[0] === startCommand.name && error instanceof RefusedStart) return EXIT_CONFIG;
    // With this flag, 2 means changes, so a usage error must return another code.
    return argv.includes('--detailed-exitcode') ? EXIT_FAILED : code;
  } finally {
    terminal.live?.clear();
  }
}

/** Output replaces the rewritten line. */
function withLine(terminal: Terminal): Terminal {
  const { live } = terminal;
  if (live === undefined) return terminal;
  const printing = (print: (text: string) => void) => (text: string) => {
    live.clear();
    print(text);
  };
  return {
    ...terminal,
    loadConfig: (how) => terminal.loadConfig(how),
    out: printing((text) => terminal.out(text)),
    err: printing((text) => terminal.err(text)),
  };
}

function contextOf(terminal: Terminal, { command, options, json }: Call): CommandContext {
  const besideService = command.isElsewhere !== true && options.url === undefined;
  const progress = new TaskProgress(terminal);
  let config: Config | undefined;
  // Loaded on demand: help and completion work in any environment.
  const loaded = () => {
    config ??= terminal.loadConfig({ besideService });
    return config;
  };
  return {
    get config() {
      return loaded();
    },
    clock: terminal.clock,
    json,
    say: (line, share) => (share === undefined ? terminal.out(line) : progress.report(line, share)),
    showProgress: (line, share) => {
      if (terminal.live !== undefined) progress.report(line, share);
    },
    warn: (line) => terminal.err(line),
    operator: terminal.operator,
    enough: terminal.enough ?? new AbortController().signal,
    confirm: terminal.confirm ?? null,
    onKey: terminal.onKey,
    become: (program) => {
      // Reports a wrong setting before the process starts.
      loaded();
      return terminal.become(program);
    },
  };
}

interface Call {
  readonly command: Command;
  readonly positionals: readonly string[];
  readonly options: Options;
  readonly json: boolean;
}

/** A string is text to show instead. */
function parseCall(argv: readonly string[]): Call | string {
  const [first = 'help'] = argv;
  if (argv.length === 0 || ['--help', '-h'].includes(first)) return overview(COMMANDS);
  if (['version', '--version', '-v', '-V'].includes(first)) return packageVersion();
  const asksForHelp = argv.includes('--help') || argv.includes('-h');
  if (asksForHelp && commandsOfGroup(COMMANDS, first).length > 0 && argv[1]?.startsWith('-'))
    return helpFor(COMMANDS, [first]);
  const command = findCommand(COMMANDS, argv);
  if (asksForHelp) return helpOf(command);
  const args = argv.slice(command.name.split(' ').length);
  const { values, positionals } = parseOptions(command, args);
  const { json, ...given } = values as Record<string, string | boolean | undefined>;
  const options: Options = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === true ? '' : (value as string)]),
  );
  checkComplete(command, positionals, options);
  return { command, positionals, options, json: json === true };
}

function parseOptions(command: Command, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  const all = parametersOf(command).options;
  for (const { word, value, short } of all)
    options[word.slice(2)] = {
      type: value === null ? 'boolean' : 'string',
      ...(short === null ? {} : { short }),
    };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = messageOf(error);
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (unknown === undefined) throw wrongUsage(command, message);
    const meant = closest(
      unknown,
      all.map(({ word }) => word),
    );
    throw wrongUsage(
      command,
      `There is no option ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    );
  }
}

function checkComplete(command: Command, positionals: readonly string[], options: Options): void {
  const { positionals: expected = [], optionalPositionals = [], required = {} } = command;
  const extra = positionals.slice(expected.length + optionalPositionals.length);
  if (extra.length > 0) throw wrongUsage(command, tooMany(command, extra));
  const missing = [
    ...expected.slice(positionals.length),
    ...Object.keys(required)
      .filter((name) => options[name] === undefined)
      .map((name) => `--${name}`),
  ];
  if (missing.length > 0) throw wrongUsage(command, `Missing: ${missing.join(', ')}.`);
}

/** `queue paus` is parsed as `queue` with an unexpected argument. */
function tooMany(command: Command, extra: readonly string[]): string {
  const names = commandsOfGroup(COMMANDS, command.name).map(({ name }) => name);
  const meant = closest(`${command.name} ${extra[0]}`, names);
  if (meant !== undefined)
    return `There is no command \`${command.name} ${extra[0]}\`. Did you mean \`${meant}\`?`;
  return `Too many arguments: ${extra.join(' ')}. Put quotes around a name with spaces.`;
}

function wrongUsage(command: Command, message: string): CliError {
  return new CliError(
    `${message}\nUsage: npx postrider ${usageOf(command)}\n\`npx postrider help ${command.name}\` explains it.`,
    EXIT_USAGE,
  );
}

/** Errors of the user or the machine are shown as a sentence; only bugs with a stack. */
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
