import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROVIDER_PROFILES } from './providers.ts';
import { hostSetName, siteOfHosts } from './site.ts';

const site = (...hosts: string[]) => siteOfHosts(hosts, PROVIDER_PROFILES);

describe('the site of mail hosts', () => {
  it('is the provider, for all domains it hosts', () => {
    expect(site('gmail-smtp-in.l.google.com').name).toBe('google');
    expect(site('aspmx.l.google.com', 'alt1.aspmx.l.google.com').name).toBe('google');
  });

  it('is the set of hosts where a provider gives each customer its own', () => {
    expect(site('a-com.mail.protection.outlook.com').name).toBe('a-com.mail.protection.outlook.com');
    expect(site('b-com.mail.protection.outlook.com')).toMatchObject({
      name: 'b-com.mail.protection.outlook.com',
      provider: 'microsoft',
      policy: { connections: 5 },
    });
  });

  it('is the set of hosts for everybody else, in a short form', () => {
    expect(site('mx2.example.net', 'mx1.example.net').name).toBe('(mx1|mx2).example.net');
    expect(site('mx.example.net').name).toBe('mx.example.net');
    expect(site('mx.example.net', 'mx.other.org').name).toBe('mx.example.net,mx.other.org');
  });

  it('is never that of a provider, or of nobody, for a host that is called so', () => {
    for (const name of ['google', 'yahoo', 'unroutable']) expect(site(name).name).toBe(`${name}.`);
  });

  it('does not take a public suffix for a common name', () => {
    expect(hostSetName(['a.com', 'b.com'])).toBe('a.com,b.com');
    expect(hostSetName(['example.net', 'mx.example.net'])).toBe('example.net,mx.example.net');
  });
});

describe('the name of a set of hosts', () => {
  const host = fc.stringMatching(/^[a-z0-9]{1,20}(\.[a-z0-9]{1,20}){1,4}$/);

  it('is the same for any order, letter case and final dots', () => {
    fc.assert(
      fc.property(fc.uniqueArray(host, { minLength: 1, maxLength: 12 }), (hosts) => {
        const other = [...hosts.map((one) => `${one.toUpperCase()}.`).reverse(), hosts[0] as string];
        expect(hostSetName(other)).toBe(hostSetName(hosts));
      }),
    );
  });

  it('differs for different sets, and stays short', () => {
    const set = fc.uniqueArray(host, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(set, set, (one, other) => {
        const same = [...one].sort().join() === [...other].sort().join();
        expect(hostSetName(one) === hostSetName(other)).toBe(same);
        expect(hostSetName(one).length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
