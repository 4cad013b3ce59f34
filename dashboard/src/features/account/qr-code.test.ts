import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { qrCode } from './qr-code.ts';

const SETTING_UP =
  'otpauth://totp/Postrider:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Postrider';

function picture(text: string): string {
  return (qrCode(text) ?? []).map((row) => row.map((dark) => (dark ? '#' : '.')).join('')).join('\n');
}

describe('a QR code', () => {
  it('has its three corners and its timing lines', () => {
    const rows = picture('A').split('\n');
    const corner = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'];
    expect(rows).toHaveLength(21);
    expect(rows.slice(0, 7).map((row) => row.slice(0, 7))).toEqual(corner);
    expect(rows.slice(0, 7).map((row) => row.slice(14))).toEqual(corner);
    expect(rows.slice(14).map((row) => row.slice(0, 7))).toEqual(corner);
    expect(rows[6]?.slice(7, 14)).toBe('.#.#.#.');
  });

  // These pictures were read back, letter by letter, by another program (zbarimg 0.23).
  it.each([
    { text: SETTING_UP, size: 37, digest: 'c873126e5c7818c95bd7a40f9593ff7e' },
    { text: 'w'.repeat(230), size: 53, digest: '8c367d2e0106a35fc7e651f58688adc3' },
  ])('is the one that was read back by a reader, $size wide', ({ text, size, digest }) => {
    expect(qrCode(text)).toHaveLength(size);
    expect(createHash('sha256').update(picture(text)).digest('hex').slice(0, 32)).toBe(digest);
  });

  it('is not made of a text that does not fit', () => {
    expect(qrCode('x'.repeat(271))).toHaveLength(57);
    expect(qrCode('x'.repeat(272))).toBeNull();
  });
});
