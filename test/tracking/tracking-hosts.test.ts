/** What a domain has of its own about tracking, and what is found out about its host: DNS on loopback, requests under its name. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createSiteViews } from '../../src/delivery/scheduler/site-views.ts';
import { lookUpHost, probeHost, urlOfHost } from '../../src/domains/tracking/check-host.ts';
import { DomainTracking } from '../../src/domains/tracking/domain-tracking.ts';
import { TrackingHosts } from '../../src/domains/tracking/hosts.ts';
import { checkHostOf, nextHostCheckAt } from '../../src/domains/tracking/service.ts';
import { findTracking } from '../../src/domains/tracking/store.ts';
import { createResolver, type Resolver } from '../../src/protocols/dns/resolver.ts';
import type { ProbedLink } from '../../src/protocols/fetch/probe-link.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { attentionItems } from '../../src/stats/gather-attention.ts';
import { address } from '../support/addresses.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';

const PUBLIC = 'https://mail.host.test';

let server: TestApi;
let org: TestOrganization;
let zone: DnsZoneServer;
let resolver: Resolver;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  zone = await startDnsZone();
  resolver = createResolver({ clock: systemClock, servers: [zone.address], timeoutMs: 2_000, tries: 1 });
});
afterAll(async () => {
  resolver?.close();
  await zone?.stop();
  await server?.stop();
});

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await server.api(method, path, body, org.key);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};
const domainId = async () =>
  (await call('GET', '/domains')).find(({ domain }: { domain: string }) => domain === org.domain).id;
const setTracking = async (body: unknown) => call('PUT', `/domains/${await domainId()}/tracking`, body);

/** What the host answers, without a network: the certificate is the proxy's. */
const answering = (link: Partial<ProbedLink>) => async () => ({
  status: null,
  leadsTo: null,
  error: null,
  ...link,
});
const deps = (link: Partial<ProbedLink>) => ({
  db: server.db,
  clock: systemClock,
  resolver,
  probe: answering(link),
  publicUrl: PUBLIC,
  proofOf: () => 'proof',
  isUsed: true,
});

/** A request under another name. */
function get(path: string, headers: Record<string, string>): Promise<{ status: number; type: string }> {
  return new Promise((resolve, reject) => {
    request(`${server.url}${path}`, { headers }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('the tracking of a domain', () => {
  it('counts more than the organization, and less than the request', async () => {
    expect((await setTracking({ track_clicks: true })).tracking).toEqual({
      track_opens: null,
      track_clicks: 'html',
      host: null,
    });
    const tracking = new DomainTracking(server.db, systemClock);
    expect(await tracking.of(org.id, address(`x@${org.domain}`).domain)).toMatchObject({
      track_clicks: 'html',
    });
    expect((await setTracking({ track_opens: false })).tracking).toMatchObject({
      track_opens: false,
      track_clicks: 'html',
    });
    expect((await setTracking({ track_opens: null, track_clicks: null })).tracking).toEqual({
      track_opens: null,
      track_clicks: null,
      host: null,
    });
  });

  it.each([
    ['links.elsewhere.example', /must be a name below/],
    ['not a host', /./],
    ['', /./],
  ])('cannot have the host %j', async (host, message) => {
    const answer = await server.api('PUT', `/domains/${await domainId()}/tracking`, { host }, org.key);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0]).toMatchObject({
      field: 'host',
      message: expect.stringMatching(message),
    });
  });

  it('is not somebody else’s to change', async () => {
    const other = await server.createOrganization('Other');
    const answer = await server.api(
      'PUT',
      `/domains/${await domainId()}/tracking`,
      { host: null },
      other.key,
    );
    expect(answer.status).toBe(404);
  });
});

describe('a tracking host', () => {
  const host = () => `links.${org.domain}`;
  const rowOf = async () => {
    const row = await findTracking(server.db, org.id, await domainId());
    if (row === undefined) throw new Error('It has no tracking.');
    return row;
  };
  const hostInUse = async () =>
    (await new DomainTracking(server.db, systemClock).of(org.id, address(`x@${org.domain}`).domain))?.host;

  it('is not used in the sandbox', async () => {
    const { tracking } = await setTracking({ host: host().toUpperCase() });
    expect(tracking.host).toMatchObject({ name: host(), in_use: false, status: 'pending' });
  });

  it('is used while its CNAME leads here and it answers over https', async () => {
    expect(await checkHostOf(deps({ status: 200 }), await rowOf())).toMatchObject({ host_points: false });
    expect(await hostInUse()).toBeNull();
    zone.set(host(), { CNAME: 'Mail.Host.test' });
    expect(await checkHostOf(deps({ error: 'the certificate has expired' }), await rowOf())).toMatchObject({
      host_points: true,
      host_answers: false,
      host_check: { status: 'fail', message: expect.stringContaining('the certificate has expired') },
    });
    expect(await hostInUse()).toBeNull();
    expect(await checkHostOf(deps({ status: 200 }), await rowOf())).toMatchObject({
      host_answers: true,
      host_check: { status: 'pass', found: ['mail.host.test'], expected: 'mail.host.test' },
    });
    expect(await hostInUse()).toBe(host());
  });

  it('stays in use while DNS does not answer, and is not once it leads elsewhere', async () => {
    zone.set(host(), 'SERVFAIL');
    expect(await checkHostOf(deps({ status: 200 }), await rowOf())).toMatchObject({
      host_answers: true,
      host_check: { status: 'unknown' },
    });
    zone.set(host(), { CNAME: 'elsewhere.test' });
    await checkHostOf(deps({ status: 200 }), await rowOf());
    expect(await hostInUse()).toBeNull();
    zone.set(host(), { CNAME: 'mail.host.test' });
    await checkHostOf(deps({ status: 200 }), await rowOf());
  });

  it('is told of while it cannot be used', async () => {
    const own = { hostname: 'mail.host.test', dkimDomain: undefined, sendingAddresses: [] };
    const config = { mode: 'live' as const, ...own };
    const asked = { clock: systemClock, config, board: createSiteViews(systemClock) };
    const messages = async () =>
      (await attentionItems(asked, server.db, org.id)).items
        .filter(({ kind }) => kind === 'domain_tracking_host')
        .map(({ message }) => message);
    expect(await messages()).toEqual([]);
    await checkHostOf(deps({ error: 'the certificate has expired' }), await rowOf());
    expect(await messages()).toEqual([expect.stringContaining('the certificate has expired')]);
    await checkHostOf(deps({ status: 200 }), await rowOf());
    expect(await messages()).toEqual([]);
  });

  it('is used where its record leads here over other names', async () => {
    zone.set(host(), { CNAME: 'links.shop.test' });
    zone.set('links.shop.test', { CNAME: 'edge.shop.test' });
    zone.set('edge.shop.test', { CNAME: 'mail.host.test' });
    const found = ['links.shop.test', 'edge.shop.test', 'mail.host.test'];
    expect(await lookUpHost(deps({}), host())).toMatchObject({ is: true, check: { found } });
    await checkHostOf(deps({ status: 200 }), await rowOf());
    expect(await hostInUse()).toBe(host());
  });

  it('is unknown while DNS does not answer for a name on the way', async () => {
    zone.set('edge.shop.test', 'SERVFAIL');
    expect(await lookUpHost(deps({}), host())).toMatchObject({ is: null, check: { status: 'unknown' } });
  });

  it('is wrong where its record leads in a circle', async () => {
    zone.set('edge.shop.test', { CNAME: host() });
    expect(await lookUpHost(deps({}), host())).toMatchObject({ is: false, check: { status: 'fail' } });
    zone.set(host(), { CNAME: 'mail.host.test' });
  });

  it.each<[Partial<ProbedLink>, RegExp]>([
    [{ status: 404, error: 'it answers 404' }, /it answers 404/],
    [{ status: 200, leadsTo: 'https://elsewhere.test/' }, /redirects to https:\/\/elsewhere/],
  ])('that answers %j is not used', async (link, words) => {
    const { is, check } = await probeHost(deps(link), host());
    expect([is, check.message]).toEqual([false, expect.stringMatching(words)]);
  });

  it('has the scheme and the port of the installation', () => {
    expect(urlOfHost('links.example.org', 'https://mail.example.org/')).toBe('https://links.example.org');
    expect(urlOfHost('links.example.org', 'https://mail.example.org:8443')).toBe(
      'https://links.example.org:8443',
    );
  });

  it('may have a certificate, and no other name may', async () => {
    const ask = async (domain: string) => (await get(`/t/ask?domain=${domain}`, {})).status;
    expect(await ask(host())).toBe(200);
    expect(await ask(`other.${org.domain}`)).toBe(404);
    expect(await ask('')).toBe(404);
    expect(await ask('x'.repeat(5_000))).toBe(404);
    expect((await get('/t/ask', {})).status).toBe(404);
    expect((await get('/t/ask?domain=a&domain=b', {})).status).toBe(404);
  });

  it('is looked for again, soon at first and rarely after a while', async () => {
    const row = { ...(await rowOf()), host_answers: false };
    const waits = [1, 5, 20, 40, 100].map((host_failures) => {
      const at = nextHostCheckAt(deps({}), { ...row, host_failures });
      return at === null ? null : Math.round((at.getTime() - Date.now()) / 60_000);
    });
    expect(waits).toEqual([1, 30, 60, 1440, null]);
    expect(nextHostCheckAt(deps({}), { ...row, host_answers: true })).toBeNull();
  });

  it.each([
    '/',
    '/login',
    '/api/v1/domains',
    '/v1/emails',
    '/docs',
    '/openapi.json',
    '/healthz',
    '/t/ask',
    '/compat/resend/domains',
  ])('does not answer %s', async (path) => {
    const key = { authorization: `Bearer ${org.key}` };
    for (const headers of [{ host: host() }, { host: `${host().toUpperCase()}:443` }])
      expect((await get(path, { ...key, ...headers })).status, JSON.stringify(headers)).toBe(404);
  });

  it('answers pixels, links and unsubscriptions', async () => {
    expect(await get('/t/o/x.gif', { host: host() })).toEqual({ status: 200, type: 'image/gif' });
    expect((await get('/t/c/x', { host: host() })).type).toContain('text/html');
    expect((await get('/u/x', { host: host() })).type).toContain('text/html');
  });

  it('is no host any more when its domain is not verified', async () => {
    const sql = (isVerified: boolean) =>
      adHoc(`UPDATE domains SET dkim_verified = ${isVerified} WHERE organization_id = '${org.id}'`);
    await server.db.exec(sql(false));
    expect(await hostInUse()).toBeNull();
    expect((await call('GET', `/domains/${await domainId()}`)).tracking.host.in_use).toBe(false);
    const has = () => new TrackingHosts(server.db, systemClock, () => {}).has(host(), '127.0.0.1');
    expect(await has()).toBe(false);
    await server.db.exec(sql(true));
    expect(await has()).toBe(true);
  });

  it('is nobody’s once it is taken back', async () => {
    expect((await setTracking({ host: null })).tracking.host).toBeNull();
    expect((await setTracking({ host: `other.${org.domain}` })).tracking.host).toMatchObject({
      in_use: false,
    });
  });
});
