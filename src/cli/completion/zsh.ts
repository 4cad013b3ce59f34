/** The completion script for zsh: the data of the bash script, with explanations. */
import type { Command } from '../command.ts';
import {
  type CompletedCommand,
  completedCommands,
  groups,
  shellQuoted,
  type Values,
  type Word,
  wordsAtFirst,
} from './completed.ts';

export function zshScript(commands: readonly Command[]): string {
  const seconds = [...groups(commands)].map(
    ([group, words]) => `    ${shellQuoted(group)}) seconds=(${described(words)}) ;;`,
  );
  return `#compdef postrider
# Completes postrider in zsh. Save it as _postrider in a folder of $fpath, or: source <(postrider completion zsh)
_postrider_about() {
  case "$1" in
${completedCommands(commands).map(caseOf).join('\n')}
    (*) return 1 ;;
  esac
}

_postrider_values() {
  if [[ $1 == :paths: ]]; then _files; elif [[ -n $1 ]]; then compadd -- \${=1}; fi
}

_postrider_second() {
  case "$1" in
${seconds.join('\n')}
  esac
}

_postrider() {
  local -a firsts seconds options valued arguments
  local -i from=3 argument=1 i
  local values= previous=$words[CURRENT-1]
  firsts=(${described(wordsAtFirst(commands))})
${READING}
}

if [ "$funcstack[1]" = _postrider ]; then _postrider "$@"; else compdef _postrider postrider; fi
`;
}

const READING = `  if (( CURRENT == 2 )); then
    _describe 'command' firsts
    return
  fi
  if (( CURRENT > 3 )) && _postrider_about "$words[2] $words[3]"; then
    from=4
  else
    _postrider_about "$words[2]"
    (( CURRENT == 3 )) && _postrider_second "$words[2]"
  fi
  if (( $valued[(Ie)$previous] )); then
    _postrider_values "$values"
    return
  fi
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o 'option' options
    return
  fi
  for (( i = from; i < CURRENT; i++ )); do
    if (( $valued[(Ie)$words[i]] )); then
      i+=1
    elif [[ $words[i] != -* ]]; then
      argument+=1
    fi
  done
  (( $#seconds )) && _describe 'command' seconds
  if [[ -n $arguments[argument] ]]; then
    _postrider_values "$arguments[argument]"
  elif (( ! $#seconds )); then
    _describe -o 'option' options
  fi`;

function caseOf({ name, options, arguments: positionals }: CompletedCommand): string {
  const valued = options.filter(({ values }) => values !== null);
  const words = valued.flatMap(({ text, short }) => [text, ...(short === null ? [] : [short])]);
  const choices = valued.flatMap(({ text, short, values }) => {
    const offered = values === null ? '' : offeredAs(values);
    return offered === ''
      ? []
      : [`(${text}${short === null ? '' : `|${short}`}) values=${shellQuoted(offered)} ;;`];
  });
  return [
    `    (${shellQuoted(name)})`,
    `      options=(${described(options)})`,
    `      valued=(${words.map(shellQuoted).join(' ')})`,
    `      arguments=(${positionals.map((one) => shellQuoted(offeredAs(one))).join(' ')})`,
    ...(choices.length === 0
      ? []
      : ['      case "$previous" in', ...choices.map((one) => `        ${one}`), '      esac']),
    '      ;;',
  ].join('\n');
}

/** In the format of `_describe`: word, colon, explanation. */
function described(words: readonly Word[]): string {
  return words.map(({ text, about }) => shellQuoted(`${text.replaceAll(':', '\\\\:')}:${about}`)).join(' ');
}

function offeredAs({ words, arePaths }: Values): string {
  return arePaths ? ':paths:' : words.join(' ');
}
