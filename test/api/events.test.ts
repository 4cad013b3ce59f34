import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../src/database/partitions.ts';
import { adHoc } from '../../src/database/sql.ts';
import { appendEvents, type EventType } from '../../src/events/append.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
const startMs = Date.now() - 3 * 3_600_000;
const emailId = uuidv7(startMs);
const otherEmailId = uuidv7(startMs);

beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  other = await server.createOrganization('Other');
  const types: EventType[] = ['queued', 'processing', 'deferred', 'processing', 'delivered'];
  const events = types.map((type, index) => ({
    organizationId: org.id,
    emailId: index % 2 === 0 ? emailId : otherEmailId,
    position: 0,
    recipient: index === 2 ? 'Grace@example.org' : 'ada@example.org',
    type,
    atMs: startMs + index * 60_000,
  }));
  // Early on a Monday that was last week.
  await ensurePartitions(server.db, startMs, 1);
  await server.db.transaction((tx) => appendEvents(tx, events));
});
afterAll(() => server.stop());

const list = (query: string, key = org.key) => server.api('GET', `/events?${query}`, undefined, key);
const typesOf = async (query: string) =>
  (await list(query)).body.data.map((one: { type: string }) => one.type);

describe('GET /events', () => {
  it('lists all events of the organization, the newest first', async () => {
    const { body } = await list('');
    expect(body.data.map((one: { type: string }) => one.type)).toEqual([
      'delivered',
      'processing',
      'deferred',
      'processing',
      'queued',
    ]);
    expect(body.data[0]).toMatchObject({ id: expect.stringMatching(/^evt_/), email_id: emailId });
    expect(body.pagination).toEqual({ limit: 20, next_cursor: null });
  });

  it('pages with a cursor that new events do not move', async () => {
    const first = (await list('limit=2')).body;
    const second = (await list(`limit=2&cursor=${first.pagination.next_cursor}`)).body;
    const third = (await list(`limit=2&cursor=${second.pagination.next_cursor}`)).body;
    const ids = [first, second, third].flatMap(({ data }) => data.map((one: { id: string }) => one.id));
    expect(ids).toEqual((await list('')).body.data.map((one: { id: string }) => one.id));
    expect(third.pagination.next_cursor).toBeNull();
  });

  it('filters by type and time', async () => {
    expect(await typesOf('type=processing')).toEqual(['processing', 'processing']);
    const at = (index: number) => new Date(startMs + index * 60_000).toISOString();
    expect(await typesOf(`from_date=${at(1)}&to_date=${at(2)}`)).toEqual(['deferred', 'processing']);
    expect(await typesOf('to_date=2020-01-01')).toEqual([]);
  });

  it('filters by recipient, in any spelling', async () => {
    const mine = await server.createOrganization('Mine');
    const to = (email: string) => sendLetter(server, mine, { to: [{ email }] });
    await to('ada@example.org');
    const [first, second] = [await to('Grace@m\u00fcller.example'), await to('grace@xn--mller-kva.example')];
    const { body } = await list(`recipient=${encodeURIComponent('GRACE@m\u00fcller.example')}`, mine.key);
    expect(body.data.map((one: { email_id: string }) => one.email_id)).toEqual([second, first]);
  });

  it('has an index that finds rare ones without reading all the others', async () => {
    const plan = await server.db.transaction(async (tx) => {
      await tx.exec(adHoc(`SELECT set_config('enable_seqscan', 'off', true)`)); // there is next to nothing to read
      return tx.many(
        adHoc<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT id FROM events WHERE organization_id = 'org_x' AND type = 'complained'
           ORDER BY id DESC LIMIT 20`,
        ),
      );
    });
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('organization_id_type_id_idx');
  });

  it.each(['cursor=x', 'type=sent', 'recipient=ada', 'from_date=yesterday', 'page=2'])(
    'refuses %s',
    async (query) => {
      expect((await list(query)).body.error.code).toBe('VALIDATION_ERROR');
    },
  );

  it('shows nothing to others', async () => {
    expect((await list('', other.key)).body.data).toEqual([]);
  });
});
