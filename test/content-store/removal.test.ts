/** Objects go with the mail they are of: by age, by the week, and with an organization. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { applyRetention } from '../../src/operations/retention.ts';
import { removeThrowAways } from '../../src/operations/throw-away.ts';
import { DAY_MS, HOUR_MS } from '../../src/runtime/durations.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createThrowAway } from '../../src/sandbox/throw-away.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { contentChores, contentRows, settleAs } from '../support/content-store.ts';
import { countsDiffer } from '../support/counts.ts';
import { sendLetter } from '../support/emails.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';

/** A Wednesday; its week begins on Monday, 2 March 2026. */
const ACCEPTED = Date.parse('2026-03-04T12:00:00Z');
const WEEK_END = Date.parse('2026-03-09T00:00:00Z');
const clock = { ms: ACCEPTED, nowMs: () => clock.ms };

let sink: S3Sink;
let server: TestApi;
let chores: ReturnType<typeof contentChores>;
beforeAll(async () => {
  sink = await startS3Sink('kept');
  server = await startApi({ clock, env: sink.env });
  chores = contentChores(server.db, clock, sink);
});
afterAll(async () => {
  await server.stop();
  await sink.stop();
});
beforeEach(() => {
  clock.ms = ACCEPTED;
  sink.fault = () => undefined;
});

const objectsOf = (part: string) => [...sink.objects.keys()].filter((key) => key.includes(part));
const keep = (org: TestOrganization, settings: Record<string, number>) =>
  server.api('PUT', '/settings/retention', settings, org.key);
const content = async (org: TestOrganization, id: string) =>
  (await server.api('GET', `/emails/${id}/content`, undefined, org.key)).status;

async function moved(org: TestOrganization): Promise<string> {
  clock.ms = ACCEPTED;
  const id = await sendLetter(server, org);
  await settleAs(server.db, org, id, 'delivered', clock.ms);
  return id;
}

async function retain(ms: number): Promise<void> {
  clock.ms = ms;
  const deps = { db: server.db, clock, log: createLog('test', 'silent') };
  await applyRetention(deps, new AbortController().signal);
}

it('they go row by row where one organization keeps content longer than another', async () => {
  const [short, long] = [await server.createOrganization(), await server.createOrganization()];
  const [gone, stays] = [await moved(short), await moved(long)];
  await keep(short, { content_days: 10 });
  await keep(long, { content_days: 0, email_days: 0 });
  clock.ms = WEEK_END + HOUR_MS;
  await chores.move();
  expect([objectsOf(gone), objectsOf(stays)].map((list) => list.length)).toEqual([1, 1]);
  await retain(WEEK_END + 10 * DAY_MS);
  expect(await content(short, gone)).toBe(404);
  await chores.remove();
  expect([objectsOf(gone), objectsOf(stays)].map((list) => list.length)).toEqual([0, 1]);
  expect(await content(long, stays)).toBe(200);
});

it('they go by the week where everybody is done with it, however many there are, when the bucket is back', async () => {
  await server.db.exec(adHoc('UPDATE retention_settings SET content_days = 10, email_days = 20'));
  const org = await server.createOrganization();
  await keep(org, { content_days: 10, email_days: 20 });
  const id = await moved(org);
  clock.ms = WEEK_END + HOUR_MS;
  await chores.another().move();
  // More than are listed at once.
  for (let more = 0; more < 1_500; more += 1)
    sink.objects.set(`kept/${org.id}/20260302/more-${more}`, Buffer.of(1));
  sink.objects.set(`kept/${org.id}/20260309/other-week`, Buffer.of(1));
  await retain(WEEK_END + 10 * DAY_MS);
  expect(await contentRows(server.db)).toMatchObject({ moved_contents: 0 });
  expect(await content(org, id)).toBe(404);
  sink.fault = () => 'drop';
  await chores.remove();
  expect(objectsOf(org.id)).toHaveLength(1_502);
  sink.fault = () => undefined;
  // On a busy machine the store may answer too late to some of it, which is tried again like the rest.
  const waiting = async () => (await contentRows(server.db)).object_removals;
  for (let tries = 0; tries < 30 && (await waiting()) > 0; tries += 1) {
    clock.ms += HOUR_MS;
    await chores.remove();
  }
  expect(objectsOf(org.id)).toEqual([`kept/${org.id}/20260309/other-week`]);
  expect(await waiting()).toBe(0);
});

it('they go with the emails, and what is noted about the week goes too', async () => {
  const org = await server.createOrganization();
  await keep(org, { content_days: 0, email_days: 20 });
  const id = await moved(org);
  clock.ms = WEEK_END + HOUR_MS;
  await chores.another().move();
  expect(objectsOf(id)).toHaveLength(1);
  await retain(WEEK_END + 20 * DAY_MS);
  await chores.remove();
  expect(objectsOf(id)).toEqual([]);
  expect(await server.db.many(adHoc('SELECT FROM content_weeks'))).toEqual([]);
  expect(await countsDiffer(server.db)).toEqual([]);
});

it('they go with an organization that was made for a while', async () => {
  const made = await createThrowAway(server.db, clock, { name: 'Run', forMs: 3 * HOUR_MS });
  const org = { id: made.id, key: made.apiKey, domain: made.domain };
  await moved(org);
  clock.ms += 2 * HOUR_MS;
  await chores.another().move();
  expect(objectsOf(made.id)).toHaveLength(1);
  clock.ms += 2 * HOUR_MS;
  // The first turn ends its keys.
  for (let turns = 0; turns < 2; turns += 1)
    await removeThrowAways({ db: server.db, clock }, new AbortController().signal);
  const gone = adHoc('SELECT FROM organizations WHERE id = $1');
  expect(await server.db.many(gone, [made.id])).toEqual([]);
  await chores.remove();
  expect(objectsOf(made.id)).toEqual([]);
});
