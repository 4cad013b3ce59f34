import { describe, expect, it } from 'vitest';
import type { SmtpFacts, SmtpPhase } from '../../protocols/smtp/facts.ts';
import { judge } from '../policy/judge.ts';
import type { SitePolicy } from './site.ts';
import { signalOf } from './site-signal.ts';

const WHERE = { address: '192.0.2.1', port: 25, tls: null, reused: false, transcript: [] };
const GMAIL = 'gmail-smtp-in.l.google.com';
const POLICY = { congestionControl: 'learning', suspensions: [] } as unknown as SitePolicy;

function signal(line: string, host = 'mx.example.net', phase: SmtpPhase = 'dot'): string {
  const text = line.slice(4);
  const enhanced = /^\d\.\d+\.\d+/.exec(text)?.[0] ?? null;
  const reply = { code: Number(line.slice(0, 3)), enhanced, text };
  return ofFacts({ kind: 'refused', phase, reply, host, ...WHERE });
}

function ofFacts(facts: SmtpFacts, policy = POLICY): string {
  return signalOf({ facts, outcome: judge(facts, { attempt: 1 }), isRetry: false }, policy).kind;
}

describe('the signal of an attempt about its site', () => {
  it.each([
    ['421 4.7.26 Your email has been rate limited because it is unauthenticated', GMAIL],
    ['421 4.7.30 Your email has been rate limited because DKIM did not pass', GMAIL],
    ['421 4.7.23 Your email has been rate limited because of its PTR record', GMAIL],
    ['421 4.7.28 unusual rate of mail originating from your DKIM domain', GMAIL],
    ['550 5.7.40 the sending domain has no DMARC record', GMAIL],
    ['450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.1]', undefined],
    ['450 4.1.1 Recipient address rejected: unverified address: Address verification in progress', undefined],
    ['504 5.5.2 <vm>: Helo command rejected: need fully-qualified hostname', undefined],
    ['550 5.7.1 the domain of the sender is on our blacklist', undefined],
    ['550 5.7.1 message refused by policy', undefined],
    ['450 4.2.0 Greylisted', undefined],
    ['451 hm', undefined],
    ['550 no', undefined],
  ])('does not slow the site down for %j', (line, host) => {
    expect(signal(line, host)).toBe('reachable');
  });

  it.each([
    '450 4.7.1 Error: too much mail from 192.0.2.1',
    '451 4.7.0 put off by policy',
    '550 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org',
  ])('asks for less mail for %j', (line) => {
    expect(signal(line)).toBe('slow_down');
  });

  it.each([
    '421 4.7.0 mx.example.net Error: too many connections from 192.0.2.1',
    '421 Too many concurrent SMTP connections; please try again later.',
    '421 4.3.2 The maximum number of concurrent connections has exceeded a limit, closing transmission channel',
    '421 4.3.2 Too many open connections.',
    '421 4.3.2 Connection rate limit exceeded.',
    '421 #4.4.5 Too many connections from your host.',
  ])('is about the number of connections for %j at the greeting', (line) => {
    expect(signal(line, undefined, 'banner')).toBe('crowded');
  });

  it('is not about connections for a reply after the greeting', () => {
    expect(signal('421 4.7.0 too many connections from your host', undefined, 'rcpt')).toBe('slow_down');
    expect(signal('421 Max message per connection reached', undefined, 'banner')).not.toBe('crowded');
  });

  it('counts the repeated failures of one recipient once', () => {
    const reply = { code: 452, enhanced: '4.3.1', text: '4.3.1 disk full' };
    const facts = { kind: 'refused', phase: 'rcpt', reply, host: 'mx', ...WHERE } as const;
    const outcome = judge(facts, { attempt: 2 });
    expect(signalOf({ facts, outcome, isRetry: true }, POLICY).kind).toBe('silent');
    expect(signalOf({ facts, outcome, isRetry: false }, POLICY).kind).toBe('failure');
    const atTheDoor = { ...facts, phase: 'banner' } as const;
    expect(signalOf({ facts: atTheDoor, outcome, isRetry: true }, POLICY).kind).toBe('failure');
  });

  it('is cut so that it can be stored', () => {
    const text = `4.7.1 too much mail ${'x'.repeat(279)}😀`;
    const reply = { code: 450, enhanced: '4.7.1', text };
    const facts = { kind: 'refused', phase: 'dot', reply, host: 'mx', ...WHERE } as const;
    const result = signalOf({ facts, outcome: judge(facts, { attempt: 1 }), isRetry: false }, POLICY);
    expect(result).toMatchObject({ kind: 'slow_down', why: { detail: `${text.slice(0, 299)}\ufffd` } });
  });

  it('has no addresses in its detail, because other organizations read it', () => {
    const text = '4.7.1 <ada@example.net>: too much mail from [192.0.2.1]; ask b+x.y@mail.example.org';
    const facts = {
      kind: 'refused',
      phase: 'rcpt',
      reply: { code: 450, enhanced: '4.7.1', text },
      host: 'mx',
      ...WHERE,
    } as const;
    const result = signalOf({ facts, outcome: judge(facts, { attempt: 1 }), isRetry: false }, POLICY);
    expect(result).toMatchObject({
      kind: 'slow_down',
      why: { detail: '4.7.1 <…>: too much mail from [192.0.2.1]; ask …' },
    });
  });

  it.each([
    '421 4.3.2 shutting down',
    '421 Goodbye',
    '421 4.7.0 too many errors',
    '452 4.3.1 disk full',
    '451 4.4.4 no route',
  ])('is a failure for %j', (line) => {
    expect(signal(line)).toBe('failure');
  });

  it('is a failure for a broken session, and silent for a session that we ended', () => {
    const broken = {
      kind: 'broken',
      phase: 'rcpt',
      detail: '',
      afterDot: false,
      host: 'mx',
      ...WHERE,
    } as const;
    expect(ofFacts({ ...broken, failure: 'timeout' })).toBe('failure');
    expect(ofFacts({ ...broken, failure: 'stopped' })).toBe('silent');
  });
});
