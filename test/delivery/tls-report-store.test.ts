/** The counts of TLS reports in the database: one worker takes each report, and the tables are bounded. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import {
  addTlsSessions,
  deleteOldTlsReports,
  endTlsReport,
  putOffTlsReport,
  takeDueReports,
  tlsSessionsOf,
} from '../../src/delivery/tls/report-store.ts';
import type { TlsSessionCount } from '../../src/delivery/tls/session-counts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.db.exec(adHoc('TRUNCATE tls_reports CASCADE')));

const DAY = '2026-11-16';

const count = (change: Partial<TlsSessionCount> = {}): TlsSessionCount => ({
  day: DAY,
  domain: 'example.org',
  policyType: 'no-policy-found',
  policy: [],
  mxHost: 'mx.example.org',
  mxAddress: '192.0.2.1',
  failure: '',
  reason: null,
  sessions: 2,
  ...change,
});

const due = { day: DAY, domain: 'example.org' };
const later = (set: string) => database.db.exec(adHoc(`UPDATE tls_reports SET ${set}`));

it('adds the counts of several workers', async () => {
  const { db } = database;
  const failed = { failure: 'certificate-expired', reason: 'expired', sessions: 1 };
  await Promise.all([
    addTlsSessions(db, [count(), count(failed)]),
    addTlsSessions(db, [count(failed), count({ sessions: 3 })]),
  ]);
  const rows = await tlsSessionsOf(db, due);
  expect(rows.map(({ failure, sessions }) => [failure, sessions])).toEqual([
    ['', 5],
    ['certificate-expired', 2],
  ]);
});

it('gives a report to one worker in the hours after its day, and again if that worker died', async () => {
  const { db } = database;
  await addTlsSessions(db, [count(), count({ domain: 'b.test' }), count({ day: '2026-11-15' })]);
  const [{ hours }] = (await db.many(
    adHoc<{ hours: number }>(
      `SELECT max(extract(epoch FROM due_at - (day + 1)::timestamp AT TIME ZONE 'UTC')) / 3600 AS hours FROM tls_reports`,
    ),
  )) as [{ hours: number }];
  expect(Number(hours)).toBeGreaterThanOrEqual(0.5);
  expect(Number(hours)).toBeLessThan(5);
  await later('due_at = now()');
  const taken = await Promise.all([takeDueReports(db, 2), takeDueReports(db, 2)]);
  expect(
    taken
      .flat()
      .map(({ day, domain }) => `${day} ${domain}`)
      .toSorted(),
  ).toEqual(['2026-11-15 example.org', '2026-11-16 b.test', '2026-11-16 example.org']);
  expect(await takeDueReports(db, 9)).toEqual([]);
  await later(`due_at = due_at - interval '15 minutes'`);
  expect(await takeDueReports(db, 9)).toHaveLength(3);
});

it('adds no counts to a day that was reported', async () => {
  const { db } = database;
  await addTlsSessions(db, [count()]);
  await endTlsReport(db, due, 'sent');
  await addTlsSessions(db, [count({ mxHost: 'mx2.example.org' })]);
  expect(await tlsSessionsOf(db, due)).toHaveLength(1);
  await later('due_at = now()');
  expect(await takeDueReports(db, 9)).toEqual([]);
});

it('stores why a report was put off, with any text from foreign DNS', async () => {
  const { db } = database;
  await addTlsSessions(db, [count()]);
  await putOffTlsReport(db, due, `https://a.test/\0\x1b[2J${'x'.repeat(2_000)}`);
  const [row] = await db.many(adHoc<{ problem: string }>('SELECT problem FROM tls_reports'));
  expect(row?.problem).toHaveLength(500);
  expect(row?.problem).not.toMatch(/\p{Cc}/u);
});

it('keeps a bounded number of rows for a domain', async () => {
  const { db } = database;
  const hosts = (from: number) =>
    Array.from({ length: 150 }, (_, i) => count({ mxHost: `mx${from + i}.example.org` }));
  await addTlsSessions(db, hosts(0));
  await addTlsSessions(db, hosts(150));
  await addTlsSessions(db, hosts(300));
  expect((await tlsSessionsOf(db, due)).length).toBeLessThanOrEqual(300);
});

it('deletes reports that are a week old', async () => {
  const { db } = database;
  await addTlsSessions(db, [
    count({ day: '2020-01-01' }),
    count({ day: new Date().toISOString().slice(0, 10) }),
  ]);
  await deleteOldTlsReports(db);
  expect(await tlsSessionsOf(db, { day: '2020-01-01', domain: 'example.org' })).toEqual([]);
  expect(await db.many(adHoc('SELECT FROM tls_reports'))).toHaveLength(1);
});
