import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginMove, recordArrival, recordMarked, recordReturn } from '../../src/cells/move-store.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';

let cells: MovingCells;
let mover: TestOrganization;

beforeAll(async () => {
  cells = await startMovingCells();
  mover = await cells.api.createOrganization('Mover');
});

afterAll(() => cells.stop());

/** As a restart of control's server does it. */
const loseLocks = adHoc(
  `SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
   WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND pid IN (SELECT pid FROM pg_stat_activity WHERE application_name = 'postrider-move')`,
);

/** A point at which a command waits until it is let go. */
function waitsAt(point: string) {
  let arrive = () => {};
  let goOn = () => {};
  const there = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const isLetGo = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const at = async (now: string) => {
    if (now !== point) return;
    arrive();
    await isLetGo;
  };
  return { at, there, goOn: () => goOn() };
}

it('stops a command that has lost its lock before it touches what another command has moved', async () => {
  for (let sent = 0; sent < 3; sent += 1)
    expect((await cells.api.api('POST', '/emails/send', letter(mover), mover.key)).status).toBe(201);
  const rows = await cells.rowsOf(cells.main.db, mover);
  const slow = waitsAt('marked');
  const first = cells.move(mover, { isOffline: true, at: slow.at }).catch((error: Error) => error);
  await slow.there;
  await cells.main.db.many(loseLocks);
  await cells.move(mover, { isOffline: true });
  slow.goOn();
  const ended = String(await first);
  expect(await cells.rowsOf(cells.two.db, mover)).toEqual(rows);
  expect(await cells.rowsOf(cells.main.db, mover)).toEqual({});
  expect(ended).toMatch(/lost its lock/);
}, 120_000);

it('places an organization only for the run that marked it last', async () => {
  const other = await cells.api.createOrganization('Other');
  const { db } = cells.main;
  const move = await beginMove(db, {
    organizationId: other.id,
    from: 'main',
    to: 'two',
    way: 'offline',
    by: 'ada',
  });
  const early = await recordMarked(db, move);
  await recordReturn(db, move);
  const late = await recordMarked(db, move);
  expect(await recordArrival(db, move, early)).toBe(false);
  expect(await recordArrival(db, move, late)).toBe(true);
});
