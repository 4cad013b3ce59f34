/** The meaning of codes in replies whose words match no entry: enhanced codes (RFC 3463, IANA registry), then basic codes (RFC 5321). */
import { NAMED, UNUSED_MAILBOX } from './phrases.ts';
import { AFTER_RCPT, type Entry, GREETING } from './table.ts';
import { list } from './words.ts';

/** Codes that say one thing only, by the IANA registry of enhanced status codes. */
export const TELLING_CODES: readonly Entry[] = [
  { id: 'courier-sender', codes: [517], means: 'sender_refused' },
  { id: 'mail-address', phases: ['mail'], enhanced: ['x.1.x'], means: 'sender_refused' },
  { id: 'mailbox-address', phases: AFTER_RCPT, enhanced: ['x.1.1', 'x.1.3'], means: 'unknown_recipient' },
  {
    id: 'domain-unknown',
    phases: AFTER_RCPT,
    enhanced: ['x.1.2'],
    means: 'recipient_domain_invalid',
  },
  { id: 'domain-null-mx', phases: AFTER_RCPT, enhanced: ['x.1.10'], means: 'domain_accepts_no_mail' },
  { id: 'moved', phases: AFTER_RCPT, enhanced: ['x.1.6'], means: 'mailbox_moved' },
  { id: 'sender-address', enhanced: ['x.1.7', 'x.1.8', 'x.7.27'], means: 'sender_refused' },
  {
    id: 'unavailable-by-words',
    phases: AFTER_RCPT,
    permanent: true,
    enhanced: ['x.2.1', 'x.4.1', 'x.4.4', 'x.5.1'],
    words: ['mailbox unavailable', 'mailbox not available', 'mailbox ~ unavailable', 'recipient unavailable'],
    means: 'mailbox_unavailable',
  },
  {
    id: 'suspended-by-words',
    phases: AFTER_RCPT,
    permanent: true,
    enhanced: ['x.2.1', 'x.7.13'],
    words: list(`
      suspended, suspension, locked, frozen, block, barred, abuse, payment, unpaid, compromised, gesperrt, bloque,
      bloqueado, bloqueada, bloccata, suspendu, suspendido, suspendida, suspenso, suspensa, sospesa
    `),
    unless: UNUSED_MAILBOX,
    means: 'mailbox_disabled',
    keep: true,
  },
  {
    id: 'disabled',
    phases: AFTER_RCPT,
    permanent: true,
    enhanced: ['x.2.1', 'x.7.13'],
    means: 'mailbox_disabled',
  },
  {
    id: 'mailbox-busy',
    phases: AFTER_RCPT,
    enhanced: ['4.2.1', 'x.2.0'],
    unless: ['policy'],
    means: 'mailbox_unavailable',
  },
  { id: 'owner-changed', phases: AFTER_RCPT, enhanced: ['x.7.17', 'x.7.18'], means: 'mailbox_owner_changed' },
  { id: 'full', phases: AFTER_RCPT, enhanced: ['x.2.2'], means: 'mailbox_full' },
  { id: 'size', enhanced: ['x.2.3', 'x.3.4'], means: 'message_too_large' },
  { id: 'host-full', enhanced: ['x.3.1'], means: 'host_busy' },
  { id: 'host-not-now-code', enhanced: ['x.3.2'], means: 'host_not_accepting' },
  { id: 'host', permanent: false, enhanced: ['4.3.0', '4.3.5', '4.3.x'], means: 'temporary_refusal' },
  { id: 'hung-up', permanent: false, enhanced: ['x.4.2'], means: 'temporary_refusal' },
  { id: 'congestion', permanent: false, enhanced: ['4.4.5'], means: 'host_busy' },
  { id: 'circles', enhanced: ['x.4.6', 'x.4.11', 'x.4.14'], means: 'mail_loop' },
  { id: 'host-misconfigured', permanent: true, enhanced: ['x.3.5'], means: 'host_not_accepting' },
  { id: 'late', enhanced: ['x.4.7'], means: 'delivery_expired' },
  {
    id: 'no-way-on',
    enhanced: ['x.4.1', 'x.4.3', 'x.4.4', 'x.4.312', 'x.4.315', 'x.4.316', 'x.4.317', 'x.4.318'],
    means: 'routing_trouble',
  },
  { id: 'recipient-count', enhanced: ['x.5.3'], means: 'too_many_recipients' },
  { id: 'utf8', enhanced: ['x.6.7'], means: 'smtputf8_unsupported' },
  { id: 'format', enhanced: ['x.6.x'], means: 'content_refused' },
  {
    id: 'authentication-code',
    enhanced: ['x.7.20', 'x.7.21', 'x.7.22', 'x.7.23', 'x.7.24', 'x.7.26', 'x.7.29', 'x.7.30'],
    means: 'authentication_failed',
  },
  { id: 'encryption-code', enhanced: ['x.7.10'], means: 'authentication_failed', about: 'our_address' },
  { id: 'reverse-dns-code', enhanced: ['x.7.25'], means: 'reverse_dns_missing' },
  {
    id: 'protocol',
    enhanced: ['x.3.3', 'x.5.1', 'x.5.2', 'x.5.4'],
    unless: ['recipient reject', 'recipient denied', 'recipient refused'],
    means: 'protocol_refused',
  },
];

export const BASIC_CODES: readonly Entry[] = [
  { id: 'greeting-policy', phases: GREETING, permanent: true, enhanced: ['x.7.x'], means: 'blocked' },
  { id: 'mail-policy', phases: ['mail'], permanent: true, enhanced: ['x.7.x'], means: 'blocked' },
  {
    id: 'policy-code-after-message',
    phases: ['body', 'dot'],
    permanent: true,
    enhanced: ['x.7.x'],
    unless: NAMED,
    means: 'content_refused',
  },
  { id: 'policy-5xx', permanent: true, enhanced: ['x.7.x'], means: 'blocked' },
  {
    id: 'greylisting-code',
    phases: AFTER_RCPT,
    codes: [450, 451],
    enhanced: ['4.7.1'],
    words: ['come back'],
    unless: ['policy', 'block', 'denied', 'reject', 'refused', 'reputation'],
    means: 'greylisted',
  },
  { id: '452', codes: [452], means: 'host_busy' },
  { id: '500', codes: [500, 501, 502, 503, 504, 555], means: 'protocol_refused' },
  { id: '571-after-message', phases: ['body', 'dot'], codes: [571], unless: NAMED, means: 'content_refused' },
  { id: '571', codes: [571], means: 'blocked' },
  { id: '521', phases: GREETING, codes: [521], means: 'host_accepts_no_mail' },
  { id: '556', phases: AFTER_RCPT, codes: [556], means: 'domain_accepts_no_mail' },
  { id: 'mail-552', phases: ['mail'], codes: [552], means: 'message_too_large' },
  { id: '552', phases: AFTER_RCPT, codes: [552], means: 'mailbox_full' },
  { id: 'greeting-5xx', phases: GREETING, permanent: true, means: 'host_refused_service' },
  { id: 'mail-5xx', phases: ['mail'], permanent: true, means: 'sender_refused' },
  { id: '4xx', permanent: false, means: 'temporary_refusal' },
  { id: 'rcpt-5xx', phases: ['rcpt'], permanent: true, means: 'undetermined', about: 'recipient' },
  {
    id: 'dot-5xx',
    phases: ['data', 'body', 'dot'],
    permanent: true,
    means: 'undetermined',
    about: 'message',
  },
  { id: '5xx', permanent: true, means: 'undetermined' },
];

/** Refusals of TLS and of credentials mean one thing, whatever is said. */
export const OTHER_PHASES: readonly Entry[] = [
  { id: 'starttls', phases: ['starttls'], means: 'tls_failed' },
  { id: 'auth', phases: ['auth'], means: 'relay_authentication_failed' },
];
