import { expect, it } from 'vitest';
import { parseConfig } from '../runtime/config.ts';
import { configuredNames } from './names.ts';

const ON = { POSTRIDER_ACME: 'true' };

it('orders nothing unless ACME is switched on', () => {
  expect(parseConfig({ POSTRIDER_ACME_EMAIL: 'ops@example.org' }).acme).toBeUndefined();
});

it('uses the production directory of Let’s Encrypt unless another one is named', () => {
  expect(parseConfig(ON).acme?.directoryUrl).toBe('https://acme-v02.api.letsencrypt.org/directory');
});

it('refuses a directory without TLS unless private destinations are allowed', () => {
  const env = { ...ON, POSTRIDER_ACME_DIRECTORY: 'http://127.0.0.1:14000/dir' };
  expect(() => parseConfig(env)).toThrow(/POSTRIDER_ACME_DIRECTORY must begin with https/);
  const allowed = { ...env, POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' };
  expect(parseConfig(allowed).acme?.directoryUrl).toBe('http://127.0.0.1:14000/dir');
});

it('refuses ports for certificates when none are ordered', () => {
  expect(() => parseConfig({ POSTRIDER_HTTPS_PORT: '443' })).toThrow(/POSTRIDER_HTTPS_PORT is given/);
  expect(() => parseConfig({ POSTRIDER_ACME_HTTP_PORT: '80' })).toThrow(/POSTRIDER_ACME_HTTP_PORT is given/);
});

it('refuses names that no authority issues certificates for', () => {
  for (const name of ['*.example.org', '192.0.2.1', 'localhost'])
    expect(() => parseConfig({ ...ON, POSTRIDER_ACME_NAMES: name })).toThrow(/POSTRIDER_ACME_NAMES/);
});

it('opens SMTP submission in live mode without certificate files', () => {
  const { submission } = parseConfig({ ...ON, POSTRIDER_MODE: 'live' });
  expect(submission).toMatchObject({ host: '::', tlsPort: 465, offersStartTls: true });
});

it('takes names from the settings, each once, and leaves out those that are not public', () => {
  const names = (env: Record<string, string>) => configuredNames(parseConfig({ ...ON, ...env }));
  const host = { POSTRIDER_HOSTNAME: 'Mail.example.org', POSTRIDER_PUBLIC_URL: 'https://mail.example.org' };
  expect(names(host)).toEqual(['mail.example.org']);
  expect(names({ ...host, POSTRIDER_MTA_STS: 'testing', POSTRIDER_ACME_NAMES: 'www.example.org' })).toEqual([
    'mail.example.org',
    'mta-sts.mail.example.org',
    'www.example.org',
  ]);
  expect(names({ POSTRIDER_HOSTNAME: 'localhost' })).toEqual([]);
});

it('orders none for the SMTP host when a file has its certificate', () => {
  const files = { POSTRIDER_INBOUND_TLS_CERT: '/tls/cert', POSTRIDER_INBOUND_TLS_KEY: '/tls/key' };
  const env = {
    ...ON,
    ...files,
    POSTRIDER_HOSTNAME: 'mx.example.org',
    POSTRIDER_PUBLIC_URL: 'https://api.example.org',
  };
  expect(configuredNames(parseConfig(env))).toEqual(['api.example.org']);
});
