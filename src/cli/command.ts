/** What a command of `npx postrider` is: words, options, and a function from arguments to something to print. */
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Say } from '../runtime/say.ts';

/** A process that keeps running: the supervisor of everything, or one role alone. */
export type StartProgram = 'start' | 'api' | 'worker' | 'inbound' | 'submission';

/** Whoever types, as the operating system knows them. */
export interface Operator {
  readonly user: string;
  readonly machine: string;
}

export interface CommandContext {
  readonly config: Config;
  readonly clock: Clock;
  /** Whether the answer is for programs. */
  readonly json: boolean;
  /** For a command that tells as it goes: one line at a time. */
  readonly say: Say;
  /** How far a command is whose output is its answer alone: on a terminal only. */
  readonly showProgress: (line: string, share: number) => void;
  /** What went wrong beside what was asked for. */
  readonly warn: (line: string) => void;
  readonly operator: Operator;
  /** Aborted when the person has seen enough. */
  readonly enough: AbortSignal;
  /** Asks the person; null where nobody is there to answer. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
  /** Hears single keys until the function it gives is called; undefined where nobody is there to press any. */
  readonly onKey?: ((hear: (key: string) => void) => () => void) | undefined;
  /** Turns this process into that one; resolves when it has started. */
  readonly become: (program: StartProgram) => Promise<void>;
}

/** Every command can be read by people (`lines`) and by programs (`json`). */
export interface CommandAnswer {
  readonly json: unknown;
  readonly lines: readonly string[];
  readonly exitCode?: number;
}

/** A flag that was given is the empty text. */
export type Options = Readonly<Record<string, string | undefined>>;

export interface Command {
  /** How it is called, `key revoke`. */
  readonly name: string;
  /** Each must be given, in this order. */
  readonly positionals: readonly string[];
  /** After those, and may be left out. */
  readonly optionalPositionals?: readonly string[];
  /** Option name to the word that stands for its value in the help. */
  readonly required: Readonly<Record<string, string>>;
  readonly optional: Readonly<Record<string, string>>;
  /** One letter for an option that takes a value. */
  readonly short?: Readonly<Record<string, string>>;
  /** Options without a value. */
  readonly flags?: readonly string[];
  readonly summary: string;
  /** It is about no installation of this machine: an API elsewhere, a file, or a start of its own. */
  readonly isElsewhere?: true;
  /** What each argument and option is for, by its word in the usage: `SCOPE`, `--org`. Those of SHARED in help.ts may be left out. */
  readonly explains?: Readonly<Record<string, string>>;
  /** The values that an argument or option may have, by the same word, where the usage does not list them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** As it is typed after `npx postrider`. */
  readonly example: string;
  /** False where the command has no answer for programs, and --json is refused. */
  readonly json?: false;
  /** Resolves to null when everything was said already. */
  run(world: CommandContext, positionals: readonly string[], options: Options): Promise<CommandAnswer | null>;
}

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** Said to the person on stderr as it is: what happened, and what to do. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_FAILED) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** What a column of counts holds. */
const MAX_COUNT = 2_000_000_000;

/** `name`: what the usage calls it. */
export function parseCount(name: string, given: string, max: number = MAX_COUNT): number {
  const count = Number(given);
  if (/^\d+$/.test(given) && count <= max) return count;
  throw new CliError(`${name} must be a whole number from 0 to ${max}, not ${given}.`, EXIT_USAGE);
}

/** What --org is for where a command finds the organization if there is one alone. */
export const ONLY_ORGANIZATION = 'the organization, by its id; may be left out where there is only one';

/** An argument or option of a command. */
export interface CommandParameter {
  /** `SCOPE`, or `--org`. */
  readonly word: string;
  /** What stands for the value of an option, null for a flag and for an argument. */
  readonly value: string | null;
  /** As in `-f`. */
  readonly short: string | null;
  /** Empty where any value may be given. */
  readonly choices: readonly string[];
}

/** In the order of the usage. */
export function parametersOf(command: Command): {
  arguments: CommandParameter[];
  options: CommandParameter[];
} {
  const choicesOf = (word: string, value: string) =>
    command.choices?.[word] ?? (value.includes('|') ? value.split('|') : []);
  const positionals = [...command.positionals, ...(command.optionalPositionals ?? [])];
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
  const named = (options: Readonly<Record<string, string>>) =>
    Object.entries(options).map(([name, value]) => {
      const short = command.short?.[name];
      return `${short === undefined ? '' : `-${short}|`}--${name} ${value}`;
    });
  return [
    command.name,
    ...command.positionals,
    ...(command.optionalPositionals ?? []).map((one) => `[${one}]`),
    ...named(command.required),
    ...named(command.optional).map((one) => `[${one}]`),
    ...(command.flags ?? []).map((one) => `[--${one}]`),
    ...(command.json === false ? [] : ['[--json]']),
  ].join(' ');
}
