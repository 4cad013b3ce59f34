import { describe, expect, it } from 'vitest';
import type { Verdict } from './decide.ts';
import { judgeRefusal } from './judge.ts';
import type { Outcome } from './outcome.ts';
import { suppressionSignalOf } from './suppression-signal.ts';

function refused(code: number, enhanced: string, text: string): Outcome {
  return judgeRefusal({ phase: 'rcpt', host: null, reply: { code, enhanced, text, lines: [text] } as never });
}

function verdict(kind: Verdict['kind']): Verdict {
  const facts = {
    mxHost: null,
    smtpCode: null,
    smtpMessage: null,
    enhancedCode: null,
    tls: null,
    reason: null,
  };
  return kind === 'deferred' ? { kind, ...facts, nextAttemptAtMs: 1 } : { kind, ...facts };
}

const unknownUser = refused(550, '5.1.1', 'no such user');
const full = refused(552, '5.2.2', 'mailbox full');
const fullForNow = refused(452, '4.2.2', 'mailbox full');
const blocked = refused(554, '5.7.1', 'blocked');

describe('the suppression signal of an attempt', () => {
  it('is a gone mailbox for an unknown recipient', () => {
    expect(suppressionSignalOf(unknownUser, verdict('bounced'), false)).toBe('hard_bounce');
  });

  it('is null for a refusal that is not about the recipient', () => {
    expect(suppressionSignalOf(blocked, verdict('bounced'), false)).toBeNull();
  });

  it('is a full mailbox once the delivery has ended, at once or after the last retry', () => {
    expect(suppressionSignalOf(full, verdict('bounced'), false)).toBe('mailbox_full');
    expect(suppressionSignalOf(fullForNow, verdict('deferred'), false)).toBeNull();
    expect(suppressionSignalOf(fullForNow, verdict('failed'), false)).toBe('mailbox_full');
  });

  it('is a working mailbox only where the mailbox was full before', () => {
    expect(suppressionSignalOf(full, verdict('delivered'), true)).toBe('mailbox_works');
    expect(suppressionSignalOf(full, verdict('delivered'), false)).toBeNull();
  });
});
