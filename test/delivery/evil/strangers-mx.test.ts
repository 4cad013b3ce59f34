/** Domains whose MX records name somebody else's mail hosts cannot change how others are delivered to there. */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { adHoc } from '../../../src/database/sql.ts';
import { newId } from '../../../src/runtime/ids.ts';
import { startDeafHost } from '../../support/deaf-host.ts';
import {
  agree,
  drop,
  fakeTls,
  type SinkMoment,
  type SinkScript,
  type SmtpSink,
} from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { Live, type LiveEvent, type LiveOptions } from '../live.ts';

type Sinks = Readonly<Record<string, SmtpSink>>;

const HOSTILE = Array.from({ length: 10 }, (_, i) => `hostile${i}`);
const ATTACKER = newId('org');
const CUSTOMER = newId('org');

let live: Live;
afterEach(() => live.stop());

const atVictim = () =>
  Object.fromEntries(HOSTILE.map((name) => [`${name}.test`, { MX: [[10, 'mx.victim.test']] as const }]));

/** The victim was delivered to before, unless said otherwise; ten domains of the attacker point at its host. */
async function attack(
  script: SinkScript,
  domains = HOSTILE.length,
  more: { delivered?: Record<string, string> } = {},
): Promise<void> {
  live = await Live.start({
    sites: { victim: script },
    zone: atVictim,
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
    ['with a failure of the host', { rcpt: '452 4.3.1 insufficient system storage' }],
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
  it('is believed to fail when several domains say so', async () => {
    await attack({ rcpt: '450 4.7.0 rate limited, slow down' }, 3, { delivered: {} });
    const site = await until(
      () => live.site('victim'),
      (row) => row !== undefined,
    );
    expect(site).toMatchObject({ slow: { reason: 'rate_limited' } });
  });
});

/** Mail for the attacker's domains hangs at RCPT until it is let go; all other mail is taken. */
function tarpit(): { script: SinkScript; release: () => void; held: () => number } {
  let held = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const rcpt = async ({ line }: SinkMoment) => {
    if (!line.includes('@hostile')) return agree();
    held += 1;
    await released;
    return '450 4.2.0 try later';
  };
  return { script: { rcpt }, release, held: () => held };
}

describe('a host that holds mail for strangers, before any of it has failed', () => {
  it('has one connection for each of them', async () => {
    const { script, release, held } = tarpit();
    live = await Live.start({
      sites: { victim: script },
      zone: () => ({ ...atVictim(), 'new.test': { MX: [[10, 'mx.victim.test']] } }),
    });
    await live.seed('hostile0', ATTACKER, 40);
    await live.startWorker();
    await until(
      async () => held(),
      (count) => count > 0,
    );
    await live.seed('victim', CUSTOMER, 30);
    await live.seed('new', CUSTOMER, 10);
    await live.whenSent(CUSTOMER);
    expect(held()).toBe(1);
    release();
  });

  it('keeps half of its connections for those it serves, however many the strangers are', async () => {
    const { script, release, held } = tarpit();
    live = await Live.start({ sites: { victim: script }, zone: atVictim });
    for (const name of HOSTILE) await live.seed(name, ATTACKER, 8);
    await live.startWorker();
    await until(
      async () => held(),
      (count) => count >= 5,
    );
    await live.seed('victim', CUSTOMER, 30);
    await live.whenSent(CUSTOMER);
    expect(held()).toBe(5);
    release();
  });
});

describe('strangers with a bad host below a provider’s own names cannot change how its other domains are served', () => {
  /** The hosts of the others, and below them one of the attacker's choosing. */
  async function attackBelow(
    provider: string,
    host: string,
    bad: (sinks: Sinks) => string,
    more: Partial<LiveOptions>,
  ) {
    live = await Live.start({
      sites: { victim: {} },
      zone: (sinks) => ({
        ...Object.fromEntries(
          HOSTILE.map((name) => [`${name}.test`, { MX: [[10, `bad.${host}`]] as const }]),
        ),
        'victim.test': { MX: [[10, host]] },
        [host]: { A: [sinks.victim?.address ?? ''] },
        [`bad.${host}`]: { A: [bad(sinks)] },
      }),
      delivered: { 'victim.test': provider },
      ...more,
    });
    for (const name of HOSTILE) await live.seed(name, ATTACKER, 4);
    await live.startWorker();
    const failed = until(
      () => live.events(ATTACKER),
      (events) => deferredDomains(events).size >= 4,
    );
    await live.seed('victim', CUSTOMER, 10);
    await live.whenSent(CUSTOMER);
    const reasons = new Set((await failed).filter((one) => one.type === 'deferred').map((one) => one.reason));
    expect(await live.siteNamed(provider)).toBeUndefined();
    expect((await live.events(CUSTOMER)).filter((one) => one.type === 'deferred')).toEqual([]);
    return [...reasons];
  }

  it('where it does not answer', async () => {
    const deaf = await startDeafHost('127.0.0.77');
    onTestFinished(() => deaf.stop());
    expect(
      await attackBelow('orange', 'smtp-in.orange.fr', () => deaf.address, {
        port: deaf.port,
        deadlines: { connectMs: 300, bannerMs: 300 },
      }),
    ).toEqual(['connection_timed_out']);
  });

  it('where TLS fails', async () => {
    expect(
      await attackBelow('google', 'aspmx.l.google.com', ({ broken }) => broken?.address ?? '', {
        sites: { victim: {}, broken: { starttls: fakeTls('500 what is this\r\n') } },
        capabilities: ['PIPELINING', 'STARTTLS'],
      }),
    ).toEqual(['tls_failed']);
  });
});

describe('a site that waits because strangers said so', () => {
  it.each<[string, SinkScript]>([
    ['without an answer', { banner: drop() }],
    ['with a request for less', { rcpt: '450 4.7.0 rate limited, slow down' }],
  ])(
    'is soon retried by the remaining domains, %s, and is open after the first success',
    async (_, script) => {
      live = await Live.start({ sites: { victim: script }, zone: atVictim, delivered: {}, speed: 60 });
      for (const name of HOSTILE.slice(0, 4)) await live.seed(name, ATTACKER, 8);
      await live.startWorker();
      await until(
        () => live.site('victim'),
        (row) => row !== undefined,
      );
      // Only one of those that failed has mail left.
      await live.db.transaction(async (tx) => {
        await tx.exec(adHoc('LOCK TABLE outbox')); // all of it at once: the worker takes rows in another order
        await tx.exec(adHoc(`DELETE FROM outbox WHERE domain <> $1`), [`${HOSTILE[0]}.test`]);
      });
      live.sink('victim').script = {};
      await until(
        async () => live.sink('victim').messageCount,
        (count) => count > 0,
      );
      await until(
        () => live.site('victim'),
        (row) => row === undefined,
      );
      await live.whenSent();
    },
  );
});

describe('a domain that was never delivered to', () => {
  it('is set apart when it fails, and back among the others when it is delivered to', async () => {
    live = await Live.start({ sites: { victim: { banner: drop() } }, delivered: {}, speed: 60 });
    await live.seed('victim', CUSTOMER, 20);
    await live.startWorker();
    const own = 'victim.test at mx.victim.test';
    const row = await until(
      () => live.siteNamed(own),
      (found) => found !== undefined,
    );
    expect(row).toMatchObject({ block: { reason: 'connection_lost' } });
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
