/** All of it through a real PgBouncer in transaction mode, which is told nothing about us. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc, sql } from '../../src/database/sql.ts';
import { poolerCheck } from '../../src/doctor/machine/pooler.ts';
import { createLog } from '../../src/runtime/log.ts';
import { openDoctorRoom, summaryOf } from '../doctor/doctor-context.ts';
import { Flow, typesOf } from '../flows/flow.ts';
import { startApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { keepsStatements, PgBouncer, whyNoPgBouncer } from '../support/pgbouncer.ts';
import { until } from '../support/until.ts';

const missing = whyNoPgBouncer();
const log = createLog('test', 'silent');
const open = (url: string, preparedStatements?: boolean) =>
  new Database({ url, log, applicationName: 'test', preparedStatements });

const one = sql<{ one: number }>('test.pgbouncer_one', 'SELECT $1::int AS one', { home: 'either' });

describe.skipIf(missing !== null)(`PgBouncer${missing === null ? '' : `, skipped: ${missing}`}`, () => {
  let direct: TestDatabase;
  let bouncer: PgBouncer;
  let pooled: TestDatabase;
  beforeAll(async () => {
    direct = await createTestDatabase();
    bouncer = await PgBouncer.start(direct.url, keepsStatements() ? ['max_prepared_statements = 500'] : []);
    pooled = { ...direct, url: bouncer.url, db: open(bouncer.url) };
  });
  afterAll(async () => {
    await pooled?.db.close();
    await bouncer?.stop();
    await direct?.drop();
  });

  it('in transaction mode is found out, and whether it keeps prepared statements', async () => {
    expect(await pooled.db.one(one, [1])).toEqual({ one: 1 });
    expect(pooled.db.pooling).toEqual({ mode: 'transaction', keepsStatements: keepsStatements() });
    await direct.db.one(one, [1]);
    expect(direct.db.pooling).toEqual({ mode: 'none', keepsStatements: true });
  });

  it('in session mode is found out', async () => {
    const patient = await PgBouncer.start(direct.url, ['pool_mode = session']);
    const db = open(patient.url);
    await db.one(one, [1]);
    expect(db.pooling).toEqual({ mode: 'session', keepsStatements: true });
    await db.close();
    await patient.stop();
  });

  it('with a single session is found out, too', async () => {
    const narrow = await PgBouncer.start(direct.url, ['default_pool_size = 1']);
    const db = open(narrow.url);
    expect(await db.one(one, [1])).toEqual({ one: 1 });
    expect(db.pooling?.mode).toBe('transaction');
    await db.close();
    await narrow.stop();
  });

  it.skipIf(keepsStatements())('may lose statements that were prepared: then none are any more', async () => {
    const db = open(bouncer.url, true);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => db.one(one, [i])));
    expect(answers.map((row) => row.one)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    const reads = await Promise.all(Array.from({ length: 20 }, (_, i) => db.reading(5_000).one(one, [i])));
    expect(reads.map((row) => row.one)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    await db.close();
  });

  it('is no way to bring the schema up to date: its lock would stay behind', async () => {
    const words = 'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.';
    await expect(migrate(bouncer.url)).rejects.toThrow(words);
    const refused = await runCommand(['migrate'], { DATABASE_URL: bouncer.url });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(words) });
    const locks = adHoc<{ count: number }>(`SELECT count(*)::int AS count FROM pg_locks l
      JOIN pg_database d ON d.oid = l.database AND d.datname = current_database() WHERE locktype = 'advisory'`);
    expect(await direct.db.one(locks)).toEqual({ count: 0 });
    const done = await runCommand(['migrate'], {
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: direct.url,
    });
    expect(done).toMatchObject({ code: 0, out: 'The schema is up to date.' });
  });

  it('is described by the doctor, with what does not work through it', async () => {
    const room = await openDoctorRoom();
    const find = (env: Readonly<Record<string, string>>, { db }: TestDatabase = pooled) =>
      room.find(poolerCheck, { env, context: { db } });
    const way = expect.stringMatching(
      /^ok: Postrider connects through a pooler in transaction mode\. The pooler keeps /,
    );
    const limits = expect.stringMatching(/^warn: Statements and idle transactions have no time limit/);
    expect(summaryOf(await find({ DATABASE_URL: bouncer.url }))).toEqual([
      'warn: LISTEN does not work through the pooler, and DATABASE_DIRECT_URL is not set.',
      limits,
      way,
    ]);
    const findings = await find({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct.url });
    expect(summaryOf(findings)).toEqual([limits, way]);
    expect(findings[0]?.fix).toMatch(/^In psql: ALTER ROLE "\w+" SET statement_timeout = '30s';/);
    const elsewhere = await createTestDatabase();
    expect(summaryOf(await find({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: elsewhere.url }))[0]).toBe(
      'warn: DATABASE_DIRECT_URL does not work: notifications of the database do not arrive there.',
    );
    expect(summaryOf(await find({ DATABASE_URL: direct.url }, direct))).toEqual([
      'ok: Postrider connects to PostgreSQL directly.',
    ]);
    await elsewhere.drop();
    await room.stop();
  });

  describe.each([
    ['a direct way for LISTEN', true],
    ['nothing but it', false],
  ])('with %s', (_name, hasWay) => {
    let flow: Flow;
    beforeAll(async () => {
      const env = { DATABASE_URL: bouncer.url, ...(hasWay ? { DATABASE_DIRECT_URL: direct.url } : {}) };
      flow = await Flow.on(await startApi({ env, database: pooled }), env);
    });
    afterAll(() => flow?.stop());

    it('delivers mail, and goes on after it was killed', async () => {
      const before = await flow.send('before@example.org');
      expect(typesOf(await flow.final(before))).toContain('delivered');
      await bouncer.kill();
      const away = await flow.api('GET', '/emails?limit=1');
      expect(away.status).toBe(503);
      await bouncer.run();
      const ids = await until(
        () => Promise.all(['a', 'b', 'c'].map((name) => flow.send(`${name}@example.org`))).catch(() => null),
        (sent) => sent !== null,
      );
      for (const id of ids ?? []) expect(typesOf(await flow.final(id))).toContain('delivered');
    });

    it(`${hasWay ? 'listens directly' : 'never asks PgBouncer to listen'}`, async () => {
      const listeners = adHoc<{ count: number }>(`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND (application_name = 'postrider-listen' OR query LIKE 'LISTEN postrider%')`);
      const count = hasWay ? 1 : 0;
      expect(
        (
          await until(
            () => direct.db.one(listeners),
            (row) => row.count === count,
          )
        ).count,
      ).toBe(count);
    });
  });
});
