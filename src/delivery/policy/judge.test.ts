import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SmtpFacts, SmtpPhase, SmtpReply } from '../../protocols/smtp/facts.ts';
import { type RouteProblemKind, unroutable } from '../facts.ts';
import { judge, judgeRefusal } from './judge.ts';
import type { Outcome } from './outcome.ts';
import { OUTCOME_REASONS } from './reasons.ts';
import { allEntries } from './refusals/read.ts';

const WHERE = { address: '192.0.2.1', port: 25, tls: null, reused: false, transcript: [] };
const FIRST = { attempt: 1 };

function refused(phase: SmtpPhase, line: string, host = 'mx.example.net'): Outcome {
  return judge({ kind: 'refused', phase, reply: replyOf(line), host, ...WHERE }, FIRST);
}

function replyOf(line: string): SmtpReply {
  const text = line.slice(4);
  return { code: Number(line.slice(0, 3)), enhanced: /^\d\.\d+\.\d+/.exec(text)?.[0] ?? null, text };
}

function broken(failure: 'timeout' | 'closed' | 'stopped', phase: SmtpPhase, afterDot: boolean): SmtpFacts {
  return { kind: 'broken', phase, failure, detail: 'nothing', afterDot, host: 'mx.example.net', ...WHERE };
}

const hard = { kind: 'bounced', scope: 'recipient', suppress: 'hard_bounce' };
const soft = (scope: string) => ({ kind: 'deferred', scope, suppress: null, ambiguous: false });
const stopped = (scope: string) => ({ kind: 'bounced', scope, suppress: null });

describe('a refusal of the recipient', () => {
  it.each([
    ['550 5.1.1 no such user', { ...hard, reason: 'unknown_recipient' }],
    ['553 5.1.3 bad syntax', { ...hard, reason: 'unknown_recipient' }],
    ['550 5.1.2 bad domain', { ...hard, reason: 'recipient_domain_invalid' }],
    ['550 5.4.4 host not found', { ...hard, reason: 'recipient_domain_invalid' }],
    ['556 5.1.10 null MX', { ...hard, reason: 'domain_accepts_no_mail' }],
    ['556 takes no mail', { ...hard, reason: 'domain_accepts_no_mail' }],
    ['551 5.1.6 moved', { ...hard, reason: 'mailbox_moved' }],
    ['550 5.2.1 mailbox disabled', { ...hard, reason: 'mailbox_disabled' }],
    ['550 5.7.13 user account disabled', { ...hard, reason: 'mailbox_disabled' }],
    [
      '550 5.4.1 Recipient address rejected: Access denied. [x.prod]',
      { ...hard, reason: 'unknown_recipient' },
    ],
    ['550 User unknown', { ...hard, reason: 'unknown_recipient' }],
    ['550 sorry, no mailbox here by that name', { ...hard, reason: 'unknown_recipient' }],
    [
      '550 <x@y.test>: the account you tried to reach does not exist',
      { ...hard, reason: 'unknown_recipient' },
    ],
  ])('%j bounces the message and suppresses the address', (line, expected) => {
    expect(refused('rcpt', line)).toMatchObject(expected);
  });

  it.each([
    ['550 5.7.17 owner changed', 'mailbox_owner_changed'],
    ['550 5.7.18 domain owner changed', 'mailbox_owner_changed'],
    ['550 5.2.1 this account is suspended', 'mailbox_disabled'],
    ['552 5.2.2 mailbox full', 'mailbox_full'],
    ['552 out of room', 'mailbox_full'],
    ['550 mailbox is full', 'mailbox_full'],
    ['550 mailbox size limit reached', 'mailbox_full'],
    ['550 no', 'undetermined'],
    ['554 no', 'undetermined'],
    ['551 not local', 'undetermined'],
  ])('%j bounces the message and suppresses no address', (line, reason) => {
    expect(refused('rcpt', line)).toMatchObject({ ...stopped('recipient'), reason });
  });

  it.each([
    ['450 4.1.1 no such user', 'mailbox_unavailable'],
    ['450 4.1.1 unverified address', 'address_being_verified'],
    ['450 4.2.1 receiving mail too quickly', 'recipient_receives_too_fast'],
    ['450 4.2.1 mailbox busy', 'mailbox_unavailable'],
    ['452 4.2.2 mailbox full', 'mailbox_full'],
    ['452 quota exceeded', 'mailbox_full'],
    ['550 5.2.1 user is receiving mail at a rate that … ReceivingRatePerm', 'recipient_receives_too_fast'],
  ])('%j defers the message', (line, reason) => {
    expect(refused('rcpt', line)).toMatchObject({ ...soft('recipient'), reason });
  });

  it.each([
    ['451 hm', 'temporary_refusal'],
    ['450 try later', 'temporary_refusal'],
    ['451 4.7.1 come back', 'greylisted'],
    ['450 4.7.1 come back', 'greylisted'],
    ['451 Greylisting in action', 'greylisted'],
  ])('%j defers the message, and is about the server', (line, reason) => {
    expect(refused('rcpt', line)).toMatchObject({ ...soft('their_server'), reason });
  });

  it.each(['550 5.1.1 user unknown, try again later', '550 this account has been temporarily suspended'])(
    '%j waits although it is a 5xx: the server says that it passes',
    (line) => {
      expect(refused('rcpt', line)).toMatchObject(soft('recipient'));
    },
  );
});

describe('a server that says "not my domain"', () => {
  it.each([
    '454 4.7.1 <ada@hostile.test>: Relay access denied',
    '454 Relay access denied',
    '451 4.7.1 relaying denied',
    '450 4.7.1 We do not relay for you, slow down',
    '451 we do not relay hostile.test',
  ])('%j defers the message, and is about the domain, not the server', (line) => {
    expect(refused('rcpt', line)).toMatchObject({ ...soft('recipient'), reason: 'domain_not_served' });
  });

  it.each([
    '554 5.7.1 <ada@hostile.test>: Relay access denied',
    '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain',
    '550 5.7.64 TenantAttribution; Relay Access Denied',
    '550 relay not permitted',
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    '550 5.1.2 domain not hosted here',
  ])('%j bounces the message and suppresses no address', (line) => {
    expect(refused('rcpt', line)).toMatchObject({ ...stopped('recipient'), reason: 'domain_not_served' });
  });
});

describe("a provider's own words", () => {
  const OUTLOOK = 'hotmail-com.olc.protection.outlook.com';
  const YAHOO = 'mta5.am0.yahoodns.net';

  it("make Outlook's tag an unknown mailbox only at Outlook", () => {
    const line = '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).';
    expect(refused('rcpt', line, OUTLOOK)).toMatchObject({ ...hard, rule: 'microsoft-no-mailbox' });
    expect(refused('rcpt', line)).toMatchObject({ ...stopped('recipient'), reason: 'mailbox_unavailable' });
    expect(refused('rcpt', line, 'outlook.com.attacker.test')).toMatchObject({ suppress: null });
  });

  it('make a missing Yahoo account a hard bounce even after the dot', () => {
    const line = "554 delivery error: dd This user doesn't have a yahoo.com account (x@yahoo.com) [0]";
    expect(refused('dot', line, YAHOO)).toMatchObject({ ...hard, reason: 'unknown_recipient' });
    expect(refused('dot', '554 30 Sorry, this mailbox is disabled (554.30)', YAHOO)).toMatchObject(hard);
  });

  it.each([
    ['450 4.7.28 unusual rate of unsolicited mail originating from your IP', 'gmail-smtp-in.l.google.com'],
    ['451 4.7.650 The mail server has been temporarily rate limited', OUTLOOK],
    ['451 4.7.500 Server busy. Please try again later', OUTLOOK],
    ['451 4.7.0 [TSS04] Messages temporarily deferred', YAHOO],
    ['421 4.7.0 [TSS04] too many messages from you', YAHOO],
  ])('slow down the host for %j and do not try the next host', (line, host) => {
    expect(refused('rcpt', line, host)).toMatchObject({
      ...soft('our_address'),
      reason: 'rate_limited',
      nextHost: false,
    });
  });
});

describe('a refusal of the sender or the message', () => {
  const blocked = ['0', '1', '9', '28', '38', '606', '999'];
  it.each(blocked)('5.7.%s before the message is a block and never suppresses', (detail) => {
    expect(refused('rcpt', `550 5.7.${detail} no`)).toMatchObject({
      kind: 'bounced',
      reason: 'blocked',
      suppress: null,
    });
  });

  it('5.7.1 after the message is about the content of the message', () => {
    expect(refused('dot', '550 5.7.1 no')).toMatchObject({
      ...stopped('message'),
      reason: 'content_refused',
    });
  });

  it.each(['20', '23', '26', '29', '30'])('5.7.%s is about authentication and never suppresses', (detail) => {
    const outcome = { kind: 'bounced', reason: 'authentication_failed', suppress: null };
    expect(refused('dot', `550 5.7.${detail} no`)).toMatchObject(outcome);
  });

  it.each([
    ['554 5.7.1 message blocked', 'blocked', 'our_address'],
    ['550 5.1.1 rejected, see spamhaus', 'blocked', 'our_address'],
    ['550 User unknown to our policy, blocked as spam', 'blocked', 'our_address'],
    ['550 5.7.25 no', 'reverse_dns_missing', 'our_address'],
    ['550 5.7.27 no', 'sender_refused', 'sender_domain'],
    ['554 5.4.6 loop', 'mail_loop', 'message'],
    ['553 5.3.5 mail loops back to me', 'mail_loop', 'message'],
    ['554 5.4.7 expired', 'delivery_expired', 'their_server'],
    ['550 5.5.2 what', 'protocol_refused', 'our_address'],
    ['501 what', 'protocol_refused', 'our_address'],
  ])('%j bounces the message and suppresses no address', (line, reason, scope) => {
    expect(refused('rcpt', line)).toMatchObject({ ...stopped(scope), reason });
  });

  it.each([
    ['552 5.2.3 too large', 'message_too_large'],
    ['552 5.3.4 too large', 'message_too_large'],
    ['552 message size exceeds fixed limit', 'message_too_large'],
    ['550 5.6.1 media', 'content_refused'],
    ['550 5.6.7 utf8', 'smtputf8_unsupported'],
  ])('%j bounces the message for all recipients and suppresses no address', (line, reason) => {
    expect(refused('rcpt', line)).toMatchObject({ ...stopped('message'), reason });
  });

  it.each([
    ['550 5.1.1 unknown user', 'sender_refused', 'sender_domain'],
    ['550 user unknown', 'sender_refused', 'sender_domain'],
    ['553 5.1.8 sender domain not found', 'sender_refused', 'sender_domain'],
    ['550 5.7.26 unauthenticated', 'authentication_failed', 'sender_domain'],
    ['550 5.7.1 go away', 'blocked', 'our_address'],
    ['554 listed at spamcop', 'blocked', 'our_address'],
    ['552 5.3.4 too large', 'message_too_large', 'message'],
    ['552 too large', 'message_too_large', 'message'],
    ['550 5.6.7 no SMTPUTF8', 'smtputf8_unsupported', 'message'],
  ])('%j at MAIL FROM is never about the recipient', (line, reason, scope) => {
    expect(refused('mail', line)).toMatchObject({ ...stopped(scope), reason });
  });

  it.each(['452 4.5.3 too many', '552 5.5.3 too many', '452 too many recipients', '552 too many recipients'])(
    '%j waits, even as a 5xx',
    (line) => {
      expect(refused('rcpt', line)).toMatchObject({ ...soft('message'), reason: 'too_many_recipients' });
    },
  );
});

describe('failures of the host', () => {
  it.each(['banner', 'ehlo', 'mail', 'rcpt', 'data', 'body', 'dot'] as const)(
    '421 at %s defers the message',
    (phase) => {
      expect(refused(phase, '421 4.3.0 bye')).toMatchObject({
        ...soft('their_server'),
        reason: 'temporary_refusal',
        nextHost: true,
      });
    },
  );

  it('a 421 for a failure of the server tries the next host', () => {
    const outcome = refused('rcpt', '421 4.3.0 Temporary system problem');
    expect(outcome).toMatchObject({ ...soft('their_server'), reason: 'temporary_refusal', nextHost: true });
    expect(refused('rcpt', '451 4.3.0 Temporary system problem')).toMatchObject({ nextHost: false });
  });

  it.each([
    ['452 4.3.1 disk full', 'host_busy'],
    ['451 4.3.2 not now', 'host_not_accepting'],
    ['451 4.3.0 trouble', 'temporary_refusal'],
    ['451 4.4.1 no answer', 'routing_trouble'],
    ['451 4.4.2 bad connection', 'temporary_refusal'],
    ['452 out of resources', 'host_busy'],
    ['451 4.4.3 directory', 'routing_trouble'],
    ['451 4.4.4 routing', 'routing_trouble'],
  ])('%j defers the message and is about the server', (line, reason) => {
    expect(refused('dot', line)).toMatchObject({ ...soft('their_server'), reason });
  });

  it.each(['451 4.7.0 put off by policy', '451 4.7.5 security'])(
    '%j defers the message and is about our address',
    (line) => {
      expect(refused('dot', line)).toMatchObject({ ...soft('our_address'), reason: 'policy_deferral' });
    },
  );

  it.each(['banner', 'ehlo'] as const)('a refusal at %s tries the next host', (phase) => {
    const next = { nextHost: true };
    expect(refused(phase, '550 5.1.1 no')).toMatchObject({ ...next, reason: 'host_refused_service' });
    expect(refused(phase, '554 listed by Spamhaus')).toMatchObject({ ...next, reason: 'blocked' });
    expect(refused(phase, '450 later')).toMatchObject({
      ...soft('their_server'),
      ...next,
      reason: 'temporary_refusal',
    });
    const none = { ...stopped('their_server'), ...next, reason: 'host_accepts_no_mail' };
    expect(refused(phase, '521 no mail')).toMatchObject(none);
    expect(refused(phase, '554 No SMTP service here')).toMatchObject(none);
  });

  it.each(['banner', 'ehlo'] as const)(
    'too many connections at %s are too many for its neighbours too',
    (phase) => {
      const outcome = refused(phase, '421 4.7.0 too many connections from 192.0.2.1');
      expect(outcome).toMatchObject({ ...soft('our_address'), reason: 'rate_limited', nextHost: false });
    },
  );

  it.each([
    ['banner', '554 listed by Spamhaus', 'blocked'],
    ['banner', '550 no reverse DNS for 192.0.2.1', 'reverse_dns_missing'],
    ['ehlo', '501 5.5.4 EHLO argument "vm" invalid', 'hostname_refused'],
  ] as const)('at %s %j waits: what is wrong with our address can be mended', (phase, line, reason) => {
    expect(refused(phase, line)).toMatchObject({ ...soft('our_address'), reason, nextHost: true });
  });

  it.each([
    ['banner', '554 192.0.2.1 is blocked permanently', 'our_address'],
    ['banner', '521 this host takes no mail', 'their_server'],
    ['ehlo', '500 5.5.1 what', 'our_address'],
    ['rcpt', '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', 'our_address'],
  ] as const)('at %s %j ends the delivery', (phase, line, scope) => {
    expect(refused(phase, line)).toMatchObject(stopped(scope));
  });

  it('a refusal in a report of another server bounces even at the greeting', () => {
    const reply = replyOf('554 listed by Spamhaus');
    expect(judgeRefusal({ phase: 'banner', reply, host: null })).toMatchObject(stopped('our_address'));
  });

  it('refused TLS and refused credentials defer the message', () => {
    expect(refused('starttls', '454 4.7.0 no')).toMatchObject({
      ...soft('their_server'),
      reason: 'tls_failed',
    });
    expect(refused('auth', '535 5.7.8 no')).toMatchObject({
      ...soft('our_address'),
      reason: 'relay_authentication_failed',
    });
  });

  it('a session that breaks before the dot tries the next host', () => {
    const outcome = judge(broken('timeout', 'rcpt', false), FIRST);
    expect(outcome).toMatchObject({
      ...soft('their_server'),
      reason: 'connection_timed_out',
      nextHost: true,
      code: null,
    });
  });

  it('a reply lost after the dot is ambiguous and does not try the next host', () => {
    expect(judge(broken('closed', 'dot', true), FIRST)).toMatchObject({
      kind: 'deferred',
      reason: 'reply_lost_after_message',
      ambiguous: true,
      nextHost: false,
    });
  });

  it('a shutdown of this worker does not count against the server', () => {
    const outcome = judge(broken('stopped', 'connect', false), FIRST);
    expect(outcome).toMatchObject({ ...soft('message'), reason: 'interrupted', nextHost: false });
  });
});

describe('facts without a refusal', () => {
  it('an accepted message is delivered, with the reply of the server', () => {
    const reply = { code: 250, enhanced: '2.0.0', text: '2.0.0 queued as 1' };
    const facts: SmtpFacts = { kind: 'accepted', reply, host: 'mx.example.net', ...WHERE };
    expect(judge(facts, FIRST)).toMatchObject({
      kind: 'delivered',
      ...reply,
      suppress: null,
      nextHost: false,
    });
  });

  it.each([
    ['too_large', { ...stopped('message'), reason: 'message_too_large', enhanced: '5.3.4' }],
    ['smtputf8_unsupported', { ...stopped('message'), reason: 'smtputf8_unsupported', enhanced: '5.6.7' }],
    ['starttls_not_offered', { ...soft('their_server'), reason: 'tls_failed', nextHost: true }],
    ['auth_not_offered', { ...soft('our_address'), reason: 'relay_authentication_failed' }],
    ['auth_needs_tls', { ...soft('our_address'), reason: 'relay_authentication_failed' }],
  ] as const)('%s is judged without a server', (problem, expected) => {
    const facts: SmtpFacts = { kind: 'local', problem, detail: 'd', host: 'mx.example.net', ...WHERE };
    expect(judge(facts, FIRST)).toMatchObject({ code: null, ...expected });
  });

  it.each([
    ['recipient', 'recipient', "the recipient's address"],
    ['sender', 'sender_domain', "the sender's address"],
    ['reply_to', 'message', 'the address in Reply-To'],
  ] as const)('a server without SMTPUTF8 is said to lack what %s needs', (whose, scope, words) => {
    const facts = { kind: 'local', problem: 'smtputf8_unsupported', detail: 'no SMTPUTF8 in EHLO' } as const;
    const context = { ...FIRST, utf8Address: { whose, email: 'zoë@example.net' } };
    expect(judge({ ...facts, host: 'mx.example.net', ...WHERE }, context)).toMatchObject({
      ...stopped(scope),
      text: `no SMTPUTF8 in EHLO, which ${words} zoë@example.net needs`,
    });
  });

  it.each([
    ['nxdomain', { ...hard, enhanced: '5.1.2' }],
    ['null_mx', { ...hard, enhanced: '5.1.10' }],
    ['no_addresses', soft('recipient')],
    ['dns_unavailable', { ...soft('recipient'), reason: 'dns_unavailable' }],
    ['private_destination', { kind: 'failed', reason: 'private_destination', suppress: null }],
  ] as [RouteProblemKind, object][])('a destination with %s', (problem, expected) => {
    expect(judge(unroutable(problem, 'd'), FIRST)).toMatchObject({ code: null, ...expected });
  });

  it('a domain without addresses bounces after about an hour, and suppresses no address', () => {
    const outcome = judge(unroutable('no_addresses', 'd'), { attempt: 6 });
    expect(outcome).toMatchObject({ ...stopped('recipient'), reason: 'domain_has_no_servers' });
  });
});

describe('the enhanced code of a reply', () => {
  it.each([
    '550 550 5.2.2 no',
    '550-5.2.2 no',
    '550 no (#5.2.2)',
    '550 no [5.2.2]',
    '550 Hello there 5.2.2 no',
  ])('is found in %j', (line) => {
    expect(refused('rcpt', line)).toMatchObject({ ...stopped('recipient'), reason: 'mailbox_full' });
  });

  it.each(['550 no 4.2.2 no', '550 no 5.2.2.2 no', '550 no 15.2.2 no'])('is not found in %j', (line) => {
    expect(refused('rcpt', line)).toMatchObject({ ...stopped('recipient'), reason: 'undetermined' });
  });
});

describe('the rules as a whole', () => {
  it('carry the hint of the server into the outcome', () => {
    expect(refused('rcpt', '451 4.7.1 Greylisted, try again in 5 minutes')).toMatchObject({
      retryHintSeconds: 300,
    });
    expect(refused('rcpt', '451 4.7.1 Greylisted')).toMatchObject({ retryHintSeconds: null });
  });

  it('have unique names', () => {
    const ids = allEntries().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('answer every refusal, suppress only 5xx about recipients, and give only listed reasons', () => {
    const phase = fc.constantFrom<SmtpPhase>(
      'banner',
      'ehlo',
      'starttls',
      'auth',
      'mail',
      'rcpt',
      'data',
      'body',
      'dot',
    );
    const code = fc.integer({ min: 400, max: 599 });
    const enhanced = fc.option(
      fc.tuple(fc.constantFrom(4, 5), fc.nat(7), fc.nat(40)).map((parts) => parts.join('.')),
    );
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('user unknown', 'blocked by spamhaus', 'mailbox unavailable'),
    );
    const host = fc.constantFrom('mx.example.net', 'x.outlook.com', 'mta.yahoodns.net', 'aspmx.l.google.com');
    fc.assert(
      fc.property(phase, code, enhanced, text, host, (where, number, status, words, name) => {
        const reply = { code: number, enhanced: status, text: words };
        const outcome = judge({ kind: 'refused', phase: where, reply, host: name, ...WHERE }, FIRST);
        expect(OUTCOME_REASONS).toHaveProperty(outcome.reason);
        if (outcome.suppress === null) return;
        expect(number).toBeGreaterThanOrEqual(500);
        expect(outcome.scope).toBe('recipient');
        expect(['rcpt', 'data', 'body', 'dot']).toContain(where);
        expect(words).not.toContain('spamhaus');
      }),
    );
  });
});
