/** Events of mail to one address, against a plain filter over all events, whichever way they are found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { type EventFilter, readEvents } from '../../src/emails/lists/events-to.ts';
import { appendEvents, type EventType, type NewEvent } from '../../src/events/append.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailModel, type ModelEmail } from '../support/mail-model.ts';
import { countRowsRead } from '../support/rows-read.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const PAGE = 50;

let test: TestDatabase;
let model: MailModel;
let all: Row[];

interface Row {
  readonly id: string;
  readonly type: EventType;
  readonly recipient: string;
  readonly created_at: Date;
}

beforeAll(async () => {
  test = await createTestDatabase();
  model = await newModel('Mine');
  const theirs = await newModel('Theirs');
  await happen(theirs, await theirs.add(letters(20, 'rare@mail.example', 0)));
  // In this order: one address got much long ago, then others got more than a look at the newest goes through.
  const [gone, busy, rare, waiting] = [
    await model.add(letters(1_100, 'gone@mail.example', 0)),
    await model.add(letters(3_400, 'busy@mail.example', 3)),
    await model.add(letters(30, 'Rare@mail.example', 1)),
    await model.add(letters(5, 'rare@mail.example', 6)),
  ];
  await model.settle([...gone, ...busy, ...rare], 'delivered');
  await happen(model, [...gone, ...busy, ...rare]);
  await happen(model, waiting, ['queued', 'deferred']);
  // Of a version that made no tokens, and something that happened long after.
  await test.db.exec(adHoc('UPDATE emails SET search = NULL WHERE id = ANY ($1)'), [
    [rare[3]?.id, gone[7]?.id],
  ]);
  await happen(model, [rare[5], gone[9]] as ModelEmail[], ['opened'], 30 * DAY_MS);
  await test.db.exec(adHoc('ANALYZE emails'));
  await test.db.exec(adHoc('ANALYZE events'));
  const text = `SELECT id, type, recipient, created_at FROM events WHERE organization_id = $1 ORDER BY id DESC`;
  all = await test.db.many(adHoc<Row>(text), [model.organizationId]);
}, 120_000);
afterAll(() => test.drop());

async function newModel(name: string): Promise<MailModel> {
  return new MailModel(test.db, (await createOrganization(test.db, systemClock, { name, dailyLimit: 0 })).id);
}

/** Within one day, so that there is one partition to make. */
function letters(count: number, to: string, day: number) {
  return Array.from({ length: count }, (_, n) => ({
    atMs: START + day * DAY_MS + (n % 4) * 60_000,
    from: 'orders@shop.example',
    to,
    subject: 'Hello',
    tag: null,
    state: null,
    batchId: null,
  }));
}

async function happen(
  { organizationId }: MailModel,
  emails: readonly ModelEmail[],
  types: readonly EventType[] = ['queued', 'processing', 'delivered'],
  laterMs = 0,
): Promise<void> {
  const events = emails.flatMap(({ id, atMs, to }) =>
    types.map(
      (type, n): NewEvent => ({
        organizationId,
        emailId: id,
        position: 0,
        recipient: to,
        type,
        atMs: atMs + laterMs + n,
      }),
    ),
  );
  await test.db.transaction((tx) => appendEvents(tx, events));
}

const NO_FILTER = { beforeId: null, type: null, fromMs: null, toMs: null, limit: PAGE };

function expected({ recipient, type, fromMs, toMs }: EventFilter): string[] {
  return all
    .filter((one) => one.recipient.toLowerCase() === recipient?.toLowerCase())
    .filter((one) => type === null || one.type === type)
    .filter((one) => fromMs === null || one.created_at.getTime() >= fromMs)
    .filter((one) => toMs === null || one.created_at.getTime() <= toMs)
    .map(({ id }) => id);
}

/** Pages to the end, or as many as are asked for. */
async function pages(filter: EventFilter, most = 100): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; page < most; page += 1) {
    const rows = await readEvents(test.db, model.organizationId, {
      ...filter,
      beforeId: found.at(-1) ?? null,
    });
    found.push(...rows.map(({ id }) => id));
    if (rows.length < filter.limit) break;
  }
  return found;
}

describe('events of mail to one address', () => {
  it.each([
    ['few', { recipient: 'rare@mail.example' }],
    ['few of one type', { recipient: 'RARE@mail.example', type: 'deferred' }],
    ['few of a time', { recipient: 'rare@mail.example', fromMs: START, toMs: START + 2 * DAY_MS }],
    ['what happened late', { recipient: 'rare@mail.example', type: 'opened' }],
    ['many and none of them near', { recipient: 'gone@mail.example', limit: 500 }],
    ['many of a time', { recipient: 'gone@mail.example', fromMs: START + DAY_MS }],
    ['none', { recipient: 'nobody@mail.example' }],
  ] as [string, Partial<EventFilter> & { recipient: string }][])('are all found: %s', async (_, some) => {
    const filter = { ...NO_FILTER, ...some };
    expect(await pages(filter)).toEqual(expected(filter));
  });

  it('are all found: many that are near', async () => {
    const filter = { ...NO_FILTER, recipient: 'busy@mail.example' };
    expect(await pages(filter, 3)).toEqual(expected(filter).slice(0, 3 * PAGE));
  });

  it('are found without looking through those of others', async () => {
    const { sql, read } = countRowsRead(test.db);
    const filter = { ...NO_FILTER, recipient: 'rare@mail.example' };
    expect(await readEvents(sql, model.organizationId, filter)).toHaveLength(PAGE);
    const rows = [...read.values()].reduce((sum, count) => sum + count, 0);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(500);
  });
});
