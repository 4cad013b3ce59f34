/** Sending to servers that limit messages a minute or connections. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/runtime/ids.ts';
import { agree, drop, type SinkAction, type SinkMoment } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

describe('a server that takes 60 messages a minute', () => {
  /** A minute lasts three seconds. */
  const SPEED = 20;
  const LIMIT = 60;
  const MAILS = 300;
  const ORG = newId('org');
  let live: Live;
  let refused = 0;
  let minute = { startMs: Number.NEGATIVE_INFINITY, count: 0 };

  /** Like Postfix with smtpd_client_message_rate_limit. */
  function onlySixty(): SinkAction {
    const nowMs = performance.now();
    if (nowMs - minute.startMs >= 60_000 / SPEED) minute = { startMs: nowMs, count: 0 };
    minute.count += 1;
    if (minute.count <= LIMIT) return agree();
    refused += 1;
    return '450 4.7.1 Error: too much mail from 127.0.0.1';
  }

  beforeAll(async () => {
    live = await Live.start({ sites: { busy: { mail: onlySixty } }, speed: SPEED });
    await live.seed('busy', ORG, MAILS);
    await live.startWorker();
  });
  afterAll(() => live.stop());

  it('is sent to just below the rate at which it refused, and less than a tenth is refused', async () => {
    await until(
      () => live.site('busy'),
      (row) => row?.slow?.limit !== undefined,
    );
    await live.whenSent(ORG);
    const site = await live.site('busy');
    expect(live.sink('busy').messageCount).toBe(MAILS);
    expect(site?.slow).toMatchObject({ reason: 'rate_limited' });
    expect(site?.slow?.pace).toBeLessThanOrEqual(1.1 * LIMIT);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(0.1 * (MAILS + refused));
  });
});

describe('a server that refuses our fourth connection when the first three have done their work', () => {
  const ORG = newId('org');
  const LIMIT = 3;
  let live: Live;

  async function onlyThree({ visit }: SinkMoment): Promise<SinkAction> {
    if (visit <= LIMIT) return agree();
    await live.sink('door').waitForMessages(LIMIT);
    return drop('421 4.7.0 mx.door.test Error: too many connections from 127.0.0.1');
  }

  beforeAll(async () => {
    live = await Live.start({ sites: { door: { banner: onlyThree } } });
    await live.seed('door', ORG, 5);
    await live.startWorker();
  });
  afterAll(() => live.stop());

  it('gets three connections from then on, and all the mail', async () => {
    await live.whenSent(ORG);
    const site = await until(
      () => live.site('door'),
      (row) => row !== undefined,
    );
    expect(site?.narrow?.connections).toBe(LIMIT);
    expect(live.sink('door').messageCount).toBe(5);
  });
});
