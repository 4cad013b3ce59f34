/** The possible completions after each command, for every shell. */
import { type Command, type CommandParameter, parametersOf } from '../command.ts';
import { explained } from '../help.ts';

/** Placeholders of file and folder values. */
const PATHS = ['FILE', 'FOLDER'];

export interface Word {
  readonly text: string;
  readonly about: string;
}

/** Possible values: choices, paths, or (both empty) any text. */
export interface Values {
  readonly words: readonly string[];
  readonly arePaths: boolean;
}

export interface CompletedOption extends Word {
  readonly short: string | null;
  /** Null for an option without a value. */
  readonly values: Values | null;
}

export interface CompletedCommand {
  readonly name: string;
  readonly options: readonly CompletedOption[];
  /** In order. */
  readonly arguments: readonly Values[];
}

export function completedCommands(commands: readonly Command[]): readonly CompletedCommand[] {
  return commands.map((command) => {
    const { arguments: positionals, options } = parametersOf(command);
    const names = commands.map(({ name }) => name);
    return {
      name: command.name,
      options: options.map((one) => ({
        text: one.word,
        about: explained(command, one) ?? '',
        short: one.short === null ? null : `-${one.short}`,
        values: one.value === null ? null : valuesOf(one, one.value),
      })),
      arguments:
        command.name === 'help'
          ? [{ words: firstWords(names), arePaths: false }]
          : positionals.map((one) => valuesOf(one, one.word)),
    };
  });
}

/** The first words after `postrider`, each with its summary. */
export function wordsAtFirst(commands: readonly Command[]): readonly Word[] {
  return firstWords(commands.map(({ name }) => name)).map((text) => ({
    text,
    about: commands.find(({ name }) => name === text)?.summary ?? groupWords(commands, text),
  }));
}

/** First words with subcommands, and these. */
export function groups(commands: readonly Command[]): ReadonlyMap<string, readonly Word[]> {
  const found = new Map<string, Word[]>();
  for (const { name, summary } of commands) {
    const [first = '', second] = name.split(' ');
    if (second === undefined) continue;
    found.set(first, [...(found.get(first) ?? []), { text: second, about: summary }]);
  }
  return found;
}

function firstWords(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(' ')[0] ?? ''))].toSorted();
}

function groupWords(commands: readonly Command[], group: string): string {
  return (groups(commands).get(group) ?? []).map(({ text }) => text).join(', ');
}

function valuesOf({ choices }: CommandParameter, placeholder: string): Values {
  return { words: choices, arePaths: PATHS.includes(placeholder) };
}

/** One word of bash or zsh. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
