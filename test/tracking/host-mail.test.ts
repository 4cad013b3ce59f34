/**
 * Links on a customer's own host, from the setting to the click: an API and a worker in live mode, DNS and a receiver on loopback, and
 * a proxy in front that answers for every name.
 */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv, startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { READER } from './fixture.ts';

const INSTALLATION = 'mail.sender.test';
const LINK = /https?:\/\/[^"'\s<>]+\/(?:t\/[oc]|u)\/[\w-]+/g;

let zone: DnsZoneServer;
let sink: SmtpSink;
let proxy: Server;
/** Whether the proxy tells which name was asked for. */
let passesName = true;
let port: number;
let server: TestApi;
let worker: TestWorker;
let org: TestOrganization;
let other: TestOrganization;

beforeAll(async () => {
  zone = await startDnsZone();
  sink = await startSmtpSink();
  proxy = createServer((from, to) => {
    const headers = { ...from.headers, host: passesName ? from.headers.host : 'localhost' };
    const on = request(`${server.url}${from.url}`, { method: from.method ?? 'GET', headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(to);
    });
    from.pipe(on);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  port = (proxy.address() as AddressInfo).port;
  const env = { ...liveEnv(zone, sink.port), POSTRIDER_PUBLIC_URL: `http://${INSTALLATION}:${port}` };
  server = await startApi({ env });
  worker = await startMailWorker(server.database, env);
  org = await server.createOrganization();
  other = await server.createOrganization('Other');
  zone.set('customer.test', { MX: [[10, 'mx.customer.test']] });
  zone.set('mx.customer.test', { A: [sink.address] });
  zone.set(INSTALLATION, { A: ['127.0.0.1'] });
});
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
  proxy?.close();
  await sink?.close();
  await zone?.stop();
});

async function call(method: string, path: string, body?: unknown, whose = org) {
  const answer = await server.api(method, path, body, whose.key);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const hostOf = (whose: TestOrganization) => `links.${whose.domain}`;

async function setHost(host: string | null, whose = org) {
  const [{ id }] = await call('GET', '/domains', undefined, whose);
  return (await call('PUT', `/domains/${id}/tracking`, { host }, whose)).tracking.host;
}

/** The mail as the receiver got it, and its links. */
async function sent(whose: TestOrganization, target: string): Promise<string[]> {
  const before = sink.messages.length;
  await call(
    'POST',
    '/emails/send',
    {
      from: { email: `news@${whose.domain}` },
      to: [{ email: 'ada@customer.test' }],
      subject: 'News',
      html: `<a href="${target}">x</a>`,
      track_opens: true,
      track_clicks: true,
      unsubscribe_group: 'news',
    },
    whose,
  );
  await sink.waitForMessages(before + 1);
  const content = sink.messages[before]?.content.toString().replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? '';
  return [...content.matchAll(LINK)].map(([url]) => url);
}

/** Asks the proxy as a browser does for which DNS has found it. */
function open(url: string, name = new URL(url).host): Promise<{ status: number; to: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { host: name, 'user-agent': READER };
    request(`http://127.0.0.1:${port}${new URL(url).pathname}`, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, to: response.headers.location });
    })
      .on('error', reject)
      .end();
  });
}

const clickIn = (links: readonly string[]) => links.find((url) => url.includes('/t/c/')) ?? '';
const asked = async (host: string) => (await fetch(`${server.url}/t/ask?domain=${host}`)).status;

describe('a tracking host', () => {
  it('is used once its record leads here and it answers under its own name', async () => {
    const host = hostOf(org);
    expect(await setHost(host)).toMatchObject({
      status: 'fail',
      in_use: false,
      message: `Publish a CNAME record at ${host} with the value: ${INSTALLATION}`,
    });
    expect(await asked(host)).toBe(404);
    zone.set(host, { CNAME: INSTALLATION });
    passesName = false;
    expect(await setHost(host)).toMatchObject({
      status: 'fail',
      in_use: false,
      message: expect.stringContaining('it answers 404'),
    });
    passesName = true;
    expect(await setHost(host)).toMatchObject({ status: 'pass', in_use: true, found: [INSTALLATION] });
    await expect.poll(() => asked(host), { timeout: 10_000 }).toBe(200);
    expect(await asked(`x.${host}`)).toBe(404);
    expect(await asked(INSTALLATION)).toBe(404);
  });

  it('has the pixel, the links and the way to unsubscribe of mail from its domain', async () => {
    const links = await sent(org, 'https://shop.example/a');
    expect(links.map((url) => new URL(url).host)).toEqual(links.map(() => `${hostOf(org)}:${port}`));
    expect(links.some((url) => url.includes('/t/o/'))).toBe(true);
    expect(links.some((url) => url.includes('/u/'))).toBe(true);
    expect(await open(clickIn(links))).toEqual({ status: 302, to: 'https://shop.example/a' });
  });

  it('leads nowhere with links of others, nor do its links elsewhere', async () => {
    const ours = clickIn(await sent(org, 'https://shop.example/b'));
    const theirs = clickIn(await sent(other, 'https://evil.example/'));
    expect(new URL(theirs).host).toBe(`${INSTALLATION}:${port}`);
    expect(await open(theirs)).toEqual({ status: 302, to: 'https://evil.example/' });
    expect(await open(theirs, hostOf(org))).toEqual({ status: 404, to: undefined });
    zone.set(hostOf(other), { CNAME: INSTALLATION });
    expect(await setHost(hostOf(other), other)).toMatchObject({ in_use: true });
    expect(await open(ours, hostOf(other))).toEqual({ status: 404, to: undefined });
    expect(await open(ours, INSTALLATION)).toEqual({ status: 404, to: undefined });
  });

  it('unsubscribes under every name', async () => {
    const link = (await sent(org, 'https://shop.example/c')).find((url) => url.includes('/u/')) ?? '';
    expect((await open(link)).status).toBe(200);
    expect((await open(link, INSTALLATION)).status).toBe(200);
  });
});
