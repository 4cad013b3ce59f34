/** A site that closes every connection, and recovers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { drop, gate } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const MAILS = 3_000;
/** A minute of a block lasts two seconds. */
const SPEED = 30;
const ORG = newId('org');

let live: Live;
beforeAll(async () => {
  live = await Live.start({ sites: { dead: { banner: drop() } }, speed: SPEED });
  await live.seed('dead', ORG, MAILS);
  await live.startWorker();
});
afterAll(() => live.stop());

const untouched = async () =>
  (
    await live.db.one(
      adHoc<{ count: number }>('SELECT count(*) FROM outbox WHERE attempt = 0 AND worker IS NULL'),
    )
  ).count;

describe('a site where every connection fails', () => {
  it('is blocked after a handful of tries, with the reason', async () => {
    const site = await until(
      () => live.site('dead'),
      (row) => row !== undefined,
    );
    expect(site).toMatchObject({ block: { reason: 'connection_lost', count: 1 } });
    expect(live.sink('dead').connections.length).toBeLessThanOrEqual(12);
  });

  it('leaves the rows of the waiting mail alone', async () => {
    // The worker may still be about to release what it claimed before the block.
    await until(untouched, (count) => count >= MAILS - 12);
  });

  it('is tried by one delivery when the block ends, and then blocked for longer', async () => {
    const before = live.sink('dead').connections.length;
    await until(
      () => live.site('dead'),
      (row) => (row?.block?.count ?? 0) >= 2,
    );
    expect(live.sink('dead').connections.length - before).toBe(1);
  });

  it('gets all its mail only after the one delivery has succeeded', async () => {
    const probe = gate();
    live.sink('dead').script = { dot: probe.step };
    const before = live.sink('dead').connections.length;
    await probe.reached;
    expect(live.sink('dead').connections.length - before).toBe(1);
    live.sink('dead').script = {};
    probe.release();
    await live.whenSent();
    expect(live.sink('dead').messageCount).toBe(MAILS);
    expect(await live.site('dead')).toBeUndefined();
  });
});
