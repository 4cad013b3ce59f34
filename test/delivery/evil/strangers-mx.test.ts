/** Domains whose MX records name somebody else's mail hosts cannot change how others are delivered to there. */
import { afterEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../../src/database/sql.ts';
import { newId } from '../../../src/runtime/ids.ts';
import { drop, type SinkScript } from '../../support/smtp-sink.ts';
import { Live, type LiveEvent, until } from '../live.ts';

const HOSTILE = Array.from({ length: 10 }, (_, i) => `hostile${i}`);
const ATTACKER = newId('org');
const CUSTOMER = newId('org');

let live: Live;
afterEach(() => live.stop());

/** The victim was delivered to before, unless said otherwise; ten domains of the attacker point at its host. */
async function attack(
  script: SinkScript,
  domains = HOSTILE.length,
  more: { delivered?: Record<string, string> } = {},
): Promise<void> {
  live = await Live.start({
    sites: { victim: script },
    zone: () =>
      Object.fromEntries(HOSTILE.map((name) => [`${name}.test`, { MX: [[10, 'mx.victim.test']] as const }])),
    ...more,
  });
  for (const name of HOSTILE) await live.seed(name, ATTACKER, 8);
  await live.startWorker();
  await until(
    () => live.events(ATTACKER),
    (events) => deferredDomains(events).size >= domains,
  );
}

function deferredDomains(events: readonly LiveEvent[]): Set<string | undefined> {
  return new Set(events.filter((one) => one.type === 'deferred').map((one) => one.recipient.split('@')[1]));
}

const setApart = () =>
  live.db.many(adHoc<{ name: string }>(`SELECT name FROM sites WHERE name LIKE '% at mx.victim.test'`));

async function victimIsServed(): Promise<void> {
  expect(await live.site('victim')).toBeUndefined();
  live.sink('victim').script = {};
  await live.seed('victim', CUSTOMER, 30);
  await live.whenSent(CUSTOMER);
  expect((await live.events(CUSTOMER)).filter((one) => one.type === 'deferred')).toEqual([]);
}

describe('ten hostile domains with their MX at a host that serves others cannot change its site', () => {
  it.each<[string, SinkScript]>([
    ['with a request for less', { rcpt: '450 4.7.0 rate limited, slow down' }],
    ['with 421 in the middle', { rcpt: '421 4.7.0 too many errors' }],
    ['with 421 at the banner', { banner: '421 4.3.2 busy' }],
    ['with connections that are dropped', { banner: drop() }],
    ['with trouble of the host', { rcpt: '452 4.3.1 insufficient system storage' }],
  ])('%s', async (_, script) => {
    await attack(script);
    await until(setApart, (rows) => rows.length > 0);
    await victimIsServed();
  });

  it('with refusals to relay, which are not even held against the domains', async () => {
    await attack({ rcpt: '454 4.7.1 Relay access denied' });
    expect(await setApart()).toEqual([]);
    await victimIsServed();
    const reasons = (await live.events(ATTACKER)).filter((one) => one.type === 'deferred');
    expect(new Set(reasons.map((one) => one.reason))).toEqual(new Set(['domain_not_served']));
  });
});

describe('a site that has taken nobody’s mail', () => {
  it('is believed to have trouble when several domains say so', async () => {
    await attack({ rcpt: '450 4.7.0 rate limited, slow down' }, 3, { delivered: {} });
    const site = await until(
      () => live.site('victim'),
      (row) => row !== undefined,
    );
    expect(site).toMatchObject({ reason: 'rate_limited' });
  });
});

describe('a domain that was never delivered to', () => {
  it('is set apart when it has trouble, and back among the others when it is delivered to', async () => {
    live = await Live.start({ sites: { victim: { banner: drop() } }, delivered: {}, speed: 60 });
    await live.seed('victim', CUSTOMER, 20);
    await live.startWorker();
    const own = 'victim.test at mx.victim.test';
    const row = await until(
      () => live.siteNamed(own),
      (found) => found !== undefined,
    );
    expect(row).toMatchObject({ reason: 'connection_lost' });
    expect(await live.site('victim')).toBeUndefined();
    live.sink('victim').script = {};
    await live.whenSent(CUSTOMER);
    await until(
      () => live.siteNamed(own),
      (found) => found === undefined,
    );
    await until(
      () =>
        live.db.many(adHoc<{ site: string }>('SELECT site FROM site_domains WHERE delivered_at IS NOT NULL')),
      (rows) => rows[0]?.site === 'mx.victim.test',
    );
  });
});
