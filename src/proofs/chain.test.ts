import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProof, proofKeyOf, seal } from './chain.ts';

const ABOUT = {
  issuer: 'https://mail.example.org',
  issued_at: '2026-11-17T10:00:00.000Z',
  email_id: '0199…',
};
const KEY = proofKeyOf(Buffer.alloc(32, 7));
const ENTRIES = [
  { kind: 'email', subject: 'Grüße "an" Ada\n', recipients: [{ email: 'ada@example.org' }] },
  { kind: 'event', type: 'queued', attempt: null, n: 0.5 },
  { kind: 'event', type: 'delivered', smtp_code: 250, machine: false },
];
const PROOF = seal(ABOUT, ENTRIES, KEY);
const BYTES = Buffer.from(JSON.stringify(PROOF));

/** Verifies the bytes as a recipient of the proof would. */
function holds(bytes: Buffer): boolean {
  try {
    return checkProof(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).ok;
  } catch {
    return false;
  }
}

const entries = fc.array(
  fc.record({ kind: fc.string(), value: fc.jsonValue({ maxDepth: 2 }) }, { requiredKeys: ['kind', 'value'] }),
  { maxLength: 6 },
);
const changed = (change: Readonly<Record<string, unknown>>) => checkProof({ ...PROOF, ...change });

describe('a proof', () => {
  it('is valid after a round trip through JSON, whatever its content', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 0, max: 2 }), (some, indent) => {
        const plain = JSON.parse(JSON.stringify(some)) as typeof ENTRIES;
        const text = JSON.stringify(seal(ABOUT, plain, proofKeyOf(randomBytes(32))), null, indent);
        expect(checkProof(JSON.parse(text))).toMatchObject({ ok: true });
      }),
    );
  });

  it('is invalid after a change of any bit', () => {
    expect(holds(BYTES)).toBe(true);
    const kept: string[] = [];
    for (let bit = 0; bit < BYTES.length * 8; bit += 1) {
      const flipped = Buffer.from(BYTES);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (holds(flipped)) kept.push(`bit ${bit}: ${flipped.subarray((bit >> 3) - 10, (bit >> 3) + 10)}`);
    }
    expect(kept).toEqual([]);
  });

  it('is invalid after a change of any byte', () => {
    const place = fc.nat(BYTES.length - 1);
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 255 }), (at, value) => {
        fc.pre(BYTES[at] !== value);
        const other = Buffer.from(BYTES);
        other[at] = value;
        expect(holds(other)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([0, 1, 2])('is invalid without entry %i', (missing) => {
    expect(changed({ entries: PROOF.entries.filter((_, index) => index !== missing) })).toMatchObject({
      ok: false,
    });
  });

  it('names the changed entry', () => {
    const others = PROOF.entries.map((one, index) =>
      index === 1 ? { ...one, entry: { ...one.entry, type: 'bounced' } } : one,
    );
    expect(changed({ entries: others })).toEqual({
      ok: false,
      problem: 'Entry 2 is not what was signed, or one before it is missing.',
    });
  });

  it.each([
    ['entries in another order', { entries: PROOF.entries.toReversed() }],
    ['an entry twice', { entries: [...PROOF.entries, ...PROOF.entries.slice(-1)] }],
    ['another issuer', { issuer: 'https://mail.example.com' }],
    ['another key', { public_key: proofKeyOf(Buffer.alloc(32, 8)).publicKey }],
    ['the signature of another', { signature: seal(ABOUT, ENTRIES.slice(1), KEY).signature }],
    ['a field more', { note: 'trust me' }],
    ['a field less', { signature: undefined }],
    ['no entries', { entries: 'none' }],
  ])('does not hold with %s', (_, change) => {
    expect(changed(change).ok).toBe(false);
  });

  it('is invalid with an unsigned field beside an entry', () => {
    const [first, ...rest] = PROOF.entries;
    expect(changed({ entries: [{ ...first, note: 'x' }, ...rest] }).ok).toBe(false);
  });

  it.each([null, 7, 'proof', [], {}])('is not %j', (given) => {
    expect(checkProof(given).ok).toBe(false);
  });
});
