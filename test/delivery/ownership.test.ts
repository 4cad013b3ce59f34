/** Ownership of claimed mail: orphaned claims, workers removed from the table, a heartbeat that looks old. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { MailWorker } from '../../src/processes/mail-worker.ts';
import { newId } from '../../src/runtime/ids.ts';
import { gate } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

let live: Live;
let worker: MailWorker;
beforeAll(async () => {
  live = await Live.start({ sites: { well: {}, slow: {} } });
  worker = await live.startWorker();
});
afterAll(() => live.stop());

const epoch = async () =>
  (await live.db.maybeOne(adHoc<{ epoch: number }>('SELECT epoch FROM workers')))?.epoch ?? null;

const beats = async () =>
  (await live.db.one(adHoc<{ beat: string }>('SELECT heartbeat_at::text AS beat FROM workers'))).beat;

async function beatsAgain(): Promise<void> {
  const before = await beats();
  await until(beats, (beat) => beat !== before);
}

describe('mail that is claimed by a worker that does not have it', () => {
  it('is given back and delivered, by a worker that nobody restarts', async () => {
    const org = newId('org');
    await live.seed('well', org, 3, { dueInMs: 3_600_000 });
    // The state after a claim whose result was lost.
    await live.db.exec(
      adHoc(
        `UPDATE outbox SET worker = (SELECT epoch FROM workers), attempt = attempt + 1, due_at = now()
         WHERE organization_id = $1`,
      ),
      [org],
    );
    await live.whenSent(org);
    const events = await live.events(org);
    expect(events.filter(({ type }) => type === 'delivered')).toHaveLength(3);
    expect(events.every(({ attempt }) => attempt === 1)).toBe(true);
  });
});

describe('a worker that was taken for dead and lives', () => {
  it('continues automatically under a new epoch', async () => {
    const before = await epoch();
    await live.db.exec(adHoc('DELETE FROM workers'));
    const org = newId('org');
    await live.seed('well', org, 2);
    const after = await until(epoch, (found) => found !== null);
    expect(after).not.toBe(before);
    await live.whenSent(org);
    const delivered = (await live.events(org)).filter(({ type }) => type === 'delivered');
    expect(delivered).toHaveLength(2);
  });

  it('still settles what a server took meanwhile', async () => {
    const dot = gate();
    live.sink('slow').script = { dot: dot.step };
    const org = newId('org');
    await live.seed('slow', org, 1);
    await dot.reached;
    const before = await epoch();
    // No other worker may claim the mail now, because the test is about the recording of the answer.
    await live.db.exec(adHoc('DELETE FROM workers'));
    await live.db.exec(
      adHoc(`UPDATE outbox SET worker = NULL, due_at = now() + interval '1 hour' WHERE organization_id = $1`),
      [org],
    );
    await until(epoch, (found) => found !== null && found !== before);
    dot.release();
    await live.whenSent(org);
    expect((await live.events(org)).map(({ type }) => type)).toEqual(['processing', 'delivered']);
    expect(live.sink('slow').messageCount).toBe(1);
  });
});

describe('a lone worker whose heartbeat looks old', () => {
  it('does not take itself for dead', async () => {
    const dot = gate();
    live.sink('slow').script = { dot: dot.step };
    const sent = live.sink('slow').messageCount;
    const org = newId('org');
    await live.seed('slow', org, 1);
    await dot.reached;
    // As after the whole machine slept for an hour.
    await live.db.exec(adHoc(`UPDATE workers SET heartbeat_at = heartbeat_at - interval '1 hour'`));
    await beatsAgain();
    await live.db.exec(adHoc(`UPDATE workers SET heartbeat_at = heartbeat_at - interval '1 hour'`));
    await beatsAgain();
    dot.release();
    await live.whenSent(org);
    expect(live.sink('slow').messageCount).toBe(sent + 1);
  });
});

describe('mail that another worker tries again', () => {
  it('is the same bytes, dated when it was first tried', async () => {
    const org = newId('org');
    live.sink('slow').script = { dot: '451 4.3.0 Not now' };
    await live.seed('slow', org, 1, { dueInMs: 3_600_000 });
    const at = (changes: string, table = 'outbox') =>
      live.db.exec(adHoc(`UPDATE ${table} SET ${changes} WHERE organization_id = $1`), [org]);
    await at(`created_at = now() - interval '3 days'`, 'emails');
    await at('due_at = now()');
    await until(
      () => live.events(org),
      (events) => events.some(({ type }) => type === 'deferred'),
    );
    await live.stopWorker(worker);
    const firstTry = contentOf(live.sink('slow').connections.at(-1)?.received);
    live.sink('slow').script = {};
    await at('due_at = now()');
    worker = await live.startWorker();
    await live.whenSent(org);
    const ageMs = Date.now() - Date.parse(/^Date: (.*)$/m.exec(firstTry)?.[1] ?? '');
    expect(ageMs).toBeLessThan(3_600_000);
    expect(live.sink('slow').messages.at(-1)?.content.toString()).toBe(firstTry);
  });
});

function contentOf(received: Buffer = Buffer.alloc(0)): string {
  const text = received.toString();
  return text.slice(text.lastIndexOf('\r\nDATA\r\n') + 8, text.lastIndexOf('\r\n.\r\n') + 2);
}
