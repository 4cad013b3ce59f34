import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../runtime/sliced-work.ts';
import { MAX_OUTLINED_PARTS, type MessageOutline, outlining, outliningFields } from './message-outline.ts';
import { textOf } from './shown-message.ts';

const messageOutline = (raw: Buffer) => atOnce(outlining(raw));

const message = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`);

/** All that somebody is shown who looks at every part. */
function shown({ header, parts, outside }: MessageOutline): string {
  const texts = parts.flatMap((part) => [part.head.toString(), textOf(part)]);
  return [header.toString(), ...texts, ...outside.map(String)].join('\n');
}

describe('an outline', () => {
  it('of a message without parts has its body as one', () => {
    const { parts, outside } = messageOutline(message('Subject: Hi', '', 'Hello'));
    expect(parts.map(textOf)).toEqual(['Hello\r\n']);
    expect(outside).toEqual([]);
  });

  it('has every alternative, preamble, epilogue and container, in order', () => {
    const raw = message(
      ...['Content-Type: multipart/mixed; boundary=a', '', 'PREAMBLE', '--a'],
      ...[
        'Content-Type: multipart/alternative; boundary=b',
        'Content-Description: CONTAINER',
        '',
        'INNER',
        '--b',
      ],
      ...['', 'FIRST', '--b', 'Content-Type: text/x-amp-html', '', 'AMP', '--b--', 'BETWEEN', '--a'],
      ...['Content-Type: message/rfc822', '', 'Subject: NESTED', '', 'x', '--a--', 'EPILOGUE'],
    );
    const outline = messageOutline(raw);
    expect(outline.parts.map(({ content }) => content.type)).toEqual([
      ...['multipart/alternative', 'text/plain', 'text/x-amp-html', 'message/rfc822'],
    ]);
    expect(outline.outside.map((one) => String(one).trim())).toEqual([
      ...['PREAMBLE', 'INNER', 'BETWEEN', 'EPILOGUE'],
    ]);
    expect(shown(outline)).toMatch(/CONTAINER[\s\S]*NESTED/);
  });

  it.each([
    ['behind a boundary, far to the right', ['--a', '', 'x', `--a${' '.repeat(300)}HIDDEN`, '--a--']],
    ['behind the last boundary', ['--a', '', 'x', '--a--', 'HIDDEN']],
    [
      'in the header of a part, behind a hundred lines',
      ['--a', ...Array(150).fill('X-A: 1'), 'X-B: HIDDEN', '', 'x', '--a--'],
    ],
    ['behind base64', ['--a', 'Content-Transfer-Encoding: base64', '', 'SGk=', 'HIDDEN!', '--a--']],
    ['where the boundary is another', ['--other', '', 'HIDDEN', '--other--']],
    ['deeper than anybody nests', nested(9)],
    [
      'behind more parts than there may be',
      [...Array(MAX_OUTLINED_PARTS + 5).fill('--a\r\n\r\nx'), '--a', '', 'HIDDEN', '--a--'],
    ],
  ])('has what stands %s', (_, lines) => {
    const raw = message('Content-Type: multipart/mixed; boundary=a', '', ...lines);
    expect(shown(messageOutline(raw))).toContain('HIDDEN');
  });

  it('covers every byte of a body but delimiter lines, whatever is in it', () => {
    const line = fc.constantFrom(
      ...[
        '--a',
        '--a--',
        '--b',
        '--b--',
        '',
        ' ',
        'text',
        '--ab',
        '--a x',
        'Content-Type: text/html',
        'X: y',
      ],
      ...['Content-Type: multipart/mixed; boundary=b', 'Content-Type: multipart/x; boundary=a', '-- a', '--'],
    );
    const body = fc.array(line, { maxLength: 30 });
    fc.assert(
      fc.property(body, (lines) => {
        const raw = message('Content-Type: multipart/mixed; boundary=a', '', ...lines);
        expect(
          uncovered(raw, messageOutline(raw)).filter(
            (left) => !/^[\s-]*(?:--(?:a|b)(?:--)?)?\s*$/.test(left),
          ),
        ).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Lines of which at least one byte belongs to nothing. */
function uncovered(raw: Buffer, { header, parts, outside }: MessageOutline): string[] {
  const isCovered = new Uint8Array(raw.length);
  const pieces = [header, ...parts.flatMap(({ head, body }) => [head, body]), ...outside];
  for (const piece of pieces) {
    const start = piece.byteOffset - raw.byteOffset;
    isCovered.fill(1, start, start + piece.length);
  }
  const lines: string[] = [];
  let start = 0;
  while (start < raw.length) {
    const newline = raw.indexOf('\n', start);
    const end = newline < 0 ? raw.length : newline + 1;
    const text = raw.toString('latin1', start, end);
    const content = text.trimEnd().length;
    if (isCovered.subarray(start, start + content).includes(0)) lines.push(text);
    start = end;
  }
  return lines;
}

function nested(levels: number): string[] {
  const lines: string[] = ['--a'];
  for (let level = 0; level < levels; level += 1)
    lines.push(`Content-Type: multipart/mixed; boundary=n${level}`, '', `--n${level}`);
  return [...lines, '', 'HIDDEN', '--a--'];
}

describe('the fields of a header', () => {
  it('are all there, repeated ones and lines that are none, unfolded and decoded to their end', () => {
    const long = 'x'.repeat(3_000);
    const head = Buffer.from(
      `X-A: 1\r\nX-A: =?utf-8?q?zw=C3=B6lf?=\r\n folded\r\nno field\r\nX-Long: ${long}END\r\n\r\n`,
    );
    expect(atOnce(outliningFields(head))).toEqual([
      { name: 'X-A', value: '1' },
      { name: 'X-A', value: 'zwölf folded' },
      { name: '', value: 'no field' },
      { name: 'X-Long', value: `${long}END` },
    ]);
  });

  it('are shown to their end where a line has megabytes', () => {
    const long = 'x'.repeat(20_000_000);
    const [field] = atOnce(outliningFields(Buffer.from(`X-Long: =?utf-8?q?zw=C3=B6lf?= ${long}END\r\n\r\n`)));
    expect(field?.name).toBe('X-Long');
    expect(field?.value === `zwölf ${long}END`).toBe(true);
  });
});
