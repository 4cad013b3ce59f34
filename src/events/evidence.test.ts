import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packEvidence, unpackEvidence } from './evidence.ts';

const bytes = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max });
const dkim = fc.record({
  domain: fc.domain(),
  selector: fc.string({ minLength: 1, maxLength: 63 }),
  signature: bytes(1, 512).map((some) => Buffer.from(some).toString('base64')),
});
const evidence = fc.record({
  sha256: bytes(32, 32).map((some) => Buffer.from(some).toString('hex')),
  size: fc.nat(2 ** 32 - 1),
  dkim: fc.array(dkim, { maxLength: 3 }),
});

it('evidence survives packing unchanged', () => {
  fc.assert(
    fc.property(evidence, (some) => {
      expect(unpackEvidence(packEvidence(some))).toEqual(some);
    }),
  );
});

it('packed evidence takes little more than the signature of a mail', () => {
  const signature = Buffer.alloc(256).toString('base64');
  const one = { domain: 'example.org', selector: 'pr71102b5e70c0', signature };
  expect(packEvidence({ sha256: '00'.repeat(32), size: 1_253, dkim: [one] }).length).toBe(323);
});
