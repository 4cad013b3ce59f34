import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { contentStoreCheck } from '../../src/doctor/machine/content-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';
import { type DoctorRoom, openDoctorRoom, summaryOf } from './doctor-context.ts';

let room: DoctorRoom;
let database: TestDatabase;
let sink: S3Sink;
beforeAll(async () => {
  room = await openDoctorRoom();
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await room.stop();
});
beforeEach(async () => {
  sink = await startS3Sink();
});
afterEach(() => sink.stop().catch(() => undefined));

const find = (env: Readonly<Record<string, string>> = sink.env) =>
  room.find(contentStoreCheck, { env, context: { db: database.db } });

it('says nothing where there is no content store, and never was', async () => {
  expect(await find({})).toEqual([]);
});

it('is well with a bucket that does all that is needed, and leaves nothing there', async () => {
  expect(summaryOf(await find())).toEqual([
    'ok: The bucket postrider-test takes, gives, lists and removes objects.',
  ]);
  expect(sink.objects.size).toBe(0);
});

it.each([
  ['PUT', 'bad', 'put'],
  ['HEAD', 'bad', 'put'],
  ['DELETE', 'warn', 'remove'],
])('names what a bucket refuses to do: %s', async (method, level, step) => {
  sink.fault = (call) => (call.method === method ? 403 : undefined);
  const [finding] = await find();
  expect(finding).toMatchObject({ level, fix: expect.stringContaining('s3:') });
  expect(finding?.seen).toContain(`fails to ${step} an object. It answered 403`);
});

it('names a list that may not be read', async () => {
  sink.fault = ({ key }) => (key === '' ? 403 : undefined);
  expect(await find()).toMatchObject([{ level: 'warn', fix: expect.stringContaining('s3:ListBucket') }]);
});

it('tells a wrong secret from a bucket that is away', async () => {
  const wrong = { ...sink.env, POSTRIDER_CONTENT_S3_SECRET_ACCESS_KEY: 'another' };
  expect((await find(wrong))[0]?.seen).toContain('(SignatureDoesNotMatch)');
  await sink.stop();
  expect((await find())[0]?.seen).toContain('the connection was refused');
});

it('warns of a bucket that anybody can read', async () => {
  sink.isPublic = true;
  expect(summaryOf(await find())).toEqual([
    'warn: Anybody can read objects of the bucket postrider-test without signing in.',
  ]);
});

it('warns of objects that cannot be removed for days, and of a store that was taken away', async () => {
  const old = new Date(Date.now() - 3 * 86_400_000);
  const insert = adHoc(`INSERT INTO object_removals (organization_id, object, state, due_at)
                        VALUES ('org_a', 'org_a/20260302/', 'removing', $1)`);
  await database.db.exec(insert, [old]);
  expect(summaryOf(await find())).toEqual([
    'warn: 1 object or groups of them wait to be removed, the oldest for 3 days.',
  ]);
  expect(await find({})).toMatchObject([{ level: 'warn' }]);
  const now =
    adHoc(`INSERT INTO moved_contents (organization_id, email_id, object_id, seal_key, content_bytes)
                     VALUES ('org_a', uuid_v7_floor(now()), $1, '', 1)`);
  await database.db.exec(now, [randomUUID()]);
  expect(summaryOf(await find({}))).toEqual([
    'bad: Content of emails was moved to a content store, and none is configured.',
  ]);
});
