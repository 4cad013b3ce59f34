/** Finds the command for the typed words, or throws an error with a suggestion. */
import { closest } from './closest.ts';
import { CliError, type Command, EXIT_USAGE } from './command.ts';

/** The longest matching command: `queue pause` before `queue`. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command {
  const found = commandNamed(commands, words);
  if (found !== undefined) return found;
  throw new CliError(
    `${unknownWords(commands, words)}\n\`npx postrider help\` shows every command.`,
    EXIT_USAGE,
  );
}

export function commandNamed(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands
    .filter(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name)
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** The commands that consist of this word and another. */
export function commandsOfGroup(commands: readonly Command[], group: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

function unknownWords(commands: readonly Command[], words: readonly string[]): string {
  const [first = ''] = words;
  if (first.startsWith('-')) {
    const meant = closest(first, ['--help', '--version']);
    return `There is no option ${first} before a command.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
  }
  const typed = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  const meant = meantBy(commands, typed);
  const hint = meant.length === 0 ? '' : ` Did you mean ${meant.map((name) => `\`${name}\``).join(' or ')}?`;
  return `There is no command \`${typed.join(' ')}\`.${hint}`;
}

function meantBy(commands: readonly Command[], typed: readonly string[]): readonly string[] {
  const [first = ''] = typed;
  const names = commands.map(({ name }) => name);
  const near = closest(typed.join(' '), names);
  if (near !== undefined) return [near];
  const firstWords = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const group = closest(first, firstWords);
  if (group === undefined) return [];
  const inGroup = commandsOfGroup(commands, group).map(({ name }) => name);
  return names.includes(group) ? [group, ...inGroup] : inGroup;
}
