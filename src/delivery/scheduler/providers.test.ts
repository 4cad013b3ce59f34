import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE, loadProfiles, PROVIDER_PROFILES, profileOf, withOverrides } from './providers.ts';

const nameOf = (...hosts: string[]) => profileOf(hosts, PROVIDER_PROFILES).name;

describe('a provider', () => {
  it.each([
    ['google', ['gmail-smtp-in.l.google.com', 'alt1.gmail-smtp-in.l.google.com']],
    ['google', ['aspmx.l.google.com', 'aspmx2.googlemail.com']],
    ['google', ['smtp.google.com']],
    ['microsoft-consumer', ['outlook-com.olc.protection.outlook.com']],
    ['microsoft', ['example-com.mail.protection.outlook.com']],
    ['microsoft', ['example-com.b-v1.mx.microsoft']],
    ['yahoo', ['mta5.am0.yahoodns.net', 'mta6.am0.yahoodns.net']],
    ['apple', ['mx01.mail.icloud.com']],
    ['comcast', ['mx1.mxge.comcast.net']],
    ['mimecast', ['eu-smtp-inbound-1.mimecast.com']],
    ['orange', ['smtp-in.orange.fr']],
    ['yahoo', ['mx-aol.mail.gm0.yahoodns.net']],
    ['other', ['mx.example.org']],
  ])('%s: %j', (name, hosts) => {
    expect(nameOf(...hosts)).toBe(name);
  });

  it('is recognised only if all mail hosts are its hosts', () => {
    expect(nameOf('aspmx.l.google.com', 'backup.example.org')).toBe('other');
  });

  it.each([
    'www.google.com',
    'www.l.google.com',
    'google.com',
    'www.googlemail.com',
    'www.icloud.com',
    'www.apple.com',
    'fd-geoycpi-uno.gycpi.b.yahoodns.net',
    'www.comcast.net',
    'www.orange.fr',
    'outlook.com',
  ])('is not recognised by its hosts that accept no mail: %s', (host) => {
    expect(nameOf(host)).toBe('other');
  });

  it('is not recognised by a name with the same ending that is no subdomain', () => {
    expect(nameOf('mx.notgoogle.com')).toBe('other');
    expect(nameOf('google.com.example.org')).toBe('other');
  });
});

describe('a shipped profile', () => {
  it.each([
    ['google', 5, 50, true],
    ['microsoft-consumer', 5, 50, false],
    ['microsoft', 5, 50, false],
    ['yahoo', 10, 20, false],
    ['apple', 10, 5, false],
    ['comcast', 25, 1000, true],
    ['mimecast', 10, 100, false],
    ['orange', 2, 100, false],
  ])(
    'of %s allows %i connections with %i messages each',
    (name, connections, messagesPerConnection, requireTls) => {
      expect(PROVIDER_PROFILES.find((one) => one.name === name)).toMatchObject({
        connections,
        messagesPerConnection,
        requireTls,
      });
    },
  );

  it('for all other receivers allows 10 connections with 100 messages each', () => {
    expect(DEFAULT_PROFILE).toMatchObject({ connections: 10, messagesPerConnection: 100, requireTls: false });
  });

  it('has a unique name', () => {
    expect(new Set(PROVIDER_PROFILES.map((one) => one.name)).size).toBe(PROVIDER_PROFILES.length);
  });
});

describe('a file of profiles', () => {
  it('can change one number of a shipped profile', () => {
    const google = profileOf(['smtp.google.com'], withOverrides([{ name: 'google', connections: 20 }]));
    expect(google).toMatchObject({
      name: 'google',
      connections: 20,
      messagesPerConnection: 50,
      requireTls: true,
    });
  });

  it('can change the limits of all other receivers', () => {
    const profiles = withOverrides([{ name: 'other', connections: 3 }]);
    expect(profileOf(['mx.example.org'], profiles)).toMatchObject({
      connections: 3,
      messagesPerConnection: 100,
    });
    expect(profileOf(['smtp.google.com'], profiles).connections).toBe(5);
  });

  it('can add a provider, which is compared before the shipped ones', () => {
    const profiles = withOverrides([
      {
        name: 'big',
        hosts: ['Mx.Google.com'],
        scope: 'provider',
        suspensions: [{ text: '[A.1]', minutes: 5 }],
      },
    ]);
    expect(profileOf(['a.mx.google.com'], profiles).name).toBe('big');
    const [{ text } = { text: /x/ }] = profiles[0]?.suspensions ?? [];
    expect([text.test('go away [A.1]'), text.test('Ax1')]).toEqual([true, false]);
  });

  it.each([
    [{}, 'a list'],
    [[5], 'entry 1 is not an object'],
    [[{ hosts: ['a.b'] }], 'no name'],
    [[{ name: 'new' }], 'no hosts'],
    [[{ name: 'google', conections: 5 }], 'unknown field "conections"'],
    [[{ name: 'google', connections: 0 }], 'connections must be 1 to 1000'],
    [[{ name: 'google', requireTls: 'yes' }], 'requireTls must be true or false'],
    [[{ name: 'x', hosts: ['com'] }], 'hosts must be a list'],
    [[{ name: 'google' }, { name: 'Bad Name' }], 'entry 2: name must be'],
  ])('is rejected with %j', (given, problem) => {
    expect(() => withOverrides(given)).toThrow(problem);
  });

  it('that does not exist is named in the error', () => {
    expect(() => loadProfiles('/nowhere/providers.json')).toThrow('/nowhere/providers.json cannot be used');
  });
});
