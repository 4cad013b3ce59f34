/** An organization goes from one cell to another while nobody may use it: between any two databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  closeFrozenOrganization,
  freezeOrganization,
  unfreezeOrganization,
} from '../../src/cells/organization-freeze-store.ts';
import { adHoc } from '../../src/database/sql.ts';
import { APPROVAL_HOLD } from '../../src/outbox/approval.ts';
import type { TestOrganization } from '../support/api.ts';
import { makeBusy, persistently, readAll } from '../support/busy-organization.ts';
import { letter } from '../support/emails.ts';
import { fillTables } from '../support/fill-tables.ts';
import { AFTER_ARRIVAL, BEFORE_ARRIVAL, stopsAt, TO_UNDO } from '../support/move-points.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const OFFLINE = { isOffline: true };

let cells: MovingCells;
let hook: WebhookReceiver;
let mover: TestOrganization;
let stayer: TestOrganization;
let ids: string[];
/** Where it is, and where not. */
let here: 'main' | 'two' = 'main';
beforeAll(async () => {
  [cells, hook] = await Promise.all([startMovingCells(), startWebhookReceiver()]);
  mover = await cells.api.createOrganization('Mover');
  stayer = await cells.api.createOrganization('Stayer');
  ids = await makeBusy(cells.api, mover, hook.url);
  await makeBusy(cells.api, stayer, hook.url);
  await cells.startWorkers();
  await cells.settled(mover);
  await cells.settled(stayer);
}, 120_000);
afterAll(async () => {
  await cells?.stop();
  await hook?.close();
});

const elsewhere = () => (here === 'main' ? 'two' : 'main');
const send = () => cells.api.api('POST', '/emails/send', letter(mover), mover.key);
const statusOf = async (id: string) =>
  (await persistently(() => cells.api.api('GET', `/emails/${id}`, undefined, mover.key))).body.data?.status;

/** Moves it to the other cell from where it is. */
async function moved(): Promise<string[]> {
  const said = await cells.move(mover, { ...OFFLINE, to: elsewhere() });
  here = elsewhere();
  return said;
}

/** Killed at a point of a move. */
async function killedAt(point: string): Promise<void> {
  const stop = stopsAt(point);
  const moving = cells.move(mover, { ...OFFLINE, to: elsewhere(), at: stop.at });
  await Promise.race([stop.there, moving]);
  await cells.killMovers();
}

describe('a move', () => {
  it('takes all rows of one organization along, and none of another', async () => {
    const before = await readAll(cells.api, mover, ids);
    const rows = await cells.rowsOf(cells.main.db, mover);
    const others = await cells.rowsOf(cells.main.db, stayer);
    const said = await moved();
    expect(await readAll(cells.api, mover, ids)).toEqual(before);
    expect(Object.keys(before).length).toBeGreaterThan(20);
    expect(await cells.rowsOf(cells.two.db, mover)).toEqual(rows);
    expect(Object.keys(rows).length).toBeGreaterThan(20);
    expect(await cells.rowsOf(cells.main.db, mover)).toEqual({});
    expect(await cells.rowsOf(cells.main.db, stayer)).toEqual(others);
    expect(await cells.rowsOf(cells.two.db, stayer)).toEqual({});
    expect(said[0]).toMatch(/^\d+ rows from main to two\. Mail is refused for about \d+ s at the end$/);
  });

  it('leaves mail waiting that nobody has approved', async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const sent = await persistently(() =>
      cells.api.api('POST', '/emails/send', { ...letter(mover), scheduled_at }, mover.key),
    );
    const id = sent.body.data.message_id;
    const park = `UPDATE outbox SET hold_id = '${APPROVAL_HOLD}', due_at = 'infinity', expires_at = 'infinity',
      time_left = interval '1 day' WHERE email_id = $1`;
    expect(await cells[here].db.exec(adHoc(park), [id])).toBe(1);
    await moved();
    const rows = await cells[here].db.many(adHoc('SELECT hold_id FROM outbox WHERE email_id = $1'), [id]);
    expect(rows).toEqual([{ hold_id: APPROVAL_HOLD }]);
    await cells[here].db.exec(adHoc('DELETE FROM outbox WHERE email_id = $1'), [id]);
  });

  it('lets it send, and make templates, where it is now', async () => {
    const sent = await persistently(send);
    expect(sent.status).toBe(201);
    const template = { name: 'New', subject: 'Hi', text: 'Hi' };
    const made = () => cells.api.api('POST', '/templates', template, mover.key);
    expect((await persistently(made)).status).toBe(201);
    await until(
      () => statusOf(sent.body.data.message_id),
      (status) => status === 'delivered',
    );
  });

  it('waits for what workers have in hand, and takes it along afterwards', async () => {
    const db = here === 'main' ? cells.main.db : cells.two.db;
    const claim = adHoc(
      'UPDATE outbox SET worker = (SELECT max(epoch) FROM workers) WHERE organization_id = $1 AND hold_id IS NOT NULL',
    );
    const giveBack = adHoc('UPDATE outbox SET worker = NULL WHERE organization_id = $1');
    await db.exec(claim, [mover.id]);
    const moving = moved();
    const standing = adHoc<{ count: number }>('SELECT count(*) FROM standstills WHERE organization_id = $1');
    await until(
      () => db.one(standing, [mover.id]),
      ({ count }) => count === 1,
    );
    expect((await persistently(send)).status).toBe(201);
    await db.exec(giveBack, [mover.id]);
    await moving;
    expect(await cells.rowsOf(db, mover)).toEqual({});
  });
});

describe('a move that is cut off', () => {
  beforeAll(async () => {
    await fillTables(here === 'main' ? cells.main.db : cells.two.db, mover.id);
  });

  it.each([...BEFORE_ARRIVAL, ...AFTER_ARRIVAL])(
    'at `%s` goes on when the command is run again, with nothing lost or doubled',
    async (point) => {
      const from = here === 'main' ? cells.main.db : cells.two.db;
      const to = here === 'main' ? cells.two.db : cells.main.db;
      await cells.settled(mover);
      const rows = await cells.rowsOf(from, mover);
      await killedAt(point);
      await moved();
      expect(Object.keys(rows).length).toBeGreaterThan(50);
      expect(await cells.rowsOf(from, mover)).toEqual({});
      expect(await cells.rowsOf(to, mover)).toEqual(rows);
      expect((await persistently(() => cells.api.api('GET', '/emails', undefined, mover.key))).status).toBe(
        200,
      );
    },
  );

  it.each(TO_UNDO)('at `%s` is undone by --abandon, and mail goes on where it was', async (point) => {
    const [from, to] = here === 'main' ? [cells.main.db, cells.two.db] : [cells.two.db, cells.main.db];
    await cells.settled(mover);
    const rows = await cells.rowsOf(from, mover);
    await killedAt(point);
    await cells.move(mover, { ...OFFLINE, to: elsewhere(), isAbandoned: true });
    expect(await cells.rowsOf(to, mover)).toEqual({});
    expect(await cells.rowsOf(from, mover)).toEqual(rows);
    const sent = await persistently(send);
    await until(
      () => statusOf(sent.body.data.message_id),
      (status) => status === 'delivered',
    );
  });

  it.each(['released'])('at `%s` can only be finished', async (point) => {
    await killedAt(point);
    await expect(cells.move(mover, { ...OFFLINE, to: elsewhere(), isAbandoned: true })).rejects.toThrow(
      `The organization is already in ${elsewhere()}`,
    );
    await moved();
  });
});

describe('a move is refused', () => {
  it.each([
    ['to where it is', () => ({ to: here }), /already/],
    ['to a cell that there is not', () => ({ to: 'three' }), /There are: main, two/],
    [
      'of the first organization',
      () => ({ organizationId: cells.first.id, to: elsewhere() }),
      /This is the first/,
    ],
    ['of an organization that there is not', () => ({ organizationId: 'org_x' }), /no organization org_x/],
    [
      'that is not under way and is abandoned',
      () => ({ isAbandoned: true, to: elsewhere() }),
      /is not being moved/,
    ],
    [
      'in use without wal_level = logical',
      () => ({ isOffline: false, to: elsewhere() }),
      /wal_level .* --offline/,
    ],
  ])('%s', async (_, request, problem) => {
    await expect(cells.move(mover, { ...OFFLINE, ...request() })).rejects.toThrow(problem);
    expect((await persistently(send)).status).toBe(201);
  });

  it('to another cell than the one it is on its way to', async () => {
    await killedAt('quieting');
    await expect(cells.move(mover, { ...OFFLINE, to: here })).rejects.toThrow(/is being moved from/);
    await moved();
  });
});

describe('a cell that is closed for an organization', () => {
  it('accepts no mail for it from processes with a stale directory', async () => {
    const db = here === 'main' ? cells.main.db : cells.two.db;
    await freezeOrganization(db, mover.id);
    await closeFrozenOrganization(db, mover.id);
    const refused = await send();
    expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE']);
    await unfreezeOrganization(db, mover.id);
    expect((await persistently(send)).status).toBe(201);
  });
});
