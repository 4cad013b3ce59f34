import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../runtime/config.ts';
import { KnownHosts } from './known-hosts.ts';

function isKnown(env: Record<string, string>, headers: Record<string, string>, peer = '192.0.2.1'): boolean {
  const request = { headers, socket: { remoteAddress: peer } } as unknown as FastifyRequest;
  try {
    new KnownHosts(parseConfig(env)).assertKnown(request);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'HOST_NOT_ALLOWED', statusCode: 403 });
    expect(String(error)).toContain('POSTRIDER_ALLOWED_HOSTS');
    return false;
  }
}

const host = (host: string, env: Record<string, string> = {}) => isKnown(env, { host });

describe('host names of this installation', () => {
  it.each(['localhost', 'LOCALHOST.:3000', '127.0.0.1:9', '127.1.2.3', '[::1]:3000'])(
    'include %s',
    (name) => {
      expect(host(name)).toBe(true);
    },
  );

  it.each([
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.example:3000',
    '192.168.0.7',
    '[fd00::1]',
    'a b',
  ])('do not include %j', (name) => {
    expect(host(name)).toBe(false);
  });

  it('include the public one and the listen address', () => {
    const env = { POSTRIDER_PUBLIC_URL: 'https://Mail.Example.org:8443', POSTRIDER_HOST: '192.168.0.7' };
    expect([host('mail.example.org', env), host('192.168.0.7:3000', env)]).toEqual([true, true]);
    expect([host('www.mail.example.org', env), host('192.168.0.8', env)]).toEqual([false, false]);
  });

  it('include every address, and no name, when the server listens on all', () => {
    for (const POSTRIDER_HOST of ['0.0.0.0', '::']) {
      const env = { POSTRIDER_HOST };
      expect([host('192.168.0.7:3000', env), host('[fd00::1]:3000', env)]).toEqual([true, true]);
      expect(host('evil.example', env)).toBe(false);
    }
  });

  it('include those added by the operator, with subdomains where configured', () => {
    const env = { POSTRIDER_ALLOWED_HOSTS: 'Mail, 10.0.0.5 [fd00::0001], *.preview.example' };
    for (const name of ['mail:3000', '10.0.0.5', '[fd00::1]', 'a.b.preview.example'])
      expect([name, host(name, env)]).toEqual([name, true]);
    expect([host('preview.example', env), host('xpreview.example', env)]).toEqual([false, false]);
  });
});

describe('behind a proxy', () => {
  const env = { POSTRIDER_TRUST_PROXY: '10.0.0.0/8', POSTRIDER_PUBLIC_URL: 'https://mail.example.org' };
  const forwarded = (host: string, name: string, peer?: string) =>
    isKnown(env, { host, 'x-forwarded-host': name }, peer);

  it('requires the requested name to be known', () => {
    expect(forwarded('127.0.0.1:3000', 'mail.example.org', '10.0.0.2')).toBe(true);
    expect(forwarded('127.0.0.1:3000', 'evil.example', '10.0.0.2')).toBe(false);
    expect(forwarded('127.0.0.1:3000', 'mail.example.org, evil.example', '10.0.0.2')).toBe(false);
  });

  it('does not accept a forwarded name in place of an unknown one', () => {
    expect(forwarded('evil.example', 'mail.example.org', '10.0.0.2')).toBe(false);
  });

  it('ignores a forwarded name from untrusted callers', () => {
    expect(forwarded('127.0.0.1:3000', 'evil.example', '192.0.2.1')).toBe(true);
  });
});
