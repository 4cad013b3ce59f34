import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { newId, uuidv7 } from '../../runtime/ids.ts';
import { parseAddress } from './address.ts';
import {
  type DeliveryRef,
  decodeReturnPath,
  encodeReference,
  readReference,
  returnPathOf,
} from './return-path.ts';

const key = Buffer.from('a key that only this installation knows');
const host = 'bounces.example.com';
const organizationId = fc
  .string({
    unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'),
    minLength: 13,
    maxLength: 13,
  })
  .map((chars) => `org_${chars}`);
const NOW_MS = Date.UTC(2026, 10, 15, 5, 30);
const encodeReturnPath = (delivery: DeliveryRef, withKey: Buffer, at: string) =>
  returnPathOf(encodeReference(delivery, withKey, NOW_MS), at);
const ref = fc.record({ organizationId, emailId: fc.uuid(), position: fc.integer({ min: 0, max: 49 }) });

describe('return paths', () => {
  it('come back as what went in, also when their case was changed on the way', () => {
    fc.assert(
      fc.property(ref, (delivery) => {
        const address = encodeReturnPath(delivery, key, host);
        expect(decodeReturnPath(address, key, host)).toMatchObject(delivery);
        expect(decodeReturnPath(address.toUpperCase(), key, host)).toMatchObject(delivery);
      }),
    );
  });

  it('take the ids that the service makes', () => {
    const delivery = { organizationId: newId('org'), emailId: uuidv7(Date.now()), position: 49 };
    expect(decodeReturnPath(encodeReturnPath(delivery, key, host), key, host)).toMatchObject(delivery);
  });

  it('are legal addresses with at most 64 octets before the @', () => {
    fc.assert(
      fc.property(ref, (delivery) => {
        const address = encodeReturnPath(delivery, key, host);
        expect(parseAddress(address)).toMatchObject({ ok: true, email: address, kind: 'dot-atom' });
        expect(address.indexOf('@')).toBeLessThanOrEqual(64);
      }),
    );
  });

  it('are refused after any change of a single character', () => {
    const replacement = fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz+.-_@ ="\r\n\0é');
    fc.assert(
      fc.property(ref, fc.nat(), replacement, (delivery, where, char) => {
        const address = encodeReturnPath(delivery, key, host);
        const i = where % address.length;
        fc.pre(address[i] !== char);
        expect(decodeReturnPath(address.slice(0, i) + char + address.slice(i + 1), key, host)).toBeNull();
      }),
      runs(300),
    );
  });

  it('are refused when a character is missing or added', () => {
    fc.assert(
      fc.property(ref, fc.nat(), (delivery, where) => {
        const address = encodeReturnPath(delivery, key, host);
        const i = where % address.length;
        expect(decodeReturnPath(address.slice(0, i) + address.slice(i + 1), key, host)).toBeNull();
        expect(decodeReturnPath(`${address.slice(0, i)}0${address.slice(i)}`, key, host)).toBeNull();
      }),
    );
  });

  it('are refused under another key', () => {
    fc.assert(
      fc.property(ref, fc.uint8Array({ minLength: 1, maxLength: 64 }), (delivery, other) => {
        expect(decodeReturnPath(encodeReturnPath(delivery, key, host), Buffer.from(other), host)).toBeNull();
      }),
    );
  });

  it('are refused when they are not return paths at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => decodeReturnPath(text, key, host) === null),
    );
    expect(decodeReturnPath('', key, host)).toBeNull();
    expect(decodeReturnPath(`@${host}`, key, host)).toBeNull();
  });

  it('are not made from ids or positions that could not be read back', () => {
    const good = { organizationId: newId('org'), emailId: uuidv7(Date.now()), position: 0 };
    expect(() => encodeReturnPath({ ...good, organizationId: 'org_short' }, key, host)).toThrow();
    expect(() => encodeReturnPath({ ...good, emailId: 'nope' }, key, host)).toThrow();
    expect(() => encodeReturnPath({ ...good, position: 50 }, key, host)).toThrow();
    expect(() => encodeReturnPath({ ...good, position: 0.5 }, key, host)).toThrow();
    expect(() => encodeReference(good, key, Date.UTC(2060, 0, 1))).toThrow();
    expect(() => encodeReference(good, key, Number.NaN)).toThrow();
  });

  it('are good for thirty days after the last attempt, and at most a day longer', () => {
    fc.assert(
      fc.property(ref, fc.integer({ min: NOW_MS, max: Date.UTC(2040, 0, 1) }), (delivery, lastAttemptMs) => {
        const address = returnPathOf(encodeReference(delivery, key, lastAttemptMs), host);
        const { validUntilMs = 0 } = decodeReturnPath(address, key, host) ?? {};
        expect(validUntilMs).toBeGreaterThan(lastAttemptMs + 30 * DAY_MS);
        expect(validUntilMs).toBeLessThanOrEqual(lastAttemptMs + 31 * DAY_MS);
      }),
    );
  });

  it('are the same at every attempt', () => {
    const delivery = { organizationId: newId('org'), emailId: uuidv7(NOW_MS), position: 3 };
    expect(encodeReference(delivery, key, NOW_MS)).toBe(encodeReference(delivery, key, NOW_MS));
  });
});

describe('references inside of messages', () => {
  it('are read as they stand in our header, and from a return path in any form', () => {
    fc.assert(
      fc.property(ref, (delivery) => {
        const reference = encodeReference(delivery, key, NOW_MS);
        const path = returnPathOf(reference, host);
        for (const text of [reference, ` ${reference.toUpperCase()}\t`, path, `<${path}>`]) {
          expect(readReference(text, key)).toMatchObject(delivery);
        }
      }),
    );
  });

  it('are refused when they are altered, or somebody else signed them', () => {
    const replacement = fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz+.@ <>');
    fc.assert(
      fc.property(ref, fc.nat(), replacement, (delivery, where, char) => {
        const reference = encodeReference(delivery, key, NOW_MS);
        const i = where % reference.length;
        fc.pre(reference[i] !== char);
        expect(readReference(reference.slice(0, i) + char + reference.slice(i + 1), key)).toBeNull();
        expect(readReference(reference, Buffer.from('another'))).toBeNull();
      }),
    );
    expect(readReference('', key)).toBeNull();
  });
});
