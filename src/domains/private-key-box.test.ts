import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeyRing } from '../runtime/key-ring.ts';
import { SecretKey } from '../runtime/secret-key.ts';
import { PrivateKeyBox } from './signing-keys.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const der = privateKey.export({ type: 'pkcs8', format: 'der' });
const box = new PrivateKeyBox(new KeyRing([new SecretKey(randomBytes(32))]));

describe('a sealed private key', () => {
  it('opens for the domain it was sealed for', () => {
    expect(box.open('dom_1', box.seal('dom_1', der)).equals(privateKey)).toBe(true);
  });

  it('reveals nothing of the key and differs every time', () => {
    const sealed = box.seal('dom_1', der);
    expect(sealed.includes(der.subarray(40, 60))).toBe(false);
    expect(box.seal('dom_1', der)).not.toEqual(sealed);
  });

  const refusal = /^Error: The DKIM key of dom_2 does not open: POSTRIDER_SECRET_KEY .* is not the one/;

  it('does not open for another domain', () => {
    expect(() => box.open('dom_2', box.seal('dom_1', der))).toThrow(/does not open/);
  });

  it('does not open with another master key', () => {
    const other = new PrivateKeyBox(new KeyRing([new SecretKey(randomBytes(32))]));
    const sealed = box.seal('dom_2', der);
    expect(() => other.open('dom_2', sealed)).toThrow(/does not open/);
    try {
      other.open('dom_2', sealed);
    } catch (error) {
      expect(String(error)).toMatch(refusal);
      expect((error as Error).cause).toBeUndefined();
    }
  });

  it('does not open when a byte was changed or bytes are missing', () => {
    const sealed = box.seal('dom_1', der);
    for (const at of [0, 1, 12, 13, 200, sealed.length - 17, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => box.open('dom_1', changed)).toThrow(/does not open/);
    }
    for (const length of [0, 1, 10, 28, 29, 100]) {
      expect(() => box.open('dom_1', sealed.subarray(0, length))).toThrow(/does not open/);
    }
  });
});
