/** Everything that is read from events and attempts, of one organization. */
import type { Database } from '../../src/database/database.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { readEvents } from '../../src/emails/lists/events-to.ts';
import { attemptsOfEmail } from '../../src/events/attempts.ts';
import { lastEventsOfRecipients } from '../../src/events/last-of-recipients.ts';
import { eventsNumbered } from '../../src/events/numbered.ts';
import { eventNumber, eventsOfEmail, lastEventsOf } from '../../src/events/read.ts';
import { readStream, type StreamRow } from '../../src/events/stream.ts';
import { EventTail } from '../../src/events/tail.ts';
import { lateOutcomesByPath } from '../../src/routing/canary/counts.ts';
import { sourcesComplainedOf } from '../../src/routing/source-days.ts';
import { createLog } from '../../src/runtime/log.ts';
import { loadMailFacts } from '../../src/webhooks/dispatch/load-facts.ts';
import { withMail } from '../../src/webhooks/mail-of-deliveries.ts';
import { allStatements } from '../support/statements.ts';
import { ERASED } from './attempt-history.ts';

interface Recipient {
  readonly email_id: string;
  readonly position: number;
  readonly address: string;
}

const statements = await allStatements();
const everything = { beforeId: null, type: null, fromMs: null, toMs: null } as const;
const REASONS = { meaningOf: () => null, provesDead: () => false };

/** Such a list that equal rows give equal lists. `cuts` are the times at which ranges begin and end. */
export async function readEverything(db: Database, organizationId: string, cuts: readonly number[]) {
  const recipients = await db.many(
    adHoc<Recipient>(
      'SELECT email_id, position, address FROM recipients WHERE organization_id = $1 ORDER BY 1, 2',
    ),
    [organizationId],
  );
  const emailIds = [...new Set(recipients.map(({ email_id }) => email_id))];
  const whole = await readStream(db, organizationId, { ...everything, limit: 10_000 });
  return {
    whole,
    ...(await readLists(db, organizationId, whole, cuts)),
    ...(await readByEmail(db, organizationId, emailIds, recipients)),
    ...(await readForWebhooks(db, organizationId, whole)),
    ...(await readExported(db, organizationId, emailIds)),
  };
}

async function readLists(
  db: Database,
  organizationId: string,
  whole: readonly StreamRow[],
  cuts: readonly number[],
) {
  const ranges = cuts.flatMap((fromMs) => [
    { fromMs, toMs: null },
    { fromMs: null, toMs: fromMs },
    { fromMs, toMs: fromMs },
    { fromMs, toMs: fromMs + 1_000 },
  ]);
  const lists: unknown[] = [];
  for (const type of [null, 'processing', 'delivered', 'deferred'] as const)
    for (const recipient of [null, ERASED])
      lists.push(await inPages(db, organizationId, { ...everything, type, recipient, limit: 1 }));
  for (const range of ranges)
    for (const type of [null, 'processing'] as const)
      for (const limit of [1, 1_000])
        lists.push(await readStream(db, organizationId, { ...everything, ...range, type, limit }));
  const tail = new EventTail({ db, log: createLog('test', 'silent'), nowMs: Date.now });
  const followed: unknown[] = [];
  for await (const page of tail.since(organizationId, tail.floorOf(whole.at(-1)?.id as string)))
    followed.push(...page);
  const numbered: unknown[] = [];
  // Numbers are for bounces. A start may have the number of its outcome.
  for (const { id } of whole.filter(({ type }) => type !== 'processing')) {
    const found = await eventsNumbered(db, organizationId, eventNumber(id));
    numbered.push(found.filter(({ type }) => type !== 'processing'));
  }
  return { lists, followed, numbered };
}

/** By page, so that a page ends at every event. */
async function inPages(db: Database, organizationId: string, filter: Parameters<typeof readEvents>[2]) {
  const ids: string[] = [];
  for (let beforeId: string | null = null; ; ) {
    const page = await readEvents(db, organizationId, { ...filter, beforeId });
    ids.push(...page.map(({ id }) => id));
    if (page.length < filter.limit) return ids;
    beforeId = page.at(-1)?.id ?? null;
  }
}

async function readByEmail(
  db: Database,
  organizationId: string,
  emailIds: readonly string[],
  recipients: readonly Recipient[],
) {
  const ofEmails: unknown[] = [];
  for (const id of emailIds) {
    const [events, attempts] = [
      await eventsOfEmail(db, organizationId, id),
      await attemptsOfEmail(db, organizationId, id),
    ];
    ofEmails.push({ id, events, attempts });
  }
  const refs = recipients.map(({ email_id, position }) => ({ organizationId, emailId: email_id, position }));
  const asked = recipients.map(({ email_id, address }) => ({ emailId: email_id, address }));
  const ways = await db.transaction((tx) => lateOutcomesByPath(tx, refs, refs.slice(0, 1)));
  const sources = await db.transaction((tx) => sourcesComplainedOf(tx, refs));
  return {
    ofEmails,
    last: [...(await lastEventsOf(db, organizationId, emailIds))],
    lastOfRecipients: [...(await lastEventsOfRecipients(db, organizationId, asked))],
    late: ways.map(({ bounced, complained, ...of }) => ({ ...of, bounced, complained })),
    complained: sources.map(({ address, count }) => ({ address, count })),
  };
}

async function readForWebhooks(db: Database, organizationId: string, whole: readonly StreamRow[]) {
  const deliveries = await db.many(
    adHoc<{ event_id: string; event_type: string; email_id: string; created_at: Date; endpoint_id: string }>(
      `SELECT event_id, event_type, email_id, created_at, endpoint_id FROM webhook_deliveries
       WHERE organization_id = $1 ORDER BY event_id`,
    ),
    [organizationId],
  );
  const facts = await loadMailFacts(
    db,
    deliveries.map((one) => ({
      format: 'postmark' as const,
      claim: {
        ...{ organizationId, endpointId: one.endpoint_id, eventId: one.event_id, emailId: one.email_id },
        ...{ eventType: one.event_type, tries: 0, createdAt: one.created_at, payload: null },
      },
    })),
    REASONS,
  );
  const byId = [...facts.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const isMissing = whole.filter(({ id }) => !deliveries.some(({ event_id }) => event_id === id));
  return { deliveries, byId, mail: await withMail(db, organizationId, deliveries), isMissing };
}

async function readExported(db: Sql, organizationId: string, emailIds: readonly string[]) {
  const run = (name: string, params: readonly unknown[]) => {
    const statement = statements.find((one) => one.name === name);
    if (statement === undefined) throw new Error(`there is no statement ${name}`);
    return db.many(statement, params);
  };
  const counted = (await run('events.count_recent', [organizationId, emailIds[0], 10_000])) as {
    span: string;
    type: string;
  }[];
  return {
    exportedEvents: await run('events.export', [organizationId, emailIds, ERASED, 10_000]),
    exportedAttempts: await run('attempts.export', [organizationId, emailIds, ERASED, 10_000]),
    counted: counted.toSorted((a, b) => (a.span + a.type < b.span + b.type ? -1 : 1)),
  };
}
