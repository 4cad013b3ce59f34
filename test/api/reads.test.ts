/** Reads of one organization do not delay others. A lock on the table makes reads slow. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { type Answer, sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding } from '../support/database.ts';
import { letter } from '../support/emails.ts';

let server: TestApi;
let greedy: TestOrganization;
let other: TestOrganization;

beforeAll(async () => {
  server = await sharedApi();
  greedy = await server.createOrganization('Greedy');
  other = await server.createOrganization('Other');
});
afterAll(() => server.stop());

/** Runs `work` while a lock blocks all reads of a table. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await holding(server.db, async (tx) => {
    await tx.exec(adHoc(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`));
    await work();
  });
}

async function waitingReads(table: string): Promise<number> {
  const text = `SELECT count(*) AS count FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
  return (await server.db.one(adHoc<{ count: number }>(text))).count;
}

describe('many slow reads of one organization', () => {
  it.each([
    ['/events', 'events'],
    ['/events?recipient=ada@example.org', 'emails'],
    ['/emails?subject=hello', 'email_counts'],
    ['/suppressions', 'suppression_counts'],
    ['/stats/attention', 'hourly_counts'],
  ])('%s: hold three connections, and others read', async (path, table) => {
    const slow: Promise<Answer>[] = [];
    await whileLocked(table, async () => {
      for (let i = 0; i < 12; i += 1) slow.push(server.api('GET', path, undefined, greedy.key));
      await expect.poll(() => waitingReads(table)).toBe(3);
      expect((await server.api('GET', '/templates', undefined, other.key)).status).toBe(200);
      expect(await waitingReads(table)).toBe(3);
    });
    await Promise.all(slow);
  });

  it('50 at once: others send and read; the greedy one is told to come back where it asks for more', async () => {
    const slow: Promise<Answer>[] = [];
    await whileLocked('templates', async () => {
      // A page and its total each: a hundred statements.
      for (let i = 0; i < 50; i += 1) slow.push(server.api('GET', '/templates', undefined, greedy.key));
      await expect.poll(() => waitingReads('templates')).toBe(3);
      expect((await server.api('POST', '/emails/send', letter(other), other.key)).status).toBe(201);
      for (const read of ['/emails?to=ada@example.org', '/events']) {
        expect((await server.api('GET', read, undefined, other.key)).status).toBe(200);
      }
    });
    const refused = (await Promise.all(slow)).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, body } of refused) {
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    }
  });

  it('go on counting when their callers have hung up', async () => {
    await whileLocked('hourly_counts', async () => {
      for (let i = 1; i <= 4; i += 1) {
        const call = request(`${server.url}/api/v1/stats`, {
          headers: { authorization: `Bearer ${greedy.key}` },
        });
        call.on('error', () => {}).end();
        await expect.poll(() => waitingReads('hourly_counts')).toBe(Math.min(i, 3));
        call.destroy();
      }
      expect((await server.api('GET', '/emails', undefined, other.key)).status).toBe(200);
      expect(await waitingReads('hourly_counts')).toBe(3);
    });
  });
});
