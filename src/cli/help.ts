/** The output of `npx postrider help`, generated from the table of commands. */
import {
  CliError,
  type Command,
  type CommandParameter,
  EXIT_USAGE,
  parametersOf,
  usageOf,
} from './command.ts';
import { commandNamed, commandsOfGroup, findCommand } from './find-command.ts';

/** Words that mean the same in every command. */
const SHARED: Readonly<Record<string, string>> = {
  '--org': 'the organization, by its id; `npx postrider org list` shows the ids',
  '--yes': 'make the change; without this option, the command only shows it',
  '--json': 'print the result as JSON',
};

export function overview(commands: readonly Command[]): string {
  const usages = commands.flatMap((command) => [`  ${usageOf(command)}`, `      ${command.summary}`]);
  return [
    'Usage: npx postrider COMMAND',
    '',
    ...usages,
    '',
    '`npx postrider help COMMAND` explains every option, with an example.',
    'A command works on the installation that DATABASE_URL or the data folder (POSTRIDER_DATA_DIR) names. If nothing names one, it',
    'works on the installation of this machine’s systemd service. POSTRIDER_ENV_FILE names a settings file to use instead of .env.',
    'Relative paths are resolved against the folder that you call the command from.',
    'Exit codes: 0 success, 1 failure, 2 wrong usage.',
  ].join('\n');
}

/** The help of a command, of a group such as `key`, or of everything. */
export function helpFor(commands: readonly Command[], words: readonly string[]): string {
  if (words.length === 0) return overview(commands);
  const [first = ''] = words;
  const command = commandNamed(commands, words);
  const inGroup = commandsOfGroup(commands, first);
  if (command === undefined && (inGroup.length === 0 || words.length > 1))
    return helpOf(findCommand(commands, words));
  if (command !== undefined && command.name.split(' ').length < words.length)
    throw new CliError(
      `There is no command \`${words.join(' ')}\`. See: npx postrider help ${command.name}`,
      EXIT_USAGE,
    );
  const others = inGroup.filter((one) => one !== command);
  const listed = others.flatMap((one) => [`  ${usageOf(one)}`, `      ${one.summary}`]);
  if (command === undefined) return [`Usage: npx postrider ${first} COMMAND`, '', ...listed].join('\n');
  return [helpOf(command), ...(listed.length === 0 || command.name !== first ? [] : ['', ...listed])].join(
    '\n',
  );
}

export function helpOf(command: Command): string {
  const { arguments: positionals, options } = parametersOf(command);
  const all = [...positionals, ...options];
  const shown = all.map((one) => ({ typed: typedAs(one), text: explanationOf(command, one) }));
  const width = Math.max(0, ...shown.map(({ typed }) => typed.length));
  return [
    `Usage: npx postrider ${usageOf(command)}`,
    '',
    `${command.summary}.`,
    '',
    ...shown.map(({ typed, text }) => `  ${typed.padEnd(width)}  ${text}`),
    ...(shown.length === 0 ? [] : ['']),
    'Example:',
    `  npx postrider ${command.example}`,
  ].join('\n');
}

/** Undefined without an explanation. */
export function explained(command: Command, { word }: CommandParameter): string | undefined {
  return command.explains?.[word] ?? SHARED[word];
}

/** The explanation with the permitted values, where the usage does not list them. */
export function explanationOf(command: Command, parameter: CommandParameter): string {
  const text = explained(command, parameter) ?? '';
  const { choices, value, word } = parameter;
  const isInUsage = (value ?? word).includes('|');
  return choices.length === 0 || isInUsage ? text : `${text}: ${choices.join(', ')}`;
}

/** For example `-f, --file FILE`. */
export function typedAs({ word, value, short }: CommandParameter): string {
  return `${short === null ? '' : `-${short}, `}${word}${value === null ? '' : ` ${value}`}`;
}
