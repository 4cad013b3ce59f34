/** What receivers see of this machine: real lookups, against a DNS server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOST_CHECKS } from '../../src/doctor/checks.ts';
import type { DoctorFinding } from '../../src/doctor/finding.ts';
import { OUTSIDE } from '../../src/doctor/reference-servers.ts';
import { goLive } from '../../src/processes/going-live.ts';
import type { DnsZone } from '../support/dns-zone.ts';
import {
  ADDRESS,
  type DoctorRoom,
  HOST,
  openDoctorRoom,
  REVERSE,
  type RoomOptions,
} from './doctor-context.ts';

const WELL: DnsZone = {
  [HOST]: { A: [ADDRESS], TXT: ['v=spf1 a -all'] },
  [REVERSE]: { PTR: [HOST] },
};

let room: DoctorRoom;
beforeAll(async () => {
  room = await openDoctorRoom();
});
afterAll(() => room.stop());
afterEach(() => room.zone.replaceZone({}));

async function examineHost(surroundings: RoomOptions = {}): Promise<DoctorFinding[]> {
  return (await Promise.all(HOST_CHECKS.map((check) => room.find(check, surroundings)))).flat();
}

/** What is not as it should be: which check, how bad, what was seen, what fixes it. */
async function wrong(env: Record<string, string> = {}, leavesFrom: string | null = null) {
  const found = await examineHost({ env, outside: { leavesFrom: async () => leavesFrom } });
  return found
    .filter(({ level }) => level !== 'ok')
    .map(({ check, level, seen, fix }) => [check, level, seen, fix]);
}

describe('the sending host', () => {
  it('is well', async () => {
    room.zone.replaceZone(WELL);
    expect((await examineHost()).map(({ level, seen }) => `${level}: ${seen}`)).toEqual([
      `ok: ${HOST} is a public host name.`,
      `ok: ${HOST} has the address ${ADDRESS}.`,
      `ok: EHLO says ${HOST}, which has the address that mail is sent from.`,
      `ok: ${ADDRESS} and ${HOST} point to each other.`,
      `ok: The SPF record of ${HOST} is right: "v=spf1 a -all".`,
      'ok: Links in mail point to https://mail.host.example.',
    ]);
  });

  it.each(['vm', 'localhost', 'vm.local', 'app.internal', '10.0.0.1', 'box.localdomain'])(
    'has no name that the world knows: %s',
    async (name) => {
      room.zone.replaceZone(WELL);
      const [first, ...others] = await wrong({ POSTRIDER_HOSTNAME: name });
      expect(first).toEqual([
        'host_name',
        'bad',
        `The host name "${name}" is not fully qualified.`,
        'Set POSTRIDER_HOSTNAME to the public name of this machine, such as mail.example.org.',
      ]);
      expect(others.map(([check, level]) => [check, level])).toEqual([
        ['host_address', 'unknown'],
        ['ehlo_name', 'unknown'],
        ['reverse_dns', 'unknown'],
        ['host_spf', 'unknown'],
      ]);
    },
  );

  it('resolves to nothing', async () => {
    expect((await wrong({}, '8.8.8.8'))[0]).toEqual([
      'host_address',
      'bad',
      `The host name ${HOST} has no address in DNS.`,
      `Publish: ${HOST}. A 8.8.8.8, or set POSTRIDER_HOSTNAME to the name of this machine.`,
    ]);
  });

  it('is not judged where DNS does not answer', async () => {
    room.zone.replaceZone({ [HOST]: 'SERVFAIL' });
    const found = await wrong();
    expect(found.map(([check, level]) => [check, level])).toEqual([
      ['host_address', 'unknown'],
      ['ehlo_name', 'unknown'],
      ['reverse_dns', 'unknown'],
      ['host_spf', 'unknown'],
      ['public_url', 'unknown'],
    ]);
    expect(found[3]?.[2]).toContain('SERVFAIL');
  });

  it('sends from another address than its name has', async () => {
    room.zone.replaceZone(WELL);
    expect(await wrong({}, '8.8.8.8')).toEqual([
      [
        'host_address',
        'warn',
        `This machine sends from 8.8.8.8, and its mail is expected from ${ADDRESS}.`,
        `Publish: ${HOST}. A 8.8.8.8, or list all addresses in POSTRIDER_SENDING_ADDRESSES.`,
      ],
    ]);
    expect(await wrong({}, '10.0.0.7')).toEqual([]);
  });

  it.each([
    ['is missing', undefined, `${HOST} has no SPF record.`, `Publish: ${HOST}. TXT "v=spf1 a mx -all"`],
    [
      'is there twice',
      ['v=spf1 a -all', 'v=spf1 mx -all'],
      'has 2 SPF records',
      `Publish: ${HOST}. TXT "v=spf1 a mx -all"`,
    ],
    [
      'does not cover its address',
      ['v=spf1 ip4:8.8.8.8 -all'],
      `does not allow ${ADDRESS}`,
      `Add ip4:${ADDRESS} to it.`,
    ],
    ['names nobody', ['v=spf1 +all'], `does not allow ${ADDRESS}`, `Add ip4:${ADDRESS} to it.`],
    [
      'costs too much for those who include it',
      [`v=spf1 a ${Array.from({ length: 9 }, (_, n) => `a:h${n}.example`).join(' ')} -all`],
      'needs 10 DNS lookups, too many for records that include it',
      `Publish instead: ${HOST}. TXT "v=spf1 ip4:${ADDRESS} -all" If other machines send for this host, add their addresses with ip4: and ip6:, not their names.`,
    ],
  ])('has an SPF record that %s', async (_what, TXT, words, fix) => {
    room.zone.replaceZone({ ...WELL, [HOST]: { A: [ADDRESS], ...(TXT ? { TXT } : {}) } });
    expect(await wrong()).toEqual([['host_spf', 'bad', expect.stringContaining(words), fix]]);
  });

  it('has no reverse DNS, or one that does not lead back', async () => {
    const fix = `Ask the provider of the address to set its reverse DNS: ${REVERSE}. PTR ${HOST}.`;
    room.zone.replaceZone({ ...WELL, [REVERSE]: {} });
    expect(await wrong()).toEqual([['reverse_dns', 'bad', `${ADDRESS} has no reverse DNS (PTR).`, fix]]);
    const other = { [REVERSE]: { PTR: ['other.example'] }, 'other.example': { A: ['8.8.8.8'] } };
    room.zone.replaceZone({ ...WELL, ...other });
    const seen = `The reverse DNS of ${ADDRESS} says other.example, but this name does not resolve to the address.`;
    expect(await wrong()).toEqual([['reverse_dns', 'bad', seen, fix]]);
    room.zone.set('other.example', 'SERVFAIL');
    expect((await wrong()).map(([check, level]) => [check, level])).toEqual([['reverse_dns', 'unknown']]);
  });

  it('has other addresses, where they are configured', async () => {
    room.zone.replaceZone({
      ...WELL,
      '8.8.8.8.in-addr.arpa': { PTR: ['out.host.example'] },
      'out.host.example': { A: ['8.8.8.8'] },
    });
    expect(await wrong({ POSTRIDER_SENDING_ADDRESSES: '8.8.8.8' })).toEqual([
      ['ehlo_name', 'warn', expect.stringContaining('8.8.8.8'), `Publish: ${HOST}. A 8.8.8.8`],
      ['host_spf', 'bad', expect.any(String), 'Add ip4:8.8.8.8 to it.'],
    ]);
  });

  it('is not known by its address in a private network', async () => {
    room.zone.replaceZone({ [HOST]: { A: ['10.0.0.7'], TXT: ['v=spf1 a -all'] } });
    expect(await wrong()).toEqual([
      [
        'reverse_dns',
        'unknown',
        'No public address is known that mail is sent from, only 10.0.0.7.',
        'Set POSTRIDER_SENDING_ADDRESSES to the addresses that receivers see.',
      ],
    ]);
  });

  it('need not have reverse DNS behind a relay, whose address receivers see', async () => {
    room.zone.replaceZone({
      [HOST]: { A: [ADDRESS], TXT: ['v=spf1 include:relay.example -all'] },
      'relay.example': { TXT: ['v=spf1 ip4:8.8.8.8 -all'] },
    });
    const POSTRIDER_RELAY_URL = 'smtp://relay.example';
    expect((await wrong({ POSTRIDER_RELAY_URL })).map(([check, level]) => [check, level])).toEqual([
      ['reverse_dns', 'unknown'],
    ]);
    const some = await wrong({ POSTRIDER_RELAY_URL, POSTRIDER_RELAY_DOMAINS: 'a.example' });
    expect(some.map(([check, level]) => [check, level])).toEqual([
      ['reverse_dns', 'bad'],
      ['host_spf', 'bad'],
    ]);
  });

  it('has links that recipients cannot use', async () => {
    room.zone.replaceZone(WELL);
    expect(await wrong({ POSTRIDER_PUBLIC_URL: 'http://mail.host.example' })).toEqual([
      [
        'public_url',
        'warn',
        'POSTRIDER_PUBLIC_URL is http://mail.host.example, not https.',
        expect.stringContaining('Set POSTRIDER_PUBLIC_URL'),
      ],
    ]);
  });
});

describe('a live start', () => {
  const start = async (env: Record<string, string> = {}) => {
    const said: string[] = [];
    await goLive(
      room.config({ POSTRIDER_SECRET_KEY: 'k'.repeat(32), POSTRIDER_DATA_DIR: '/no/such/folder', ...env }),
      (line) => said.push(line),
    );
    return said;
  };

  it('is refused under a name that is not qualified or has no address', async () => {
    await expect(start({ POSTRIDER_HOSTNAME: 'vm' })).rejects.toThrow(
      /"vm" is not fully qualified.*Set POSTRIDER_HOSTNAME/,
    );
    await expect(start()).rejects.toThrow(/has no address in DNS.*npx postrider doctor/);
  });

  it('says what may be mended while it runs', async () => {
    room.zone.replaceZone({ [HOST]: { A: [ADDRESS] } });
    expect(await start({ POSTRIDER_PUBLIC_URL: 'http://localhost:3000' })).toEqual([
      expect.stringMatching(/^Problem: 8\.8\.4\.4 has no reverse DNS.* PTR mail\.host\.example\.$/),
      expect.stringMatching(/^Problem: .* has no SPF record\..*Publish: mail\.host\.example\. TXT /),
      expect.stringMatching(/^Warning: POSTRIDER_PUBLIC_URL is http:\/\/localhost:3000/),
    ]);
  });

  it('knocks at nobody else’s server', async () => {
    room.zone.replaceZone(WELL);
    room.zone.forgetQueries();
    expect(await start()).toEqual([expect.stringMatching(/^Warning: .*POSTRIDER_TRUST_PROXY is not set/)]);
    const asked = new Set(room.zone.queries.map(({ name }) => name));
    // Whether DNS answers at all is asked with a name that everybody knows.
    expect([...asked].sort()).toEqual([REVERSE, HOST, OUTSIDE.signedZone].sort());
  });

  it('goes on when DNS does not answer', async () => {
    room.zone.replaceZone({ [HOST]: 'SERVFAIL' });
    expect(await start({ POSTRIDER_TRUST_PROXY: '127.0.0.1' })).toEqual([]);
    room.zone.fail('SERVFAIL');
    expect(await start({ POSTRIDER_TRUST_PROXY: '127.0.0.1' })).toEqual([
      expect.stringMatching(/^Problem: No DNS server answers .*POSTRIDER_DNS_SERVERS/),
    ]);
    room.zone.fail(null);
  });

  it('is not refused behind a relay, nor in a private network, nor in the sandbox', async () => {
    room.zone.replaceZone(WELL);
    const env = { POSTRIDER_HOSTNAME: 'vm', POSTRIDER_TRUST_PROXY: '127.0.0.1' };
    expect(await start({ ...env, POSTRIDER_RELAY_URL: 'smtp://127.0.0.1:1025' })).toEqual([
      expect.stringContaining('"vm" is not fully qualified'),
    ]);
    expect(await start({ ...env, POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' })).toEqual([]);
    expect(await start({ ...env, POSTRIDER_MODE: 'sandbox' })).toEqual([]);
  });
});
