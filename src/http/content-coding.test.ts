import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { acceptedCoding, compressed } from './content-coding.ts';

it.each([
  [undefined, null, false],
  ['', null, false],
  ['gzip', 'gzip', false],
  ['gzip, deflate, br, zstd', 'br', false],
  ['GZIP', 'gzip', false],
  ['deflate', null, false],
  ['*', 'br', false],
  ['br;q=0.5, gzip', 'gzip', false],
  ['br;q=0.5, gzip;q=0.5', 'br', false],
  ['br;q=0, gzip', 'gzip', false],
  ['br ; q=0.000 , gzip ; q=0.001', 'gzip', false],
  ['*;q=0.5, br;q=0', 'gzip', false],
  ['identity', null, false],
  ['identity, gzip', 'gzip', false],
  ['identity, gzip;q=0.5', null, false],
  ['identity;q=0', null, true],
  ['identity;q=0, gzip', 'gzip', true],
  ['gzip, *;q=0', 'gzip', true],
  ['*;q=0', null, true],
  ['gzip;q=many', null, false],
  [',;,=;q', null, false],
])('of Accept-Encoding %j chooses %s', (header, coding, refusesPlain) => {
  expect(acceptedCoding(header)).toEqual({ coding, refusesPlain });
});

it('chooses among the offered codings only', () => {
  expect(acceptedCoding('br, gzip;q=0.1', ['gzip']).coding).toBe('gzip');
  expect(acceptedCoding('br', ['gzip']).coding).toBeNull();
});

it('compresses what decompresses to the same bytes', () => {
  const content = Buffer.from('Grüße '.repeat(1_000));
  expect(brotliDecompressSync(compressed(content, 'br'))).toEqual(content);
  expect(gunzipSync(compressed(content, 'gzip'))).toEqual(content);
});
