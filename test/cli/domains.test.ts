import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { startDnsZone } from '../support/dns-zone.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

let server: TestApi;
let org: TestOrganization;
let env: Record<string, string>;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  env = {
    DATABASE_URL: server.database.url,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_HOSTNAME: 'mail.host.test',
  };
});
afterAll(() => server.stop());

const run = (argv: string[], changes: Record<string, string> = {}) =>
  runCommand(['domain', ...argv, '--org', org.id], { ...env, ...changes });

describe('domains on the command line', () => {
  it('are added, verified, listed and removed', async () => {
    const added = await run(['add', 'Shop.example']);
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toMatch(/TXT +pr[0-9a-f]{12}\._domainkey\.shop\.example +v=DKIM1; k=rsa; p=MIIB/);
    expect(added.out).toMatch(/TXT +shop\.example +v=spf1 include:mail\.host\.test ~all/);
    expect((await run(['list'])).out).toMatch(/shop\.example +not verified/);
    const verified = await run(['verify', 'shop.example']);
    expect(verified.code).toBe(0);
    expect(verified.out).toContain('shop.example is verified.');
    expect(JSON.parse((await run(['list', '--json'])).out)[0]).toMatchObject({
      domain: 'shop.example',
      is_verified: true,
    });
    expect((await run(['remove', 'shop.example'])).out).toMatch(/^Deleted shop\.example \(dom_/);
    expect((await run(['list'])).out).not.toContain('shop.example');
  });

  it('get a new DKIM key, with the record to publish, and keep the old one when it is called off', async () => {
    await run(['add', 'turn.example']);
    await run(['verify', 'turn.example']);
    const before = JSON.parse((await run(['list', '--json'])).out)[0];
    const rotating = await run(['rotate-dkim', 'turn.example']);
    expect(rotating).toMatchObject({ code: 0, err: '' });
    const record = /TXT +(pr[0-9a-f]{12})\._domainkey\.turn\.example +v=DKIM1; k=rsa; p=MIIB/.exec(
      rotating.out,
    );
    expect(record?.[1]).not.toBe(before.dkim_selector);
    expect((await run(['rotate-dkim', 'turn.example'])).err).toContain('already waiting for its DNS record');
    const off = await run(['rotate-dkim', 'turn.example', '--cancel']);
    expect(off.out).toBe(`Cancelled. turn.example keeps its key ${before.dkim_selector}.`);
    const json = JSON.parse((await run(['rotate-dkim', 'turn.example', '--json'])).out);
    expect(json.dkim_rotation).toMatchObject({ status: 'waiting_for_dns', dns_record: { type: 'TXT' } });
    expect(JSON.stringify(json)).not.toMatch(/private/i);
    await run(['remove', 'turn.example']);
  });

  it('are told what is wrong, with exit code 1', async () => {
    await run(['add', 'never.invalid']);
    const { code, out } = await run(['verify', 'never.invalid']);
    expect(code).toBe(1);
    expect(out).toContain('never.invalid is not verified.');
    expect(out).toContain('never.invalid has no SPF record.');
  });

  it('show a long record also as a zone file needs it', async () => {
    const { out } = await run(['add', 'zone.example']);
    const [, name, first = '', second = ''] =
      /^(pr\w+\._domainkey\.zone\.example\.) IN TXT \( "(.+)" "(.+)" \)$/m.exec(out) ?? [];
    expect(name).toBeDefined();
    expect(first).toHaveLength(255);
    expect(out).toContain(`${first}${second}\n`);
    await run(['remove', 'zone.example']);
  });

  it('that are verified end with exit code 1 when their records are wrong now', async () => {
    const zone = await startDnsZone({ 'mail.host.test': { A: ['127.0.0.1'], TXT: ['v=spf1 a -all'] } });
    try {
      const live = { POSTRIDER_MODE: 'live', POSTRIDER_DNS_SERVERS: zone.address };
      const added = JSON.parse((await run(['add', 'turning.example', '--json'], live)).out);
      for (const { name, value } of added.dns_records) zone.set(name, { TXT: [value] });
      expect((await run(['verify', 'turning.example'], live)).code).toBe(0);
      zone.set('turning.example', { TXT: ['v=spf1 -all'] });
      const { code, out } = await run(['verify', 'turning.example'], live);
      expect(code).toBe(1);
      expect(out).toContain('turning.example is verified, but its records are wrong.');
      zone.set('turning.example', 'SERVFAIL');
      expect((await run(['verify', 'turning.example'], live)).code).toBe(1);
    } finally {
      await zone.stop();
    }
    await run(['remove', 'turning.example']);
  });

  it.each([
    [['add', 'co.uk'], 2, 'co.uk is a public suffix'],
    [['verify', 'unknown.example'], 1, 'unknown.example is not a domain of'],
    [['rotate-dkim', 'unknown.example'], 1, 'unknown.example is not a domain of'],
    [['remove', 'unknown.example'], 1, 'unknown.example is not a domain of'],
    [['add', 'never.invalid'], 1, 'never.invalid is already registered in this organization.'],
  ] as const)('refuse %j', async (argv, code, words) => {
    const refused = await run([...argv]);
    expect(refused.code).toBe(code);
    expect(refused.err).toContain(words);
  });

  it('are exported as one file, in the format that is asked for', async () => {
    await run(['add', 'files.example']);
    const zone = await run(['export']);
    expect(zone).toMatchObject({ code: 0, err: '' });
    expect(zone.out).toMatch(/^files\.example\.\t3600\tIN\tTXT\t"v=spf1 include:mail\.host\.test ~all"$/m);
    expect((await run(['export', '--with-host'])).out).toContain(
      'mail.host.test.\t3600\tIN\tMX\t10 mail.host.test.',
    );
    const terraform = JSON.parse((await run(['export', '--format', 'terraform'])).out);
    expect(terraform.locals.postrider_dns_records).toHaveProperty(
      ['files.example TXT', 'zone'],
      'files.example',
    );
    const { records } = JSON.parse((await run(['export', '--zone', 'files.example', '--json'])).out);
    expect(records).toContainEqual(
      expect.objectContaining({ zone: 'files.example', name: 'files.example', type: 'TXT' }),
    );
  });

  it('of all organizations are exported together', async () => {
    const other = await server.createOrganization();
    for (const { id } of [org, other]) await runCommand(['domain', 'add', 'both.example', '--org', id], env);
    await runCommand(['domain', 'add', 'theirs.example', '--org', other.id], env);
    const { code, out, err } = await runCommand(['domain', 'export'], env);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^theirs\.example\.\t3600\tIN\tTXT/m);
    expect(out.match(/^both\.example\.\t3600\tIN\tTXT\t"v=spf1/gm)).toHaveLength(1);
    expect(out.match(/^pr\w+\._domainkey\.both\.example\./gm)).toHaveLength(2);
  });

  it.each([
    [['export', '--format', 'bind'], '--format must be one of zone, terraform, octodns, not bind.'],
    [['export', '--zone', 'co.uk'], '--zone: co.uk is a public suffix'],
  ] as const)('refuse to be exported with %j', async (argv, words) => {
    expect(await run([...argv])).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });

  it('need the secret key that the installation has', async () => {
    const refused = await run(['list'], { POSTRIDER_SECRET_KEY: '', POSTRIDER_DATA_DIR: '/nonexistent' });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Set POSTRIDER_SECRET_KEY') });
  });
});
