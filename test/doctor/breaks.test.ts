/**
 * A host that is well, of which one thing is broken at a time: what the doctor says of it, how bad that is and what fixes it; and
 * that nothing else is said to be wrong. All of it on loopback.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ALL_CHECKS } from '../../src/doctor/checks.ts';
import { examine } from '../../src/doctor/examine.ts';
import type { DoctorFinding, Level } from '../../src/doctor/finding.ts';
import { noteKeyCopy } from '../../src/doctor/machine/secret-key.ts';
import { OUTSIDE, type Outside } from '../../src/doctor/reference-servers.ts';
import { createResolver } from '../../src/protocols/dns/resolver.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { type DnsZone, type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { DEFAULT_CAPABILITIES, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../support/test-certificate.ts';
import { startTimeServer, type TimeServer } from '../support/time-server.ts';
import { ADDRESS, HOST, REVERSE } from './doctor-context.ts';

/** Nothing listens at this address of loopback. */
const NOBODY = '127.0.0.9';
const LINKS = 'links.host.example';
const KEY = 'k'.repeat(43);
/** What needs neither a database nor a server over https. */
const EXAMINED = [
  ...['dns', 'host_name', 'host_address', 'ehlo_name', 'reverse_dns', 'host_spf', 'public_url', 'dnssec'],
  ...['outbound_smtp', 'relay', 'inbound_smtp', 'mta_sts', 'blocklists', 'certificate', 'proxy', 'clock'],
  'secret_key',
];
const CHECKS = ALL_CHECKS.filter(({ name }) => EXAMINED.includes(name));

const WELL: DnsZone = {
  [HOST]: { A: [ADDRESS], TXT: ['v=spf1 a -all'], MX: [[10, 'mx.host.example']] },
  [REVERSE]: { PTR: [HOST] },
  [LINKS]: { A: ['127.0.0.1'] },
  'mx.host.example': { A: ['127.0.0.1'] },
  'everybody.example': { MX: [[10, 'mx.everybody.example']] },
  'mx.everybody.example': { A: ['127.0.0.1'] },
  '2.0.0.127.first.test': { A: ['127.0.0.2'] },
  '2.0.0.127.second.test': { A: ['127.0.0.2'] },
  'time.example': { A: ['127.0.0.1'] },
};

let zone: DnsZoneServer;
let time: TimeServer;
const sinks: Record<string, SmtpSink> = {};
let folder: string;
beforeAll(async () => {
  [zone, time] = await Promise.all([startDnsZone(), startTimeServer()]);
  const banners = {
    receiver: '220 mx.everybody.example ready',
    between: '220 proxy.example ready',
    refusing: '554 5.7.1 Your address is blocked',
    ours: `220 ${HOST} ready`,
  };
  for (const [name, banner] of Object.entries(banners))
    sinks[name] = await startSmtpSink({
      capabilities: [...DEFAULT_CAPABILITIES, 'STARTTLS'],
      script: { banner },
    });
  folder = mkdtempSync(join(tmpdir(), 'postrider-breaks-'));
  writeFileSync(join(folder, 'cert.pem'), TEST_CERTIFICATE);
  writeFileSync(join(folder, 'key.pem'), TEST_CERTIFICATE_KEY);
});
afterAll(async () => {
  await Promise.all([zone.stop(), ...Object.values(sinks).map((sink) => sink.close())]);
  time.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  zone.fail(null);
  zone.replaceZone(WELL);
  time.aheadMs = 0;
  rmSync(dataDir(), { recursive: true, force: true });
  mkdirSync(dataDir());
  writeFileSync(keyFile(), `${KEY}\n`, { mode: 0o600 });
  await noteKeyCopy({ secretKey: undefined, moreSecretKeys: undefined, dataDir: dataDir() }, KEY);
});

const dataDir = (): string => join(folder, 'data');
const keyFile = (): string => join(dataDir(), 'secret-key');
const portOf = (name: string): number => sinks[name]?.port ?? 0;

async function examineHost({ env, outside }: Partial<Break> = {}): Promise<DoctorFinding[]> {
  const config = parseConfig({
    POSTRIDER_MODE: 'live',
    POSTRIDER_HOSTNAME: HOST,
    POSTRIDER_PUBLIC_URL: `https://${LINKS}`,
    POSTRIDER_TRUST_PROXY: '127.0.0.1',
    POSTRIDER_DNS_SERVERS: zone.address,
    POSTRIDER_MX_PORT: String(portOf('receiver')),
    POSTRIDER_DATA_DIR: dataDir(),
    ...env?.(),
  });
  const resolver = createResolver({
    clock: systemClock,
    servers: config.dnsServers,
    timeoutMs: 20_000,
    tries: 1,
  });
  const list = (name: string, weight: 'bad' | 'warn') => ({
    ...{ name, weight, zone: `${name.toLowerCase()}.test`, hasIPv6: false },
    removal: `https://${name.toLowerCase()}.test/remove`,
  });
  try {
    return await examine(
      {
        ...{ config, clock: systemClock, resolver, db: 'there is none.', folders: [] },
        outside: {
          ...OUTSIDE,
          receivers: [{ name: 'Everybody', domain: 'everybody.example', greetsWith: 'everybody.example' }],
          blocklists: [list('First', 'bad'), list('Second', 'warn')],
          signedZone: 'signed.example',
          forgedName: 'forged.example',
          timeServers: ['time.example'],
          timePort: time.port,
          inboundPort: portOf('ours'),
          leavesFrom: async () => null,
          machineMaker: async () => null,
          ...outside?.(),
        },
      },
      CHECKS,
    );
  } finally {
    resolver.close();
  }
}

const wrongIn = (findings: readonly DoctorFinding[]) => findings.filter(({ level }) => level !== 'ok');

interface Break {
  readonly what: string;
  readonly zone?: DnsZone;
  readonly env?: () => Readonly<Record<string, string>>;
  readonly outside?: () => Partial<Outside>;
  readonly make?: () => void;
  /** The finding about it: of which check, how bad, and words of what was seen and of what fixes it. */
  readonly found: readonly [check: string, level: Level, seen: string, fix: string | null];
  /** Checks that cannot find out anything because of it, and say so. */
  readonly unknown?: readonly string[];
}

const ofHost = (records: object): DnsZone => ({ [HOST]: { ...(WELL[HOST] as object), ...records } });
const BY_RELAY = ['reverse_dns', 'outbound_smtp', 'blocklists'];
const OWN_RESOLVER = 'POSTRIDER_DNS_SERVERS=127.0.0.1';

const BREAKS: readonly Break[] = [
  {
    what: 'the DNS server does not run',
    env: () => ({ POSTRIDER_DNS_SERVERS: `${NOBODY}:1` }),
    found: [
      'dns',
      'bad',
      `No DNS server answers (POSTRIDER_DNS_SERVERS): ${NOBODY}:1 `,
      'Start that resolver',
    ],
  },
  {
    what: 'the DNS server fails at everything',
    make: () => zone.fail('SERVFAIL'),
    found: ['dns', 'bad', 'answers SERVFAIL to every question', 'Start that resolver'],
  },
  {
    what: 'the DNS server refuses this machine',
    make: () => zone.fail('REFUSED'),
    found: ['dns', 'bad', 'refuses to answer this machine', 'set POSTRIDER_DNS_SERVERS to one that answers'],
  },
  {
    what: 'one of two DNS servers does not run',
    env: () => ({ POSTRIDER_DNS_SERVERS: `${zone.address},${NOBODY}:1` }),
    found: ['dns', 'warn', `A DNS server fails (POSTRIDER_DNS_SERVERS): ${NOBODY}:1 `, 'Start that resolver'],
  },
  {
    what: 'the host name is not public',
    env: () => ({ POSTRIDER_HOSTNAME: 'vm' }),
    found: ['host_name', 'bad', '"vm" is not fully qualified', 'Set POSTRIDER_HOSTNAME to the public name'],
    unknown: [
      'host_address',
      'ehlo_name',
      'reverse_dns',
      'host_spf',
      'inbound_smtp',
      'mta_sts',
      'blocklists',
    ],
  },
  {
    what: 'the host name has no address',
    zone: { [HOST]: { TXT: ['v=spf1 a -all'], MX: [[10, 'mx.host.example']] } },
    found: ['host_address', 'bad', 'has no address in DNS', `Publish: ${HOST}. A `],
    unknown: ['ehlo_name', 'reverse_dns', 'host_spf', 'blocklists'],
  },
  {
    what: 'mail leaves from an address that nobody expects',
    outside: () => ({ leavesFrom: async () => '8.8.8.8' }),
    found: [
      'host_address',
      'warn',
      `sends from 8.8.8.8, and its mail is expected from ${ADDRESS}`,
      'A 8.8.8.8',
    ],
  },
  {
    what: 'EHLO says a name that does not have the address',
    zone: {
      ...ofHost({ TXT: ['v=spf1 ip4:8.8.8.8 -all'] }),
      '8.8.8.8.in-addr.arpa': { PTR: ['out.example'] },
      'out.example': { A: ['8.8.8.8'] },
    },
    env: () => ({ POSTRIDER_SENDING_ADDRESSES: '8.8.8.8' }),
    found: ['ehlo_name', 'warn', 'does not have the address 8.8.8.8', `Publish: ${HOST}. A 8.8.8.8`],
  },
  {
    what: 'the address has no reverse DNS',
    zone: { [REVERSE]: {} },
    found: ['reverse_dns', 'bad', 'has no reverse DNS', `${REVERSE}. PTR ${HOST}.`],
  },
  {
    what: 'the reverse DNS leads elsewhere',
    zone: { [REVERSE]: { PTR: ['other.example'] }, 'other.example': { A: ['8.8.8.8'] } },
    found: [
      'reverse_dns',
      'bad',
      'other.example, but this name does not resolve',
      `${REVERSE}. PTR ${HOST}.`,
    ],
  },
  {
    what: 'the host has no SPF record',
    zone: ofHost({ TXT: [] }),
    found: ['host_spf', 'bad', 'has no SPF record', 'TXT "v=spf1 a mx -all"'],
  },
  {
    what: 'the host has two SPF records',
    zone: ofHost({ TXT: ['v=spf1 a -all', 'v=spf1 mx -all'] }),
    found: ['host_spf', 'bad', 'has 2 SPF records', 'TXT "v=spf1 a mx -all"'],
  },
  {
    what: 'the SPF record of the host has an error',
    zone: ofHost({ TXT: ['v=spf1 adress -all'] }),
    found: ['host_spf', 'bad', 'has an error at "adress"', 'TXT "v=spf1 a mx -all"'],
  },
  {
    what: 'the SPF record of the host does not cover its address',
    zone: ofHost({ TXT: ['v=spf1 ip4:8.8.8.8 -all'] }),
    found: ['host_spf', 'bad', `does not allow ${ADDRESS}`, `Add ip4:${ADDRESS} to it.`],
  },
  {
    what: 'the SPF record of the host needs too many lookups',
    zone: ofHost({ TXT: [`v=spf1 a ${'mx '.repeat(9)}-all`] }),
    found: ['host_spf', 'bad', 'needs 10 DNS lookups', `TXT "v=spf1 ip4:${ADDRESS} -all"`],
  },
  {
    what: 'the SPF record of the host cannot be had',
    zone: ofHost({ TXT: 'SERVFAIL' }),
    found: ['host_spf', 'unknown', `DNS could not answer for ${HOST} (SERVFAIL)`, null],
  },
  {
    what: 'the public URL is that of this machine alone',
    env: () => ({ POSTRIDER_PUBLIC_URL: 'http://localhost:3000' }),
    found: ['public_url', 'warn', 'which nobody else can reach', 'Set POSTRIDER_PUBLIC_URL'],
  },
  {
    what: 'the public URL is not https',
    env: () => ({ POSTRIDER_PUBLIC_URL: `http://${LINKS}` }),
    found: ['public_url', 'warn', 'not https', 'Set POSTRIDER_PUBLIC_URL'],
  },
  {
    what: 'the name in the public URL does not exist',
    env: () => ({ POSTRIDER_PUBLIC_URL: 'https://nowhere.example' }),
    found: ['public_url', 'bad', 'nowhere.example does not exist in DNS', 'Publish: nowhere.example. A '],
  },
  {
    what: 'the name in the public URL has no address',
    zone: { [LINKS]: { TXT: ['hello'] } },
    found: ['public_url', 'bad', `${LINKS} has no address in DNS`, `Publish: ${LINKS}. A `],
  },
  {
    what: 'DNS does not say where the public URL leads',
    zone: { [LINKS]: 'SERVFAIL' },
    found: ['public_url', 'unknown', `DNS could not answer for ${LINKS}`, null],
  },
  {
    what: 'the DNS servers do not validate, and DANE is wanted',
    env: () => ({ POSTRIDER_DANE: 'true' }),
    found: ['dnssec', 'warn', 'do not report DNSSEC validation', OWN_RESOLVER],
  },
  {
    what: 'the DNS servers believe wrong signatures',
    zone: { 'signed.example': { secure: true }, 'forged.example': { A: ['127.0.0.1'], secure: true } },
    found: ['dnssec', 'bad', 'return answers with wrong signatures', 'POSTRIDER_DANE=false'],
  },
  {
    what: 'port 25 is blocked',
    zone: { 'mx.everybody.example': { A: [NOBODY] } },
    found: ['outbound_smtp', 'bad', 'No mail host answers on port', 'open outbound TCP port 25'],
  },
  {
    what: 'somebody in between answers on port 25',
    env: () => ({ POSTRIDER_MX_PORT: String(portOf('between')) }),
    found: ['outbound_smtp', 'bad', 'Another server answers', 'open outbound TCP port 25'],
  },
  {
    what: 'a big receiver refuses this machine',
    env: () => ({ POSTRIDER_MX_PORT: String(portOf('refusing')) }),
    found: ['outbound_smtp', 'bad', 'refuses this machine: "554 5.7.1 Your address is blocked"', ''],
  },
  {
    what: 'a big receiver is not found in DNS',
    zone: { 'everybody.example': 'SERVFAIL' },
    found: ['outbound_smtp', 'unknown', 'Everybody was not tried', null],
  },
  {
    what: 'the relay does not run',
    env: () => ({ POSTRIDER_RELAY_URL: `smtp://${NOBODY}:1` }),
    found: ['relay', 'bad', `The relay ${NOBODY}:1 cannot be used`, 'Check POSTRIDER_RELAY_URL'],
    unknown: BY_RELAY,
  },
  {
    what: 'the relay does not exist',
    env: () => ({ POSTRIDER_RELAY_URL: 'smtp://relay.nowhere.example:587' }),
    found: ['relay', 'bad', 'relay.nowhere.example', 'Check POSTRIDER_RELAY_URL'],
    unknown: BY_RELAY,
  },
  {
    what: 'DNS does not say where the relay is',
    zone: { 'relay.example': 'SERVFAIL' },
    env: () => ({ POSTRIDER_RELAY_URL: 'smtp://relay.example:587' }),
    found: ['relay', 'unknown', 'The relay relay.example was not checked', null],
    unknown: BY_RELAY,
  },
  {
    what: 'the host says that it takes no mail',
    zone: ofHost({ MX: [[0, '.']] }),
    found: ['inbound_smtp', 'bad', 'null MX', `Publish: ${HOST}. MX 10 ${HOST}.`],
  },
  {
    what: 'nothing listens where bounces come in',
    zone: { 'mx.host.example': { A: [NOBODY] } },
    found: ['inbound_smtp', 'bad', 'Nothing listens at mx.host.example', 'open it in the firewall'],
  },
  {
    what: 'another server answers where bounces come in',
    outside: () => ({ inboundPort: portOf('between') }),
    found: ['inbound_smtp', 'bad', 'Another server answers', `Publish: ${HOST}. MX 10 ${HOST}.`],
  },
  {
    what: 'DNS does not say where bounces come in',
    zone: { 'mx.host.example': 'SERVFAIL' },
    found: ['inbound_smtp', 'unknown', 'DNS could not answer for mx.host.example', null],
  },
  {
    what: 'a policy is announced that there is not',
    zone: { [`_mta-sts.${HOST}`]: { TXT: ['v=STSv1; id=20260101'] } },
    found: ['mta_sts', 'warn', 'announces an MTA-STS policy', 'or withdraw it: Publish:'],
  },
  {
    what: 'the address is on a list that many use',
    zone: { '4.4.8.8.first.test': { A: ['127.0.0.4'] } },
    found: ['blocklists', 'bad', `${ADDRESS} is listed by First`, 'https://first.test/remove'],
  },
  {
    what: 'the address is on a list that few use',
    zone: { '4.4.8.8.second.test': { A: ['127.0.0.4'] } },
    found: ['blocklists', 'warn', `${ADDRESS} is listed by Second`, 'https://second.test/remove'],
  },
  {
    what: 'a list does not answer public resolvers',
    zone: { '2.0.0.127.first.test': { A: ['127.255.255.254'] } },
    found: ['blocklists', 'unknown', 'the list refuses queries', OWN_RESOLVER],
  },
  {
    what: 'the certificate is for another name',
    env: () => ({
      POSTRIDER_INBOUND_TLS_CERT: join(folder, 'cert.pem'),
      POSTRIDER_INBOUND_TLS_KEY: join(folder, 'key.pem'),
    }),
    found: ['certificate', 'warn', `not to ${HOST}`, `certbot certonly -d ${HOST}`],
  },
  {
    what: 'the certificate is not there',
    env: () => ({
      POSTRIDER_INBOUND_TLS_CERT: join(folder, 'gone.pem'),
      POSTRIDER_INBOUND_TLS_KEY: join(folder, 'key.pem'),
    }),
    found: ['certificate', 'unknown', 'gone.pem cannot be read', 'correct the path'],
  },
  {
    what: 'a proxy is not believed',
    env: () => ({ POSTRIDER_TRUST_PROXY: 'false' }),
    found: ['proxy', 'warn', 'POSTRIDER_TRUST_PROXY is not set', 'Set POSTRIDER_TRUST_PROXY'],
  },
  {
    what: 'everybody is believed to be a proxy',
    env: () => ({ POSTRIDER_TRUST_PROXY: 'true', POSTRIDER_HOST: '0.0.0.0' }),
    found: ['proxy', 'warn', 'trusted from every client', 'POSTRIDER_HOST=127.0.0.1'],
  },
  {
    what: 'the clock is an hour slow',
    make: () => {
      time.aheadMs = 3_600_000;
    },
    found: ['clock', 'bad', 'is 60 minutes slow', 'timedatectl set-ntp true'],
  },
  {
    what: 'no time server answers',
    make: () => {
      time.aheadMs = null;
    },
    outside: () => ({ timeoutMs: 500 }),
    found: ['clock', 'unknown', 'UDP port 123 may be closed', 'timedatectl'],
  },
  {
    what: 'DNS does not know the time servers',
    zone: { 'time.example': 'SERVFAIL' },
    found: [
      'clock',
      'unknown',
      'No time server was asked: DNS gave no address for time.example',
      'timedatectl',
    ],
  },
  {
    what: 'others can read the secret key',
    make: () => chmodSync(keyFile(), 0o644),
    found: ['secret_key', 'bad', 'Other users can read', 'chmod 600'],
  },
  {
    what: 'no copy of the secret key is known',
    make: () => writeFileSync(keyFile(), `${'n'.repeat(43)}\n`),
    found: ['secret_key', 'warn', 'No copy of the secret key', 'doctor --key-copy FILE'],
  },
];

it('a host that is well has nothing that is wrong', async () => {
  expect(wrongIn(await examineHost())).toEqual([]);
});

it('more than thirty things can break', () => {
  expect(BREAKS.length).toBeGreaterThan(30);
});

it.each(BREAKS)('is told when $what', async (one) => {
  one.make?.();
  zone.replaceZone({ ...WELL, ...one.zone });
  const wrong = wrongIn(await examineHost(one));
  const [check, level, seen, fix] = one.found;
  const [found, ...others] = wrong.filter((finding) => finding.check === check);
  expect(found, JSON.stringify(wrong)).toMatchObject({
    level,
    seen: expect.stringContaining(seen),
    fix: fix === null ? null : expect.stringContaining(fix),
  });
  expect(others).toEqual([]);
  const besides = wrong.filter((finding) => finding.check !== check);
  expect(besides.map((finding) => [finding.check, finding.level])).toEqual(
    (one.unknown ?? []).map((name) => [name, 'unknown']),
  );
});

it('a DNS that is down is one finding, which names what was not examined', async () => {
  zone.fail('SERVFAIL');
  const [found, ...others] = wrongIn(await examineHost());
  expect(others).toEqual([]);
  for (const name of ['host_address', 'reverse_dns', 'public_url', 'outbound_smtp', 'blocklists', 'clock'])
    expect(found?.seen).toContain(name);
});
