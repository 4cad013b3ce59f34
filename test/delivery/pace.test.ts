/** Replies that ask for less mail, and their effect on other mail to the same server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOWEST_PACE } from '../../src/delivery/scheduler/rate-limit.ts';
import { newId } from '../../src/runtime/ids.ts';
import { agree, drop, type SinkAction, type SinkMoment } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

/** A minute lasts half a second. */
const SPEED = 120;
const TOO_MUCH = '451 4.7.1 Too much mail from 127.0.0.1, rate limited';

let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: {
      fussy: {
        rcpt: ({ line }: SinkMoment) => (line.includes('<r1@one.test>') ? TOO_MUCH : agree()),
      },
      wary: { mail: '450 4.7.1 Error: too much mail from 127.0.0.1' },
    },
    zone: () => ({
      'one.test': { MX: [[10, 'mx.fussy.test']] },
      'two.test': { MX: [[10, 'mx.fussy.test']] },
    }),
    delivered: {
      'one.test': 'mx.fussy.test',
      'two.test': 'mx.fussy.test',
      'wary.test': 'mx.wary.test',
    },
    speed: SPEED,
  });
  await live.startWorker();
});
afterAll(() => live.stop());

const tries = async (organization: string, where = live) =>
  (await where.events(organization)).filter((event) => event.type === 'deferred').length;

describe('a reply about us, for one recipient', () => {
  const refused = newId('org');

  it('slows nobody else down, however often that recipient is tried', async () => {
    await live.seed('one', refused, 1);
    await until(
      () => tries(refused),
      (count) => count >= 4,
    );
    const others = newId('org');
    await live.seed('two', others, 30);
    await live.whenSent(others);
    expect(live.sink('fussy').messageCount).toBe(30);
    expect(await live.site('fussy')).toBeUndefined();
  });
});

describe('a server that takes three connections of us', () => {
  const ORG = newId('org');
  const LIMIT = 3;
  let door: Live;
  let turnedAway = 0;
  beforeAll(async () => {
    door = await Live.start({ sites: { door: { banner: onlyThree } } });
    await door.seed('door', ORG, 60);
    await door.startWorker();
  });
  afterAll(() => door.stop());

  /** Like Postfix with smtpd_client_connection_count_limit. */
  function onlyThree(): SinkAction {
    const open = door.sink('door').connections.filter((one) => one.ended === 'open' && !one.saidQuit);
    if (open.length <= LIMIT) return agree();
    turnedAway += 1;
    return drop('421 4.7.0 mx.door.test Error: too many connections from 127.0.0.1');
  }

  it('gets all the mail over three, and none of it is put off', async () => {
    await door.whenSent(ORG);
    expect(door.sink('door').messageCount).toBe(60);
    expect(await tries(ORG, door)).toBe(0);
  });

  it('is not told of as a try where it turned us away: every mail arrives with its first, which began once', async () => {
    const events = await door.events(ORG);
    const ofType = (type: string) => events.filter((event) => event.type === type);
    expect(ofType('delivered').map(({ attempt }) => attempt)).toEqual(Array(60).fill(1));
    expect(ofType('processing')).toHaveLength(60);
  });

  it('turns us away no more often than it takes to learn the number', () => {
    expect(turnedAway).toBeGreaterThan(0);
    expect(turnedAway).toBeLessThanOrEqual(3);
  });

  it('is known to take so few, because of which reply, and is open', async () => {
    const site = await until(
      () => door.site('door'),
      (row) => row !== undefined,
    );
    expect(site).toMatchObject({ block: null, slow: null, narrow: { reason: 'rate_limited' } });
    expect(site?.narrow?.connections).toBeLessThanOrEqual(LIMIT);
    expect(site?.narrow?.detail).toContain('too many connections');
  });
});

describe('a server that says to several recipients that we send too much', () => {
  const ORG = newId('org');

  it('is sent to slowly, and it is known since when and because of which reply', async () => {
    await live.seed('wary', ORG, 60);
    const site = await until(
      () => live.site('wary'),
      (row) => row !== undefined,
    );
    const slow = site?.slow;
    expect(slow).toMatchObject({ reason: 'rate_limited' });
    expect(slow?.detail).toContain('too much mail from 127.0.0.1');
    expect(slow?.pace).toBeLessThanOrEqual((slow?.fullPace ?? 0) / 2);
  });

  it('gets half of that, too, while it goes on saying so', async () => {
    await until(
      () => live.site('wary'),
      (row) => (row?.slow?.pace ?? Number.NaN) <= Math.max(SLOWEST_PACE, (row?.slow?.fullPace ?? 0) / 4),
    );
  });

  it('gets all its mail, and is as open as before, when it takes mail again', async () => {
    live.sink('wary').script = {};
    await live.whenSent(ORG);
    expect(live.sink('wary').messageCount).toBe(60);
    await live.seed('wary', ORG, 10);
    await until(
      () => live.site('wary'),
      (row) => row === undefined,
    );
  });
});
