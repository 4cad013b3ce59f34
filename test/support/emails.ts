/** Helpers for tests of emails: requests to send, and the rows that they leave. */

import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { NewEmail } from '../../src/emails/email.ts';
import { toDraft } from '../../src/emails/http/send-request.ts';
import type { SendBody } from '../../src/emails/schema.ts';
import { createLifetime } from '../../src/outbox/lifetime.ts';
import type { Mode } from '../../src/runtime/config.ts';
import { Acceptor } from '../../src/submission/accept.ts';
import { DEFAULTS_WITHOUT_SETTINGS } from '../../src/submission/defaults.ts';
import type { InlineContent } from '../../src/submission/draft.ts';
import { toNewEmail } from '../../src/submission/new-email.ts';
import { withOrganizationDefaults } from '../../src/submission/streamed.ts';
import type { Answer, TestApi, TestOrganization } from './api.ts';

/** A valid send request with `changes` applied. */
export function letter(
  org: Pick<TestOrganization, 'domain'>,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    from: { email: `news@${org.domain}` },
    to: [{ email: 'ada@example.org' }],
    subject: 'Hello',
    text: 'Hello Ada',
    ...changes,
  };
}

/** The email that is stored for a send request without a template. */
export function newEmailOf(organizationId: string, body: unknown, nowMs = Date.now()): NewEmail {
  const draft = toDraft(body as SendBody, []);
  const found = {
    nowMs,
    batchId: null,
    attachments: [],
    defaults: DEFAULTS_WITHOUT_SETTINGS,
    streamed: withOrganizationDefaults(draft),
  };
  return toNewEmail({ organizationId, keyId: null }, draft, draft.content as InlineContent, found);
}

/** Accepts an email like an endpoint that reports suppressed recipients instead of refusing them. Returns its id. */
export async function acceptReporting(
  db: Database,
  org: Pick<TestOrganization, 'id' | 'domain'>,
  changes: Readonly<Record<string, unknown>>,
  mode: Mode = 'sandbox',
): Promise<string> {
  const acceptor = new Acceptor({
    db,
    mode,
    lifetimeMs: createLifetime(1),
    waker: { wake: () => undefined, withCommit: () => null },
  });
  const email = { ...newEmailOf(org.id, letter(org, changes)), onSuppressed: 'report' } as const;
  const [result] = await acceptor.accept({ emails: [email], completion: null });
  if (result?.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(result)}`);
  return email.id;
}

/** Sends an email and returns its id. */
export async function sendLetter(
  server: TestApi,
  org: TestOrganization,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await server.api('POST', '/emails/send', letter(org, changes), org.key);
  if (answer.status !== 201) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
  return answer.body.data.message_id;
}

const TABLES = [
  'emails',
  'email_contents',
  'email_attachments',
  'batch_attachments',
  'recipients',
  'events',
  'outbox',
] as const;
type Stored = Record<(typeof TABLES)[number] | 'counted', number>;

export const NOTHING_STORED: Stored = {
  emails: 0,
  email_contents: 0,
  email_attachments: 0,
  batch_attachments: 0,
  recipients: 0,
  events: 0,
  outbox: 0,
  counted: 0,
};

/** The number of rows in every table that an email can change. `counted` is the sum of the counters. */
export function storedRows(db: Database): Promise<Stored> {
  const counts = TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  return db.one(
    adHoc<Stored>(
      `SELECT ${counts.join(', ')}, (SELECT coalesce(sum(count), 0)::bigint FROM email_counts) AS counted`,
    ),
  );
}

/** The counters of one organization, without those that are zero. */
export async function countersOf(db: Database, organizationId: string): Promise<Record<string, number>> {
  const rows = await db.many(
    adHoc<{ status: string; count: number }>(
      `SELECT status, sum(count)::bigint AS count FROM email_counts
       WHERE organization_id = $1 GROUP BY status HAVING sum(count) <> 0`,
    ),
    [organizationId],
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
}

/** The fields an error names, in order. */
export function fieldsOf(answer: Answer): string[] {
  return answer.body.error.details.map((one: { field: string }) => one.field);
}
