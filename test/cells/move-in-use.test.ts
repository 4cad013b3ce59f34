/** An organization goes from one server to another while it is in use: PostgreSQL replicates its rows, and nobody else's. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { TestOrganization } from '../support/api.ts';
import { makeBusy, persistently, readAll } from '../support/busy-organization.ts';
import { letter } from '../support/emails.ts';
import { fillTables } from '../support/fill-tables.ts';
import { AFTER_ARRIVAL, BEFORE_ARRIVAL, stopsAt, TO_UNDO } from '../support/move-points.ts';
import { createServer, type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let cells: MovingCells;
let hook: WebhookReceiver;
let mover: TestOrganization;
let stayer: TestOrganization;
let ids: string[];
let here: 'main' | 'two' = 'main';
beforeAll(async () => {
  [cells, hook] = await Promise.all([startMovingCells(createServer), startWebhookReceiver()]);
  mover = await cells.api.createOrganization('Mover');
  stayer = await cells.api.createOrganization('Stayer');
  ids = await makeBusy(cells.api, mover, hook.url);
  await makeBusy(cells.api, stayer, hook.url);
  await cells.startWorkers();
  await cells.settled(mover);
  await cells.settled(stayer);
}, 180_000);
afterAll(async () => {
  await cells?.stop();
  await hook?.close();
});

const elsewhere = () => (here === 'main' ? 'two' : 'main');
/** Where it is, and where it is not. */
const dbs = (): readonly [Database, Database] =>
  here === 'main' ? [cells.main.db, cells.two.db] : [cells.two.db, cells.main.db];

async function moved(): Promise<string[]> {
  const said = await cells.move(mover, { to: elsewhere() });
  here = elsewhere();
  return said;
}

async function killedAt(point: string): Promise<void> {
  const stop = stopsAt(point);
  const moving = cells.move(mover, { to: elsewhere(), at: stop.at });
  await Promise.race([stop.there, moving]);
  await cells.killMovers();
}

/** What replication needs is gone: a slot that nobody reads would fill the disk of its server. */
async function expectNothingLeft(): Promise<void> {
  const left = adHoc<{ count: number }>(
    `SELECT (SELECT count(*) FROM pg_publication) + (SELECT count(*) FROM pg_subscription)
          + (SELECT count(*) FROM pg_replication_slots) + (SELECT count(*) FROM standstills) AS count`,
  );
  for (const db of dbs()) expect(await db.one(left)).toEqual({ count: 0 });
}

interface Log {
  readonly ids: string[];
  readonly accepted: number[];
  refused: number;
  readonly problems: unknown[];
}

/** Sends without a pause, and repeats what is refused with 503, as clients do. */
async function keepSending(signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    const { status, body, headers } = await cells.api.api('POST', '/emails/send', letter(mover), mover.key);
    if (status === 201) {
      log.ids.push(body.data.message_id);
      log.accepted.push(performance.now());
    } else if (status === 503 && headers.get('retry-after') !== null) log.refused += 1;
    else log.problems.push({ status, body });
    await sleep(20);
  }
}

describe('a move', () => {
  it('takes all rows of one organization along, and none of another', async () => {
    const before = await readAll(cells.api, mover, ids);
    const rows = await cells.rowsOf(cells.main.db, mover);
    const others = await cells.rowsOf(cells.main.db, stayer);
    const seen: unknown[] = [];
    const at = async (point: string) => {
      if (point === 'compared') seen.push(await cells.rowsOf(cells.two.db, stayer));
    };
    await cells.move(mover, { at });
    here = 'two';
    expect(seen).toEqual([{}]);
    expect(await readAll(cells.api, mover, ids)).toEqual(before);
    expect(await cells.rowsOf(cells.two.db, mover)).toEqual(rows);
    expect(await cells.rowsOf(cells.main.db, mover)).toEqual({});
    expect(await cells.rowsOf(cells.main.db, stayer)).toEqual(others);
    expect(await cells.rowsOf(cells.two.db, stayer)).toEqual({});
    await expectNothingLeft();
  }, 120_000);

  it('loses nothing and sends nothing twice while mail is sent all the time', async () => {
    const stop = new AbortController();
    const log: Log = { ids: [], accepted: [], refused: 0, problems: [] };
    const sending = [keepSending(stop.signal, log), keepSending(stop.signal, log)];
    await until(() => log.ids.length > 20);
    const passed: Record<string, number> = {};
    const at = async (point: string) => {
      passed[point] = performance.now();
    };
    await cells.move(mover, { to: elsewhere(), at });
    here = elsewhere();
    const sent = log.ids.length;
    await until(() => log.ids.length > sent + 20);
    stop.abort();
    await Promise.all(sending);
    await cells.settled(mover);
    expect(log.problems).toEqual([]);
    const [db] = dbs();
    const delivered = await db.many(
      adHoc<{ email_id: string; count: number }>(
        'SELECT email_id, count(*) FROM sandbox_messages WHERE organization_id = $1 GROUP BY 1',
      ),
      [mover.id],
    );
    const times = new Map(delivered.map(({ email_id, count }) => [email_id, count]));
    expect(log.ids.filter((id) => times.get(id) !== 1)).toEqual([]);
    const refusedMs = (log.accepted.find((ms) => ms > (passed.settling ?? 0)) ?? 0) - (passed.marked ?? 0);
    process.stdout.write(`Mail was refused for ${Math.round(refusedMs)} ms; ${log.ids.length} were sent.\n`);
    // Two seconds where there is a core for it.
    expect(refusedMs).toBeLessThan(10_000);
  }, 120_000);
});

describe('a move that is cut off', () => {
  beforeAll(async () => {
    await fillTables(here === 'main' ? cells.main.db : cells.two.db, mover.id);
  });

  it.each([...BEFORE_ARRIVAL, ...AFTER_ARRIVAL])(
    'at `%s` goes on when the command is run again, with nothing lost or doubled',
    async (point) => {
      const [from, to] = dbs();
      await cells.settled(mover);
      const rows = await cells.rowsOf(from, mover);
      await killedAt(point);
      await moved();
      expect(Object.keys(rows).length).toBeGreaterThan(50);
      expect(await cells.rowsOf(from, mover)).toEqual({});
      expect(await cells.rowsOf(to, mover)).toEqual(rows);
      await expectNothingLeft();
    },
    120_000,
  );

  it.each(TO_UNDO)(
    'at `%s` is undone by --abandon, and mail goes on where it was',
    async (point) => {
      const [from, to] = dbs();
      await cells.settled(mover);
      const rows = await cells.rowsOf(from, mover);
      await killedAt(point);
      await cells.move(mover, { to: elsewhere(), isAbandoned: true });
      expect(await cells.rowsOf(to, mover)).toEqual({});
      expect(await cells.rowsOf(from, mover)).toEqual(rows);
      await expectNothingLeft();
      const send = () => cells.api.api('POST', '/emails/send', letter(mover), mover.key);
      expect((await persistently(send)).status).toBe(201);
    },
    120_000,
  );
});
