import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

  it('takes quotes, doubled quotes, and delimiters and line ends inside them', () => {
    expect(cellsOf('"a,b","c""d","e\r\nf"\ng')).toEqual([['a,b', 'c"d', 'e\r\nf'], ['g']]);
  });

  it('keeps what follows a closing quote, so that it is noticed', () => {
    expect(cellsOf('"a"b,c')).toEqual([['ab', 'c']]);
  });

  it('counts lines through quoted line ends', () => {
    const lines = [...csvRecords('a\n"b\nb"\nc\n')].map((record) => record.line);
    expect(lines).toEqual([1, 2, 4]);
  });

  it('says where a quote is never closed', () => {
    const records = [...csvRecords('a\n"b\nc\n')];
    expect(records.map(({ line, unclosed }) => [line, unclosed])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('ends on an empty cell behind the last delimiter', () => {
    expect(cellsOf('a,\nb')).toEqual([['a', ''], ['b']]);
  });

  it.each(DELIMITERS)('guesses %j from the first line', (delimiter) => {
    expect(detectDelimiter(['email', 'reason', 'x'].join(delimiter))).toBe(delimiter);
  });

  it('reads any text without complaint, and the records cover all its lines', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\r', '\n', "'", '=') });
    fc.assert(
      fc.property(text, (any) => {
        const lines = [...csvRecords(any)].map((record) => record.line);
        expect(lines).toEqual([...lines].sort((a, b) => a - b));
        expect(lines.length).toBeLessThanOrEqual(any.split(/\r\n|\r|\n/).length);
      }),
    );
  });

  it.each(DELIMITERS)('cuts a cell of 20,000 characters off and goes on with the next line (%j)', (one) => {
    const [long, next] = cellsOf(`${'x'.repeat(20_000)}${one}b\r\nc${one}d\r\n`, one);
    expect(long).toEqual(['x'.repeat(10_000)]);
    expect(next).toEqual(['c', 'd']);
  });

  it('reads the rest of a line behind a cell that is as long as may be', () => {
    expect(cellsOf(`${'x'.repeat(10_000)},b\n`)).toEqual([['x'.repeat(10_000), 'b']]);
  });

  it('goes on with the next line where a record has far too many cells', () => {
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
    const startedMs = performance.now();
    for (const record of csvRecords(text)) expect(record.cells.length).toBeLessThanOrEqual(201);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
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

  it('leaves ordinary addresses as they are', () => {
    expect(csvLine(["o'brien@example.org", 'hard_bounce'])).toBe("o'brien@example.org,hard_bounce\r\n");
  });

  it('is read as it was written', () => {
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
