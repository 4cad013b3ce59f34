/** Random histories of deliveries, recorded as a worker records them. */
import fc from 'fast-check';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { AttemptLog } from '../../src/delivery/attempt/attempt-log.ts';
import type { DeliveryRecord, Finished } from '../../src/delivery/attempt/delivery-record.ts';
import { settle } from '../../src/delivery/attempt/record.ts';
import { appendEvents } from '../../src/events/append.ts';
import type { ClaimedDelivery } from '../../src/outbox/states.ts';
import type { EmailAddress } from '../../src/protocols/message/address.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { address } from '../support/addresses.ts';
import { enqueueEach, newWorker } from '../support/outbox.ts';

const OUTCOMES = ['delivered', 'bounced', 'failed', 'rejected'] as const;
const DETAILS = ['the reply', 'a text of its own', 'nothing', 'the address', 'a long reply'] as const;

/** One attempt of a delivery; the last one of a delivery has the outcome, the others are deferred. */
const attempt = fc.record({
  start: fc.constantFrom('with the end', 'before the end', 'never' as const),
  outcome: fc.constantFrom(...OUTCOMES),
  detail: fc.constantFrom(...DETAILS),
  isLogged: fc.boolean(),
  isExpired: fc.boolean(),
  opened: fc.constantFrom('before', 'after', 'never' as const),
  tookMs: fc.constantFrom(0, 1, 40, 2_000),
});
type PlannedAttempt = typeof attempt extends fc.Arbitrary<infer One> ? One : never;

const delivery = fc.array(attempt, { minLength: 1, maxLength: 3 });
/** Emails, their recipients, and the attempts for each. */
export const history = fc.array(fc.array(delivery, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
});
export type History = readonly (readonly (readonly PlannedAttempt[])[])[];

export const ERASED = 'erase@mail.example';

interface Planned {
  readonly delivery: ClaimedDelivery;
  readonly recipient: EmailAddress;
  readonly planned: readonly PlannedAttempt[];
}

/** Times begin a minute before `startMs + 60_000` and go on by a second with each attempt. */
export async function happen(
  db: Database,
  organizationId: string,
  emails: History,
  startMs: number,
): Promise<void> {
  const epoch = await newWorker(db);
  const all = await acceptAll(db, organizationId, emails, startMs);
  for (let round = 1; all.some(({ planned }) => planned.length >= round); round += 1) {
    const now = all.filter(({ planned }) => planned.length >= round);
    await db.exec(
      adHoc('UPDATE outbox SET worker = $1, attempt = $2, due_at = now() WHERE organization_id = $3'),
      [epoch, round, organizationId],
    );
    await record(db, epoch, now, round, startMs + round * 10_000);
  }
}

async function record(db: Database, epoch: number, now: readonly Planned[], round: number, atMs: number) {
  const begun: DeliveryRecord[] = [];
  const started: DeliveryRecord[] = [];
  const finished: Finished[] = [];
  for (const { delivery, recipient, planned } of now) {
    const one = planned[round - 1] as PlannedAttempt;
    const common = { delivery: { ...delivery, attempt: round }, recipient };
    const start = { kind: 'started' as const, ...common, atMs };
    if (one.start === 'before the end') begun.push(start);
    if (one.start === 'with the end') started.push(start);
    const verdict = verdictOf(one, recipient, round === planned.length, atMs);
    const attemptLog = one.isLogged ? logOf(one, verdict, recipient) : undefined;
    finished.push({ kind: 'finished', ...common, atMs: atMs + one.tookMs, verdict, attemptLog });
  }
  if (begun.length > 0) await settle(db, epoch, begun, false);
  await open(db, now, round, 'before', atMs + 1);
  await settle(db, epoch, [...started, ...finished], true);
  await open(db, now, round, 'after', atMs + 5_000);
}

async function open(
  db: Database,
  now: readonly Planned[],
  round: number,
  when: PlannedAttempt['opened'],
  atMs: number,
): Promise<void> {
  const opened = now.filter(({ planned }) => planned[round - 1]?.opened === when);
  const events = opened.map(({ delivery: { organizationId, emailId, position }, recipient }) => ({
    ...{ organizationId, emailId, position, recipient, atMs },
    ...{ type: 'opened' as const, userAgent: 'Mail of Ada' },
  }));
  await db.transaction((tx) => appendEvents(tx, events));
}

function verdictOf(
  one: PlannedAttempt,
  recipient: string,
  isLast: boolean,
  atMs: number,
): Finished['verdict'] {
  const hasReply = one.detail !== 'nothing';
  const facts = {
    mxHost: hasReply ? 'mx.mail.example' : null,
    smtpCode: hasReply ? 250 : null,
    smtpMessage: hasReply ? replyOf(one, recipient) : null,
    enhancedCode: hasReply ? '2.0.0' : null,
    tls: hasReply ? 'TLSv1.3' : null,
    tlsCertificate: hasReply ? CERTIFICATE : null,
    reason: one.outcome === 'delivered' && isLast ? null : one.isExpired ? 'lifetime_exceeded' : 'greylisted',
  };
  return isLast
    ? { kind: one.outcome, ...facts }
    : { kind: 'deferred', ...facts, nextAttemptAtMs: atMs + 60_000 };
}

const CERTIFICATE = {
  verified: true,
  policy: 'mta_sts',
  issuer: 'Test',
  problem: null,
  sha256: null,
} as const;

function replyOf({ detail }: PlannedAttempt, recipient: string): string {
  if (detail === 'the address') return `2.0.0 queued for ${recipient} and ${ERASED}`;
  return detail === 'a long reply' ? `2.0.0 ${'queued '.repeat(100)}` : '2.0.0 queued';
}

function logOf(
  one: PlannedAttempt,
  { kind, reason, smtpMessage }: Finished['verdict'],
  to: string,
): AttemptLog {
  return {
    reason: reason === 'lifetime_exceeded' ? 'greylisted' : null,
    rule: 'test',
    detail: one.detail === 'a text of its own' ? `no route to ${to}` : (smtpMessage ?? '').slice(0, 500),
    durationMs: one.tookMs,
    conversation: one.isExpired ? null : `> RCPT TO:<${to}>\n< 250 OK`,
    route: {
      ...{
        transport: 'direct',
        kind: 'direct',
        source: '192.0.2.7',
        rule: 1,
        step: 1,
        why: 'rule 1 matched',
      },
      canary: { name: 'off-acme', way: 'new', percent: 10 },
    },
    evidence:
      kind === 'delivered'
        ? { sha256: 'ab'.repeat(32), size: 9, dkim: [{ domain: 'a.test', selector: 's', signature: 'AAAA' }] }
        : null,
  };
}

const insertMail = adHoc(
  `WITH email AS (
     INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses, mode)
     SELECT $1, $2, 'queued', 1, to_timestamp($3::float8 / 1000), to_timestamp($3::float8 / 1000), 'a@sender.test', 'Hello',
            jsonb_build_object('to', (SELECT jsonb_agg(jsonb_build_object('email', r, 'name', null)) FROM unnest($4::text[]) r),
                               'cc', '[]'::jsonb, 'bcc', '[]'::jsonb, 'reply_to', null), 'live'
   )
   INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
   SELECT $1, $2, n - 1, 'to', address, 'queued', to_timestamp($3::float8 / 1000)
   FROM unnest($4::text[]) WITH ORDINALITY AS t(address, n)`,
);

async function acceptAll(db: Database, organizationId: string, emails: History, startMs: number) {
  const all: Planned[] = [];
  for (const [index, deliveries] of emails.entries()) {
    const emailId = uuidv7(startMs);
    const recipients = deliveries.map((_, position) => recipientOf(index, position));
    await db.exec(insertMail, [organizationId, emailId, startMs, recipients]);
    const waiting = recipients.map((_, position) => ({ organizationId, emailId, position }));
    await enqueueEach(db, waiting);
    const queued = waiting.map((one, position) => ({
      ...one,
      ...{ recipient: recipients[position] as string, type: 'queued' as const, atMs: startMs },
    }));
    await db.transaction((tx) => appendEvents(tx, queued));
    for (const [position, planned] of deliveries.entries())
      all.push({
        planned,
        recipient: recipients[position] as EmailAddress,
        delivery: claimed(waiting[position]),
      });
  }
  return all;
}

function recipientOf(index: number, position: number): EmailAddress {
  return address((index + position) % 3 === 0 ? ERASED : `r${index}.${position}@mail.example`).email;
}

function claimed(key: object | undefined): ClaimedDelivery {
  return {
    ...(key as Pick<ClaimedDelivery, 'organizationId' | 'emailId' | 'position'>),
    ...{ domain: 'mail.example', priority: 1, attempt: 1, size: 100, waitedMs: 0 },
    ...{ firstAttemptAtMs: Date.now(), dueAtMs: Date.now(), expiresAtMs: Date.now() + 3_600_000 },
  };
}
