/** No input makes reading throw or work for long. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../test/support/cpu-time.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { type Report, readReport } from './read-report.ts';

const CAP_MS = 20;
const CORPUS = new URL('../../../test/inbound/corpus/', import.meta.url);
const messages = readdirSync(CORPUS)
  .filter((name) => name.endsWith('.eml'))
  .map((name) => readFileSync(new URL(name, CORPUS)));

const readingMs = (raw: Buffer) => cpuMs(() => readReport(raw), CAP_MS);

const mutation = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'drop', 'double', 'splice', 'insert'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(400),
  byte: fc.nat(255),
  other: fc.nat(messages.length - 1),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(bytes: Buffer, { kind, at, length, byte, other }: Mutation): Buffer {
  const start = Math.floor(at * bytes.length);
  const end = Math.min(start + length, bytes.length);
  const donor = messages[other] as Buffer;
  switch (kind) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (start < copy.length) copy[start] = (copy[start] as number) ^ (byte || 1);
      return copy;
    }
    case 'cut':
      return bytes.subarray(0, start);
    case 'drop':
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    case 'double':
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
    case 'splice':
      return Buffer.concat([bytes.subarray(0, start), donor.subarray(Math.floor(at * donor.length))]);
    default:
      return Buffer.concat([bytes.subarray(0, start), Buffer.alloc(length, byte), bytes.subarray(start)]);
  }
}

/** Checks that the report can be stored: no control characters, no endless texts. */
function expectSane(report: Report): void {
  for (const value of Object.values(report)) {
    if (typeof value !== 'string') continue;
    expect(value.length).toBeLessThanOrEqual(1_000);
    expect(value).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
  if ('smtpCode' in report && report.smtpCode !== null) {
    expect(report.smtpCode >= 200 && report.smtpCode <= 599).toBe(true);
  }
  if ('status' in report && report.status !== null)
    expect(report.status).toMatch(/^[245]\.\d{1,3}\.\d{1,3}$/);
}

describe('reading hostile mail', () => {
  it('reads thousands of mutated messages without throwing and within its time limit', () => {
    const base = fc.nat(messages.length - 1);
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(base, mutations, (index, steps) => {
        const raw = steps.reduce(mutate, messages[index] as Buffer);
        expectSane(readReport(raw));
        expect(readingMs(raw)).toBeLessThanOrEqual(CAP_MS);
      }),
      runs(2_000),
    );
  });

  it('accepts any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => expectSane(readReport(Buffer.from(bytes)))),
    );
  });

  const MB = 1_048_576;
  const report = (body: string) =>
    `From: MAILER-DAEMON@example.net\r\nSubject: failure notice\r\nContent-Type: multipart/report; boundary=b\r\n\r\n${body}`;
  const text = (body: string) => `From: MAILER-DAEMON@example.net\r\nSubject: failure notice\r\n\r\n${body}`;
  const html = (body: string) => `From: MAILER-DAEMON@example.net\r\nContent-Type: text/html\r\n\r\n${body}`;
  const status = (body: string) => report(`--b\r\nContent-Type: message/delivery-status\r\n\r\n${body}`);
  const nested = Array.from(
    { length: 5_000 },
    (_, i) => `Content-Type: multipart/mixed; boundary=n${i}\r\n\r\n--n${i}\r\n`,
  );
  it.each([
    ['one endless line', 'a'.repeat(20 * MB)],
    ['endless header lines without a colon', 'a\n'.repeat(5 * MB)],
    ['endless header fields', Array.from({ length: 500_000 }, (_, i) => `X-${i}: y\r\n`).join('')],
    ['one endlessly folded field', `Subject: a\r\n${' =?utf-8?Q?x?=\r\n'.repeat(200_000)}`],
    ['encoded words that never end', `Subject: ${'=?utf-8?B?'.repeat(5_000)}\r\n\r\nx`],
    ['a content type of semicolons', `Content-Type: multipart/report${';='.repeat(MB)}\r\n\r\nx`],
    ['only lines like delimiters', report('--\n'.repeat(MB))],
    ['delimiters that almost match', report('--b1\n'.repeat(MB))],
    ['endless parts', report('--b\r\n\r\nx\r\n'.repeat(300_000))],
    ['endless nesting', report(`--b\r\n${nested.join('')}`)],
    [
      'nesting with equal boundaries',
      report('--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'.repeat(20_000)),
    ],
    [
      'endless recipients',
      status('Final-Recipient: rfc822;a@example.net\r\nAction: relayed\r\n\r\n'.repeat(50_000)),
    ],
    ['an endless status code', status(`Action: failed\r\nStatus: ${'5.1.'.repeat(200_000)}\r\n\r\n`)],
    [
      'an endless diagnostic',
      status(`Action: failed\r\nDiagnostic-Code: smtp; ${'550-5.1.1 '.repeat(200_000)}\r\n\r\n`),
    ],
    [
      'an endless address',
      status(`Action: failed\r\nFinal-Recipient: utf-8;${'\\x{41}'.repeat(200_000)}@x\r\n\r\n`),
    ],
    ['tags that never close', html('<'.repeat(MB))],
    ['tags that open again', html('<a '.repeat(MB))],
    ['codes without replies', text('550 \n'.repeat(500_000))],
    ['status codes without end', text('(#5.1.1.1.1.1 '.repeat(200_000))],
    ['blank space', text(' '.repeat(5 * MB))],
    ['frames that never close', text(`${'('.repeat(900)} 550 5.1.1 x\n`.repeat(1_000))],
    [
      'soft line breaks',
      report(
        `--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'=\r\n'.repeat(MB)}`,
      ),
    ],
  ])('is quick with %s', (_name, message) => {
    const raw = Buffer.from(message);
    expectSane(readReport(raw));
    expect(readingMs(raw)).toBeLessThanOrEqual(CAP_MS);
  });
});
