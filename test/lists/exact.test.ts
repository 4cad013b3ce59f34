/** Every list against a plain filter over the same mail, before and after everything that can change it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Reads } from '../../src/database/reads.ts';
import { adHoc } from '../../src/database/sql.ts';
import { EmailLists } from '../../src/emails/lists/email-lists.ts';
import { toFilter } from '../../src/emails/lists/list-schema.ts';
import { applyRetention } from '../../src/operations/retention.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { writeRetention } from '../../src/organizations/settings/retention.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { createLog } from '../../src/runtime/log.ts';
import { countsDiffer } from '../support/counts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailModel, type Query } from '../support/mail-model.ts';

/** A Monday. */
const START = Date.parse('2026-03-02T00:00:00Z');
const DAYS = 16;

let test: TestDatabase;
let model: MailModel;
let other: MailModel;
let lists: EmailLists;

beforeAll(async () => {
  test = await createTestDatabase();
  model = await newModel('Mine');
  other = await newModel('Theirs');
  // Steps so small that every search takes several of every kind.
  lists = new EmailLists(new Reads(test.db), { sample: 20, many: 60, few: 120 });
  await other.add(Array.from({ length: 40 }, (_, n) => letter(n)));
  // One day has more than any list skips over, the others little.
  const added = await model.add([
    ...Array.from({ length: 2_600 }, (_, n) => ({ ...letter(n), atMs: START + 5 * DAY_MS + n * 20_000 })),
    ...Array.from({ length: 160 }, (_, n) => letter(n)),
  ]);
  await model.settle(
    added.filter((_, n) => n % 10 < 6),
    'delivered',
  );
  await model.settle(
    added.filter((_, n) => n % 10 === 6),
    'bounced',
  );
  await model.settle(
    added.filter((_, n) => n % 100 === 7),
    'failed',
  );
}, 60_000);
afterAll(() => test.drop());

async function newModel(name: string): Promise<MailModel> {
  return new MailModel(test.db, (await createOrganization(test.db, systemClock, { name, dailyLimit: 0 })).id);
}

function letter(n: number) {
  return {
    atMs: START + Math.floor(((n * 0.618) % 1) * DAYS * DAY_MS),
    from: n % 3 === 0 ? 'orders@shop.example' : 'news@letters.example',
    to: `user${n % 50}@${n % 7 === 0 ? 'rare.example' : 'mail.example'}`,
    subject: n % 2 === 0 ? `Your order ${100_000 + n} is on its way` : 'Weekly summary',
    tag: n % 4 === 0 ? 'receipt' : n % 4 === 1 ? 'news' : null,
    batchId: n % 20 === 0 ? `batch_${n % 60}` : null,
  };
}

const QUERIES: readonly Query[] = [
  {},
  { status: 'queued' },
  { status: 'delivered' },
  { status: 'failed' },
  { status: 'opened' },
  { status: 'delivered,opened' },
  { status: 'opened,queued,opened', from_date: '2026-03-04T10:00:00Z' },
  { status: 'delivered,bounced', to: '@rare.example' },
  { from_date: '2026-03-05', to_date: '2026-03-09' },
  { from_date: '2026-03-07', to_date: '2026-03-07' },
  { from_date: '2026-03-07T03:00:00.500Z', to_date: '2026-03-07T09:30:00Z' },
  { from_date: '2026-03-04T10:00:00Z', status: 'delivered' },
  { to_date: '2026-03-07T06:00:00Z' },
  { to: 'user3@mail.example' },
  { to: '@mail.example' },
  { to: '@rare.example', status: 'bounced' },
  { from: 'orders@shop.example' },
  { from: '@letters.example', from_date: '2026-03-07T01:00:00Z', to_date: '2026-03-10' },
  { subject: 'order 1000' },
  { subject: 'WEEKLY' },
  { subject: 'your' },
  { subject: 'zz' },
  { tag: 'kind' },
  { tag: 'kind:news', status: 'delivered' },
  { batch_id: 'batch_20' },
  { search: 'user3' },
  { search: 'user33@mail' },
  { search: 'rare.example' },
  { search: 'Order 10000' },
  { search: 'receipt' },
  { search: 'news', status: 'delivered' },
  { search: 'weekly user7', from_date: '2026-03-07T01:00:00Z', to_date: '2026-03-10' },
  { search: 'nobody-at-all' },
  { search: 'receipt', to: '@mail.example', from: 'orders@shop.example' },
  { subject: 'on its way', to: '@mail.example', from: 'orders@shop.example', tag: 'kind:receipt' },
];

async function page(query: Query, number: number, limit: number, of = model, from = lists) {
  const filter = toFilter({ page: 1, limit: 20, ...query });
  const { rows, total } = await from.page(of.organizationId, filter, { page: number, limit });
  return { ids: rows.map(({ id }) => id), total };
}

/** First pages, last ones, one past the end, and some in between. */
async function expectExact(query: Query, of = model, from = lists): Promise<void> {
  const expected = of.find(query);
  for (const limit of [7, 100]) {
    const last = Math.max(1, Math.ceil(expected.length / limit));
    const numbers = new Set([1, 2, Math.ceil(last / 3), Math.ceil(last / 2), last - 1, last, last + 1]);
    for (const number of numbers) {
      if (number < 1) continue;
      const ids = expected.slice((number - 1) * limit, number * limit);
      expect({ query, number, ...(await page(query, number, limit, of, from)) }).toEqual({
        query,
        number,
        ids,
        total: expected.length,
      });
    }
  }
}

/** By lists that know them from before, and by lists that see them for the first time. */
async function expectAllExact(): Promise<void> {
  for (const query of QUERIES) {
    await expectExact(query);
    await expectExact(query, model, new EmailLists(new Reads(test.db)));
  }
  await expectExact({}, other);
  await expectExact({ subject: 'weekly' }, other);
  expect(await countsDiffer(test.db)).toEqual([]);
}

describe('lists are exact', () => {
  it('when asked for the first time, and again', async () => {
    await expectAllExact();
    await expectAllExact();
  }, 120_000);

  it('after more mail came in, also on days that were counted before', async () => {
    await model.add([
      { ...letter(1), atMs: START + 5 * DAY_MS + 4_000 },
      { ...letter(2), atMs: START + 15 * DAY_MS },
      { ...letter(4), atMs: START + 2 * DAY_MS },
    ]);
    await expectAllExact();
  }, 120_000);

  it('after statuses moved, also back and forth between two emails', async () => {
    const queued = model.emails.filter(({ status }) => status === 'queued');
    const delivered = model.emails.filter(({ status }) => status === 'delivered');
    await model.settle(queued.slice(0, 100), 'delivered');
    await model.settle(delivered.slice(0, 100), 'opened');
    await expectAllExact();
  }, 120_000);

  it('after retention took a part of a week, and then whole weeks', async () => {
    const weekEnd = START + 7 * DAY_MS;
    const deps = { db: test.db, log: createLog('test', 'silent') };
    const run = (nowMs: number) =>
      applyRetention({ ...deps, clock: { nowMs: () => nowMs } }, new AbortController().signal);
    await writeRetention(test.db, other.organizationId, { content_days: 0, email_days: 0 }, new Date());
    await run(weekEnd + 90 * DAY_MS);
    model.freeKey(({ atMs, status }) => atMs < weekEnd && status !== 'queued');
    await expectAllExact();
    await model.settle(
      model.emails.filter(({ atMs }) => atMs < weekEnd),
      'failed',
    );
    await other.settle(other.emails, 'delivered');
    await writeRetention(test.db, other.organizationId, { content_days: 1, email_days: 1 }, new Date());
    await run(weekEnd + 90 * DAY_MS);
    model.freeKey(({ atMs }) => atMs < weekEnd);
    other.freeKey(() => true);
    await expectAllExact();
  }, 120_000);
});

describe('an email that an older version accepted', () => {
  it('is found without the tokens it never got', async () => {
    await test.db.exec(adHoc('UPDATE emails SET search = NULL WHERE organization_id = $1'), [
      model.organizationId,
    ]);
    for (const query of QUERIES) await expectExact(query, model, new EmailLists(new Reads(test.db)));
  }, 60_000);
});
