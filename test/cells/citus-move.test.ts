/**
 * What moves with Citus: a cell from one of its nodes to another while mail is sent all the time, and an organization to such a cell and
 * back. Runs where `POSTRIDER_TEST_CITUS_BIN` says where a PostgreSQL with Citus is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { TestOrganization } from '../support/api.ts';
import { makeBusy, persistently, readAll } from '../support/busy-organization.ts';
import { CITUS_BIN, Citus } from '../support/citus.ts';
import { letter } from '../support/emails.ts';
import { createServer, type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const PER_SECOND = Number(process.env.POSTRIDER_TEST_RATE ?? 50);
const LOOK_EVERY = 200;
const MOVES = Number(process.env.POSTRIDER_TEST_MOVES ?? 2);

const whyNot = CITUS_BIN === undefined ? ', skipped: POSTRIDER_TEST_CITUS_BIN names none' : '';

interface Request {
  readonly status: number;
  readonly id: string;
  readonly at: number;
  readonly tookMs: number;
}

describe.skipIf(CITUS_BIN === undefined)(`moving with Citus${whyNot}`, () => {
  let citus: Citus;
  let cells: MovingCells;
  let hook: WebhookReceiver;
  let org: TestOrganization;
  let ids: string[];

  beforeAll(async () => {
    [citus, hook] = await Promise.all([Citus.start(CITUS_BIN ?? ''), startWebhookReceiver()]);
    const onCitus = async () => ({ ...(await citus.createCell('cell_1')), drop: async () => undefined });
    const kinds = [createServer, onCitus];
    cells = await startMovingCells(() => (kinds.shift() as typeof createServer)());
    org = await cells.api.createOrganization('Mover');
    ids = await makeBusy(cells.api, org, hook.url);
    await cells.startWorkers();
    await cells.settled(org);
  }, 180_000);
  afterAll(async () => {
    await cells?.stop();
    await citus?.stop();
    await hook?.close();
  });

  const send = () => cells.api.api('POST', '/emails/send', letter(org), org.key);

  /** So many in a second, whether or not those before were answered. */
  async function keepSending(signal: AbortSignal, captured: Map<string, string>): Promise<Request[]> {
    const asked: Promise<Request>[] = [];
    const looks: Promise<void>[] = [];
    const began = performance.now();
    while (!signal.aborted) {
      const due = began + asked.length * (1_000 / PER_SECOND);
      await sleep(Math.max(0, due - performance.now()));
      asked.push(timed());
      if (asked.length % LOOK_EVERY === 0) looks.push(look(captured));
    }
    await Promise.all(looks);
    return Promise.all(asked);
  }
  /** What was captured, and of which email. The sandbox keeps a thousand. */
  async function look(captured: Map<string, string>): Promise<void> {
    const read = adHoc<{ id: string; email_id: string }>(
      'SELECT id, email_id FROM sandbox_messages WHERE organization_id = $1',
    );
    for (const { id, email_id } of await cells.two.db.many(read, [org.id])) captured.set(id, email_id);
  }
  async function timed(): Promise<Request> {
    const at = performance.now();
    const { status, body } = await send();
    return { status, id: body.data?.message_id ?? JSON.stringify(body), at, tookMs: performance.now() - at };
  }

  const tell = (said: readonly string[]) =>
    process.stdout.write(`${said[0]}\n${said.find((line) => line.includes('was refused'))}\n`);

  it('does not replicate to a cell on Citus, and says so', async () => {
    await expect(cells.move(org)).rejects.toThrow(/in use: two is on Citus\. With --offline/);
  });

  it('moves an organization there while mail for it is refused', async () => {
    const before = await readAll(cells.api, org, ids);
    const rows = await cells.rowsOf(cells.main.db, org);
    tell(await cells.move(org, { isOffline: true }));
    expect(await readAll(cells.api, org, ids)).toEqual(before);
    expect(Object.keys(rows).length).toBeGreaterThan(20);
    expect(await cells.rowsOf(cells.two.db, org)).toEqual(rows);
    expect(await cells.rowsOf(cells.main.db, org)).toEqual({});
    expect((await persistently(send)).status).toBe(201);
    await cells.settled(org);
  }, 60_000);

  it('loses nothing and sends nothing twice while its schema moves from node to node', async () => {
    const stop = new AbortController();
    const captured = new Map<string, string>();
    const sending = keepSending(stop.signal, captured);
    const took: number[] = [];
    try {
      for (let moves = 0; moves < MOVES; moves += 1) took.push(await citus.move('cell_1', 'force_logical'));
    } finally {
      stop.abort();
    }
    const asked = await sending;
    const sentForMs = (asked.at(-1)?.at ?? 0) - (asked[0]?.at ?? 0);
    const perSecond = (asked.length * 1_000) / sentForMs;
    await cells.settled(org);
    await look(captured);
    const times = new Map<string, number>();
    for (const id of captured.values()) times.set(id, (times.get(id) ?? 0) + 1);
    const waits = asked.map(({ tookMs }) => Math.round(tookMs)).toSorted((one, other) => one - other);
    const slowest = waits.at(-1) ?? 0;
    process.stdout.write(
      `${MOVES} moves in ${took.map((ms) => (ms / 1_000).toFixed(1)).join(', ')} s; ${asked.length} requests, ` +
        `${perSecond.toFixed(0)}/s, half within ${waits[waits.length >> 1]} ms, the slowest ${slowest} ms\n`,
    );
    expect(asked.filter(({ status }) => status !== 201)).toEqual([]);
    expect(asked.filter(({ id }) => times.get(id) !== 1)).toEqual([]);
    expect(slowest).toBeLessThan(20_000);
  }, 180_000);

  it('moves an organization back, too, and never by replication', async () => {
    await expect(cells.move(org, { to: 'main' })).rejects.toThrow(/two is on Citus/);
    const before = await readAll(cells.api, org, ids);
    const rows = await cells.rowsOf(cells.two.db, org);
    tell(await cells.move(org, { to: 'main', isOffline: true }));
    expect(await readAll(cells.api, org, ids)).toEqual(before);
    expect(await cells.rowsOf(cells.main.db, org)).toEqual(rows);
    expect(await cells.rowsOf(cells.two.db, org)).toEqual({});
    expect((await persistently(send)).status).toBe(201);
  }, 60_000);
});
