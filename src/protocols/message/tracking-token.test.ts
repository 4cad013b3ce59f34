import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/addresses.ts';
import { newId, uuidv7 } from '../../runtime/ids.ts';
import type { EmailAddress } from './address.ts';
import {
  clickTokens,
  decodeClickToken,
  decodeOpenToken,
  decodeUnsubscribeToken,
  encodeOpenToken,
  encodeUnsubscribeToken,
} from './tracking-token.ts';

const key = randomBytes(32);
const ref = { organizationId: newId('org'), emailId: uuidv7(Date.now()), position: 49 };
const asked = {
  organizationId: ref.organizationId,
  emailId: ref.emailId,
  address: address('grüße+x@bücher.example').email,
  group: 'news',
};
const groups = fc.constantFrom('default', 'news', 'a.b_c-9');

const refs = fc.record({
  organizationId: fc.constantFrom(newId('org'), newId('org')),
  emailId: fc.uuid(),
  position: fc.integer({ min: 0, max: 49 }),
});

/** The token with one character changed for another of the alphabet. */
function altered(token: string, at: number): string {
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}

describe('an open token', () => {
  it('says again whom it was made for', () => {
    fc.assert(
      fc.property(refs, (one) => {
        expect(decodeOpenToken(encodeOpenToken(one, key), key)).toEqual(one);
      }),
    );
  });

  it('is refused when any character is another', () => {
    const token = encodeOpenToken(ref, key);
    for (let at = 0; at < token.length; at += 1)
      expect(decodeOpenToken(altered(token, at), key), `at ${at}`).toBe(null);
  });

  it('is refused with another key', () => {
    expect(decodeOpenToken(encodeOpenToken(ref, key), randomBytes(32))).toBe(null);
  });

  it.each(['', 'x', 'A'.repeat(56), 'A'.repeat(5000), 'ü'.repeat(56)])('is not %s', (text) => {
    expect(decodeOpenToken(text, key)).toBe(null);
  });

  it('cannot be made for what is no delivery', () => {
    expect(() => encodeOpenToken({ ...ref, position: 50 }, key)).toThrow();
    expect(() => encodeOpenToken({ ...ref, organizationId: 'acme' }, key)).toThrow();
    expect(() => encodeOpenToken({ ...ref, emailId: 'x' }, key)).toThrow();
  });
});

describe('an unsubscribe token', () => {
  it('says again who asked, whatever the address', () => {
    fc.assert(
      fc.property(
        refs,
        fc.string({ minLength: 1, maxLength: 320, unit: 'grapheme' }),
        groups,
        (one, text, group) => {
          const { organizationId, emailId } = one;
          const address = Buffer.from(text.replaceAll('\n', ''), 'utf8').toString('utf8') as EmailAddress;
          fc.pre(address !== '');
          const said = { organizationId, emailId, address, group };
          expect(decodeUnsubscribeToken(encodeUnsubscribeToken(said, key), key)).toEqual(said);
        },
      ),
    );
  });

  it('from before there were groups is of the default one', () => {
    const madeBefore = 'NLiKWOnGVe3ZRYG6wuRPRZCAJ0eXS8aDRP8hOd3Q8ncn3ieJbSqAEMaZKupcaVJgCWTe_9taACtTxKm1';
    expect(decodeUnsubscribeToken(madeBefore, Buffer.alloc(32, 7))).toEqual({
      organizationId: 'org_0123456789abc',
      emailId: '01932e1b-7c2a-7000-8000-0123456789ab',
      address: 'ada@example.org',
      group: 'default',
    });
  });

  it('is the same every time, because a retried mail must be the same mail', () => {
    expect(encodeUnsubscribeToken(asked, key)).toBe(encodeUnsubscribeToken(asked, key));
  });

  it('does not show the address', () => {
    const bytes = Buffer.from(encodeUnsubscribeToken(asked, key), 'base64url');
    expect(bytes.includes('example')).toBe(false);
  });

  it('is refused when any character is another, or one is missing', () => {
    const token = encodeUnsubscribeToken(asked, key);
    for (let at = 0; at < token.length; at += 1)
      expect(decodeUnsubscribeToken(altered(token, at), key), `at ${at}`).toBe(null);
    expect(decodeUnsubscribeToken(token.slice(0, -1), key)).toBe(null);
    expect(decodeUnsubscribeToken(`${token}A`, key)).toBe(null);
  });

  it('is refused with another key, and is no open token', () => {
    const token = encodeUnsubscribeToken(asked, key);
    expect(decodeUnsubscribeToken(token, randomBytes(32))).toBe(null);
    expect(decodeUnsubscribeToken(encodeOpenToken(ref, key), key)).toBe(null);
    expect(decodeOpenToken(token, key)).toBe(null);
  });
});

const URLS = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 1, maxLength: 200 })
  .map((codes) => `https://${String.fromCharCode(...codes)}`);

describe('a click token', () => {
  const url = 'https://shop.example/basket?id=7&x=%2F#top';
  const token = clickTokens(ref, key)(url);

  it('says again whose link it was and where it leads, byte for byte', () => {
    fc.assert(
      fc.property(refs, URLS, (one, target) => {
        expect(decodeClickToken(clickTokens(one, key)(target), key)).toEqual({ ...one, url: target });
      }),
    );
  });

  it('is the same every time, because a retried mail must be the same mail', () => {
    expect(clickTokens(ref, key)(url)).toBe(token);
  });

  it('has 56 characters beside the address', () => {
    expect(token).toHaveLength(56 + Math.ceil((url.length * 4) / 3));
  });

  it('is refused when any character is another, or one is missing or added', () => {
    for (let at = 0; at < token.length; at += 1)
      expect(decodeClickToken(altered(token, at), key), `at ${at}`).toBe(null);
    expect(decodeClickToken(token.slice(0, -1), key)).toBe(null);
    expect(decodeClickToken(`${token}A`, key)).toBe(null);
    expect(decodeClickToken('', key)).toBe(null);
    expect(decodeClickToken('A'.repeat(10_000), key)).toBe(null);
  });

  it('is refused with another key, and is neither an open nor an unsubscribe token', () => {
    expect(decodeClickToken(token, randomBytes(32))).toBe(null);
    expect(decodeOpenToken(token, key)).toBe(null);
    expect(decodeOpenToken(token.slice(0, 56), key)).toBe(null);
    expect(decodeUnsubscribeToken(token, key)).toBe(null);
    expect(decodeClickToken(encodeOpenToken(ref, key), key)).toBe(null);
    expect(decodeClickToken(encodeOpenToken(ref, key) + Buffer.from(url).toString('base64url'), key)).toBe(
      null,
    );
    expect(decodeClickToken(encodeUnsubscribeToken(asked, key), key)).toBe(null);
  });

  it('for a host leads on there, and at no other name', () => {
    const bound = clickTokens(ref, key, 'links.a.example')(url);
    expect(decodeClickToken(bound, key, 'links.a.example')).toEqual({ ...ref, url });
    for (const host of [null, 'links.b.example', 'links.a.example.org', 'inks.a.example', ''])
      expect(decodeClickToken(bound, key, host), String(host)).toBe(null);
    expect(decodeClickToken(token, key, 'links.a.example')).toBe(null);
    expect(bound).toHaveLength(token.length);
  });

  it.each([
    'javascript:alert(1)',
    'https://a.example/\r\nSet-Cookie: x',
    'https://ä.example',
    '//a.example',
    '',
  ])('cannot be made for %j', (target) => {
    expect(() => clickTokens(ref, key)(target)).toThrow();
  });
});
