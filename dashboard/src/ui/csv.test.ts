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

  it('writes what has parts as JSON', () => {
    expect(toCsv([{ to: [{ email: 'ada@example.org' }] }])).toBe(
      'to\r\n"[{""email"":""ada@example.org""}]"\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('lets no spreadsheet run %j', (subject) => {
    expect(toCsv([{ subject }]).split('\r\n')[1]).toBe(`'${subject}`);
  });

  it('ends at a limit, and says so', async () => {
    expect(await exportRows(rows(3), 2)).toEqual({ csv: 'n\r\n1\r\n2\r\n', count: 2, isCut: true });
    expect(await exportRows(rows(2), 2)).toMatchObject({ count: 2, isCut: false });
  });
});
