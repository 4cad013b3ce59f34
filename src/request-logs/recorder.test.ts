import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { createLog } from '../runtime/log.ts';
import { createMetrics } from '../runtime/metrics.ts';
import type { RefusedRequest } from '../runtime/refused-request.ts';
import { RequestRecorder } from './recorder.ts';

const REFUSED: RefusedRequest = {
  organizationId: 'org_1',
  keyId: 'key_1',
  userId: null,
  method: 'POST',
  path: '/emails/send',
  status: 400,
  code: 'DOMAIN_NOT_VERIFIED',
  message: 'No.',
  fields: [],
  requestId: 'req_1',
  durationMs: 1,
  body: undefined,
};
const to = (email: string, changes: Partial<RefusedRequest> = {}) => ({
  ...REFUSED,
  body: { to: [{ email }] },
  ...changes,
});

const GONE = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

/** In the order of the statement's parameters. */
const ORGANIZATION = 0;
const COUNT = 11;

let written: unknown[][][];
let problem: Error | null;
/** The name of the failing statement; null for all statements. */
let problemOf: string | null;
let trims: number;
let metrics: ReturnType<typeof createMetrics>;
let recorder: RequestRecorder;

beforeEach(() => {
  written = [];
  problem = null;
  problemOf = null;
  trims = 0;
  metrics = createMetrics('test');
  const exec: Sql['exec'] = async ({ name }, params = []) => {
    if (name === 'request_logs.trim') trims += 1;
    if (problem !== null && (problemOf ?? name) === name) throw problem;
    if (name === 'request_logs.insert') written.push(params as unknown[][]);
    return 0;
  };
  const none = () => Promise.reject(new Error('nothing is read'));
  const cell = { exec, many: none, maybeOne: none, one: none } as unknown as Database;
  const db = {
    of: (id: string) => {
      if (id.startsWith('org_lost')) throw GONE;
      return cell;
    },
  };
  recorder = new RequestRecorder({
    db,
    clock: { nowMs: () => 1_000 },
    log: createLog('test', 'silent'),
    metrics,
  });
});

const counts = () => written.flatMap((params) => params[COUNT] ?? []);
const dropped = async () =>
  Number(/^postrider_request_log_dropped_total\{role="test"\} (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);

describe('the recorder of refused requests', () => {
  it('writes nothing where nothing was refused', async () => {
    await recorder.flush();
    expect(written).toEqual([]);
  });

  it('merges identical requests, and keeps requests with different recipients apart', async () => {
    for (const request of [REFUSED, REFUSED, to('a@example.org'), to('b@example.org')])
      recorder.onRefused(request);
    recorder.onRefused({ ...REFUSED, path: '/emails/batch' });
    await recorder.flush();
    expect(counts()).toEqual([2, 1, 1, 1]);
  });

  it('merges requests of an organization above its limit with similar ones, and leaves room for others', async () => {
    for (let n = 0; n < 300; n += 1) recorder.onRefused(to(`a${n}@example.org`));
    recorder.onRefused(to('b@example.org', { organizationId: 'org_2' }));
    await recorder.flush();
    expect(counts()).toHaveLength(201);
    expect((counts() as number[]).reduce((sum, one) => sum + one, 0)).toBe(301);
    expect(written[0]?.[ORGANIZATION]?.at(-1)).toBe('org_2');
    expect(await dropped()).toBe(0);
  });

  it('drops and counts requests above the limit without a similar entry', async () => {
    for (let n = 0; n < 250; n += 1) recorder.onRefused({ ...REFUSED, path: `/emails/${n}` });
    await recorder.flush();
    expect(counts()).toHaveLength(200);
    expect(await dropped()).toBe(50);
  });

  it('keeps its entries while the database is unavailable', async () => {
    recorder.onRefused(REFUSED);
    problem = GONE;
    await recorder.flush();
    recorder.onRefused(REFUSED);
    problem = null;
    await recorder.stop();
    expect(counts()).toEqual([2]);
    expect(await dropped()).toBe(0);
  });

  it('leaves room for others while entries of some organizations cannot be written', async () => {
    for (let org = 0; org < 20; org += 1)
      for (let n = 0; n < 100; n += 1)
        recorder.onRefused({ ...REFUSED, organizationId: `org_lost${org}`, path: `/emails/${n}` });
    await recorder.flush();
    expect(await dropped()).toBe(1_000);
    for (let n = 0; n < 5; n += 1) recorder.onRefused({ ...REFUSED, organizationId: `org_${n}` });
    await recorder.flush();
    expect(counts()).toHaveLength(5);
    expect(await dropped()).toBe(1_000);
  });

  it('writes no entry twice when only trimming failed, and trims later', async () => {
    problem = GONE;
    problemOf = 'request_logs.trim';
    const flushSome = async () => {
      for (let n = 0; n < 200; n += 1) recorder.onRefused(to(`a${n}@example.org`));
      await recorder.flush();
    };
    for (let round = 0; round < 5; round += 1) await flushSome();
    expect([counts().length, trims]).toEqual([1_000, 1]);
    problem = null;
    await flushSome();
    expect([counts().length, trims]).toEqual([1_200, 2]);
  });

  it('drops entries that cannot be written because of an error', async () => {
    recorder.onRefused(REFUSED);
    problem = new Error('some mistake of ours');
    await recorder.flush();
    problem = null;
    await recorder.flush();
    expect(written).toEqual([]);
    expect(await dropped()).toBe(1);
  });
});
