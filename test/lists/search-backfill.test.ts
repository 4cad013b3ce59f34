/** Mail from before there was a search box gets what the box goes by, while everything else goes on. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RenamedAddress } from '../../src/database/renamed-address.ts';
import { adHoc } from '../../src/database/sql.ts';
import { backfillSearch } from '../../src/emails/lists/search-backfill.ts';
import { eraseFromEmails } from '../../src/emails/store-removal.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

const clock = { ms: Date.parse('2026-03-04T12:00:00Z'), nowMs: () => clock.ms };
let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi({ clock });
});
afterAll(() => server.stop());

beforeEach(async () => {
  org = await server.createOrganization('Shop');
  await sendLetter(server, org, { to: [{ email: 'jane.doe@example.org' }] });
  clock.ms += 14 * DAY_MS;
  await sendLetter(server, org, { to: [{ email: 'jane.doe@example.com' }] });
  await server.db.exec(adHoc(`UPDATE emails SET search = '{}' WHERE organization_id = $1`), [org.id]);
  await begin('0 s');
});

async function begin(after: string): Promise<void> {
  await server.db.exec(adHoc('DELETE FROM search_backfill'));
  await server.db.exec(adHoc('INSERT INTO search_backfill (due_at) VALUES (now() + $1::interval)'), [after]);
}

const backfill = (signal = new AbortController().signal) => backfillSearch(server.db, signal);

async function found(text: string): Promise<number> {
  const { body } = await server.api('GET', `/emails?search=${text}`, undefined, org.key);
  expect(body.data).toHaveLength(Math.min(20, body.pagination.total_count));
  return body.pagination.total_count;
}

async function left(): Promise<number> {
  return (await server.db.one(adHoc<{ count: number }>('SELECT count(*) AS count FROM search_backfill')))
    .count;
}

describe('mail from before there was a search box', () => {
  it('is found once it has been gone through, of every week, and nothing is left to do', async () => {
    expect(await found('jane.doe')).toBe(0);
    await backfill();
    expect(await found('jane.doe')).toBe(2);
    expect(await left()).toBe(0);
  });

  it('is listed whole by the API key that it was sent with, before and after', async () => {
    const [{ id = '' } = {}] = (await server.api('GET', '/api-keys', undefined, org.key)).body.data;
    for (const isDone of [false, true]) {
      if (isDone) await backfill();
      const listed = await server.api('GET', `/emails?api_key_id=${id}`, undefined, org.key);
      expect(listed.body.pagination.total_count).toBe(2);
      const events = await server.api('GET', `/events?api_key_id=${id}`, undefined, org.key);
      expect(events.body.data).toHaveLength(2);
    }
  });

  it('is gone through where it is more than fits into a slice', async () => {
    await copies(1_100);
    await backfill();
    expect(await found('jane.doe')).toBe(1_102);
  });

  it('waits until the processes of the version before have gone', async () => {
    await begin('1 hour');
    await backfill();
    expect(await found('jane.doe')).toBe(0);
    expect(await left()).toBe(1);
  });

  it('is gone through further where it was left off', async () => {
    const stopped = new AbortController();
    const first = backfill(stopped.signal);
    stopped.abort();
    await first;
    expect(await left()).toBe(1);
    await server.db.exec(adHoc('UPDATE search_backfill SET due_at = now()'));
    await backfill();
    expect(await found('jane.doe')).toBe(2);
  });

  it('is not found again by what an erasure has taken out of it', async () => {
    const [{ id = '' } = {}] = (await server.api('GET', '/emails', undefined, org.key)).body.data;
    const renamed = { email: 'jane.doe@example.com', shownAs: 'erased@erased.invalid' };
    await server.db.transaction((tx) =>
      eraseFromEmails(tx, org.id, [id], renamed as RenamedAddress, Date.now()),
    );
    await backfill();
    expect(await found('jane.doe')).toBe(1);
    expect(await found('erased@erased.invalid')).toBe(1);
  });
});

/** Of the newest, in the same week. */
async function copies(count: number): Promise<void> {
  await server.db.exec(
    adHoc(`INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses, search)
           SELECT organization_id, overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, status, priority,
                  created_at, updated_at, from_email, subject, addresses, search
           FROM (SELECT * FROM emails WHERE organization_id = $1 ORDER BY id DESC LIMIT 1) AS e,
                generate_series(1, $2::int) AS n`),
    [org.id, count],
  );
  await server.db.exec(
    adHoc(`UPDATE email_counts SET count = count + $2
           WHERE organization_id = $1 AND day = (SELECT max(day) FROM email_counts WHERE organization_id = $1)`),
    [org.id, count],
  );
}
