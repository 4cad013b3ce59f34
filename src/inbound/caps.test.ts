import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Caps, exceeding, type WaitingCount } from './caps.ts';

const CAPS: Caps = {
  inAll: { messages: 10, bytes: 1_000 },
  ofSender: { messages: 4, bytes: 500 },
  ofDelivery: { messages: 2, bytes: 300 },
};
const KINDS = ['signed', 'open', 'report'] as const;
const caps = { signed: CAPS, open: CAPS, report: CAPS };

const item = fc.record({
  kind: fc.constantFrom(...KINDS),
  remoteAddress: fc.constantFrom(
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '2001:db8::1',
    '2001:db8::2',
    '198.51.100.7',
  ),
  delivery: fc.constantFrom('a 0', 'b 0'),
  messages: fc.constant(1),
  bytes: fc.nat(400),
});
const items = fc
  .array(item, { maxLength: 60 })
  .map((all) => all.map((one): WaitingCount => (one.kind === 'open' ? { ...one, delivery: null } : one)));

const sum = (all: readonly WaitingCount[]) => all.reduce((bytes, one) => bytes + one.bytes, 0);

describe('the excess over the caps', () => {
  it('leaves no more than the caps, in total and per sender', () => {
    fc.assert(
      fc.property(items, (all) => {
        const gone = new Set(exceeding(all, caps));
        const left = all.filter((one) => !gone.has(one));
        for (const which of KINDS) {
          const kind = left.filter((one) => one.kind === which);
          const v6 = kind.filter(({ remoteAddress }) => remoteAddress.startsWith('2001:'));
          const v4 = kind.filter(({ remoteAddress }) => remoteAddress.endsWith('192.0.2.1'));
          for (const [some, cap] of [
            [kind, CAPS.inAll],
            [v6, CAPS.ofSender],
            [v4, CAPS.ofSender],
            [kind.filter(({ delivery }) => delivery === 'a 0'), CAPS.ofDelivery],
          ] as const) {
            expect(some.length).toBeLessThanOrEqual(cap.messages);
            expect(sum(some)).toBeLessThanOrEqual(cap.bytes);
          }
        }
      }),
    );
  });

  it('is empty while there is room, and otherwise consists of the oldest messages', () => {
    const one = { kind: 'open' as const, delivery: null, messages: 1, bytes: 1 };
    const all = Array.from({ length: 15 }, (_, n) => ({ ...one, remoteAddress: `192.0.2.${n}` }));
    expect(exceeding(all.slice(0, 10), caps)).toEqual([]);
    expect(exceeding(all, caps)).toEqual(all.slice(10));
  });

  it('of unknown senders takes no room from signed return paths', () => {
    const junk = Array.from({ length: 20 }, (_, n) => ({
      ...{ kind: 'open' as const, delivery: null, messages: 1, bytes: 1 },
      remoteAddress: `192.0.2.${n}`,
    }));
    const bounce = {
      ...{ kind: 'signed' as const, delivery: 'a 0', messages: 1, bytes: 1 },
      remoteAddress: '192.0.2.1',
    };
    expect(exceeding([...junk, bounce], caps)).not.toContain(bounce);
  });
});
