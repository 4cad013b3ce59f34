/** Routing of mail over source addresses and relays, and what happens when one of them fails. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { attemptsWhere } from '../../src/events/attempts.ts';
import { newId } from '../../src/runtime/ids.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { gate, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');
/** A minute of a block lasts two seconds. */
const SPEED = 30;
const AUTH = ['PIPELINING', 'SIZE 10485760', '8BITMIME', 'ENHANCEDSTATUSCODES', 'SMTPUTF8', 'AUTH PLAIN'];

let live: Live;
let relay: SmtpSink;
let spare: SmtpSink;
beforeEach(async () => {
  live = await Live.start({ sites: { shop: {}, office: {} }, speed: SPEED });
  relay = await startSmtpSink({ address: '127.0.2.1', capabilities: AUTH });
  spare = await startSmtpSink({ address: '127.0.2.2', capabilities: AUTH });
});
afterEach(async () => {
  await live.stop();
  await relay.close();
  await spare.close();
});

const pool = (...addresses: readonly string[]) => ({
  kind: 'direct' as const,
  name: 'pool',
  sources: addresses.map((address) => ({ address })),
});

const routesTaken = () =>
  live.db.many(
    adHoc<{ outcome: string; route: { transport: string; source: string | null; why: string } | null }>(
      `SELECT outcome, route FROM (${attemptsWhere('true')}) AS attempts ORDER BY id`,
    ),
  );

describe('a pool of source addresses', () => {
  it('connects from the address, and says its name', async () => {
    const source = { address: '127.0.0.7', ehlo_name: 'out7.sender.test' };
    const transports = [{ kind: 'direct' as const, name: 'pool', sources: [source] }];
    await setRoutes(live.db, { transports, rules: [{ steps: inTurn('pool') }] });
    await live.seed('shop', ORG, 1);
    await live.startWorker();
    await live.whenSent();
    const [connection] = live.sink('shop').connections;
    expect(connection?.from).toBe('127.0.0.7');
    expect(connection?.commands[0]).toBe('EHLO out7.sender.test');
    expect(await routesTaken()).toEqual([
      {
        outcome: 'delivered',
        route: {
          ...{ transport: 'pool', kind: 'direct', source: '127.0.0.7', rule: 1, step: 1 },
          why: 'rule 1 matched: it is for all mail',
        },
      },
    ]);
  });

  it('is shared by weight', async () => {
    const sources = [
      { address: '127.0.0.7', weight: 3 },
      { address: '127.0.0.8', weight: 1 },
    ];
    const transports = [{ kind: 'direct' as const, name: 'pool', sources }];
    await setRoutes(live.db, { transports, rules: [{ steps: inTurn('pool') }] });
    await live.seed('shop', ORG, 400);
    await live.startWorker();
    await live.whenSent();
    const from = live.sink('shop').messages.map(({ connection }) => connection.from);
    const share = from.filter((one) => one === '127.0.0.7').length / from.length;
    expect(from).toHaveLength(400);
    // Within five standard deviations.
    expect(share).toBeGreaterThan(0.64);
    expect(share).toBeLessThan(0.86);
  });

  it('has no more connections from one address than it may', async () => {
    const held = gate();
    live.sink('shop').script = { dot: held.step };
    const transports = [
      {
        kind: 'direct' as const,
        name: 'pool',
        sources: ['127.0.0.7', '127.0.0.8'].map((address) => ({ address, connections: 2 })),
      },
    ];
    await setRoutes(live.db, { transports, rules: [{ steps: inTurn('pool') }] });
    await live.seed('shop', ORG, 60);
    await live.startWorker();
    await live.sink('shop').waitForConnections(4);
    const open = () => live.sink('shop').connections.filter(({ ended }) => ended === 'open');
    for (const address of ['127.0.0.7', '127.0.0.8'])
      expect(open().filter(({ from }) => from === address)).toHaveLength(2);
    held.release();
    await live.whenSent();
    expect(live.sink('shop').messageCount).toBe(60);
    expect(live.sink('shop').connections.length).toBeLessThanOrEqual(4);
  });

  it('skips an address that is not on this machine', async () => {
    await setRoutes(live.db, {
      transports: [pool('192.0.2.77', '127.0.0.8')],
      rules: [{ steps: inTurn('pool') }],
    });
    await live.seed('shop', ORG, 20);
    await live.startWorker();
    await live.whenSent();
    expect(new Set(live.sink('shop').messages.map(({ connection }) => connection.from))).toEqual(
      new Set(['127.0.0.8']),
    );
  });

  it('is skipped for the next step if this machine has none of its addresses', async () => {
    await setRoutes(live.db, {
      transports: [pool('192.0.2.77'), relayTo('spare', spare)],
      rules: [{ steps: inTurn('pool', 'spare') }],
    });
    await live.seed('shop', ORG, 3);
    await live.startWorker();
    await spare.waitForMessages(3);
    await live.whenSent();
  });
});

describe('rules', () => {
  it('are tried in order, and what none is for goes as the environment says', async () => {
    await setRoutes(live.db, {
      transports: [relayTo('relay', relay), relayTo('spare', spare)],
      rules: [
        { name: 'receipts', match: { tags: ['kind:receipt'] }, steps: inTurn('spare') },
        { match: { recipient_domains: ['office.test'] }, steps: inTurn('relay') },
      ],
    });
    await live.seed('shop', ORG, 1);
    await live.seed('office', ORG, 1);
    await live.seed('shop', ORG, 1, { tags: [{ name: 'kind', value: 'receipt' }] });
    await live.startWorker();
    await live.whenSent();
    expect(live.sink('shop').messageCount).toBe(1);
    expect(relay.messages.map(({ to }) => to)).toEqual([['r1@office.test']]);
    expect(spare.messages.map(({ to }) => to)).toEqual([['r1@shop.test']]);
    const why = (await routesTaken()).map(({ route }) => route?.why).toSorted();
    expect(why).toEqual([
      'no rule matched',
      'rule 1 (receipts) matched: tag kind:receipt',
      'rule 2 matched: recipient at office.test',
    ]);
  });

  it('for a stream are for no mail of another', async () => {
    await setRoutes(live.db, {
      transports: [relayTo('relay', relay), relayTo('spare', spare)],
      rules: [{ match: { streams: ['news'] }, steps: inTurn('relay') }, { steps: inTurn('spare') }],
    });
    await live.seed('shop', ORG, 1, { stream: 'news' });
    await live.seed('office', ORG, 1, { stream: 'bulk' });
    await live.seed('office', ORG, 1);
    await live.startWorker();
    await live.whenSent();
    expect(relay.messages.map(({ to }) => to)).toEqual([['r1@shop.test']]);
    expect(spare.messages.map(({ to }) => to)).toEqual([['r1@office.test'], ['r1@office.test']]);
  });

  it('reach a worker that runs, within seconds', async () => {
    await live.startWorker();
    await live.seed('shop', ORG, 1);
    await live.whenSent();
    await setRoutes(live.db, { transports: [relayTo('relay', relay)], rules: [{ steps: inTurn('relay') }] });
    await until(
      async () => {
        await live.seed('shop', ORG, 1);
        await live.whenSent();
        return relay.messageCount;
      },
      (count) => count > 0,
    );
    await setRoutes(live.db, { transports: [], rules: [] });
    const before = live.sink('shop').messageCount;
    await until(
      async () => {
        await live.seed('shop', ORG, 1);
        await live.whenSent();
        return live.sink('shop').messageCount;
      },
      (count) => count > before,
    );
  });
});

describe('a relay that refuses our password', () => {
  it('is set aside, its mail takes the fallback at once, and comes back when the relay is mended', async () => {
    relay.script = { auth: '535 5.7.8 authentication credentials invalid' };
    const named = { url: `smtp://shop@${relay.address}:${relay.port}`, password: 'hunter2' };
    await setRoutes(live.db, {
      transports: [relayTo('relay', relay, named), relayTo('spare', spare)],
      rules: [{ steps: inTurn('relay', 'spare') }],
    });
    await live.seed('shop', ORG, 30);
    await live.startWorker();
    await live.whenSent();
    expect(spare.messageCount).toBe(30);
    expect(await live.siteNamed('relay relay')).toMatchObject({
      block: { reason: 'relay_authentication_failed' },
    });
    // A few deliveries failed at the relay. The others did not connect to it.
    expect(relay.connections.length).toBeLessThanOrEqual(12);
    const events = await live.events(ORG);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['processing', 'delivered']));
    relay.script = {};
    await until(
      async () => {
        await live.seed('office', ORG, 1);
        await live.whenSent();
        return relay.messageCount;
      },
      (count) => count > 0,
    );
    expect(await live.siteNamed('relay relay')).toBeUndefined();
  });

  it('makes mail wait that has no other way, and is no reason to bounce it', async () => {
    relay.script = { banner: '554 5.7.1 go away', rcpt: '554 5.7.1 relay access denied' };
    await setRoutes(live.db, { transports: [relayTo('relay', relay)], rules: [{ steps: inTurn('relay') }] });
    await live.seed('shop', ORG, 1);
    await live.startWorker();
    await until(
      () => live.events(ORG),
      (events) => events.some(({ type }) => type === 'deferred'),
    );
    relay.script = { rcpt: '554 5.7.1 <r1@shop.test>: Relay access denied' };
    await until(
      () => live.events(ORG),
      (events) => events.some(({ reason }) => reason === 'relay_authentication_failed'),
    );
    relay.script = {};
    await live.whenSent();
    expect(relay.messageCount).toBe(1);
    expect(await live.db.many(adHoc('SELECT FROM suppressions'))).toEqual([]);
  });
});

describe('a relay that is down', () => {
  it('is skipped', async () => {
    const { address, port } = relay;
    await relay.close();
    await setRoutes(live.db, {
      transports: [
        { kind: 'relay', name: 'relay', url: `smtp://${address}:${port}` },
        relayTo('spare', spare),
      ],
      rules: [{ steps: inTurn('relay', 'spare') }],
    });
    await live.seed('shop', ORG, 20);
    await live.startWorker();
    await live.whenSent();
    expect(spare.messageCount).toBe(20);
    relay = await startSmtpSink({ address: '127.0.2.1' });
  });
});

describe('a reply that is lost after the final dot', () => {
  it('never sends the mail over another path within the attempt', async () => {
    relay.script = { dot: ({ visit }) => (visit === 1 ? { act: 'drop', how: 'fin' } : { act: 'agree' }) };
    await setRoutes(live.db, {
      transports: [relayTo('relay', relay), relayTo('spare', spare)],
      rules: [{ steps: inTurn('relay', 'spare') }],
    });
    await live.seed('shop', ORG, 1);
    await live.startWorker();
    await live.whenSent();
    expect(spare.connections).toHaveLength(0);
    expect(relay.messageCount).toBe(1);
    expect((await live.events(ORG)).map(({ reason }) => reason)).toContain('reply_lost_after_message');
  });
});

describe('the limits of a relay', () => {
  it('hold for all of its mail, whatever the domains', async () => {
    const held = gate();
    relay.script = { dot: held.step };
    await setRoutes(live.db, {
      transports: [relayTo('relay', relay, { connections: 3 })],
      rules: [{ steps: inTurn('relay') }],
    });
    await live.seed('shop', ORG, 10);
    await live.seed('office', ORG, 10);
    await live.startWorker();
    await relay.waitForConnections(3);
    held.release();
    await live.whenSent();
    expect(relay.messageCount).toBe(20);
    expect(relay.connections.length).toBeLessThanOrEqual(3);
  });

  it('hold for messages a minute', async () => {
    await setRoutes(live.db, {
      // A minute lasts two seconds.
      transports: [relayTo('relay', relay, { messages_per_minute: 60 })],
      rules: [{ steps: inTurn('relay') }],
    });
    await live.seed('shop', ORG, 90);
    await live.startWorker();
    const startMs = performance.now();
    await live.whenSent();
    expect(relay.messageCount).toBe(90);
    expect(performance.now() - startMs).toBeGreaterThan(1_500);
  });
});
