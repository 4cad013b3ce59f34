/** What an email takes in PostgreSQL before and after its content was moved to object storage, and how fast it is moved. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../src/database/database.ts';
import { adHoc } from '../src/database/sql.ts';
import { HOUR_MS } from '../src/runtime/durations.ts';
import { startS3Sink } from '../test/support/s3-sink.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { receipt } from './support/receipt.ts';
import { number } from './support/table.ts';

export const title = 'Content in object storage against content in PostgreSQL';
export const claim =
  'an email whose content was moved takes at most a fifth of the room in the tables of content';

const TARGET = 5;
const SIZES = {
  full: { emails: Number(process.env.BENCH_EMAILS ?? 20_000) },
  smoke: { emails: 200 },
};
const ORGANIZATION = 'org_0000000000001';
/** A week that is long over, so that nothing more comes to it. */
const WEEK = '2026-03-02T00:00:00Z';
const TABLES = ['email_contents', 'email_attachments', 'moved_contents'];

/** Each with a word of its own in every line, as names and numbers are. */
const SEED = [
  `INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject, addresses)
   SELECT $1, (lpad(to_hex((extract(epoch FROM $2::timestamptz) * 1000)::bigint + i), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid,
          'delivered', 1, $2, $2, 'orders@shop.example', 'Your order', '{"to": [], "cc": [], "bcc": [], "reply_to": null}'
   FROM generate_series(1, $3::int) AS i`,
  `INSERT INTO email_contents (organization_id, email_id, html, text)
   SELECT organization_id, id, replace($2, 'Notebook, A5', md5(id::text)), replace($3, 'ruled pages', md5(id::text || 'text'))
   FROM emails WHERE organization_id = $1`,
];

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { startEmbeddedPostgres } = await built<typeof import('../src/database/embedded-postgres.ts')>(
    'database/embedded-postgres',
  );
  const dataDir = await mkdtemp(path.join(tmpdir(), 'postrider-bench-'));
  await chmod(dataDir, 0o755); // under root PostgreSQL runs as another account, which has to get in
  progress('starting PostgreSQL');
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  try {
    return await measure(server.url, SIZES[size].emails, progress);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(url: string, emails: number, progress: Progress): Promise<BenchResult> {
  const { createLog } = await built<typeof import('../src/runtime/log.ts')>('runtime/log');
  const { ContentMover } =
    await built<typeof import('../src/operations/content-mover.ts')>('operations/content-mover');
  const { S3Store } = await built<typeof import('../src/protocols/object-store/s3-store.ts')>(
    'protocols/object-store/s3-store',
  );
  const { parseConfig } = await built<typeof import('../src/runtime/config.ts')>('runtime/config');
  const log = createLog('bench', 'silent');
  const sink = await startS3Sink();
  const db = await seeded(url, emails, progress);
  try {
    const before = await bytesOf(db);
    const { contentStore } = parseConfig({ ...sink.env });
    const clock = { nowMs: Date.now };
    const store = new S3Store(contentStore as NonNullable<typeof contentStore>, clock);
    const mover = new ContentMover({ db, clock, log, store, afterMs: HOUR_MS });
    progress(`moving ${number(emails)}`);
    const startedMs = performance.now();
    await mover.run(new AbortController().signal);
    const seconds = (performance.now() - startedMs) / 1_000;
    if (sink.objects.size !== emails) throw new Error(`${sink.objects.size} were moved.`);
    await db.exec(adHoc('VACUUM'));
    const objects = [...sink.objects.values()].reduce((sum, { length }) => sum + length, 0);
    return report({ emails, before, after: await bytesOf(db), objects, seconds });
  } finally {
    await db.close();
    await sink.stop();
  }
}

async function seeded(url: string, emails: number, progress: Progress): Promise<Database> {
  const { Database } = await built<typeof import('../src/database/database.ts')>('database/database');
  const { migrate } = await built<typeof import('../src/database/migrate.ts')>('database/migrate');
  const { createLog } = await built<typeof import('../src/runtime/log.ts')>('runtime/log');
  await migrate(url);
  const db = new Database({ url, log: createLog('bench', 'silent'), applicationName: 'bench' });
  progress(`seeding ${number(emails)}`);
  const { html, text } = receipt();
  await db.exec(adHoc('SELECT ensure_email_partitions($1::timestamptz)'), [WEEK]);
  await db.exec(adHoc(SEED[0] as string), [ORGANIZATION, WEEK, emails]);
  await db.exec(adHoc(SEED[1] as string), [ORGANIZATION, html, text]);
  await db.exec(adHoc('VACUUM ANALYZE'));
  return db;
}

/** With their indexes and what is out of line. */
async function bytesOf(db: Database): Promise<number> {
  const sizes = TABLES.map((table) => `pg_total_relation_size('${table}_p20260302')`);
  return (await db.one(adHoc<{ bytes: number }>(`SELECT ${sizes.join(' + ')} AS bytes`))).bytes;
}

function report(
  measured: Readonly<Record<'emails' | 'before' | 'after' | 'objects' | 'seconds', number>>,
): BenchResult {
  const { emails, before, after, objects, seconds } = measured;
  const each = (bytes: number) => number(bytes / emails);
  const rows = [
    ['bytes per email in PostgreSQL, before', each(before)],
    ['bytes per email in PostgreSQL, after', each(after)],
    ['bytes per email in the bucket', each(objects)],
    ['emails moved/s', number(emails / seconds)],
  ];
  const figures = { before, after, objects, seconds, emails };
  return { ratio: before / after, target: TARGET, table: { columns: ['measured', ''], rows }, figures };
}
