import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DestinationRules } from './destination.ts';
import { createGuard } from './guard-address.ts';
import { createProbe } from './probe-link.ts';

const RULES: DestinationRules = {
  plainHttp: true,
  loopback: true,
  privateNetworks: false,
  ownPorts: new Set(),
  databasePorts: [],
};

let site: Server;
let base: string;
const asked: string[] = [];

beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const to = new URL(request.url ?? '', base).searchParams.get('to');
    if (request.url === '/hangs') return;
    if (request.url === '/long') response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
    else if (to !== null) response.writeHead(302, { location: to }).end();
    else response.writeHead(request.url === '/forbidden' ? 403 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

/** `names`: what each lookup of a name answers, one after the other. */
function probe(url: string, names: string[][] = [], signal = AbortSignal.timeout(10_000)) {
  const resolver = { addresses: async () => ({ kind: 'found' as const, records: names.shift() ?? [] }) };
  const guard = createGuard(resolver as never, RULES);
  return createProbe({ guard, rules: RULES, userAgent: 'test' })(url, signal);
}

describe('a link that is asked for', () => {
  it('is refused where a redirect leads to a private address', async () => {
    for (const to of ['http://10.0.0.1/', 'http://169.254.169.254/latest/', 'http://[fd00::1]/']) {
      const { status, error } = await probe(`${base}/?to=${encodeURIComponent(to)}`);
      expect(status).toBeNull();
      expect(error).toContain('not a public address');
    }
  });

  it('is refused where its name means a private address at the second look', async () => {
    const { port } = new URL(base);
    const again = encodeURIComponent(`http://rebind.test:${port}/`);
    const { status, error } = await probe(`http://rebind.test:${port}/?to=${again}`, [
      ['127.0.0.1'],
      ['10.0.0.1'],
    ]);
    expect(status).toBeNull();
    expect(error).toContain('resolves to 10.0.0.1');
  });

  it('is refused where a redirect leads to what is no web page', async () => {
    for (const to of [
      'file:///etc/passwd',
      'gopher://example.org/',
      'http://ada:secret@127.0.0.1/',
      'http://[x',
    ])
      expect((await probe(`${base}/?to=${encodeURIComponent(to)}`)).error).not.toBeNull();
  });

  it('is given up when time is over', async () => {
    const stop = new AbortController();
    site.once('request', () => stop.abort());
    expect(await probe(`${base}/hangs`, [], stop.signal)).toMatchObject({
      status: null,
      error: 'no answer in time',
    });
  });

  it('is given up when its headers do not end', async () => {
    expect(await probe(`${base}/long`)).toMatchObject({ status: null });
  });

  it('is not asked with GET where HEAD was understood', async () => {
    expect(await probe(`${base}/forbidden`)).toMatchObject({ status: 403, error: 'it answers 403' });
    expect(asked).not.toContain('GET /forbidden');
  });
});
