import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../runtime/config.ts';
import { destinationRules, findDestination, refusalOfAddress } from './destination.ts';

const DATABASE_PORT = 5432;
const own = { ownPorts: new Set([3000, 2525, DATABASE_PORT]), databasePorts: [DATABASE_PORT] };
const sandbox = destinationRules(parseConfig({}), own);
const intranet = destinationRules(
  parseConfig({ POSTRIDER_MODE: 'live', POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true' }),
  own,
);
const nobody = { addresses: async () => ({ kind: 'nxdomain' as const }) };

describe('our own listeners', () => {
  it.each([
    'http://127.0.0.1:3000/',
    'http://127.1.2.3:2525/',
    'http://[::1]:3000/',
    `http://127.0.0.1:${DATABASE_PORT}/`,
  ])('are refused in the sandbox: %s', (url) => {
    expect(refusalOfAddress(new URL(url), sandbox)).toMatch(
      /^uses port \d+, where this installation itself listens/,
    );
  });

  it.each([
    'https://127.0.0.1:3000/',
    'https://0.0.0.0:3000/',
    'https://[::]:3000/',
    'https://[::ffff:127.0.0.1]:3000/',
    `https://10.0.0.7:${DATABASE_PORT}/`,
    `https://[fd00::7]:${DATABASE_PORT}/`,
  ])('are refused where private networks may be reached: %s', (url) => {
    expect(refusalOfAddress(new URL(url), intranet)).toMatch(/where this installation itself listens/);
  });

  it('are refused on every address that this machine has', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address, family } of addresses) {
      if (address.startsWith('fe80')) continue; // a URL has no place for its zone
      const url = new URL(`https://${family === 'IPv6' ? `[${address}]` : address}:3000/`);
      expect([address, refusalOfAddress(url, intranet)]).toEqual([
        address,
        expect.stringContaining('port 3000'),
      ]);
    }
  });

  it('are refused by name, with the port that the scheme means', async () => {
    const rules = { ...sandbox, ownPorts: new Set([80]) };
    expect(await findDestination(new URL('http://localhost/'), nobody, rules)).toMatchObject({
      kind: 'refused',
      why: 'uses port 80, where this installation itself listens',
    });
    expect(await findDestination(new URL('https://localhost/'), nobody, rules)).toMatchObject({
      kind: 'found',
    });
  });

  it.each([
    ['http://127.0.0.1:3001/', sandbox],
    ['https://10.0.0.7:3000/', intranet],
    ['https://93.184.216.34:3000/', intranet],
    [`https://93.184.216.34:${DATABASE_PORT}/`, sandbox],
  ])('are not %s', (url, rules) => {
    expect(refusalOfAddress(new URL(url), rules)).toBeNull();
  });
});
