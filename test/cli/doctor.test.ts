/** `npx postrider doctor`, whole: against a DNS server and mail hosts on loopback, and a real database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOCKLISTS } from '../../src/doctor/blocklists/lists.ts';
import type { DoctorFinding } from '../../src/doctor/finding.ts';
import { register } from '../../src/outbox/lease.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DnsZone, type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { startInbound, type TestInbound } from '../support/inbound.ts';
import { DEFAULT_CAPABILITIES, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const HOST = 'mail.host.example';
const ADDRESS = '8.8.4.4';
const KEY = 'k'.repeat(43);

let zone: DnsZoneServer;
let google: SmtpSink;
let database: TestDatabase;
let inbound: TestInbound;
let folder: string;
beforeAll(async () => {
  zone = await startDnsZone(zoneOf());
  google = await startSmtpSink({
    capabilities: [...DEFAULT_CAPABILITIES, 'STARTTLS'],
    script: { banner: '220 mx.google.com and outlook.com and yahoo.com' },
  });
  database = await createTestDatabase();
  inbound = await startInbound(database);
  await register(database.db, { host: 'h', machine: 'm', pid: 1 });
  folder = mkdtempSync(join(tmpdir(), 'postrider-doctor-'));
});
afterAll(async () => {
  await inbound.stop();
  await Promise.all([zone.stop(), google.close(), database.drop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Everybody receives mail at one server; nobody tells the time. */
function zoneOf(): DnsZone {
  const receiver = { MX: [[10, 'mx.everybody.example']] as const };
  return {
    [HOST]: { A: [ADDRESS], TXT: ['v=spf1 a mx -all'] },
    '4.4.8.8.in-addr.arpa': { PTR: [HOST] },
    'gmail.com': receiver,
    'outlook.com': receiver,
    'yahoo.com': receiver,
    'mx.everybody.example': { A: ['127.0.0.1'] },
    ...Object.fromEntries(BLOCKLISTS.map((list) => [`2.0.0.127.${list.zone}`, { A: ['127.0.0.2'] }])),
  };
}

const env = () => ({
  // Nothing listens for the world: in the sandbox nobody expects that.
  POSTRIDER_MODE: 'sandbox',
  POSTRIDER_HOSTNAME: HOST,
  POSTRIDER_PUBLIC_URL: 'http://localhost:3000',
  POSTRIDER_DNS_SERVERS: zone.address,
  POSTRIDER_MX_PORT: String(google.port),
  POSTRIDER_DATA_DIR: folder,
  POSTRIDER_SECRET_KEY: KEY,
  DATABASE_URL: database.url,
});

async function examine(...argv: string[]) {
  const { code, out, err } = await runCommand(['doctor', '--json', ...argv], env());
  expect(err).toBe('');
  return { code, report: JSON.parse(out) as { counts: Record<string, number>; findings: DoctorFinding[] } };
}
const levelsOf = (findings: readonly DoctorFinding[], check: string) =>
  findings.filter((one) => one.check === check).map(({ level }) => level);

describe('the doctor', () => {
  it('examines everything, and tells programs', async () => {
    const { report } = await examine();
    const { findings } = report;
    for (const check of [
      'dns',
      'host_name',
      'host_address',
      'ehlo_name',
      'reverse_dns',
      'host_spf',
      'outbound_smtp',
      'blocklists',
    ])
      expect([check, levelsOf(findings, check)]).toEqual([check, ['ok']]);
    expect(levelsOf(findings, 'queue')).toEqual(['ok']);
    expect(findings.find(({ check }) => check === 'outbound_smtp')?.seen).toContain(
      'Google, Microsoft, Yahoo answer',
    );
    expect(report.counts.ok).toBe(findings.filter(({ level }) => level === 'ok').length);
    expect(Object.values(report.counts).reduce((sum, one) => sum + one, 0)).toBe(findings.length);
    for (const { level, why, fix } of findings) {
      expect(why).not.toBe('');
      if (level === 'bad' || level === 'warn') expect(fix).not.toBeNull();
    }
  });

  it('tells people, the worst first, with what fixes it; and fails when something is bad', async () => {
    zone.remove('4.4.8.8.in-addr.arpa');
    const { code, out } = await runCommand(['doctor', '--quick'], env());
    zone.replaceZone(zoneOf());
    expect(code).toBe(1);
    expect(out).toMatch(
      /^bad {6}reverse_dns {5}8\.8\.4\.4 has no reverse DNS \(PTR\)\.\n {11}why {11}Large providers refuse .*\n {11}fix {11}Ask the provider of the address .* PTR mail\.host\.example\.$/m,
    );
    expect(out.indexOf('bad  ')).toBeLessThan(out.indexOf('warn  '));
    expect(out).toMatch(/^ok {7}host_name {7}mail\.host\.example is a public host name\.$/m);
    expect(out).toMatch(/\n\n\d+ bad, \d+ warn, \d+ unknown, \d+ ok\.$/);
  });

  it('knocks at nobody’s server when it is quick', async () => {
    const before = google.connections.length;
    zone.forgetQueries();
    const { report } = await examine('--quick');
    expect(google.connections).toHaveLength(before);
    expect(zone.count('gmail.com')).toBe(0);
    expect(levelsOf(report.findings, 'outbound_smtp')).toEqual([]);
    expect(levelsOf(report.findings, 'database')).not.toEqual([]);
  });

  it('fails, also when it is quick, and says it once, when no DNS server answers', async () => {
    const down = { ...env(), POSTRIDER_MODE: 'live', POSTRIDER_DNS_SERVERS: '127.0.0.9:1' };
    const { code, out } = await runCommand(['doctor', '--quick'], down);
    expect(code).toBe(1);
    expect(out).toMatch(/^bad {6}dns {13}No DNS server answers \(POSTRIDER_DNS_SERVERS\): 127\.0\.0\.9:1 /m);
    expect(out).not.toMatch(/^\w+ +(host_address|ehlo_name|reverse_dns|host_spf) /m);
  });

  it('says what it examines, and once what several checks say', async () => {
    const { DATABASE_URL: _none, ...stopped } = env();
    const { out } = await runCommand(['doctor', '--quick'], stopped);
    expect(out).toMatch(
      /^Examined: mail\.host\.example \(sandbox\), Postrider \d+\.\d+\.\d+, data folder \/.*, settings from the environment\.\n\n/,
    );
    expect(out.match(/The database was not checked/g)).toHaveLength(1);
    expect(out).toMatch(/\n {11}also {10}cells, pooler, replication\n/);
  });

  it('works before anything runs, and says what it could not look at', async () => {
    const { DATABASE_URL: _none, ...stopped } = env();
    const { out } = await runCommand(['doctor', '--quick'], stopped);
    expect(out).toMatch(
      /^unknown {2}database {8}The database was not checked: Postrider is not running here/m,
    );
  });

  it('believes that the secret key is kept elsewhere once it has seen the copy', async () => {
    const copy = join(folder, 'copy');
    writeFileSync(copy, `${'x'.repeat(43)}\n`);
    const wrong = await runCommand(['doctor', '--quick', '--key-copy', copy], env());
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain('is not a copy of the secret key');
    expect((await runCommand(['doctor', '--key-copy', '/no/file'], env())).err).toContain(
      'The copy cannot be read',
    );
    expect(levelsOf((await examine('--quick')).report.findings, 'secret_key')).toEqual(['unknown']);
    writeFileSync(copy, `${KEY}\n`);
    expect(levelsOf((await examine('--quick', '--key-copy', copy)).report.findings, 'secret_key')).toEqual([
      'ok',
    ]);
    expect(levelsOf((await examine('--quick')).report.findings, 'secret_key')).toEqual(['ok']);
  });
});
