/**
 * The definition of a command of `npx postrider`: its usage, its options, and a function from arguments to an
 * answer.
 */
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Say } from '../runtime/say.ts';

/** A long-running process: the supervisor, or a single role. */
export type StartProgram = 'start' | 'api' | 'worker' | 'smtp' | 'inbound' | 'submission';

/** The user at the terminal, as the operating system reports them. */
export interface Operator {
  readonly user: string;
  readonly machine: string;
}

export interface CommandContext {
  readonly config: Config;
  readonly clock: Clock;
  /** Whether the output is for programs. */
  readonly json: boolean;
  /** Prints one line at a time, for commands that report as they run. */
  readonly say: Say;
  /** Shows progress on a terminal only, for commands whose output is their answer alone. */
  readonly showProgress: (line: string, share: number) => void;
  /** Prints a problem besides the answer. */
  readonly warn: (line: string) => void;
  readonly operator: Operator;
  /** Aborted when the user interrupts. */
  readonly enough: AbortSignal;
  /** Asks the user; null without an interactive terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
  /**
   * Reports single key presses until the returned function is called; undefined without an interactive
   * terminal.
   */
  readonly onKey?: ((hear: (key: string) => void) => () => void) | undefined;
  /** Starts that program in this process; resolves when it has started. */
  readonly become: (program: StartProgram) => Promise<void>;
}

/** An answer for people (`lines`) and for programs (`json`). */
export interface CommandAnswer {
  readonly json: unknown;
  readonly lines: readonly string[];
  readonly exitCode?: number;
}

/** A flag that is set has the empty text. */
export type Options = Readonly<Record<string, string | undefined>>;

export interface Command {
  /** The words of the command, `key revoke`. */
  readonly name: string;
  /** Required arguments, in order. */
  readonly positionals?: readonly string[];
  /** Optional arguments after the required ones. */
  readonly optionalPositionals?: readonly string[];
  /** Each option with the word for its value in the help. */
  readonly required?: Readonly<Record<string, string>>;
  readonly optional?: Readonly<Record<string, string>>;
  /** One-letter forms of options with a value. */
  readonly short?: Readonly<Record<string, string>>;
  /** Options without a value. */
  readonly flags?: readonly string[];
  readonly summary: string;
  /** The command does not use this machine's installation, but a remote API, a file, or its own start. */
  readonly isElsewhere?: true;
  /**
   * Explains each argument and option by its word in the usage: `SCOPE`, `--org`. Those in SHARED of help.ts
   * are optional.
   */
  readonly explains?: Readonly<Record<string, string>>;
  /** Permitted values of an argument or option, by the same word, where the usage does not list them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** As typed after `npx postrider`. */
  readonly example: string;
  /** False for commands without an answer for programs; --json is then refused. */
  readonly json?: false;
  /** Resolves to null when everything was already printed. */
  run(
    context: CommandContext,
    positionals: readonly string[],
    options: Options,
  ): Promise<CommandAnswer | null>;
}

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** Shown to the user on stderr as it is: the problem and what to do. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_FAILED) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** The range of an integer column. */
const MAX_COUNT = 2_000_000_000;

/** `name` is the argument's name in the usage. */
export function parseCount(name: string, given: string, max: number = MAX_COUNT): number {
  const count = Number(given);
  if (/^\d+$/.test(given) && count <= max) return count;
  throw new CliError(`${name} must be a whole number from 0 to ${max}, not ${given}.`, EXIT_USAGE);
}

/** Explains --org for commands where a single organization is the default. */
export const ONLY_ORGANIZATION = 'the organization, by its id; optional if there is only one';

/** An argument or option of a command. */
export interface CommandParameter {
  /** `SCOPE`, or `--org`. */
  readonly word: string;
  /** The placeholder of an option's value; null for flags and arguments. */
  readonly value: string | null;
  /** For example `-f`. */
  readonly short: string | null;
  /** Empty when any value is permitted. */
  readonly choices: readonly string[];
}

/** In the order of the usage. */
export function parametersOf(command: Command): {
  arguments: CommandParameter[];
  options: CommandParameter[];
} {
  const choicesOf = (word: string, value: string) =>
    command.choices?.[word] ?? (value.includes('|') ? value.split('|') : []);
  const positionals = [...(command.positionals ?? []), ...(command.optionalPositionals ?? [])];
  const valued = Object.entries({ ...command.required, ...command.optional });
  const flags = [...(command.flags ?? []), ...(command.json === false ? [] : ['json'])];
  return {
    arguments: positionals.map((word) => ({
      ...{ word, value: null, short: null },
      choices: choicesOf(word, word),
    })),
    options: [
      ...valued.map(([name, value]) => ({
        ...{ word: `--${name}`, value, short: command.short?.[name] ?? null },
        choices: choicesOf(`--${name}`, value),
      })),
      ...flags.map((name) => ({ word: `--${name}`, value: null, short: null, choices: [] })),
    ],
  };
}

export function usageOf(command: Command): string {
  const named = (options: Readonly<Record<string, string>> = {}) =>
    Object.entries(options).map(([name, value]) => {
      const short = command.short?.[name];
      return `${short === undefined ? '' : `-${short}|`}--${name} ${value}`;
    });
  return [
    command.name,
    ...(command.positionals ?? []),
    ...(command.optionalPositionals ?? []).map((one) => `[${one}]`),
    ...named(command.required),
    ...named(command.optional).map((one) => `[${one}]`),
    ...(command.flags ?? []).map((one) => `[--${one}]`),
    ...(command.json === false ? [] : ['[--json]']),
  ].join(' ');
}
