/** Completion, tried in the shells themselves. zsh and fish are skipped where they are not installed. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingPrograms } from '../../../scripts/lib/system-programs.mjs';
import { parametersOf } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript(COMMANDS), zsh: zshScript(COMMANDS), fish: fishScript(COMMANDS) };
const isMissing = (shell: string) => missingPrograms().includes(shell);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-completion-'));
  for (const [shell, script] of Object.entries(SCRIPTS)) writeFileSync(join(folder, shell), script);
  writeFileSync(join(folder, 'backup one.tar'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash offers where the cursor stands behind the last of these words. */
function offeredByBash(...words: string[]): string[] {
  const text = `source ./bash
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
_postrider
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', text, 'bash', 'postrider', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  return output.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  it('completes the first word and the second', () => {
    expect(offeredByBash('do')).toEqual(['doctor', 'domain']);
    expect(offeredByBash('key', '')).toEqual(['create', 'list', 'revoke']);
    expect(offeredByBash('--v')).toEqual(['--version']);
  });

  it('completes the options of a command', () => {
    expect(offeredByBash('key', 'list', '--')).toEqual(['--org', '--json']);
    expect(offeredByBash('queue', '--')).toEqual(['--json']);
    expect(offeredByBash('apply', '--dry')).toEqual(['--dry-run']);
  });

  it('completes the values of an option, after a space or an equals sign', () => {
    expect(offeredByBash('key', 'create', '--scope', '')).toEqual(['full', 'read', 'agent', 'send']);
    expect(offeredByBash('key', 'create', '--scope', '=', 'f')).toEqual(['full']);
    expect(offeredByBash('key', 'create', '--scope', '=')).toEqual(['full', 'read', 'agent', 'send']);
    expect(offeredByBash('key', 'create', '--name', '')).toEqual([]);
  });

  it('completes the values of an argument, up to the last argument', () => {
    expect(offeredByBash('start', 'w')).toEqual(['worker']);
    expect(offeredByBash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offeredByBash('hold', '--reason', 'late', 'dom')).toEqual(['domain']);
    expect(offeredByBash('start', 'worker', 'a')).toEqual([]);
  });

  it('completes names of files, also with spaces', () => {
    expect(offeredByBash('backup', 'check', 'backup')).toEqual(['backup one.tar']);
    expect(offeredByBash('apply', '-f', 'backup')).toEqual(['backup one.tar']);
  });

  it('completes at a terminal when Tab is pressed', async () => {
    const typed = await atATerminal('bash --noprofile --norc -i', [
      { send: `cd '${folder}'; source ./bash; PS1='ready''> '\n`, until: 'ready> ' },
      { send: 'postrider key cre\t--sco\tfu\t', until: 'postrider key create --scope full ' },
    ]);
    expect(typed).toContain('postrider key create --scope full ');
  });
});

describe.skipIf(isMissing('zsh'))('zsh', () => {
  it('completes at a terminal when Tab is pressed', async () => {
    const typed = await atATerminal('zsh -f -i', [
      {
        send: `cd '${folder}'; autoload -Uz compinit; compinit -u -D; source ./zsh; unsetopt zle_bracketed_paste; PS1='ready''> '\n`,
        until: 'ready> ',
      },
      { send: 'postrider key cre\t--sco\tfu\t', until: /key create .*--scope .*full/s },
    ]);
    expect(typed).not.toContain('not found');
  });
});

describe.skipIf(isMissing('fish'))('fish', () => {
  const offered = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', 'source ./fish; complete -C $argv', line], {
      cwd: folder,
      encoding: 'utf8',
    })
      .split('\n')
      .map((one) => one.split('\t')[0])
      .filter((one) => one !== '');

  it('completes words, options and values', () => {
    expect(offered('postrider do')).toEqual(['doctor', 'domain']);
    expect(offered('postrider key ')).toEqual(['create', 'list', 'revoke']);
    expect(offered('postrider key list --')).toEqual(['--json', '--org']);
    expect(offered('postrider key create --scope f')).toEqual(['full']);
    expect(offered('postrider start w')).toEqual(['worker']);
    expect(offered('postrider backup check backup')).toEqual(['backup one.tar']);
  });
});

describe('the scripts', () => {
  it('contain every command and every option', () => {
    for (const script of Object.values(SCRIPTS)) {
      for (const command of COMMANDS) {
        expect(script).toContain(command.name);
        for (const { word } of parametersOf(command).options) expect(script).toContain(word.slice(2));
      }
    }
  });

  it('have balanced quotes and brackets', () => {
    for (const [shell, script] of Object.entries(SCRIPTS)) {
      const bare = script
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .join('\n')
        .replaceAll(shell === 'fish' ? /'(?:\\.|[^'\\])*'/g : /'[^']*'|\\'/g, '');
      expect({ shell, quotes: bare.match(/'/g) }).toEqual({ shell, quotes: null });
    }
  });
});

interface Step {
  readonly send: string;
  readonly until: string | RegExp;
}

/** What the terminal showed; each step waits for what it is to cause. */
async function atATerminal(shell: string, steps: readonly Step[]): Promise<string> {
  const child = spawn('script', ['-qec', shell, '/dev/null'], { env: { ...process.env, TERM: 'dumb' } });
  let shown = '';
  let seen = () => {};
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    seen();
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  for (const { send, until } of steps) {
    const from = shown.length;
    const isThere = () =>
      typeof until === 'string' ? shown.slice(from).includes(until) : until.test(shown.slice(from));
    child.stdin.write(send);
    while (!isThere() && child.exitCode === null)
      await Promise.race([new Promise<void>((resolve) => (seen = resolve)), closed]);
  }
  child.kill('SIGKILL');
  await closed;
  return shown;
}
