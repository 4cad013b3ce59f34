import { describe, expect, it } from 'vitest';
import { type Call, isLinearizable } from './linearize.ts';
import {
  idempotencyKey,
  type KeyedSend,
  type MailAction,
  type MailAnswer,
  type MailCall,
  oneEmail,
  type SendAnswer,
} from './specifications.ts';

const sends = (
  beganMs: number,
  endedMs: number,
  body: string,
  response: SendAnswer | null,
): Call<KeyedSend, SendAnswer> => ({ request: { body }, response, beganMs, endedMs });

const does = (
  beganMs: number,
  endedMs: number,
  request: MailAction,
  response: MailAnswer = 'ok',
): MailCall => ({ request, response, beganMs, endedMs });

describe('histories of one idempotency key', () => {
  const isRight = (...history: Call<KeyedSend, SendAnswer>[]) => isLinearizable(history, idempotencyKey);

  it('accepts repeats that get the same id', () => {
    expect(
      isRight(sends(0, 9, 'a', { id: '1' }), sends(1, 3, 'a', 'busy'), sends(4, 8, 'a', { id: '1' })),
    ).toBe(true);
  });

  it('accepts a mismatch that is answered before the request that used the key first', () => {
    expect(isRight(sends(0, 9, 'a', { id: '1' }), sends(1, 5, 'b', 'mismatch'))).toBe(true);
  });

  it('accepts a request without an answer that took effect', () => {
    expect(isRight(sends(0, 9, 'a', null), sends(20, 25, 'a', { id: '1' }))).toBe(true);
  });

  it('accepts a mismatch after a request without an answer, and refuses it if that had the same body', () => {
    expect(isRight(sends(0, 2, 'a', 'unavailable'), sends(3, 5, 'b', 'mismatch'))).toBe(true);
    expect(isRight(sends(0, 2, 'a', 'unavailable'), sends(3, 5, 'a', 'mismatch'))).toBe(false);
  });

  it('refuses two ids for one key', () => {
    expect(isRight(sends(0, 5, 'a', { id: '1' }), sends(1, 6, 'a', { id: '2' }))).toBe(false);
  });

  it('refuses a key that was lost: another body is accepted later', () => {
    expect(isRight(sends(0, 5, 'a', { id: '1' }), sends(6, 9, 'b', { id: '2' }))).toBe(false);
  });

  it('refuses a mismatch before the key was used', () => {
    expect(isRight(sends(0, 2, 'b', 'mismatch'), sends(3, 5, 'a', { id: '1' }))).toBe(false);
  });

  it('refuses a mismatch for the same body', () => {
    expect(isRight(sends(0, 2, 'a', { id: '1' }), sends(3, 5, 'a', 'mismatch'))).toBe(false);
  });
});

describe('histories of one email', () => {
  const accept = does(0, 1, { does: 'accept' });
  const deliver = (beganMs: number, endedMs: number, cell = 'main') =>
    does(beganMs, endedMs, { does: 'deliver', cell });
  const isRight = (history: readonly MailCall[], approval: 'none' | 'waits' = 'none') =>
    isLinearizable([accept, ...history], oneEmail('main', approval));

  it('accepts a delivery at the time at which a hold is placed', () => {
    expect(isRight([does(2, 6, { does: 'hold', hold: 'a' }), deliver(4, 5)])).toBe(true);
  });

  it('refuses a delivery under a hold that was placed before and not released', () => {
    expect(isRight([does(2, 3, { does: 'hold', hold: 'a' }), deliver(4, 5)])).toBe(false);
  });

  it('accepts a delivery after the release', () => {
    expect(
      isRight([
        does(2, 3, { does: 'hold', hold: 'a' }),
        does(4, 6, { does: 'release', hold: 'a' }),
        deliver(5, 7),
      ]),
    ).toBe(true);
  });

  it('refuses a second delivery', () => {
    expect(isRight([deliver(2, 3), deliver(4, 5)])).toBe(false);
    const twice = deliver(2, 3);
    expect(isRight([twice, twice])).toBe(false);
  });

  it('refuses a delivery by both cells', () => {
    expect(isRight([deliver(2, 3), does(4, 6, { does: 'move', to: 'two' }), deliver(7, 8, 'two')])).toBe(
      false,
    );
  });

  it('refuses a delivery by the old cell after the move', () => {
    expect(isRight([does(2, 3, { does: 'move', to: 'two' }), deliver(4, 5, 'main')])).toBe(false);
  });

  it('accepts a delivery by the new cell while the move ends', () => {
    expect(isRight([does(2, 9, { does: 'move', to: 'two' }), deliver(4, 5, 'two')])).toBe(true);
  });

  it('refuses a delivery before the approval and after a rejection', () => {
    expect(isRight([deliver(2, 3), does(4, 5, { does: 'approve' })], 'waits')).toBe(false);
    expect(isRight([does(2, 3, { does: 'reject' }), deliver(4, 5)], 'waits')).toBe(false);
    expect(isRight([does(2, 4, { does: 'approve' }), deliver(3, 5)], 'waits')).toBe(true);
  });

  it('refuses a delivery after the release of one of two holds', () => {
    const holds = [does(2, 3, { does: 'hold', hold: 'a' }), does(2, 3, { does: 'hold', hold: 'b' })];
    expect(isRight([...holds, does(4, 5, { does: 'release', hold: 'a' }), deliver(6, 7)])).toBe(false);
  });

  it('refuses a delivery after the mail of its hold was discarded', () => {
    const held = [does(2, 3, { does: 'hold', hold: 'a' }), does(4, 5, { does: 'discard', hold: 'a' })];
    expect(isRight([...held, deliver(6, 7)])).toBe(false);
  });

  it('accepts a delivery of mail that was accepted while the mail of its hold was discarded', () => {
    const held = [does(-3, -2, { does: 'hold', hold: 'a' }), does(-1, 2, { does: 'discard', hold: 'a' })];
    expect(isRight([...held, deliver(6, 7)])).toBe(true);
  });

  it('refuses a delivery of a cancelled email, and accepts one if the cancellation was refused', () => {
    expect(isRight([does(2, 3, { does: 'cancel' }), deliver(4, 5)])).toBe(false);
    expect(isRight([does(2, 3, { does: 'cancel' }, 'refused'), deliver(4, 5)])).toBe(true);
  });

  it('refuses a status that does not say how the email ended', () => {
    expect(isRight([deliver(2, 3), does(4, 5, { does: 'read', status: 'delivered' })])).toBe(true);
    expect(isRight([deliver(2, 3), does(4, 5, { does: 'read', status: 'failed' })])).toBe(false);
    expect(isRight([does(4, 5, { does: 'read', status: 'delivered' })])).toBe(false);
    expect(isRight([does(2, 3, { does: 'cancel' }), does(4, 5, { does: 'read', status: 'queued' })])).toBe(
      false,
    );
  });

  it('refuses a status that goes back from the end of the email', () => {
    const queued = does(6, 7, { does: 'read', status: 'queued' });
    expect(isRight([deliver(2, 3), queued])).toBe(true);
    expect(isRight([deliver(2, 3), does(4, 5, { does: 'read', status: 'delivered' }), queued])).toBe(false);
  });

  it('refuses an approval and a rejection of the same email', () => {
    const both = (second: MailAnswer) => [
      does(2, 5, { does: 'approve' }),
      does(3, 6, { does: 'reject' }, second),
    ];
    expect(isRight(both('ok'), 'waits')).toBe(false);
    expect(isRight(both('refused'), 'waits')).toBe(true);
  });
});
