/** What is found out about the machine that sends: real lookups, against a DNS server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkSendingHost, type HostFinding } from '../../src/domains/sending-host/check.ts';
import { createResolver, type Resolver } from '../../src/kit/dns/resolver.ts';
import { systemClock } from '../../src/kit/runtime/clock.ts';
import { parseConfig } from '../../src/kit/runtime/config.ts';
import { goLive, inspectSendingHost } from '../../src/processes/going-live.ts';
import { type DnsZone, type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';

const HOST = 'mail.host.example';
/** Nobody talks to it: the only DNS that is asked is on loopback. */
const ADDRESS = '8.8.4.4';
const REVERSE = '4.4.8.8.in-addr.arpa';
const WELL: DnsZone = {
  [HOST]: { A: [ADDRESS], TXT: ['v=spf1 a -all'] },
  [REVERSE]: { PTR: [HOST] },
};

let zone: DnsZoneServer;
let resolver: Resolver;
beforeAll(async () => {
  zone = await startDnsZone();
  resolver = createResolver({ clock: systemClock, servers: [zone.address], timeoutMs: 1_500, tries: 1 });
});
afterAll(async () => {
  resolver.close();
  await zone.stop();
});
afterEach(() => zone.replaceZone({}));

const configOf = (env: Record<string, string> = {}) =>
  parseConfig({
    POSTRIDER_MODE: 'live',
    POSTRIDER_HOSTNAME: HOST,
    POSTRIDER_PUBLIC_URL: 'https://mail.host.example',
    POSTRIDER_DNS_SERVERS: zone.address,
    ...env,
  });

/** What is not as it should be, with what is said of it. */
async function wrong(
  env: Record<string, string> = {},
  leavesFrom: string | null = null,
): Promise<string[][]> {
  const findings = await checkSendingHost(resolver, configOf(env), leavesFrom);
  return findings
    .filter(({ status }) => status !== 'pass')
    .map(({ about, status, message }: HostFinding) => [about, status, message]);
}

describe('the sending host', () => {
  it('is well', async () => {
    zone.replaceZone(WELL);
    expect(await wrong()).toEqual([]);
    expect((await inspectSendingHost(configOf())).map(({ about }) => about)).toEqual([
      'name',
      'address',
      'spf',
      'reverse_dns',
      'public_url',
    ]);
  });

  it.each(['vm', 'localhost', 'vm.local', 'app.internal', '10.0.0.1', 'box.localdomain'])(
    'has no name that the world knows: %s',
    async (name) => {
      expect(await wrong({ POSTRIDER_HOSTNAME: name })).toEqual([
        [
          'name',
          'fail',
          expect.stringContaining('Set POSTRIDER_HOSTNAME to the public name of this machine'),
        ],
      ]);
    },
  );

  it('resolves to nothing', async () => {
    const found = await wrong();
    expect(found[0]).toEqual([
      'address',
      'fail',
      `The host name ${HOST} has no address in DNS: receivers refuse it, and bounces cannot come back. Publish an A record for it, or set POSTRIDER_HOSTNAME to the name of this machine.`,
    ]);
  });

  it('is not judged where DNS does not answer', async () => {
    zone.replaceZone({ [HOST]: 'SERVFAIL' });
    expect((await wrong()).map(([about, status]) => [about, status])).toEqual([
      ['address', 'unknown'],
      ['spf', 'unknown'],
    ]);
  });

  it('sends from another address than its name has', async () => {
    zone.replaceZone(WELL);
    expect(await wrong({}, '8.8.8.8')).toEqual([
      ['address', 'warn', expect.stringContaining('This machine sends from 8.8.8.8')],
    ]);
    expect(await wrong({}, '10.0.0.7')).toEqual([]);
  });

  it.each([
    ['is missing', undefined, 'needs exactly one valid SPF record'],
    ['does not cover its address', ['v=spf1 ip4:8.8.8.8 -all'], `does not allow ${ADDRESS}`],
    ['names nobody', ['v=spf1 +all'], `does not allow ${ADDRESS}`],
    [
      'costs too much for those who include it',
      [`v=spf1 a ${Array.from({ length: 9 }, (_, n) => `a:h${n}.example`).join(' ')} -all`],
      'needs 10 DNS lookups, too many for records that include it',
    ],
  ])('has an SPF record that %s', async (_what, TXT, words) => {
    zone.replaceZone({ ...WELL, [HOST]: { A: [ADDRESS], ...(TXT ? { TXT } : {}) } });
    expect(await wrong()).toEqual([['spf', 'fail', expect.stringContaining(words)]]);
  });

  it('has no reverse DNS, or one that does not lead back', async () => {
    zone.replaceZone({ ...WELL, [REVERSE]: {} });
    expect(await wrong()).toEqual([
      ['reverse_dns', 'fail', expect.stringContaining(`${ADDRESS} has no reverse DNS`)],
    ]);
    zone.replaceZone({ ...WELL, [REVERSE]: { PTR: ['other.example'] }, 'other.example': { A: ['8.8.8.8'] } });
    expect(await wrong()).toEqual([
      [
        'reverse_dns',
        'fail',
        expect.stringContaining(
          `The reverse DNS of ${ADDRESS} says other.example, which does not point back`,
        ),
      ],
    ]);
  });

  it('has other addresses, where they are configured', async () => {
    zone.replaceZone({
      ...WELL,
      '8.8.8.8.in-addr.arpa': { PTR: ['out.host.example'] },
      'out.host.example': { A: ['8.8.8.8'] },
    });
    expect(await wrong({ POSTRIDER_SENDING_ADDRESSES: '8.8.8.8' })).toEqual([
      ['spf', 'fail', expect.stringContaining('Add ip4:8.8.8.8 to it.')],
    ]);
  });

  it('need not have reverse DNS behind a relay, whose address receivers see', async () => {
    zone.replaceZone({
      [HOST]: { A: [ADDRESS], TXT: ['v=spf1 include:relay.example -all'] },
      'relay.example': { TXT: ['v=spf1 ip4:8.8.8.8 -all'] },
    });
    expect(await wrong({ POSTRIDER_RELAY_URL: 'smtp://relay.example' })).toEqual([]);
    expect(
      (
        await wrong({ POSTRIDER_RELAY_URL: 'smtp://relay.example', POSTRIDER_RELAY_DOMAINS: 'a.example' })
      ).map(([about]) => about),
    ).toEqual(['spf', 'reverse_dns']);
  });

  it('has links that recipients cannot use', async () => {
    zone.replaceZone(WELL);
    expect(await wrong({ POSTRIDER_PUBLIC_URL: 'http://mail.host.example' })).toEqual([
      [
        'public_url',
        'warn',
        expect.stringContaining('Opens are not tracked and mail carries no unsubscribe links'),
      ],
    ]);
  });
});

describe('a live start', () => {
  const start = async (env: Record<string, string> = {}) => {
    const said: string[] = [];
    await goLive(configOf(env), (line) => said.push(line));
    return said;
  };

  it('is refused under a name that is not qualified or has no address', async () => {
    await expect(start({ POSTRIDER_HOSTNAME: 'vm' })).rejects.toThrow(
      /"vm" is not fully qualified.*Set POSTRIDER_HOSTNAME/,
    );
    await expect(start()).rejects.toThrow(/has no address in DNS.*npx postrider doctor/);
  });

  it('warns of what may be mended while it runs', async () => {
    zone.replaceZone({ [HOST]: { A: [ADDRESS] } });
    const said = await start({ POSTRIDER_PUBLIC_URL: 'http://localhost:3000' });
    expect(said).toEqual([
      expect.stringMatching(/^Warning: .* needs exactly one valid SPF record/),
      expect.stringMatching(/^Warning: .* has no reverse DNS/),
      expect.stringMatching(/^Warning: POSTRIDER_PUBLIC_URL is http:\/\/localhost:3000/),
    ]);
  });

  it('goes on when DNS does not answer', async () => {
    zone.replaceZone({ [HOST]: 'SERVFAIL' });
    expect(await start()).toEqual([]);
  });

  it('is not refused behind a relay, nor in a private network, nor in the sandbox', async () => {
    const POSTRIDER_HOSTNAME = 'vm';
    expect(await start({ POSTRIDER_HOSTNAME, POSTRIDER_RELAY_URL: 'smtp://127.0.0.1:1025' })).toEqual([
      expect.stringContaining('"vm" is not fully qualified'),
    ]);
    expect(await start({ POSTRIDER_HOSTNAME, POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' })).toEqual([]);
    expect(await start({ POSTRIDER_HOSTNAME, POSTRIDER_MODE: 'sandbox' })).toEqual([]);
  });
});
