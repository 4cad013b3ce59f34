/** A disk that fails once under PostgreSQL, and under a worker's journal. The results are in docs/reference/guarantees.md. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import type { EmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { Workbench } from '../embedded-postgres/workbench.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';
import { FailingDisk, whyNoFailingDisk } from './failing-disk.ts';

const why = whyNoFailingDisk();
if (why !== null) process.stdout.write(`4 tests of failing disks are skipped: ${why}.\n`);

interface Answers {
  readonly ids: string[];
  refused: number;
  readonly others: number[];
}

describe.skipIf(why !== null)('a disk that fails once', () => {
  const bench = new Workbench();
  let disk: FailingDisk;
  let server: EmbeddedPostgres;
  let db: Database;
  let api: TestApi;
  let worker: TestWorker;
  let org: TestOrganization;
  let logFile: string;

  beforeAll(async () => {
    disk = new FailingDisk();
    const dataDir = await bench.dataDir();
    server = await bench.start(dataDir, undefined, { env: disk.env });
    logFile = join(dataDir, 'postgres.log');
    await migrate(server.url);
    db = new Database({ url: server.url, log: createLog('test', 'silent'), applicationName: 'test' });
    const database = { url: server.url, db, drop: async () => {} };
    api = await startApi({ database });
    org = await api.createOrganization('Disk');
    worker = await startMailWorker(database);
  }, 300_000);

  afterAll(async () => {
    await worker?.stop();
    await api?.stop();
    await db?.close();
    await bench.clear();
    disk?.remove();
  });

  /** Repeats a refused request with its key, as clients do. */
  async function keepSending(signal: AbortSignal, answers: Answers): Promise<void> {
    for (let key = randomUUID(); !signal.aborted; ) {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${org.key}`,
        'idempotency-key': key,
      };
      const body = JSON.stringify(letter(org));
      const answer = await fetch(`${api.url}/api/v1/emails/send`, { method: 'POST', headers, body });
      const { data } = (await answer.json()) as { data?: { message_id: string } };
      const { status } = answer;
      if (status === 201 && data) {
        answers.ids.push(data.message_id);
        key = randomUUID();
      } else if (status === 503 || status === 409) answers.refused += 1;
      else answers.others.push(status);
    }
  }

  /** How often the sandbox took each of these mails. */
  async function deliveries(ids: readonly string[]): Promise<number[]> {
    const counted = adHoc<{ times: number }>(
      `SELECT (SELECT count(*) FROM sandbox_messages m WHERE m.email_id = asked.id) AS times
       FROM unnest($1::uuid[]) AS asked(id)`,
    );
    return (await db.many(counted, [ids])).map(({ times }) => times);
  }

  /**
   * Mail that the sandbox stored more often than it said that it could not: it answers 451 when its statement fails, which may be
   * committed all the same. A worker that repeats mail for another reason is a defect.
   */
  async function unexplainedRepeats(ids: readonly string[]): Promise<string[]> {
    const repeated = adHoc<{ id: string }>(
      `SELECT asked.id FROM unnest($1::uuid[]) AS asked(id)
       WHERE (SELECT count(*) FROM sandbox_messages m WHERE m.email_id = asked.id) > 1 + (
         SELECT count(*) FROM events e WHERE e.email_id = asked.id AND e.type = 'deferred' AND e.smtp_code = 451)`,
    );
    return (await db.many(repeated, [ids])).map(({ id }) => id);
  }

  it.each([
    ['fdatasync', '/pg_wal/'],
    ['pwrite', '/pg_wal/'],
    ['fsync', '/base/'],
  ] as const)(
    '%s on %s: mail answered with 201 is delivered, and PostgreSQL recovers unaided',
    async (call, path) => {
      const answers: Answers = { ids: [], refused: 0, others: [] };
      const stop = new AbortController();
      const panics = async () => (await readFile(logFile, 'utf8')).match(/PANIC: .*/g) ?? [];
      const before = await panics();
      const sending = [1, 2, 3].map(() => keepSending(stop.signal, answers));
      await until(() => answers.ids.length > 10);
      disk.failOnce(call, path);
      if (call === 'fsync') await db.exec(adHoc('CHECKPOINT')).catch(() => undefined);
      await until(() => disk.hasFailed);
      const sent = answers.ids.length;
      await until(() => answers.ids.length > sent + 10);
      stop.abort();
      await Promise.all(sending);
      const times = await until(
        () => deliveries(answers.ids),
        (all) => all.every((one) => one > 0),
      );
      const seen = (await panics()).slice(before.length);
      process.stdout.write(
        `${call} ${path}: ${answers.ids.length} answered with 201, ${answers.refused} refused, ${times.filter((one) => one > 1).length} twice; ${seen.join('; ')}\n`,
      );
      expect(seen.join()).toMatch(/Input\/output error/);
      expect(answers.others).toEqual([]);
      expect(new Set(answers.ids).size).toBe(answers.ids.length);
      expect(await unexplainedRepeats(answers.ids)).toEqual([]);
    },
    300_000,
  );

  it('pwrite on the journal: the worker may not send until the entry is written again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-journal-'));
    try {
      disk.failOnce('pwrite', '/journal/7.jsonl');
      const script = fileURLToPath(new URL('./journal-error.ts', import.meta.url));
      const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, dataDir], {
        env: { ...process.env, ...disk.env },
        encoding: 'utf8',
      });
      expect({ seen: stdout.trim().split('\n'), stderr }).toEqual({
        seen: ['failed: EIO', 'works again', 'usable: true', 'entries: 1,2'],
        stderr: '',
      });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 120_000);
});
