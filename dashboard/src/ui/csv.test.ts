import { describe, expect, it } from 'vitest';
import { exportRows, toCsv } from './csv.ts';

async function* rows(count: number) {
  for (let n = 1; n <= count; n += 1) yield { n };
}

describe('a list as CSV', () => {
  it('has a column for every field that a row has', () => {
    expect(
      toCsv([
        { a: 1, b: 'x' },
        { b: 'y', c: true },
      ]),
    ).toBe('a,b,c\r\n1,x,\r\n,y,true\r\n');
  });

  it('quotes what would break a line or a column', () => {
    expect(toCsv([{ a: 'one, "two"\nthree' }])).toBe('a\r\n"one, ""two""\nthree"\r\n');
  });

  it('writes addresses, tags and lists as plain text', () => {
    const row = {
      to: [{ email: 'ada@example.org', name: 'Ada' }, { email: 'bob@example.org' }],
      tags: [{ name: 'kind', value: 'receipt' }],
      events: ['sent', 'opened'],
    };
    expect(toCsv([row])).toBe(
      'to,tags,events\r\nAda <ada@example.org>; bob@example.org,kind: receipt,sent; opened\r\n',
    );
  });

  it('has a column for each field of a field that every row has', () => {
    const rows = [
      { id: 1, hold: { reason: 'Prices', since: 'May' } },
      { id: 2, hold: null },
    ];
    expect(toCsv(rows)).toBe('id,hold.reason,hold.since\r\n1,Prices,May\r\n2,,\r\n');
  });

  it('writes fields that differ from row to row into one cell', () => {
    const rows = [{ details: { scope: 'send' } }, { details: { from: 'a', to: ['b'] } }];
    expect(toCsv(rows)).toBe('details\r\nscope: send\r\n"from: a, to: b"\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('lets no spreadsheet run %j', (subject) => {
    expect(toCsv([{ subject }]).split('\r\n')[1]).toBe(`'${subject}`);
  });

  it('ends at a limit, and says so', async () => {
    expect(await exportRows(rows(3), 2)).toEqual({ csv: 'n\r\n1\r\n2\r\n', count: 2, isCut: true });
    expect(await exportRows(rows(2), 2)).toMatchObject({ count: 2, isCut: false });
  });
});
