import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadClientConfig, loadConfig, parseConfig } from './config.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration', () => {
  it('needs nothing', () => {
    const config = parseConfig({}, '/srv/postrider');
    expect(config).toMatchObject({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
    });
    expect(config.dataDir).toBe('/srv/postrider/data');
  });

  it('reports every problem together and by name', () => {
    const problems = problemsOf({
      POSTRIDER_PORT: '99999',
      POSTRIDER_MODE: 'prod',
      DATABASE_URL: 'mysql://x',
    });
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/POSTRIDER_MODE must be sandbox or live, not "prod"/);
    expect(problems.join('\n')).toMatch(/POSTRIDER_PORT must be a whole number/);
    expect(problems.join('\n')).toMatch(/DATABASE_URL must be a URL/);
  });

  it('refuses a direct address of the database without DATABASE_URL', () => {
    const url = 'postgres://db.internal/postrider';
    for (const name of ['DATABASE_DIRECT_URL', 'POSTRIDER_LISTEN_URL'])
      expect(problemsOf({ [name]: url })).toEqual([
        `${name} needs DATABASE_URL: it is another way to the same database.`,
      ]);
    expect(
      problemsOf({ DATABASE_DIRECT_URL: url, DATABASE_URL: 'postgres://pooler.internal/postrider' }),
    ).toEqual([]);
  });

  const DIRECT = 'postgres://db.internal/postrider';
  const KEY = 'a-key-of-twenty-characters';
  const POOLED = { DATABASE_URL: 'postgres://pooler.internal/postrider' };
  const RENAMED = [
    ['POSTRIDER_LISTEN_URL', 'DATABASE_DIRECT_URL', DIRECT, 'databaseDirectUrl'],
    ['POSTRIDER_API_KEY', 'POSTRIDER_BOOTSTRAP_API_KEY', KEY, 'bootstrapApiKey'],
  ] as const;

  it.each(RENAMED)('accepts %s as the old name of %s and warns', (old, name, value, field) => {
    const config = parseConfig({ ...POOLED, [old]: value });
    expect(config[field]).toBe(value);
    expect(config.warnings).toEqual([
      `${old} is now called ${name}. Rename it: the old name is accepted for one release.`,
    ]);
  });

  it.each(RENAMED)('reads the renamed variable %s as %s without a warning', (_, name, value, field) => {
    const config = parseConfig({ ...POOLED, [name]: value });
    expect(config[field]).toBe(value);
    expect(config.warnings).toEqual([]);
  });

  it.each(RENAMED)('refuses %s together with %s when their values differ', (old, name, value) => {
    expect(problemsOf({ ...POOLED, [old]: `${value}-old`, [name]: value })).toEqual([
      `${name} and ${old} are set to different values. ${old} is the old name of ${name}: remove ${old}.`,
    ]);
    expect(problemsOf({ ...POOLED, [old]: value, [name]: value })).toEqual([]);
  });

  it('lets a command have a key that is not the first organization’s', () => {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-config-'));
    const env = { POSTRIDER_API_KEY: KEY, POSTRIDER_BOOTSTRAP_API_KEY: `${KEY}-first` };
    const { apiKey, bootstrapApiKey, warnings } = loadClientConfig(env, folder);
    expect({ apiKey, bootstrapApiKey, warnings }).toEqual({
      ...{ apiKey: KEY, bootstrapApiKey: `${KEY}-first`, warnings: [] },
    });
    expect(() => loadConfig(env, folder)).toThrow(ConfigError);
  });

  it('accepts domains for the relay in any spelling, and reports an invalid one', () => {
    const { relayDomains } = parseConfig({ POSTRIDER_RELAY_DOMAINS: 'Partner.test, *.partner.test' });
    expect(relayDomains).toEqual(['partner.test', '*.partner.test']);
    expect(problemsOf({ POSTRIDER_RELAY_DOMAINS: 'partner.test,https://x' }).join()).toMatch(
      /POSTRIDER_RELAY_DOMAINS .*"https:\/\/x" is none/,
    );
  });

  it('signs with no own domain by default, and reports an invalid one', () => {
    const domainOf = (value: string) => parseConfig({ POSTRIDER_DKIM_DOMAIN: value }).dkimDomain;
    expect(['', 'Host.Example', 'müller.example.'].map(domainOf)).toEqual([
      undefined,
      'host.example',
      'xn--mller-kva.example',
    ]);
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
    for (const wrong of [
      'host',
      '*.host.example',
      'host.example:25',
      '192.0.2.1',
      'a_b.example',
      'a..b',
      long,
    ])
      expect(problemsOf({ POSTRIDER_DKIM_DOMAIN: wrong })).toEqual([
        `POSTRIDER_DKIM_DOMAIN must be a domain such as example.org, not "${wrong}".`,
      ]);
  });

  it('accepts proxies as true, false or networks, and reports an invalid value', () => {
    const trust = (value: string) => parseConfig({ POSTRIDER_TRUST_PROXY: value }).trustProxy;
    expect(['', 'true', '0', '10.0.0.0/8, FD00::/8 192.0.2.7'].map(trust)).toEqual([
      false,
      true,
      false,
      ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
    ]);
    for (const wrong of ['yes', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/8/8', 'fe80::1%eth0'])
      expect(problemsOf({ POSTRIDER_TRUST_PROXY: wrong }).join()).toMatch(
        /POSTRIDER_TRUST_PROXY must be true/,
      );
  });

  it('refuses to trust every address as a proxy where the API listens with TLS', () => {
    const https = { POSTRIDER_ACME: 'true', POSTRIDER_HTTPS_PORT: '443' };
    expect(problemsOf({ ...https, POSTRIDER_TRUST_PROXY: 'true' })).toEqual([
      'POSTRIDER_TRUST_PROXY=true trusts every client of POSTRIDER_HTTPS_PORT. Set POSTRIDER_TRUST_PROXY to the networks of your proxies, such as 10.0.0.0/8, or remove one of the two.',
    ]);
    for (const allowed of ['false', '10.0.0.0/8'])
      expect(problemsOf({ ...https, POSTRIDER_TRUST_PROXY: allowed })).toEqual([]);
  });

  it('accepts additional host names, and reports an invalid one', () => {
    expect(parseConfig({ POSTRIDER_ALLOWED_HOSTS: 'Mail.Example.org. *.Preview.test' }).allowedHosts).toEqual(
      ['mail.example.org', '*.preview.test'],
    );
    expect(problemsOf({ POSTRIDER_ALLOWED_HOSTS: 'a.test,https://b.test' }).join()).toMatch(
      /POSTRIDER_ALLOWED_HOSTS .*"https:\/\/b.test" is none/,
    );
  });

  it('never repeats a secret in a problem', () => {
    const problems = problemsOf({
      POSTRIDER_API_KEY: 'tiny secret!',
      DATABASE_URL: 'db://user:hunter2@host',
    });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toMatch(/tiny secret|hunter2/);
  });

  it('treats an empty variable as unset', () => {
    expect(parseConfig({ POSTRIDER_PORT: '', DATABASE_URL: ' ' }).port).toBe(3000);
  });

  it('uses the port in the public address unless one is set', () => {
    expect(parseConfig({ POSTRIDER_PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(parseConfig({ POSTRIDER_PUBLIC_URL: 'https://mail.example.org/' }).publicUrl).toBe(
      'https://mail.example.org',
    );
  });

  it('accepts submissions on this machine only, unless live mode has a certificate', () => {
    const CERTIFICATE = { POSTRIDER_INBOUND_TLS_CERT: 'cert.pem', POSTRIDER_INBOUND_TLS_KEY: 'key.pem' };
    const of = (env: Record<string, string>) => parseConfig(env).submission;
    expect(of({})).toMatchObject({
      host: '127.0.0.1',
      port: 1025,
      tlsPort: undefined,
      offersStartTls: false,
    });
    expect(of(CERTIFICATE)).toMatchObject({ host: '127.0.0.1', offersStartTls: false });
    expect(of({ POSTRIDER_MODE: 'live' })).toMatchObject({
      host: '127.0.0.1',
      port: 587,
      tlsPort: undefined,
    });
    expect(of({ POSTRIDER_MODE: 'live', ...CERTIFICATE })).toMatchObject({
      host: '::',
      port: 587,
      tlsPort: 465,
      offersStartTls: true,
    });
  });

  it('refuses to accept passwords in clear text over a network', () => {
    const live = { POSTRIDER_MODE: 'live', POSTRIDER_SUBMISSION_HOST: '0.0.0.0' };
    expect(() => parseConfig(live)).toThrow(/POSTRIDER_SUBMISSION_HOST is 0\.0\.0\.0.*needs a certificate/);
    expect(() => parseConfig({ POSTRIDER_SUBMISSION_TLS_PORT: '465' })).toThrow(/needs a certificate/);
    expect(parseConfig({ ...live, POSTRIDER_SUBMISSION: 'false' }).submission.isOn).toBe(false);
  });

  it('listens for bounces on this machine only in the sandbox, and on all addresses in live mode', () => {
    const { inbound } = parseConfig({});
    expect(inbound).toMatchObject({ host: '127.0.0.1', port: 2525, isPortGiven: false });
    expect(parseConfig({ POSTRIDER_MODE: 'live', POSTRIDER_INBOUND_PORT: '25' }).inbound).toMatchObject({
      host: '0.0.0.0',
      port: 25,
      isPortGiven: true,
    });
    expect(problemsOf({ POSTRIDER_INBOUND_TLS_CERT: '/etc/ssl/mail.pem' })).toEqual([
      'POSTRIDER_INBOUND_TLS_CERT and POSTRIDER_INBOUND_TLS_KEY must be given together.',
    ]);
  });
});

describe('POSTRIDER_DANE', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['the system chooses the DNS servers', {}, false],
    ['they are named, and on this machine', { POSTRIDER_DNS_SERVERS: '127.0.0.1:53,[::1]:53' }, true],
    ['one of them is elsewhere', { POSTRIDER_DNS_SERVERS: '127.0.0.1,192.0.2.53' }, false],
    [
      'they are elsewhere, and trusted',
      { POSTRIDER_DNS_SERVERS: '192.0.2.53', POSTRIDER_DANE: 'true' },
      true,
    ],
    ['they are here, and not trusted', { POSTRIDER_DNS_SERVERS: '::1', POSTRIDER_DANE: 'false' }, false],
  ])('where %s', (_, env, dane) => {
    expect(parseConfig(env).dane).toBe(dane);
  });
});

describe('the content store', () => {
  const bucket = {
    POSTRIDER_CONTENT_S3_ENDPOINT: 'https://s3.example',
    POSTRIDER_CONTENT_S3_BUCKET: 'mail',
    POSTRIDER_CONTENT_S3_ACCESS_KEY_ID: 'id',
    POSTRIDER_CONTENT_S3_SECRET_ACCESS_KEY: 'secret',
  };

  it('is off unless a bucket is named', () => {
    expect(parseConfig({}).contentStore).toBeUndefined();
  });

  it('moves content after eight days by default', () => {
    expect(parseConfig(bucket).contentStore).toMatchObject({
      prefix: '',
      region: 'us-east-1',
      pathStyle: true,
    });
    const afterOf = (after: string) =>
      parseConfig({ ...bucket, POSTRIDER_CONTENT_S3_AFTER: after }).contentStore?.moveAfterMs;
    expect(['', '8d', '12h', 'off'].map(afterOf)).toEqual([691_200_000, 691_200_000, 43_200_000, null]);
  });

  it.each([
    [
      { POSTRIDER_CONTENT_S3_BUCKET: '' },
      'POSTRIDER_CONTENT_S3_ENDPOINT needs POSTRIDER_CONTENT_S3_BUCKET as well.',
    ],
    [{ POSTRIDER_CONTENT_S3_AFTER: '0d' }, 'POSTRIDER_CONTENT_S3_AFTER must be a time of at least an hour'],
    [{ POSTRIDER_CONTENT_S3_PREFIX: '../a' }, 'POSTRIDER_CONTENT_S3_PREFIX must be a path'],
    [{ POSTRIDER_CONTENT_S3_ENDPOINT: 'ftp://x' }, 'POSTRIDER_CONTENT_S3_ENDPOINT must be a URL'],
    [
      { POSTRIDER_CONTENT_S3_PATH_STYLE: 'false', POSTRIDER_CONTENT_S3_ENDPOINT: 'http://127.0.0.1:9000' },
      'POSTRIDER_CONTENT_S3_PATH_STYLE must be true',
    ],
  ])('says what is wrong with %j', (changes, problem) => {
    expect(() => parseConfig({ ...bucket, ...changes })).toThrow(problem);
  });
});
