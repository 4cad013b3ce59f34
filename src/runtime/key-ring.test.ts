import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeyRing, withAnyKey } from './key-ring.ts';
import { SealedBox, sealedPrefix } from './sealed-box.ts';
import { SecretKey } from './secret-key.ts';

const [old, next] = [new SecretKey(randomBytes(32)), new SecretKey(randomBytes(32))];
const clock = { at: 1_000, nowMs: () => clock.at };
const boxOf = (ring: KeyRing) => new SealedBox(ring, 'totp-secrets', 'secret');

function rotated(): KeyRing {
  const ring = new KeyRing([old, next], { clock });
  ring.setTurns([
    { id: next.id, fromMs: 5_000 },
    { id: old.id, fromMs: 0 },
  ]);
  return ring;
}

describe('a key ring', () => {
  it('uses each key from its turn on, and earlier keys for earlier times', () => {
    const ring = rotated();
    clock.at = 4_999;
    expect(ring.current).toBe(old);
    clock.at = 5_000;
    expect(ring.current).toBe(next);
    expect(ring.keysFor('tracking').at(4_999)).toEqual(old.derive('tracking'));
    expect(ring.keysFor('tracking').at(6_000)).toEqual(next.derive('tracking'));
  });

  it('reads with every key, the current one first', () => {
    const ring = rotated();
    clock.at = 6_000;
    const tried: Buffer[] = [];
    const found = withAnyKey(ring.keysFor('tracking'), (key) => {
      tried.push(key);
      return key.equals(old.derive('tracking')) ? 'found' : null;
    });
    expect(found).toBe('found');
    expect(tried).toEqual([next.derive('tracking'), old.derive('tracking')]);
  });

  it('keeps its current key when the next turn is for an unknown key', () => {
    const ring = new KeyRing([old], { clock });
    expect(ring.setTurns([{ id: next.id, fromMs: 0 }])).toEqual([next.id]);
    expect(ring.current).toBe(old);
  });
});

describe('a sealed value', () => {
  it("names its key, and can be opened after the next key's turn", () => {
    const ring = rotated();
    clock.at = 1_000;
    const sealed = boxOf(ring).seal('usr_1', Buffer.from('hello'));
    expect(sealed.subarray(0, 9)).toEqual(sealedPrefix(old.id));
    clock.at = 6_000;
    expect(boxOf(ring).open('usr_1', sealed).toString()).toBe('hello');
    expect(boxOf(ring).seal('usr_1', Buffer.from('hello')).subarray(0, 9)).toEqual(sealedPrefix(next.id));
  });

  it('of format 1 has no id, and opens with any known key', () => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', old.derive('totp-secrets'), iv).setAAD(Buffer.from('usr_1'));
    const parts = [Buffer.of(1), iv, cipher.update('hello'), cipher.final(), cipher.getAuthTag()];
    for (const ring of [new KeyRing([old]), new KeyRing([next, old]), rotated()]) {
      expect(boxOf(ring).open('usr_1', Buffer.concat(parts)).toString()).toBe('hello');
    }
    expect(() => boxOf(new KeyRing([next])).open('usr_1', Buffer.concat(parts))).toThrow(/does not open/);
  });

  it('does not open under the id of another key', () => {
    const ring = rotated();
    clock.at = 1_000;
    const sealed = boxOf(ring).seal('usr_1', Buffer.from('hello'));
    sealedPrefix(next.id).copy(sealed);
    expect(() => boxOf(ring).open('usr_1', sealed)).toThrow(/does not open/);
  });
});
