/** What is said to a bucket, held against code that verifies signatures by itself. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { StoreProblem } from '../../src/protocols/object-store/object-store.ts';
import { objectUrl, S3Store } from '../../src/protocols/object-store/s3-store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { storeOf } from '../support/content-store.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';

let sink: S3Sink;
beforeAll(async () => {
  sink = await startS3Sink('a/b');
});
afterAll(() => sink.stop());
beforeEach(() => {
  sink.fault = () => undefined;
  sink.objects.clear();
});

const withEnv = (changes: Readonly<Record<string, string>>) => {
  const { contentStore } = parseConfig({ ...sink.env, ...changes });
  return new S3Store(contentStore as NonNullable<typeof contentStore>, systemClock, 500);
};

it('puts, gives, lists and removes objects below its prefix', async () => {
  const store = storeOf(sink);
  await store.put('org/week/one', Buffer.from([0, 255, 13, 10]));
  expect([...sink.objects.keys()]).toEqual(['a/b/org/week/one']);
  expect(await store.get('org/week/one')).toEqual(Buffer.from([0, 255, 13, 10]));
  sink.objects.set('org/week/of-somebody-else', Buffer.of(1));
  expect(await store.list('org/')).toEqual(['org/week/one']);
  await store.remove('org/week/one');
  await store.remove('org/week/one');
  expect(await store.get('org/week/one')).toBeNull();
  expect(await store.list('org/')).toEqual([]);
});

it('stores nothing, and an object of many bytes, whole', async () => {
  const store = storeOf(sink);
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(9_000_000, 7)]) {
    await store.put('x', bytes);
    expect((await store.get('x'))?.equals(bytes)).toBe(true);
  }
});

it.each([
  ['another secret', { POSTRIDER_CONTENT_S3_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
  ['another key', { POSTRIDER_CONTENT_S3_ACCESS_KEY_ID: 'wrong' }, 'InvalidAccessKeyId'],
  ['another bucket', { POSTRIDER_CONTENT_S3_BUCKET: 'wrong' }, 'NoSuchBucket'],
])('says what the store says about %s', async (_, env, code) => {
  await expect(withEnv(env).get('x')).rejects.toMatchObject({ name: 'StoreProblem', code });
});

it('does not believe a store that says it has what it has not', async () => {
  sink.fault = ({ method }) => (method === 'PUT' ? 'lie' : undefined);
  await expect(storeOf(sink).put('x', Buffer.of(1))).rejects.toThrow(StoreProblem);
});

it('does not wait for a store that never answers', async () => {
  sink.fault = () => 'hang';
  await expect(storeOf(sink, 200).get('x')).rejects.toThrow('did not answer within 0.2 seconds');
});

it('follows nobody elsewhere with what it signed', async () => {
  sink.fault = () => 307;
  await expect(storeOf(sink).get('x')).rejects.toThrow('It answered 307');
});

it.each([
  ['true', 'https://s3.example', 'https://s3.example/postrider-test/a/b/x'],
  ['true', 'https://s3.example:9000/gate/', 'https://s3.example:9000/gate/postrider-test/a/b/x'],
  ['false', 'https://s3.example:9000', 'https://postrider-test.s3.example:9000/a/b/x'],
])('asks at the right place with path style %s at %s', (style, endpoint, expected) => {
  const env = { POSTRIDER_CONTENT_S3_PATH_STYLE: style, POSTRIDER_CONTENT_S3_ENDPOINT: endpoint };
  const { contentStore } = parseConfig({ ...sink.env, ...env });
  const bucket = contentStore as NonNullable<typeof contentStore>;
  expect(objectUrl(bucket, 'x').href).toBe(expected);
  expect(objectUrl(bucket, '').href.replace(/\/$/, '')).toBe(expected.replace('/a/b/x', ''));
});
