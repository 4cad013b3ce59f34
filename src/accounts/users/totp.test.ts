import { describe, expect, it } from 'vitest';
import { base32, codeAt, hotp, matchingStep, newTotpSecret, otpauthUri } from './second-factor.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('one-time passwords', () => {
  // RFC 6238, appendix B, the rows for SHA-1: eight digits.
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %d are those of RFC 6238', (seconds, code) => {
    expect(hotp(SECRET, Math.floor(seconds / 30), 8)).toBe(code);
    expect(codeAt(SECRET, seconds * 1000)).toBe(code.slice(2));
  });

  // RFC 4226, appendix D.
  it('by counter are those of RFC 4226', () => {
    const codes = Array.from({ length: 10 }, (_, counter) => hotp(SECRET, counter, 6));
    expect(codes).toEqual('755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' '));
  });

  it('are accepted one step early or late, and no further', () => {
    const nowMs = 1_800_000_000_000;
    const accepted = [-90, -60, -30, 0, 30, 60, 90].filter(
      (seconds) => matchingStep(SECRET, codeAt(SECRET, nowMs + seconds * 1000), nowMs) !== null,
    );
    expect(accepted).toEqual([-30, 0, 30]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', ' 755224'])('are not %j', (code) => {
    expect(matchingStep(SECRET, code, 0)).toBeNull();
  });

  it('have a secret that apps can read', () => {
    expect(base32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
    expect(base32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauthUri(SECRET, 'ada+x@example.org')).toBe(
      'otpauth://totp/Postrider:ada%2Bx%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Postrider',
    );
  });
});
