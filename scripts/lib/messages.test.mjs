import { describe, expect, it } from 'vitest';
import { messagesOf } from './messages.mjs';

const linesOf = (code, path = 'src/emails/a.ts') =>
  messagesOf(path, code).map(({ group, line, text }) => `${group} ${line}: ${text}`);

describe('the list of messages', () => {
  it('gives the place, the group and the text of an error', () => {
    const code = "const a = 1;\nthrow new ServiceError('CONFLICT', 'The hold has ended. Place another.');\n";
    expect(messagesOf('src/interventions/holds/a.ts', code)).toEqual([
      {
        group: 'API errors',
        path: 'src/interventions/holds/a.ts',
        line: 2,
        text: 'The hold has ended. Place another.',
      },
    ]);
  });

  it('joins the parts of a text and shows expressions in braces', () => {
    expect(linesOf(`problems.add(field, 'must be ' + \`at most \${limits.max} bytes\`);`)).toEqual([
      'API errors 1: must be at most {limits.max} bytes',
    ]);
  });

  it('lists a text within an expression of another text too', () => {
    const code = `f(\`Queued as \${id}\${held ? \`, held by \${name}\` : ''}\`);`;
    expect(linesOf(code).at(-1)).toBe('Other 1: , held by {name}');
  });

  it('tells replies, log messages, help, errors of commands and the reference apart', () => {
    const groupOf = (code, path) => messagesOf(path, code).map(({ group }) => group);
    expect(groupOf("reply(450, '4.7.1', 'Too many messages');", 'src/inbound/a.ts')).toEqual([
      'SMTP replies',
    ]);
    expect(groupOf("this.#log.warn({ a }, 'not stored');", 'src/emails/a.ts')).toEqual(['Log']);
    expect(groupOf("const a = { summary: 'List all keys' };", 'src/cli/a.ts')).toEqual(['CLI help']);
    expect(groupOf("throw new CliError('No such key.');", 'src/cli/a.ts')).toEqual(['CLI errors']);
    expect(groupOf("const a = { description: 'The new key' };", 'src/emails/a.ts')).toEqual([
      'API reference',
    ]);
  });

  it('leaves out names, types, imports, statements and comparisons', () => {
    const code = `import a from 'a b';
      const b: 'c d' = f('name', \`\${b} \${c}\`);
      sql('emails.list', 'select some rows', {});
      query('DELETE FROM emails');
      if (b === 'e f') g({ 'h i': 'j' });`;
    expect(linesOf(code)).toEqual([]);
  });

  it('reads a text behind a type assertion', () => {
    expect(linesOf("const a = ['one text'] as const;")).toEqual(['Other 1: one text']);
  });
});
