import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import { createAttemptLines } from './finished-attempt.ts';

const delivery: ClaimedDelivery = {
  organizationId: 'org_a',
  emailId: '019d1e2c-0000-7000-8000-000000000000',
  position: 0,
  domain: 'example.org',
  priority: 1,
  attempt: 2,
  firstAttemptAtMs: 0,
  expiresAtMs: 1,
  size: 1,
  dueAtMs: 0,
  waitedMs: 12.4,
};

it('writes one line for an attempt with its identifiers, even at the log level for warnings', () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _, done) {
      lines.push(String(line));
      done();
    },
  });
  createAttemptLines(pino({ level: 'warn' }, stream))({
    delivery,
    origin: {
      requestId: 'order-4711',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
    verdict: {
      kind: 'deferred',
      reason: 'mailbox_full',
      mxHost: 'mx.example.org',
      smtpCode: 452,
      smtpMessage: 'the mailbox of ada@example.org is full',
      enhancedCode: '4.2.2',
      tls: 'TLSv1.3',
      nextAttemptAtMs: 0,
    },
    attemptLog: {
      reason: 'mailbox_full',
      rule: 'full',
      detail: '',
      durationMs: 31,
      conversation: null,
      route: null,
      evidence: null,
    },
    times: [],
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 30,
      event: 'attempt',
      emailId: delivery.emailId,
      position: 0,
      organizationId: 'org_a',
      requestId: 'order-4711',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      domain: 'example.org',
      attempt: 2,
      outcome: 'deferred',
      reason: 'mailbox_full',
      rule: 'full',
      mxHost: 'mx.example.org',
      smtpCode: 452,
      enhancedCode: '4.2.2',
      tls: 'TLSv1.3',
      waitedMs: 12,
      durationMs: 31,
      nextAttemptAt: '1970-01-01T00:00:00.000Z',
    }),
  ]);
  expect(lines.join()).not.toContain('ada@');
});
