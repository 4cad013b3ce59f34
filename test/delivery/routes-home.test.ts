/** The relay of the environment together with routes, IPv6, and the shown reason why mail waits. */
import { afterEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { ALL_WELL, blocked } from '../../src/delivery/scheduler/site-condition.ts';
import { saveSite } from '../../src/delivery/scheduler/site-store.ts';
import { createSiteViews } from '../../src/delivery/scheduler/site-views.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { inTurn, relayTo, setRoutes } from '../support/routes.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { Live, type LiveOptions } from './live.ts';

const ORG = newId('org');

let live: Live | undefined;
const sinks: SmtpSink[] = [];
afterEach(async () => {
  await live?.stop();
  live = undefined;
  for (const sink of sinks.splice(0)) await sink.close();
});

async function start(options: Partial<LiveOptions> = {}): Promise<Live> {
  live = await Live.start({ sites: { shop: {}, office: {} }, ...options });
  return live;
}

async function sinkAt(address: string, port = 0): Promise<SmtpSink> {
  const sink = await startSmtpSink({ address, port });
  sinks.push(sink);
  return sink;
}

describe('the relay of the environment', () => {
  it('takes what no rule is for, and what a rule sends to `default`', async () => {
    const own = await sinkAt('127.0.2.1');
    const other = await sinkAt('127.0.2.2');
    const { db, seed, startWorker, whenSent } = bound(
      await start({ env: { POSTRIDER_RELAY_URL: `smtp://${own.address}:${own.port}` } }),
    );
    await setRoutes(db, {
      transports: [relayTo('other', other)],
      rules: [
        { match: { tags: ['kind:news'] }, steps: inTurn('other') },
        { match: { tags: ['kind:code'] }, steps: inTurn('default') },
      ],
    });
    await seed('shop', ORG, 1);
    await seed('shop', ORG, 1, { tags: [{ name: 'kind', value: 'code' }] });
    await seed('shop', ORG, 1, { tags: [{ name: 'kind', value: 'news' }] });
    await startWorker();
    await whenSent();
    expect([own.messageCount, other.messageCount]).toEqual([2, 1]);
  });

  it('does not hide who hosts the recipient: a rule can send some of it directly', async () => {
    const own = await sinkAt('127.0.2.1');
    const here = await start({
      env: { POSTRIDER_RELAY_URL: `smtp://${own.address}:${own.port}` },
      zone: (sites) => ({
        'fr.test': { MX: [[1, 'smtp-in.orange.fr']] },
        'smtp-in.orange.fr': { A: [sites.shop?.address ?? ''] },
      }),
    });
    await setRoutes(here.db, {
      transports: [{ kind: 'direct', name: 'pool', sources: [{ address: '127.0.0.7' }] }],
      rules: [{ match: { providers: ['orange'] }, steps: inTurn('pool') }],
    });
    await here.seed('fr', ORG, 1);
    await here.seed('office', ORG, 1);
    await here.startWorker();
    await here.whenSent();
    expect(here.sink('shop').messages.map(({ to }) => to)).toEqual([['r1@fr.test']]);
    expect(own.messages.map(({ to }) => to)).toEqual([['r1@office.test']]);
  });
});

describe('a source address of IPv6', () => {
  it('is connected from, to the addresses of that kind alone', async () => {
    const here = await start();
    const six = await sinkAt('::1', here.sink('shop').port);
    here.dns.set('mx.shop.test', { A: [here.sink('shop').address], AAAA: ['::1'] });
    await setRoutes(here.db, {
      transports: [{ kind: 'direct', name: 'six', sources: [{ address: '::1' }] }],
      rules: [{ steps: inTurn('six', 'default') }],
    });
    await here.seed('shop', ORG, 1);
    // The first step has no IPv6 address, the next step has one.
    await here.seed('office', ORG, 1);
    await here.startWorker();
    await here.whenSent();
    expect(six.connections.map(({ from }) => from)).toEqual(['::1']);
    expect([six.messageCount, here.sink('shop').messageCount]).toEqual([1, 0]);
    expect(here.sink('office').messageCount).toBe(1);
  });
});

describe('a site whose mail a rule may be for', () => {
  it('says so, to those alone whose mail it may be', async () => {
    const here = await start();
    const other = newId('org');
    await here.db.exec(adHoc(`INSERT INTO organizations (id, name) VALUES ($1, 'Other')`), [other]);
    await setRoutes(here.db, {
      transports: [{ kind: 'relay', name: 'acme', url: 'smtp://127.0.2.9' }],
      rules: [
        { match: { recipient_domains: ['shop.test'], tags: ['news'] }, steps: inTurn('acme') },
        {
          match: { organizations: [other], recipient_domains: ['office.test'] },
          steps: inTurn('acme'),
        },
      ],
    });
    await here.seed('shop', ORG, 1);
    await here.seed('office', ORG, 1);
    const board = createSiteViews(systemClock, { isRouted: true });
    const namesOf = (views: readonly { readonly name: string; readonly message: string }[]) =>
      views
        .filter(({ message }) => message.includes('another transport'))
        .map(({ name }) => name)
        .toSorted();
    expect(namesOf(await board.ofOrganization(here.db, ORG))).toEqual(['mx.shop.test']);
    expect(namesOf(await board.ofInstallation([here.db]))).toEqual(['mx.office.test', 'mx.shop.test']);
  });
});

describe('what mail waits for', () => {
  it('is the transport that its route has, and not the site of the recipient', async () => {
    const here = await start();
    await setRoutes(here.db, {
      transports: [
        { kind: 'relay', name: 'acme', url: 'smtp://127.0.2.9' },
        { kind: 'direct', name: 'pool', sources: [{ address: '192.0.2.77' }] },
      ],
      rules: [
        { match: { tags: ['kind:news'] }, steps: inTurn('acme') },
        { match: { tags: ['kind:pool'] }, steps: inTurn('pool') },
      ],
    });
    await here.seed('shop', ORG, 1);
    const moment = { nowMs: Date.now(), random: () => 0.5, speed: 1 };
    const why = { reason: 'connection_refused', detail: 'refused' } as const;
    await saveSite(here.db, 'relay acme', blocked(ALL_WELL, why, moment));
    const board = createSiteViews(systemClock, { isRouted: true });
    const tagged = (value: string) => ({
      ...{ emailId: 'mail-1', position: 0, stream: 'transactional', senderDomain: 'sender.test' },
      ...{ domain: 'shop.test', dueAt: new Date(), tags: [{ name: 'kind', value }] },
    });
    const waits = await board.waitingFor(here.db, ORG, ['news', 'pool', 'other'].map(tagged));
    expect(waits.map(({ site, destination }) => [site?.name, site?.state, destination?.name])).toEqual([
      ['relay acme', 'blocked', 'mx.shop.test'],
      ['mx.shop.test from 192.0.2.77', 'blocked', 'mx.shop.test'],
      ['mx.shop.test', 'open', 'mx.shop.test'],
    ]);
    expect(waits[1]?.site?.reason).toBe('source_unavailable');
  });
});

/** The methods as separate functions. */
function bound(one: Live) {
  return {
    db: one.db,
    seed: one.seed.bind(one),
    startWorker: one.startWorker.bind(one),
    whenSent: one.whenSent.bind(one),
  };
}
