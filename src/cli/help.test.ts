import { describe, expect, it } from 'vitest';
import { parametersOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { explained, helpFor, overview } from './help.ts';

describe('the table of commands', () => {
  it('explains every argument and option of every command', () => {
    const missing = COMMANDS.flatMap((command) => {
      const { arguments: positionals, options } = parametersOf(command);
      return [...positionals, ...options]
        .filter((one) => explained(command, one) === undefined)
        .map(({ word }) => `${command.name} ${word}`);
    });
    expect(missing).toEqual([]);
  });

  it('explains no argument or option that a command lacks', () => {
    const wrong = COMMANDS.flatMap((command) => {
      const { arguments: positionals, options } = parametersOf(command);
      const taken = [...positionals, ...options].map(({ word }) => word);
      const about = Object.keys({ ...command.explains, ...command.choices });
      return about.filter((word) => !taken.includes(word)).map((word) => `${command.name} ${word}`);
    });
    expect(wrong).toEqual([]);
  });

  it('has a valid example for every command', () => {
    for (const command of COMMANDS) {
      expect(`${command.example} `).toContain(`${command.name} `);
      const options = parametersOf(command).options.flatMap(({ word, short }) => [word, `-${short}`]);
      const given = command.example.match(/(?<= )--?[a-z-]+(?= |$)/g) ?? [];
      expect(options).toEqual(expect.arrayContaining(given));
      for (const name of Object.keys(command.required ?? {})) expect(command.example).toContain(`--${name} `);
    }
  });
});

describe('help', () => {
  it('of a command shows its usage, an explanation of every option, and an example', () => {
    const help = helpFor(COMMANDS, ['key', 'create']);
    expect(help).toMatch(/^Usage: npx postrider key create --org ID --name NAME /);
    expect(help).toMatch(/^ {2}--domain DOMAIN +the only domain that the key may send from$/m);
    expect(help).toMatch(/^ {2}--json +print the result as JSON$/m);
    expect(help).toMatch(/^Example:\n {2}npx postrider key create --org org_/m);
  });

  it('shows the one-letter form of an option', () => {
    expect(helpFor(COMMANDS, ['apply'])).toMatch(/^ {2}-f, --file FILE +the file to apply/m);
  });

  it('lists the values of an argument', () => {
    expect(helpFor(COMMANDS, ['completion'])).toMatch(/SHELL +.*: bash, zsh, fish$/m);
  });

  it('of a group lists its commands', () => {
    const help = helpFor(COMMANDS, ['key']);
    for (const name of ['key create', 'key list', 'key revoke']) expect(help).toContain(`  ${name}`);
    expect(help).not.toContain('domain add');
  });

  it('of a command with subcommands shows it and lists them', () => {
    const help = helpFor(COMMANDS, ['queue']);
    expect(help).toMatch(/^Usage: npx postrider queue \[--json\]$/m);
    expect(help).toContain('  queue pause SITE');
  });

  it('of an unknown command suggests the nearest one', () => {
    expect(() => helpFor(COMMANDS, ['statsu'])).toThrow('Did you mean `status`?');
    expect(() => helpFor(COMMANDS, ['key', 'creat'])).toThrow('Did you mean `key create`?');
  });

  it('offers --json only for commands with an answer for programs', () => {
    const lines = overview(COMMANDS).split('\n');
    expect(lines.find((line) => line.startsWith('  status'))).toContain('[--json]');
    for (const name of ['start', 'mcp', 'listen', 'help', 'completion'])
      expect(lines.find((line) => line.startsWith(`  ${name} `) || line === `  ${name}`)).not.toContain(
        '--json',
      );
  });
});
