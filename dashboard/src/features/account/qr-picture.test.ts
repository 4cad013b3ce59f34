import { createHash } from 'node:crypto';
import { encode } from 'uqr';
import { expect, it } from 'vitest';

const SETTING_UP =
  'otpauth://totp/Postrider:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Postrider';

// These pictures were read back, letter by letter, by another program (zbarimg 0.23).
it.each([
  { text: SETTING_UP, maskPattern: 5, size: 37, digest: 'c873126e5c7818c95bd7a40f9593ff7e' },
  { text: 'w'.repeat(230), maskPattern: 3, size: 53, digest: '8c367d2e0106a35fc7e651f58688adc3' },
])('a QR code is the one that a reader has read back, $size modules wide', ({ text, digest, ...options }) => {
  const { data, size } = encode(text, {
    ecc: 'L',
    border: 0,
    boostEcc: false,
    maskPattern: options.maskPattern,
  });
  const picture = data.map((row) => row.map((dark) => (dark ? '#' : '.')).join('')).join('\n');
  expect(size).toBe(options.size);
  expect(createHash('sha256').update(picture).digest('hex').slice(0, 32)).toBe(digest);
});
