/** The completion script for bash: data for each command, and one function that reads the typed words. */
import type { Command } from '../command.ts';
import {
  type CompletedCommand,
  completedCommands,
  groups,
  shellQuoted,
  type Values,
  wordsAtFirst,
} from './completed.ts';

/** Stands for file names among the choices. */
const PATHS = ':paths:';

export function bashScript(commands: readonly Command[]): string {
  const all = completedCommands(commands);
  const first = [...wordsAtFirst(commands).map(({ text }) => text), '--help', '--version'];
  return `# Completes postrider in bash. Load it: source <(postrider completion bash)
_postrider_about() {
  case "$1" in
${all.map(caseOf).join('\n')}
    *) return 1 ;;
  esac
}

_postrider_second() {
  case "$1" in
${[...groups(commands)].map(([group, words]) => `    ${shellQuoted(group)}) echo ${shellQuoted(words.map(({ text }) => text).join(' '))} ;;`).join('\n')}
  esac
}

_postrider() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} first=${shellQuoted(first.join(' '))}
${READING}
}
complete -F _postrider postrider
`;
}

const READING = `  local offered= options= valued= values= arguments=() from=2 argument=0 i
  COMPREPLY=()
  # Bash splits --option=value into three words.
  if [[ $cur == '=' ]]; then cur=; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W "$first" -- "$cur"))
    return
  fi
  if (( COMP_CWORD > 2 )) && _postrider_about "\${COMP_WORDS[1]} \${COMP_WORDS[2]}"; then
    from=3
  else
    _postrider_about "\${COMP_WORDS[1]}"
    (( COMP_CWORD == 2 )) && offered=$(_postrider_second "\${COMP_WORDS[1]}")
  fi
  if [[ $valued == *" $prev "* ]]; then
    offered=$values
  elif [[ $cur == -* ]]; then
    offered=$options
  else
    for (( i = from; i < COMP_CWORD; i++ )); do
      if [[ $valued == *" \${COMP_WORDS[i]} "* ]]; then
        [[ \${COMP_WORDS[i+1]} == '=' ]] && i=$(( i + 1 ))
        i=$(( i + 1 ))
      elif [[ \${COMP_WORDS[i]} != -* ]]; then
        argument=$(( argument + 1 ))
      fi
    done
    offered="$offered \${arguments[argument]}"
    [[ -z \${offered// /} && -z $cur ]] && offered=$options
  fi
  if [[ $offered == *${PATHS}* ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$offered" -- "$cur"))
  fi`;

function caseOf({ name, options, arguments: positionals }: CompletedCommand): string {
  const valued = options.flatMap(({ text, short, values }) =>
    values === null ? [] : [text, ...(short === null ? [] : [short])],
  );
  const choices = options.flatMap(({ text, short, values }) => {
    const words = values === null ? '' : offeredAs(values);
    return words === ''
      ? []
      : [`${text}${short === null ? '' : `|${short}`}) values=${shellQuoted(words)} ;;`];
  });
  return [
    `    ${shellQuoted(name)})`,
    `      options=${shellQuoted(options.map(({ text }) => text).join(' '))}`,
    `      valued=${shellQuoted(` ${valued.join(' ')} `)}`,
    `      arguments=(${positionals.map((one) => shellQuoted(offeredAs(one))).join(' ')})`,
    ...(choices.length === 0
      ? []
      : ['      case "$prev" in', ...choices.map((one) => `        ${one}`), '      esac']),
    '      ;;',
  ].join('\n');
}

function offeredAs({ words, arePaths }: Values): string {
  return arePaths ? PATHS : words.join(' ');
}
