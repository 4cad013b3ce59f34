import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.ts';
import { csvLine, csvRecords, DELIMITERS, detectDelimiter } from './csv.ts';

function cellsOf(text: string, delimiter?: (typeof DELIMITERS)[number]) {
  return [...csvRecords(text, delimiter)].map((record) => record.cells);
}

describe('reading CSV', () => {
  it.each([
    ['LF', 'a,b\nc,d\n'],
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['CR', 'a,b\rc,d\r'],
    ['no last line end', 'a,b\nc,d'],
    ['a byte order mark', '\uFEFFa,b\nc,d'],
  ])('takes %s', (_name, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('reads quotes, doubled quotes, and delimiters and line ends inside quotes', () => {
    expect(cellsOf('"a,b","c""d","e\r\nf"\ng')).toEqual([['a,b', 'c"d', 'e\r\nf'], ['g']]);
  });

  it('keeps text after a closing quote, so that the address is rejected', () => {
    expect(cellsOf('"a"b,c')).toEqual([['ab', 'c']]);
  });

  it('counts lines through quoted line ends', () => {
    const lines = [...csvRecords('a\n"b\nb"\nc\n')].map((record) => record.line);
    expect(lines).toEqual([1, 2, 4]);
  });

  it('reports a quote that is never closed', () => {
    const records = [...csvRecords('a\n"b\nc\n')];
    expect(records.map(({ line, unclosed }) => [line, unclosed])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('ends with an empty cell after the last delimiter', () => {
    expect(cellsOf('a,\nb')).toEqual([['a', ''], ['b']]);
  });

  it.each(DELIMITERS)('detects the delimiter %j from the first line', (delimiter) => {
    expect(detectDelimiter(['email', 'reason', 'x'].join(delimiter))).toBe(delimiter);
  });

  it('accepts any text, and the records cover all its lines', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\r', '\n', "'", '=') });
    fc.assert(
      fc.property(text, (any) => {
        const lines = [...csvRecords(any)].map((record) => record.line);
        expect(lines).toEqual([...lines].sort((a, b) => a - b));
        expect(lines.length).toBeLessThanOrEqual(any.split(/\r\n|\r|\n/).length);
      }),
    );
  });

  it.each(DELIMITERS)(
    'truncates a cell of 20,000 characters and continues with the next line (%j)',
    (one) => {
      const [long, next] = cellsOf(`${'x'.repeat(20_000)}${one}b\r\nc${one}d\r\n`, one);
      expect(long).toEqual(['x'.repeat(10_000)]);
      expect(next).toEqual(['c', 'd']);
    },
  );

  it('reads the rest of a line after a cell of the maximum length', () => {
    expect(cellsOf(`${'x'.repeat(10_000)},b\n`)).toEqual([['x'.repeat(10_000), 'b']]);
  });

  it('continues with the next line when a record has too many cells', () => {
    const [first, second] = cellsOf(`a${',b'.repeat(1_000)}\nc`);
    expect(first).toHaveLength(201);
    expect(second).toEqual(['c']);
  });

  it.each([
    ['quotes', '"'.repeat(20_000_000)],
    ['doubled quotes', `"${'""'.repeat(10_000_000)}`],
    ['delimiters', ','.repeat(20_000_000)],
    ['line ends in an open quote', `"${'\n'.repeat(20_000_000)}`],
  ])('is not held up by 20 MB of %s in one record', (_name, text) => {
    const readAll = () => {
      for (const record of csvRecords(text)) expect(record.cells.length).toBeLessThanOrEqual(201);
    };
    expect(cpuMs(readAll, 1_000)).toBeLessThan(1_000);
  });
});

describe('writing CSV', () => {
  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', "'=1", "''+x"])(
    'keeps a spreadsheet from running %j',
    (cell) => {
      const [written = ''] = csvLine([cell]).split('\r\n');
      expect(written.replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it('leaves ordinary addresses unchanged', () => {
    expect(csvLine(["o'brien@example.org", 'hard_bounce'])).toBe("o'brien@example.org,hard_bounce\r\n");
  });

  it('is read back unchanged', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', "'", '=', '+', '@', 'ü'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }), (rows) => {
        expect(cellsOf(rows.map(csvLine).join(''))).toEqual(rows);
      }),
    );
  });
});
