import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/addresses.ts';
import { turnsOfOthers } from '../../test/support/others-turns.ts';
import { countListed, linesFromJson, readList, renameInList } from './import-list.ts';

async function read(text: string, format: 'csv' | 'json' = 'csv') {
  const lines = [];
  for await (const line of readList(text, format)) lines.push(line());
  return lines;
}

async function addresses(text: string) {
  return (await read(text)).map((one) => (one.ok ? [one.email, one.reason] : one));
}

describe('a list of addresses', () => {
  it('is read with one address per line', async () => {
    expect(await addresses('ada@example.org\ngrace@example.org\n')).toEqual([
      ['ada@example.org', null],
      ['grace@example.org', null],
    ]);
  });

  it('is read with a reason in the second column', async () => {
    expect(await addresses('ada@example.org,complaint\ngrace@example.org,\n')).toEqual([
      ['ada@example.org', 'complaint'],
      ['grace@example.org', null],
    ]);
  });

  it('is read with a heading, in any order, ignoring unknown columns', async () => {
    const text = 'Created;REASON;Email\n2026-01-01;Hard_Bounce;ada@example.org\n';
    expect(await addresses(text)).toEqual([['ada@example.org', 'hard_bounce']]);
  });

  it('with a heading but no reason column gives no reasons', async () => {
    expect(await addresses('email,name\nada@example.org,complaint')).toEqual([['ada@example.org', null]]);
  });

  it('is read with empty lines, which are counted', async () => {
    expect(await read('\n\nada@example.org\n , \nnobody\n')).toMatchObject([
      { ok: true, email: 'ada@example.org' },
      { ok: false, line: 5, field: 'email', message: 'The address has no @.' },
    ]);
  });

  it('reports an invalid reason', async () => {
    expect(await read('ada@example.org,because')).toEqual([
      {
        ok: false,
        line: 1,
        field: 'reason',
        message: 'The reason must be one of hard_bounce, soft_bounce, complaint, unsubscribe, manual.',
      },
    ]);
  });

  it('reports a quote that is never closed', async () => {
    expect(await read('ada@example.org\n"grace@example.org\nx@example.org')).toMatchObject([
      { ok: true },
      { ok: false, line: 2, message: expect.stringContaining('never closed') },
    ]);
  });

  it('is counted only up to the requested limit', async () => {
    const text = `email\n${'ada@example.org\n\n'.repeat(5_000)}`;
    expect(await countListed(text, 'csv', 100_000)).toBe(5_000);
    expect(await countListed(text, 'csv', 10)).toBe(11);
  });
});

it('yields to the event loop in a list of nothing but line ends', async () => {
  let turns = 0;
  const beat = setInterval(() => {
    turns += 1;
  }, 5);
  expect(await countListed('\n'.repeat(2_000_000), 'csv', 10)).toBe(0);
  clearInterval(beat);
  expect(turns).toBeGreaterThan(5);
});

describe('a list that came as JSON', () => {
  it('keeps the position of every item, whatever its value', async () => {
    const items = [
      { email: 'email' },
      { email: 'a\nb@example.org' },
      { email: '=a@example.org', reason: 'complaint' },
      { email: ' ada@example.org' },
      { email: `"a,b"@example.org` },
    ] as const;
    expect(await read(await linesFromJson(items), 'json')).toMatchObject([
      { ok: false, line: 1 },
      { ok: false, line: 2 },
      { ok: true, email: '=a@example.org', reason: 'complaint' },
      { ok: false, line: 4 },
      { ok: true, email: '"a,b"@example.org' },
    ]);
  });
});

describe('a list of 100,000 addresses', () => {
  it('yields to the event loop while it is written and read', async () => {
    const items = Array.from({ length: 100_000 }, (_, i) => ({ email: `a${i}@example.org` }));
    let text = '';
    const written = await turnsOfOthers(async () => {
      text = await linesFromJson(items);
    });
    expect(written).toBeGreaterThan(0);
    expect(await turnsOfOthers(() => countListed(text, 'json', 100_000))).toBeGreaterThan(0);
  });
});

describe('an address in a list', () => {
  const rename = (text: string) =>
    renameInList(text, 'csv', address('ada@example.org').key, 'x@erased.invalid');

  it('is renamed in every spelling, and nothing else changes', async () => {
    const text =
      'ADA@example.org;\r\n\r\nnada@example.org;"a;b"\n ada@EXAMPLE.org ;complaint\n"""ada""@example.org"';
    expect(await rename(text)).toBe(
      'x@erased.invalid;\r\n\r\nnada@example.org;"a;b"\nx@erased.invalid;complaint\nx@erased.invalid',
    );
  });

  it('is renamed in its own column, without moving later lines', async () => {
    const text = 'note,email\n"two\nlines",ada@example.org\nada@example.org,nobody\n';
    const renamed = await rename(text);
    expect(renamed).toBe('note,email\n"two\nlines",x@erased.invalid\nada@example.org,nobody\n');
    expect(await read(renamed)).toMatchObject([
      { ok: true, email: 'x@erased.invalid' },
      { ok: false, line: 4 },
    ]);
  });
});
