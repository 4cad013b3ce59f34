/** The completion script for fish: a line for each pair of words. */
import type { Command } from '../command.ts';
import {
  type CompletedCommand,
  type CompletedOption,
  completedCommands,
  groups,
  type Values,
  type Word,
  wordsAtFirst,
} from './completed.ts';

export function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => quoted(name)).join(' ');
  const all = completedCommands(commands);
  return `# Completes postrider in fish. Save it as ~/.config/fish/completions/postrider.fish
function __postrider_words
  set -l words (commandline -opc)
  set -e words[1]
  test "$words" = "$argv"
end

function __postrider_is
  set -l words (commandline -opc)
  set -e words[1]
  set -l found "$words[1]"
  set -q words[2]; and contains -- "$words[1] $words[2]" ${names}; and set found "$words[1] $words[2]"
  test "$found" = "$argv"
end

complete -c postrider -f
${wordsAtFirst(commands)
  .map((word) => following('', word))
  .join('\n')}
${[...groups(commands)].flatMap(([group, words]) => words.map((word) => following(group, word))).join('\n')}
${all.flatMap(linesOf).join('\n')}
`;
}

function following(before: string, { text, about }: Word): string {
  const condition = quoted(`__postrider_words ${before}`.trimEnd());
  return `complete -c postrider -n ${condition} -a ${text} -d ${quoted(about)}`;
}

function linesOf({ name, options, arguments: positionals }: CompletedCommand): string[] {
  const condition = `-n ${quoted(`__postrider_is ${name}`)}`;
  return [
    ...options.map((option) => `complete -c postrider ${condition} ${optionWords(option)}`),
    ...positionals
      .map(valueWords)
      .filter((words) => words !== '')
      .map((words) => `complete -c postrider ${condition} ${words}`),
  ];
}

function optionWords({ text, short, values, about }: CompletedOption): string {
  const names = `${short === null ? '' : `-s ${short.slice(1)} `}-l ${text.slice(2)}`;
  const value = values === null ? '' : ` ${values.arePaths ? '-r' : '-x'} ${valueWords(values)}`.trimEnd();
  return `${names}${value} -d ${quoted(about)}`;
}

function valueWords({ words, arePaths }: Values): string {
  if (arePaths) return '-F';
  return words.length === 0 ? '' : `-a ${quoted(words.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
