/**
 * An attempt is one row, where earlier releases wrote three: its start, its outcome and its details. Every reader gets the same from
 * both: random histories are copied to a second database and written there as those releases did.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { eraseFromAttempts } from '../../src/events/attempts.ts';
import { eraseFromEvents } from '../../src/events/remove.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { eraseFromWebhookLog } from '../../src/webhooks/log.ts';
import { address } from '../support/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runs } from '../support/property-runs.ts';
import { ERASED, type History, happen, history } from './attempt-history.ts';
import { readEverything } from './attempt-readers.ts';

const COPIED = ['emails', 'recipients', 'events', 'attempts', 'webhook_endpoints', 'webhook_deliveries'];

let ours: TestDatabase;
let earlier: TestDatabase;
beforeAll(async () => {
  [ours, earlier] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => {
  await Promise.all([ours.drop(), earlier.drop()]);
});

async function organizationWithWebhook(): Promise<string> {
  const { id } = await createOrganization(ours.db, systemClock, { name: 'Mine', dailyLimit: 0 });
  const insert = `INSERT INTO webhook_endpoints (id, organization_id, url, secret, created_at, updated_at)
    VALUES ($1, $2, 'https://hooks.example', '\\x00', now(), now())`;
  await ours.db.exec(adHoc(insert), [newId('whk'), id]);
  return id;
}

/** Copies every row of the organization, and then separates attempts and starts from the outcomes. */
async function copyAsEarlier(organizationId: string): Promise<void> {
  await copyRows('organizations', 'id', organizationId);
  for (const table of COPIED) await copyRows(table, 'organization_id', organizationId);
  const texts = [
    `INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt)
     SELECT organization_id, email_id, (left(id::text, 35) || translate(right(id::text, 1), '13579bdf', '02468ace'))::uuid,
            position, recipient, 'processing', started_at, attempt
     FROM events WHERE organization_id = $1 AND started_at IS NOT NULL`,
    `INSERT INTO attempts (organization_id, email_id, id, position, attempt, duration_ms, created_at, next_attempt_at, outcome,
                           reason, rule, mx_host, tls, detail, conversation, tls_certificate, route, evidence)
     SELECT organization_id, email_id, id, position, attempt, duration_ms, created_at, next_attempt_at, type,
            coalesce(attempt_reason, reason), rule, mx_host, tls,
            CASE WHEN detail_is_reply THEN smtp_message ELSE detail END, conversation, tls_certificate, route, evidence
     FROM events WHERE organization_id = $1 AND duration_ms IS NOT NULL`,
    `UPDATE events SET started_at = NULL, duration_ms = NULL, rule = NULL, attempt_reason = NULL, detail = NULL,
       detail_is_reply = NULL, conversation = NULL, route = NULL, evidence = NULL
     WHERE organization_id = $1`,
  ];
  for (const text of texts) await earlier.db.exec(adHoc(text), [organizationId]);
}

async function copyRows(table: string, key: string, organizationId: string): Promise<void> {
  const select = adHoc<{ rows: unknown }>(
    `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') AS rows FROM ${table} t WHERE ${key} = $1`,
  );
  const { rows } = await ours.db.one(select, [organizationId]);
  const insert = `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`;
  await earlier.db.exec(adHoc(insert), [JSON.stringify(rows)]);
}

async function eraseAll(db: Sql, organizationId: string): Promise<void> {
  const rows = await db.many(
    adHoc<{ email_id: string; position: number; address: string }>(
      'SELECT email_id, position, address FROM recipients WHERE organization_id = $1 ORDER BY 1, 2',
    ),
    [organizationId],
  );
  const ids = [...new Set(rows.map(({ email_id }) => email_id))];
  const own = rows
    .filter((row) => row.address === ERASED)
    .map(({ email_id, position }) => ({ emailId: email_id, position }));
  await eraseFromAttempts(db, organizationId, ids, ERASED, own);
  await eraseFromEvents(db, organizationId, ids, {
    email: address(ERASED).email,
    shownAs: address('x@erased.invalid').email,
  });
  await eraseFromWebhookLog(db, organizationId, ids);
}

async function recorded(emails: History) {
  const organizationId = await organizationWithWebhook();
  const startMs = Date.now() - 60_000;
  await happen(ours.db, organizationId, emails, startMs);
  await copyAsEarlier(organizationId);
  const cuts = [startMs + 10_000, startMs + 10_001, startMs + 12_000, startMs + 20_040];
  const read = async ({ db }: TestDatabase) => readEverything(db, organizationId, cuts);
  return { organizationId, read };
}

describe('attempts in one row', () => {
  it('are read as the three rows of earlier releases, also after an erasure', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (emails) => {
        const { organizationId, read } = await recorded(emails);
        const { isMissing, ...all } = await read(ours);
        expect(isMissing).toEqual([]);
        const { isMissing: _, ...before } = await read(earlier);
        expect(all).toEqual(before);
        for (const { db } of [ours, earlier]) await eraseAll(db, organizationId);
        expect(await read(ours)).toEqual(await read(earlier));
      }),
      { ...runs(4), endOnFailure: true },
    );
  }, 300_000);
});
