/** Warm-up of an address: all workers together stay within the day's limit, and further mail falls back or waits. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { utcDay } from '../../src/runtime/timestamp.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const COLD = '127.0.0.7';
const DAY_MS = 86_400_000;
const since = utcDay(Date.now() - 10 * DAY_MS);

let live: Live;
let relay: SmtpSink;
beforeEach(async () => {
  live = await Live.start({ sites: { shop: {} }, speed: 120 });
  relay = await startSmtpSink({ address: '127.0.2.1' });
});
afterEach(async () => {
  await live.stop();
  await relay.close();
});

const warming = (curve: readonly number[], over: 'fallback' | 'wait' = 'fallback') => ({
  kind: 'direct' as const,
  name: 'pool',
  sources: [{ address: COLD, warm_up: { since, curve, over } }],
});

const usedToday = async () =>
  (
    await live.db.many(
      adHoc<{ used: number; delivered: number; objected: number }>(
        "SELECT used, delivered, objected FROM source_days WHERE day = (now() AT TIME ZONE 'UTC')::date",
      ),
    )
  )[0];

describe('an address that is being warmed up', () => {
  it('sends up to the day’s limit, and further mail takes the next step, also with several workers', async () => {
    const transports = [warming([30]), relayTo('acme', relay)];
    await setRoutes(live.db, { transports, rules: [{ steps: inTurn('pool', 'acme') }] });
    await live.seed('shop', ORG, 100);
    await Promise.all([live.startWorker(), live.startWorker()]);
    await live.whenSent();
    expect(live.sink('shop').messages).toHaveLength(30);
    expect(live.sink('shop').messages.every(({ connection }) => connection.from === COLD)).toBe(true);
    expect(relay.messages).toHaveLength(70);
    const today = await until(usedToday, (one) => one?.delivered === 30);
    expect(today).toEqual({ used: 30, delivered: 30, objected: 0 });
  });

  it('has a deferral of the receiver counted as an objection', async () => {
    const refused = '451 4.7.1 Too much mail from 127.0.0.7, rate limited';
    live.sink('shop').script = { dot: ({ visit }) => (visit === 1 ? refused : { act: 'agree' }) };
    await setRoutes(live.db, { transports: [warming([30])], rules: [{ steps: inTurn('pool') }] });
    await live.seed('shop', ORG, 1);
    await live.startWorker();
    await live.whenSent();
    const today = await until(usedToday, (one) => one?.delivered === 1);
    expect(today).toMatchObject({ delivered: 1, objected: 1 });
  });

  it('lets further mail wait, if configured, until the limit rises', async () => {
    const rules = [{ steps: inTurn('pool', 'acme') }];
    await setRoutes(live.db, { transports: [warming([20], 'wait'), relayTo('acme', relay)], rules });
    await live.seed('shop', ORG, 50);
    await live.startWorker();
    await until(async () => live.sink('shop').messages.length === 20);
    await setRoutes(live.db, { transports: [warming([1_000], 'wait'), relayTo('acme', relay)], rules });
    await live.whenSent();
    expect(live.sink('shop').messages).toHaveLength(50);
    expect(relay.messages).toHaveLength(0);
  });

  it('gets a higher limit after good days, and a lower one after days with objections', async () => {
    const days = async (...all: readonly (readonly [number, number, number])[]) => {
      await live.db.exec(adHoc('DELETE FROM source_days'));
      for (const [ago, used, objected] of all)
        await live.db.exec(
          adHoc(`INSERT INTO source_days (address, provider, day, used, delivered, objected)
                 VALUES ($1, 'other', $2, $3, $3, $4)`),
          [COLD, utcDay(Date.now() - ago * DAY_MS), used, objected],
        );
    };
    const rules = [{ steps: inTurn('pool', 'acme') }];
    const sentFrom = async (curve: readonly number[]) => {
      const before = live.sink('shop').messages.length;
      await setRoutes(live.db, { transports: [warming(curve), relayTo('acme', relay)], rules });
      await live.seed('shop', ORG, 60);
      await live.whenSent();
      return live.sink('shop').messages.length - before;
    };
    await live.startWorker();
    await days([2, 10, 0], [1, 20, 0]);
    expect(await sentFrom([10, 20, 40])).toBe(40);
    await days([2, 10, 0], [1, 20, 15]);
    expect(await sentFrom([10, 20, 41])).toBe(10);
  });
});
