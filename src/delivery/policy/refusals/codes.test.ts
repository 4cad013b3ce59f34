/** Checks codes in replies without words against the table at the end of test/delivery/replies/README.md. */
import { describe, expect, it } from 'vitest';
import type { SmtpPhase } from '../../../protocols/smtp/facts.ts';
import { judgeRefusal } from '../judge.ts';

const BEFORE_RCPT: readonly SmtpPhase[] = ['banner', 'ehlo', 'mail'];
const FROM_RCPT: readonly SmtpPhase[] = ['rcpt', 'data', 'body', 'dot'];
const ALL = [...BEFORE_RCPT, ...FROM_RCPT];

function reasonOf(phase: SmtpPhase, code: number, enhanced: string | null): string {
  const text = 'Requested action not taken';
  return judgeRefusal({ phase, host: 'mx.example.net', reply: { code, enhanced, text } }).reason;
}

/** The distinct reasons of a code over phases. */
function reasonsOf(phases: readonly SmtpPhase[], code: number, enhanced: string | null): readonly string[] {
  return [...new Set(phases.map((phase) => reasonOf(phase, code, enhanced)))];
}

describe('an enhanced code in a reply without words', () => {
  it.each([
    ['5.1.1', FROM_RCPT, 'unknown_recipient'],
    ['5.1.3', FROM_RCPT, 'unknown_recipient'],
    ['4.1.1', FROM_RCPT, 'mailbox_unavailable'],
    ['5.1.2', FROM_RCPT, 'recipient_domain_invalid'],
    ['5.1.6', FROM_RCPT, 'mailbox_moved'],
    ['5.1.10', FROM_RCPT, 'domain_accepts_no_mail'],
    ['5.1.7', ALL, 'sender_refused'],
    ['4.1.8', ALL, 'sender_refused'],
    ['5.7.27', ALL, 'sender_refused'],
    ['5.1.1', ['mail'], 'sender_refused'],
    ['5.2.1', FROM_RCPT, 'mailbox_disabled'],
    ['5.7.13', FROM_RCPT, 'mailbox_disabled'],
    ['4.2.0', FROM_RCPT, 'mailbox_unavailable'],
    ['4.2.1', FROM_RCPT, 'mailbox_unavailable'],
    ['5.2.0', FROM_RCPT, 'mailbox_unavailable'],
    ['4.2.2', FROM_RCPT, 'mailbox_full'],
    ['5.2.3', ALL, 'message_too_large'],
    ['5.3.4', ALL, 'message_too_large'],
    ['4.5.3', ALL, 'too_many_recipients'],
    ['5.6.7', ALL, 'smtputf8_unsupported'],
    ['5.6.0', ALL, 'content_refused'],
    ['4.3.1', ALL, 'host_busy'],
    ['4.4.5', ALL, 'host_busy'],
    ['4.3.2', ALL, 'host_not_accepting'],
    ['4.3.0', ALL, 'temporary_refusal'],
    ['4.4.2', ALL, 'temporary_refusal'],
    ['5.3.5', ALL, 'host_not_accepting'],
    ['5.4.1', ALL, 'routing_trouble'],
    ['4.4.3', ALL, 'routing_trouble'],
    ['5.4.4', ALL, 'routing_trouble'],
    ['5.4.6', ALL, 'mail_loop'],
    ['4.4.7', ALL, 'delivery_expired'],
    ['5.5.1', ALL, 'protocol_refused'],
    ['5.5.4', ALL, 'protocol_refused'],
    ['5.7.17', FROM_RCPT, 'mailbox_owner_changed'],
    ['5.7.23', ALL, 'authentication_failed'],
    ['5.7.10', ALL, 'authentication_failed'],
    ['5.7.25', ALL, 'reverse_dns_missing'],
    ['5.7.1', [...BEFORE_RCPT, 'rcpt', 'data'], 'blocked'],
    ['5.7.1', ['body', 'dot'], 'content_refused'],
    ['4.7.1', ALL, 'temporary_refusal'],
  ] as const)('%s at %j means %s, whatever the basic code', (enhanced, phases, reason) => {
    const codes = enhanced.startsWith('5') ? [550, 551, 553, 554, 552] : [450, 451, 421];
    for (const code of codes) expect(reasonsOf(phases, code, enhanced)).toEqual([reason]);
  });
});

describe('a basic code alone', () => {
  it.each([
    [556, FROM_RCPT, 'domain_accepts_no_mail'],
    [552, ['mail'], 'message_too_large'],
    [552, FROM_RCPT, 'mailbox_full'],
    [452, ALL, 'host_busy'],
    [500, ALL, 'protocol_refused'],
    [504, ALL, 'protocol_refused'],
    [555, ALL, 'protocol_refused'],
    [521, ['banner', 'ehlo'], 'host_accepts_no_mail'],
    [554, ['banner', 'ehlo'], 'host_refused_service'],
    [550, ['mail'], 'sender_refused'],
    [550, FROM_RCPT, 'undetermined'],
    [450, ALL, 'temporary_refusal'],
    [421, ALL, 'temporary_refusal'],
  ] as const)('%i at %j means %s', (code, phases, reason) => {
    expect(reasonsOf(phases, code, null)).toEqual([reason]);
  });
});
