/**
 * What fields hold in examples, by their name, where their schema gives no example of its own. One of these is only taken if the schema
 * allows it; so null is for fields that may be null, and are most of the time.
 */
import type { Schema } from './docs-document.ts';

const EMAIL_ID = '01a1dd1c-a292-7088-82d5-cb934f4f4126';
const CHARACTERS = '7k2m9x4c8v1b5n3z6q0w';

/** Whose field it is: schemas with a name and fields below them (`Me.user`), and what the whole answer is about. */
export interface ExampleOwner {
  readonly owner: string;
  readonly noun: string;
}

export function exampleValue(schema: Schema, name: string, { owner, noun }: ExampleOwner): unknown {
  const prefix = /[Ss]tarts with `([a-z]+_)`/.exec(schema.description ?? '')?.[1];
  if (prefix !== undefined && fits('', schema)) return prefix + CHARACTERS;
  const around = owner.split('.').at(-1) ?? '';
  const candidates =
    name === 'id'
      ? [idFor(owner) ?? idFor(noun) ?? EMAIL_ID]
      : [VALUES[`${owner}.${name}`], VALUES[`${around}.${name}`], VALUES[name]];
  return candidates.find((value) => value !== undefined && fits(value, schema));
}

export function examplePathValue(path: string, name: string): string {
  if (name !== 'id' && name !== 'name') return String(VALUES[name] ?? '1');
  const noun = nounOf(path);
  return noun === 'canaries' ? 'new-relay' : (idFor(noun) ?? EMAIL_ID);
}

/** What a path is about: what comes before its first id, or its beginning. */
export function nounOf(path: string): string {
  const [before = '', after] = path.split('/{');
  return before.split('/').at(after === undefined ? 1 : -1) ?? '';
}

function idFor(owner: string): string | undefined {
  const prefix = PREFIXES.find(([pattern]) => pattern.test(owner))?.[1];
  if (prefix === 'org_') return `org_99289pn4fcap7`;
  return prefix === undefined ? undefined : prefix + CHARACTERS;
}

/** By the name of a schema, or the part of a path before it. What is missing has a UUID. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^(api-keys|\w*ApiKey|RequestLogEntry\.caller)$/, 'key_'],
  [/^(organizations?|Organization|Membership|ThrowAwayOrganization|Me\.organizations?)$/, 'org_'],
  [/^(domains|NewDomain|Domain|Attention)$/, 'dom_'],
  [/^(templates|Template\w*)$/, 'tmpl_'],
  [/^(webhooks|Webhook|WebhookWithSecret)$/, 'whk_'],
  [/^(members|Member|RemovedMember|Me\.user|AuditEntry\.actor)$/, 'usr_'],
  [/^(invites|Invite|NewInvite)$/, 'inv_'],
  [/^(suppressions|Suppression)$/, 'sup_'],
  [/^(imports|SuppressionImport)$/, 'imp_'],
  [/^(Event|StreamEvent|WebhookDelivery\w*)$/, 'evt_'],
  [/^(holds|Hold\w*)$/, 'hold_'],
  [/^(undos|Undo)$/, 'undo_'],
  [/^(sites|Site)$/, 'site_'],
];

function fits(value: unknown, schema: Schema): boolean {
  if (schema.$ref !== undefined || schema.enum !== undefined || schema.const !== undefined) return false;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.some((branch) => fits(value, branch));
  const types = [schema.type].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => fits(one, schema.items ?? {}));
  if (typeof value === 'number')
    return (
      types.includes('number') ||
      (types.includes('integer') && Number.isInteger(value) && value <= (schema.maximum ?? value))
    );
  if (typeof value === 'string')
    return (
      types.includes('string') &&
      value.length <= (schema.maxLength ?? value.length) &&
      (schema.format !== 'date-time' || value.includes('T'))
    );
  return types.includes(typeof value);
}

const NOBODY_YET = null;

const VALUES: Readonly<Record<string, unknown>> = {
  // Ids of other things
  api_key_id: `key_${CHARACTERS}`,
  batch_id: `batch_${CHARACTERS}`,
  delivery_id: `evt_${CHARACTERS}`,
  email_id: EMAIL_ID,
  event_id: `evt_${CHARACTERS}`,
  message_id: EMAIL_ID,
  organization_id: 'org_99289pn4fcap7',
  request_id: `req_${CHARACTERS}`,
  template_id: `tmpl_${CHARACTERS}`,
  version: '1',
  number: '0',
  token: 'A'.repeat(43),
  // Secrets
  api_key: 'pr_OlgDum8dTIllyKTxccRFzltH6JdwKQRaxYZVO1i1pZY',
  key: 'pr_OlgDum8dTIllyKTxccRFzltH6JdwKQRaxYZVO1i1pZY',
  prefix: 'pr_OlgDum8',
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  recovery_codes: ['5ka8-20dj-q7xm', '9wpt-4c1z-h3vb'],
  uri: 'otpauth://totp/Postrider:ada%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Postrider',
  // People
  by: 'Ada Lovelace',
  created_by: `usr_${CHARACTERS}`,
  created_by_name: 'Ada Lovelace',
  enrolled_by: 'Ada Lovelace',
  invited_by: 'Ada Lovelace',
  placed_by: 'Ada Lovelace',
  requested_by: 'Ada Lovelace',
  recipient: 'ada@example.org',
  recipients: ['ada@example.org'],
  to: 'ada@example.org',
  reported_by: 'mx1.example.org',
  // Names
  name: 'Welcome',
  'Organization.name': 'Acme',
  'Membership.name': 'Acme',
  'ThrowAwayOrganization.name': 'Build 4711',
  'Domain.display_name': 'example.org',
  display_name: 'example.org',
  alias: 'welcome',
  canary: 'new-relay',
  stream: 'transactional',
  streams: ['transactional'],
  tag: 'kind:receipt',
  label: 'Gmail',
  provider: 'google',
  providers: ['google', 'microsoft', 'yahoo'],
  source: '203.0.113.25',
  transport: 'acme-relay',
  site: 'mx1.example.org',
  unsubscribe_group: NOBODY_YET,
  collapse_key: NOBODY_YET,
  event_types: ['email.delivered', 'email.bounced'],
  title: 'Yahoo complaint feedback loop',
  // Hosts and addresses
  address: '203.0.113.25',
  addresses: ['203.0.113.25'],
  ip: '203.0.113.25',
  ehlo_name: 'mail.example.org',
  exchange: 'mx1.example.org',
  host: 'mail.example.org',
  machine: 'mail.example.org',
  mx_host: 'mx1.example.org',
  passed_as: ['example.org'],
  url: 'https://example.org/orders/4711',
  link: 'https://mail.example.org/#invite=3vQ0l8bQmJq0Zc1n',
  leads_to: 'https://example.org/orders/4711',
  return_path: 'bounce@mail.example.org',
  // Proofs
  'Proof.issuer': 'https://mail.example.org',
  'entries.entry': { type: 'delivered', recipient: 'ada@example.org' },
  hash: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  public_key: 'Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE',
  signature: '5e5DD0aQfkM2ZZDKIiBXt4wOWeB9hI1gGQGfqyKCGQqCxMp7iEF5vhs4ad3u2nPBjA3w1PjHDGBVe6eYH8MDCg',
  // DNS
  dkim_public_key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA',
  dkim_selector: 'pr1',
  selector: 'pr1',
  previous_selector: 'pr0',
  expected: 'v=spf1 include:_spf.mail.example.org ~all',
  found: ['v=spf1 include:_spf.mail.example.org ~all'],
  value: 'v=spf1 include:_spf.mail.example.org ~all',
  purpose: 'Tells receivers what to do with mail that is not from you.',
  // SMTP
  smtp_code: 250,
  smtp_message: '2.0.0 Ok: queued as 4F2c1D3kqz',
  enhanced_code: '2.0.0',
  reply: '421 4.7.0 Try again later',
  tls: 'TLSv1.3',
  issuer: "Let's Encrypt",
  policy: 'opportunistic',
  'dmarc.policy': 'none',
  'Event.machine': null,
  'Event.url': null,
  'Event.user_agent': null,
  'StreamEvent.machine': null,
  'StreamEvent.url': null,
  'StreamEvent.user_agent': null,
  conversation: ['RCPT TO:<ada@example.org>', '250 2.1.5 Ok'],
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  // Words
  about: 'Flexible boxes',
  advice: 'Nothing needs to be done.',
  body: '{"type":"email.delivered"}',
  cause: 'The server said that there is no such user.',
  check: 'syntax',
  code: 'VALIDATION_ERROR',
  codes: ['482913'],
  detail: 'The server took the mail.',
  field: 'to[0].email',
  fix: 'Publish the record.',
  meaning: 'The server took the mail.',
  message: 'Everything is as it should be.',
  'details.message': 'The domain "example" has no dot; give the full domain name.',
  'fields.message': 'The domain "example" has no dot; give the full domain name.',
  'findings.message': 'The message has no text part.',
  'items.message': 'DKIM of example.org was not found in DNS.',
  'problems.message': 'There is no variable of this name.',
  'size.message': 20_480,
  'size.html': 12_288,
  'size.text': 1_024,
  part: 'html',
  placeholder: 'erased-7k2m9x4c@erased.invalid',
  problem: null,
  reason: null,
  response: 'ok',
  rule: 'Accepted',
  seen: 'The record is not published.',
  steps: ['Sign in there.', 'Add your domain.'],
  type: 'string',
  variable: 'name',
  why: 'Mail that is not signed often lands among spam.',
  html_body: '<p>Welcome, {{name}}.</p>',
  text_body: 'Welcome, {{name}}.',
  // Addresses that are validated
  list_version: '2026-11-01',
  normalized: 'ada@example.org',
  subaddress: null,
  suggested: 'ada@example.org',
  suggestions: ['ada@example.org'],
  // Files
  content: 'SGVsbG8=',
  content_id: null,
  content_type: 'application/pdf',
  filename: 'invoice.pdf',
  size: 20_480,
  // Days and times
  date: '2026-11-16',
  day: '2026-11-16',
  since: '2026-11-16',
  ended_at: null,
  expires_at: null,
  opened_at: null,
  paused_at: null,
  revoked_at: null,
  replaced_by: null,
  retires_at: null,
  rests_until: null,
  next_attempt_at: null,
  // What is rarely there
  dkim_rotation: null,
  error: null,
  next_cursor: null,
  partial: ['Outlook'],
  unsupported: ['Gmail'],
  refusal: null,
  warning: null,
  // Numbers
  limit: 20,
  total_count: 1,
  port: 587,
  tls_port: 465,
  pid: 4711,
  daily: 10_000,
  used_today: 1_250,
  remaining_today: 8_750,
  requests: 3_120,
  refused: 4,
  emails: 1_250,
  sent: 1_250,
  delivered: 1_231,
  opened: 640,
  clicked: 210,
  bounced: 12,
  deferred: 5,
  complained: 1,
  failed: 2,
  duration_ms: 12,
  latency_ms: 84,
  latency_p50_ms: 80,
  latency_p95_ms: 240,
  p50_seconds: 1.4,
  p95_seconds: 6.2,
  messages_per_minute: 600,
  curve: [50, 100, 200, 400],
  percents: [1, 5, 25, 100],
};
