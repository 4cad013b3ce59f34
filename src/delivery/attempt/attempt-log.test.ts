import { expect, it } from 'vitest';
import type { SmtpFacts } from '../../protocols/smtp/facts.ts';
import { judge } from '../policy/judge.ts';
import { attemptLogOf } from './attempt-log.ts';

function facts(transcript: readonly string[], more: Partial<SmtpFacts> = {}): SmtpFacts {
  const where = { host: 'mx.example.org', address: '192.0.2.1', port: 25, tls: null, reused: false };
  const reply = { code: 550, enhanced: '5.1.1', text: '5.1.1 no such user' };
  return { kind: 'refused', phase: 'rcpt', reply, ...where, transcript, ...more } as SmtpFacts;
}

function attemptLog(...sessions: readonly SmtpFacts[]) {
  const last = sessions.at(-1) as SmtpFacts;
  return attemptLogOf({ facts: last, outcome: judge(last, { attempt: 1 }), sessions }, 12.4);
}

it('keeps the SMTP conversation with every host, the rule and the reason', () => {
  const first = facts(['- nothing within 30 s'], { host: 'mx1.example.org' });
  expect(attemptLog(first, facts(['> MAIL', '< 250 ok'], { reused: true }))).toEqual({
    reason: 'unknown_recipient',
    rule: expect.any(String),
    route: null,
    evidence: null,
    detail: '5.1.1 no such user',
    durationMs: 12,
    conversation: [
      '- mx1.example.org [192.0.2.1]:25',
      '- nothing within 30 s',
      '- mx.example.org [192.0.2.1]:25, on an open connection',
      '> MAIL',
      '< 250 ok',
    ].join('\n'),
  });
});

it('keeps the beginning and the end of a long conversation, in whole lines', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `< 250 line ${index} ${'x'.repeat(index * 4)}`);
  const { conversation } = attemptLog(facts(lines));
  expect(conversation?.length).toBeLessThanOrEqual(2_048);
  const kept = conversation?.split('\n') ?? [];
  expect(kept[0]).toBe('- mx.example.org [192.0.2.1]:25');
  expect(kept.at(-1)).toBe(lines.at(-1));
  expect(kept.every((line) => line.startsWith('- ') || lines.includes(line))).toBe(true);
});

it('has no conversation where no server was contacted', () => {
  expect(
    attemptLogOf({ facts: facts([]), outcome: judge(facts([]), { attempt: 1 }) }, 0).conversation,
  ).toBeNull();
});
