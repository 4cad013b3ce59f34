/** Verifies zone files with dnspython, an independent implementation. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import type { ExportedRecord } from './records.ts';
import { txtStrings } from './txt-strings.ts';
import { zoneFile } from './zone-file.ts';

const PARSE = `
import base64, json, sys, dns.zone
def one(text):
    zone = dns.zone.from_text(text, origin='.', relativize=False, check_origin=False)
    out = []
    for name, ttl, data in zone.iterate_rdatas():
        kind = dns.rdatatype.to_text(data.rdtype)
        value = [base64.b64encode(s).decode() for s in data.strings] if kind == 'TXT' else data.to_text()
        out.append([name.to_text(), ttl, kind, value])
    return out
json.dump([one(text) for text in json.load(sys.stdin)], sys.stdout)
`;
/** Prefers Debian's Python, because another Python does not find Debian's packages. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (one) => spawnSync(one, ['-c', 'import dns.zone']).status === 0,
);

function parsed(files: readonly string[]): unknown[][] {
  const { stdout, stderr, status } = spawnSync(PYTHON ?? '', ['-c', PARSE], {
    input: JSON.stringify(files),
    maxBuffer: 100_000_000,
  });
  if (status !== 0) throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9-]{0,10}[a-z0-9])?$/);
const name = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));
/** Values that a DNS provider might return; half of them long. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', minLength: 200, maxLength: 900 }),
  fc.stringMatching(/^[a-z;="\\ ]{250,520}$/),
);
const record: fc.Arbitrary<ExportedRecord> = fc.oneof(
  fc.record({ zone: fc.constant('x.test'), type: fc.constant('TXT' as const), name, value: text }),
  fc.record({
    ...{ zone: fc.constant('x.test'), type: fc.constant('MX' as const), name },
    value: fc.tuple(fc.nat(65_535), name).map(([preference, host]) => `${preference} ${host}`),
  }),
);
const records = fc.uniqueArray(record, { maxLength: 6, selector: ({ name: owner }) => owner });

describe.skipIf(PYTHON === undefined)('a zone file', () => {
  it('is parsed by dnspython into the exported records', () => {
    const samples = fc.sample(records, runs(60).numRuns);
    const files = samples.map((one) => zoneFile({ records: one, leftOut: one }));
    const read = parsed(files);
    for (const [at, given] of samples.entries()) {
      const expected = given.map(({ name: owner, type, value }) => [
        `${owner}.`,
        3600,
        type,
        type === 'TXT' ? txtStrings(value).map((one) => Buffer.from(one).toString('base64')) : `${value}.`,
      ]);
      expect(read[at]?.toSorted()).toEqual(expected.toSorted());
    }
  });
});

describe('the strings of a TXT value', () => {
  it('have at most 255 octets each, and give the value again when joined', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), (value) => {
        const strings = txtStrings(value);
        expect(strings.join('')).toBe(value);
        expect(strings.every((one) => Buffer.byteLength(one) <= 255)).toBe(true);
      }),
      runs(200),
    );
  });

  it.each([
    [0, [0]],
    [255, [255]],
    [256, [255, 1]],
    [511, [255, 255, 1]],
  ])('of %i letters have the lengths %j', (length, lengths) => {
    expect(txtStrings('a'.repeat(length)).map((one) => one.length)).toEqual(lengths);
  });
});
