import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMultipart } from './multipart.ts';

const TYPE = 'multipart/form-data; boundary=XX';

async function read(text: string, type: string | undefined = TYPE) {
  return (await readMultipart(Buffer.from(text), type)).map(({ content, ...part }) => ({
    ...part,
    content: content.toString(),
  }));
}

function part(disposition: string, content: string, more = ''): string {
  return `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
}

const field = (name: string, content: string) => part(`name="${name}"`, content);

describe('the parts of a form', () => {
  it('are fields and files, in their order, byte for byte', async () => {
    const file = part(
      'name="attachment"; filename="a.txt"',
      'one\r\n\r\n--X\r\ntwo\n',
      'Content-Type: text/plain\r\n',
    );
    expect(await read(`${field('to', 'ada@example.org')}${file}${field('empty', '')}--XX--\r\n`)).toEqual([
      { name: 'to', filename: null, contentType: null, content: 'ada@example.org' },
      {
        name: 'attachment',
        filename: 'a.txt',
        contentType: 'text/plain',
        content: 'one\r\n\r\n--X\r\ntwo\n',
      },
      { name: 'empty', filename: null, contentType: null, content: '' },
    ]);
  });

  it('have the same names with and without further headers', async () => {
    const names = fc.stringMatching(/^[ !#-[\]-~]{1,40}$/);
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const plain = await read(`${field(name, 'x')}--XX--\r\n`);
        const described = await read(`${part(`name="${name}"`, 'x', 'X-More: yes\r\n')}--XX--\r\n`);
        expect(plain).toEqual(described);
      }),
    );
  });

  it('are found behind a preamble, before an epilogue, and with blanks behind boundaries', async () => {
    const text = `this is ignored\r\n${field('a', '1').replace('--XX\r\n', '--XX \t\r\n')}--XX--\r\nand this`;
    expect(await read(text)).toMatchObject([{ name: 'a', content: '1' }]);
  });

  it('may contain lines that only begin like the boundary', async () => {
    const content = 'x\r\n--XXY\r\n--XX-\r\n --XX\r\n--X';
    expect(await read(`${field('a', content)}--XX--`)).toMatchObject([{ content }]);
  });

  it.each([
    ['in quotes', 'name="f"; filename="a \\"b\\".txt"', 'a "b".txt'],
    ['as browsers escape it', 'name="f"; filename="a %22b%22.txt"', 'a "b".txt'],
    ['in UTF-8', 'name="f"; filename="näme.txt"', 'näme.txt'],
    ['as RFC 5987 has it', "name=f; filename*=utf-8''n%C3%A4me.txt", 'näme.txt'],
    ['badly escaped', "name=f; filename*=utf-8''n%C3me.txt", 'n%C3me.txt'],
    ['empty', 'name=f; filename=""', ''],
  ])('have the name of their file %s', async (_how, disposition, filename) => {
    expect(await read(`${part(disposition, 'x')}--XX--`)).toMatchObject([{ name: 'f', filename }]);
  });

  it('are returned unchanged, whatever bytes they contain', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const noisy = fc.array(fc.constantFrom('\r\n', '--', 'XX', '-', 'a', '\r', '\n', ' '), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            bytes,
            noisy.map((list) => Buffer.from(list.join(''))),
          ),
          { maxLength: 5 },
        ),
        async (list) => {
          const boundary = 'a-boundary-that-nothing-holds';
          const body = Buffer.concat([
            ...list.flatMap((content) => [
              Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="f"\r\n\r\n`),
              content,
              Buffer.from('\r\n'),
            ]),
            Buffer.from(`--${boundary}--\r\n`),
          ]);
          const parts = await readMultipart(body, `multipart/form-data; boundary="${boundary}"`);
          expect(parts.map(({ content }) => Buffer.from(content))).toEqual(
            list.map((one) => Buffer.from(one)),
          );
        },
      ),
    );
  });
});

describe('a form that cannot be read', () => {
  it.each([
    ['without a boundary in its type', field('a', '1'), 'multipart/form-data', 'boundary of 1 to 70'],
    [
      'with a boundary of 71 characters',
      '',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
      'boundary of 1 to 70',
    ],
    ['without an end', field('a', '1'), TYPE, 'last boundary is missing'],
    [
      'cut off in a content',
      '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      TYPE,
      'last boundary',
    ],
    ['with nothing in it that is a part', 'hello', TYPE, 'last boundary is missing'],
    ['with a part cut off in its header', '--XX\r\nContent-Disposition: form-data', TYPE, 'no header'],
    ['with a huge header', part(`name="${'x'.repeat(9_000)}"`, '1'), TYPE, 'more than 8 KiB'],
    ['with a part without a name', `${part('filename="x"', '1')}--XX--`, TYPE, 'no name'],
    [
      'with a part of another kind',
      '--XX\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--XX--',
      TYPE,
      'no name',
    ],
    [
      'with parts in parts',
      `${part('name="a"', '--Y\r\n\r\n1\r\n--Y--', 'Content-Type: multipart/mixed; boundary=Y\r\n')}--XX--`,
      TYPE,
      'multipart itself',
    ],
    [
      'with base64',
      `${part('name="a"', 'MQ==', 'Content-Transfer-Encoding: base64\r\n')}--XX--`,
      TYPE,
      'send it as it is',
    ],
    ['with thousands of parts', `${field('a', '').repeat(2_001)}--XX--`, TYPE, 'more than 2000 parts'],
  ])('is refused: %s', async (_what, text, type, words) => {
    await expect(read(text, type)).rejects.toThrow(words);
  });

  it('is refused quickly when 20 MiB look like boundaries', async () => {
    const body = Buffer.alloc(20 * 1024 * 1024, '\r\n---x');
    await expect(readMultipart(body, 'multipart/form-data; boundary=-')).rejects.toThrow('too common');
  });
});
