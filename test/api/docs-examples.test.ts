/** Every curl line of /docs, pasted into a shell. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/kit/database/sql.ts';
import { type Endpoint, endpointsByTag } from '../../src/kit/http/docs-document.ts';
import { curlFor } from '../../src/kit/http/docs-example.ts';
import { uuidv7 } from '../../src/kit/runtime/ids.ts';
import { insertMessages } from '../../src/sandbox/store.ts';
import { mailedToken, Person } from '../accounts/people.ts';
import { ApiDescription, type Document } from '../fuzz/document.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { letter } from '../support/emails.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

/** What a reader cannot have by pasting one line, and what they are told then. */
const NOT_YET: Readonly<Record<string, number>> = {
  // Of an email that has not failed.
  'POST /emails/{id}/retry': 409,
  // Of an email without attachments.
  'GET /emails/{id}/attachments/{number}': 404,
  // Of an email that did not come over SMTP.
  'GET /emails/{id}/raw': 404,
  // Of an email whose opens are not tracked.
  'POST /sandbox/messages/{id}/actions': 409,
  // Of an organization that was not made for a run of tests.
  'DELETE /sandbox/organization': 409,
  // Of an event that never was.
  'GET /emails/{id}/events/{event_id}/webhook': 404,
  // Of a canary that no rule has.
  'POST /routes/canaries/{name}/pause': 404,
  'POST /routes/canaries/{name}/resume': 404,
  'POST /routes/canaries/{name}/back': 404,
  'POST /routes/canaries/{name}/finish': 404,
  // There is one user already.
  'POST /auth/sign-up': 409,
  // Takes a code from an app, a link from a mail, a second person.
  'POST /auth/totp/confirm': 400,
  'DELETE /auth/totp': 400,
  'POST /auth/password-reset/confirm': 404,
  'POST /auth/email/confirm': 404,
  // Is confirmed already.
  'POST /auth/email/confirmation': 409,
  // Nothing waits for DNS.
  'DELETE /domains/{id}/dkim/rotate': 409,
  // Of a domain that is not verified.
  'POST /sandbox/domains/{id}/reports': 409,
  'DELETE /members/{id}': 409,
  // No mail waits for a site.
  'GET /sites/{id}': 404,
  'POST /sites/{id}/try-now': 404,
  'POST /sites/{id}/pause': 404,
  'POST /sites/{id}/resume': 404,
  // Takes a domain of the reader's.
  'PUT /feedback-loops/{loop}/{subject}': 404,
  // Nothing was delivered to the endpoint yet.
  'GET /webhooks/{id}/deliveries/{delivery_id}': 404,
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay': 404,
};

const run = promisify(execFile);
const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

const PASSWORD = 'correct horse battery';

let server: TestApi;
let zone: DnsZoneServer;
let org: TestOrganization;
let owner: Person;
let api: ApiDescription;
let endpoints: readonly Endpoint[];
let document: Document & Parameters<typeof endpointsByTag>[0];

beforeAll(async () => {
  // As the world's DNS would: validation and webhooks look names up.
  zone = await startDnsZone({
    'example.org': { A: ['93.184.215.14'], MX: [[10, 'mx.example.org']] },
    'mx.example.org': { A: ['93.184.215.14'] },
  });
  server = await startApi({ env: { POSTRIDER_DNS_SERVERS: zone.address } });
  org = await server.createOrganization('Examples');
  await server.addVerifiedDomain(org.id, 'sandbox.test');
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as typeof document;
  api = new ApiDescription(document);
  endpoints = [
    ...endpointsByTag({ ...document, servers: [{ url: `${server.url}/api/v1` }] }).values(),
  ].flat();
  owner = new Person(server, 'ada@example.org');
  const body = { email: owner.email, password: PASSWORD, setup_token: SETUP_TOKEN };
  owner.id = (await owner.api('POST', '/auth/sign-up', body)).body.data.user.id;
});
afterAll(async () => {
  await server?.stop();
  await zone?.stop();
});

const made = async (path: string, body: object) => {
  const answer = await server.api('POST', path, body, org.key);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

const aTemplate = async () =>
  (await made('/templates', { name: 'Welcome', subject: 'Welcome', text: 'Welcome.' })).id;

/** Something of its own for every line, by what its path begins with. */
const IDS: readonly (readonly [RegExp, () => Promise<string>])[] = [
  [/^\/emails\/batch\//, async () => (await made('/emails/batch', await aBatch())).batch_id],
  [
    /^\/emails\/\{/,
    async () =>
      (await made('/emails/send', letter(org, { scheduled_at: '2031-01-01T00:00:00Z' }))).message_id,
  ],
  [/^\/templates\/\{/, aTemplate],
  [/^\/suppressions\/imports/, async () => (await made('/suppressions/import', SUPPRESSIONS)).id],
  [
    /^\/suppressions\/\{/,
    async () =>
      (await made('/suppressions', { email: `${uuidv7(Date.now())}@example.org`, reason: 'manual' })).id,
  ],
  [
    /^\/(?:sandbox\/)?domains\/\{/,
    async () => (await made('/domains', { domain: `d${uuidv7(Date.now())}.example.org` })).id,
  ],
  [/^\/webhooks\/\{/, async () => (await made('/webhooks', { url: 'http://127.0.0.1:9/hook' })).id],
  [
    /^\/streams\/\{/,
    async () => (await made('/streams', { name: `s${uuidv7(Date.now()).slice(-12)}` })).name,
  ],
  [/^\/holds\/\{/, async () => (await made('/holds', aHold())).id],
  [/^\/undos\/\{/, async () => (await made('/undos', AN_UNDO)).id],
  [/^\/api-keys\/\{/, async () => (await made('/api-keys', { name: 'Old' })).id],
  [/^\/members\/invites\/\{/, async () => (await invite()).id],
  [/^\/members\/\{/, async () => owner.id],
  [/^\/sandbox\/messages\/\{/, aMessage],
  [/^\/request-logs\/\{/, aRefusedRequest],
  [/^\/auth\/sessions\/\{/, anotherSession],
];

let held = 0;
function aHold(): object {
  held += 1;
  return { scope: 'tag', value: `kind:${held}`, reason: 'Wrong prices' };
}

const AN_UNDO = { from: '2026-11-10T09:00:00Z', to: '2026-11-10T10:00:00Z', reason: 'A bad hour' };

const SUPPRESSIONS = { suppressions: [{ email: 'grace@example.org' }] };

async function aBatch(): Promise<object> {
  const recipients = [{ to: { email: 'grace@example.org' } }];
  return { template_id: await aTemplate(), from: { email: `a@${org.domain}` }, recipients };
}

let invited = 0;
async function invite(): Promise<{ id: string; email: string }> {
  invited += 1;
  const email = `guest${invited}@example.org`;
  const { body } = await owner.api('POST', '/members/invites', { email, role: 'member' });
  return { id: body.data.id, email };
}

async function aMessage(): Promise<string> {
  const id = uuidv7(Date.now());
  const raw = Buffer.from('Subject: Hello\r\n\r\nHello\r\n');
  const of = { organizationId: org.id, emailId: uuidv7(Date.now()), position: 0, receivedAt: new Date() };
  const names = {
    mailFrom: 'b@example.org',
    rcptTo: 'ada@example.org',
    fromEmail: 'a@sandbox.test',
    fromName: null,
  };
  await insertMessages(server.db, [{ ...of, ...names, id, subject: 'Hello', raw }]);
  return id;
}

async function aRefusedRequest(): Promise<string> {
  await server.api('GET', '/emails/nothing', undefined, org.key);
  const logged = async () => (await server.api('GET', '/request-logs', undefined, org.key)).body.data;
  return (await until(logged, (entries) => entries.length > 0))[0].id;
}

/** Of the same person, on another machine. */
async function anotherSession(): Promise<string> {
  const elsewhere = new Person(server, owner.email);
  await elsewhere.api('POST', '/auth/sign-in', { email: owner.email, password: PASSWORD });
  const { body } = await elsewhere.api('GET', '/auth/sessions');
  return body.data.find(({ current }: { current: boolean }) => current).id;
}

/** What the guides tell readers to export. */
async function shellOf(path: string): Promise<Record<string, string>> {
  const [, anId] = IDS.find(([pattern]) => pattern.test(path)) ?? [];
  const id = (await anId?.()) ?? '';
  const token = path.startsWith('/invites/')
    ? await mailedToken(server, (await invite()).email)
    : 'A'.repeat(43);
  return {
    API_KEY: org.key,
    SESSION: owner.cookie?.split('=')[1] ?? '',
    ID: id,
    BATCH_ID: id,
    NAME: id,
    VERSION: '1',
    DELIVERY_ID: 'evt_00000000000000000000',
    TEMPLATE_ID: await aTemplate(),
    ORGANIZATION_ID: org.id,
    TOKEN: token,
    SETUP_TOKEN,
  };
}

async function pasted(endpoint: Endpoint): Promise<{ status: number; text: string }> {
  const line = curlFor(endpoint, { ...document, servers: [{ url: `${server.url}/api/v1` }] });
  const quick = line.replace(/^curl/, `curl -s --max-time 20 -w '\\n%{http_code}'`);
  const env = { PATH: process.env.PATH ?? '', ...(await shellOf(endpoint.path)) };
  const { stdout } = await run('bash', ['-c', quick], { env, maxBuffer: 4 * 1024 * 1024 });
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) };
}

/** They end the session that the next one needs, or never end themselves. */
const LATER = /^(POST \/auth\/(sign-out|sign-out-everywhere|password)|GET \/events\/stream)$/;

describe.skipIf(!hasCurl)('the examples of /docs', () => {
  it('work when they are pasted, but for those that need more than one line', async () => {
    const wrong: string[] = [];
    for (const endpoint of endpoints) {
      const name = `${endpoint.method} ${endpoint.path}`;
      if (LATER.test(name)) continue;
      const { status, text } = await pasted(endpoint);
      const expected = NOT_YET[name];
      const operation = api.operations.find((one) => one.name === name);
      const isGood = expected === undefined ? status >= 200 && status < 300 : status === expected;
      const problem =
        isGood && operation && text.startsWith('{')
          ? api.problemOfBody(operation, status, JSON.parse(text))
          : null;
      if (!isGood || problem) wrong.push(`${name}: ${status} ${problem ?? text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(endpoints.length).toBeGreaterThan(80);
  }, 240_000);

  it('follow events, change a password and sign out, too', async () => {
    const of = (name: string) => endpoints.find((one) => `${one.method} ${one.path}` === name) as Endpoint;
    for (const name of ['POST /auth/password', 'POST /auth/sign-out', 'POST /auth/sign-out-everywhere']) {
      await owner.signIn('correct horse battery');
      expect([name, (await pasted(of(name))).status]).toEqual([name, 200]);
    }
    const line = curlFor(of('GET /events/stream'), {
      ...document,
      servers: [{ url: `${server.url}/api/v1` }],
    });
    const followed = run('bash', ['-c', line.replace(/^curl/, 'curl -sN --max-time 3')], {
      env: { PATH: process.env.PATH ?? '', API_KEY: org.key },
    }).catch((error: { stdout: string }) => error);
    expect((await followed).stdout).toContain('retry:');
  });

  it('leave what they made', async () => {
    const rows = await server.db.many(adHoc(`SELECT 1 FROM emails WHERE organization_id = $1`), [org.id]);
    expect(rows.length).toBeGreaterThan(3);
  });
});
