import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { reportDestinations } from './report-record.ts';

const shown = (...records: string[]) => {
  const found = reportDestinations(records);
  return found && { mail: found.mail.map(({ email }) => email), https: found.https };
};

it('reads where a domain wants its reports', () => {
  expect(shown('v=spf1 -all', 'v=TLSRPTv1; rua=mailto:tls@example.org')).toEqual({
    mail: ['tls@example.org'],
    https: [],
  });
  expect(shown('v=TLSRPTv1;rua=https://example.org/v1/tlsrpt, mailto:a%2Bb@example.org?x=y;')).toEqual({
    mail: ['a+b@example.org'],
    https: ['https://example.org/v1/tlsrpt'],
  });
});

it.each([
  [[]],
  [['v=TLSRPTv1']],
  [['v=TLSRPTv1; rua=']],
  [['v=TLSRPTv1; rua=ftp://example.org/']],
  [['v=TLSRPTv1; rua=http://example.org/']],
  [['v=TLSRPTv1; rua=mailto:nobody']],
  [['v=TLSRPTv10; rua=mailto:tls@example.org']],
  [['v=TLSRPTv1; rua=mailto:a@example.org', 'v=TLSRPTv1; rua=mailto:b@example.org']],
])('reads nothing from %j', (records) => {
  expect(shown(...records)).toBeNull();
});

it('returns at most five destinations, and never throws', () => {
  const many = Array.from({ length: 9 }, (_, i) => `mailto:a${i}@example.org`).join(',');
  expect(shown(`v=TLSRPTv1; rua=${many}`)?.mail).toHaveLength(5);
  fc.assert(
    fc.property(fc.string(), (text) => {
      reportDestinations([`v=TLSRPTv1; rua=${text}`]);
    }),
    runs(500),
  );
});
