/** An installation that has something of its own for every example of the reference. */
import { uuidv7 } from '../../src/runtime/ids.ts';
import { insertMessages } from '../../src/sandbox/store.ts';
import { join, mailedToken, PASSWORD, Person } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { letter } from '../support/emails.ts';
import { insertReadMail } from '../support/receiving.ts';
import { markDelivered } from '../support/reports.ts';
import { SETUP_TOKEN } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

/** What one request cannot bring about, and what it is answered then. */
export const NOT_YET: Readonly<Record<string, number>> = {
  // Of an email that has not failed.
  'POST /emails/{id}/retry': 409,
  // Of an email that did not come over SMTP.
  'GET /emails/{id}/raw': 404,
  // Of an email whose opens are not tracked.
  'POST /sandbox/messages/{id}/actions': 409,
  // Of a canary that no rule has.
  'POST /routes/canaries/{name}/pause': 404,
  'POST /routes/canaries/{name}/resume': 404,
  'POST /routes/canaries/{name}/back': 404,
  'POST /routes/canaries/{name}/finish': 404,
  // There is one user already.
  'POST /auth/sign-up': 409,
  // Takes a code from an app, a link from a mail.
  'POST /auth/totp/confirm': 400,
  'DELETE /auth/totp': 400,
  'POST /auth/email/confirm': 404,
  // Is confirmed already.
  'POST /auth/email/confirmation': 409,
  // No mail waits for a site.
  'GET /sites/{id}': 404,
  'POST /sites/{id}/try-now': 404,
  'POST /sites/{id}/pause': 404,
  'POST /sites/{id}/resume': 404,
  // It is already on its way: nothing sends it here.
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay': 409,
  // Of a domain that is not verified.
  'POST /sandbox/domains/{id}/reports': 409,
};

/** They end the session that the next one needs. */
const ENDS_SESSION = /^POST \/auth\/(sign-out|sign-out-everywhere|password)$/;

const SUPPRESSIONS = { suppressions: [{ email: 'grace@example.org' }] };
const AN_UNDO = { from: '2026-11-10T09:00:00Z', to: '2026-11-10T10:00:00Z', reason: 'A bad hour' };

type Values = Record<string, string>;

export class ExampleFixture {
  readonly server: TestApi;
  readonly org: TestOrganization;
  readonly owner: Person;
  readonly #zone: DnsZoneServer;
  #number = 0;

  private constructor(server: TestApi, zone: DnsZoneServer, org: TestOrganization, owner: Person) {
    this.server = server;
    this.#zone = zone;
    this.org = org;
    this.owner = owner;
  }

  static async start(): Promise<ExampleFixture> {
    // As public DNS would: validation and webhooks look names up.
    const zone = await startDnsZone({
      'example.org': { A: ['93.184.215.14'], MX: [[10, 'mx.example.org']] },
      'mx.example.org': { A: ['93.184.215.14'] },
    });
    const server = await startApi({ env: { POSTRIDER_DNS_SERVERS: zone.address } });
    const org = await server.createOrganization('Examples');
    await server.addVerifiedDomain(org.id, 'sandbox.test');
    const owner = new Person(server, 'ada@example.org');
    const body = { email: owner.email, password: PASSWORD, setup_token: SETUP_TOKEN };
    owner.id = (await owner.api('POST', '/auth/sign-up', body)).body.data.user.id;
    return new ExampleFixture(server, zone, org, owner);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.#zone.stop();
  }

  get session(): string {
    return this.owner.cookie?.split('=')[1] ?? '';
  }

  /** Called after an example, for the next one. */
  async tidyUp(operation: string): Promise<void> {
    if (ENDS_SESSION.test(operation)) await this.owner.signIn();
  }

  /** Real ones for the parameters and fields of an example that stand for something of the reader's. */
  async valuesFor(operation: string): Promise<Values> {
    const path = operation.slice(operation.indexOf(' ') + 1);
    const own = this.#own[operation] ?? this.#byPath.find(([pattern]) => pattern.test(path))?.[1];
    return {
      key: this.org.key,
      version: '1',
      number: '0',
      organization_id: this.org.id,
      token: 'A'.repeat(43),
      setup_token: SETUP_TOKEN,
      template_id: await this.#template(),
      delivery_id: 'evt_00000000000000000000',
      ...(await own?.()),
    };
  }

  /** Where something of the kind that the path names would not do. */
  readonly #own: Readonly<Record<string, () => Promise<Values>>> = {
    'GET /emails/{id}/attachments/{number}': async () => {
      const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=', content_type: 'text/plain' }];
      return { id: await this.#email({ attachments }) };
    },
    'POST /emails/{id}/resend': async () => {
      const id = await this.#email();
      await markDelivered(this.server.db, this.org.id, id);
      return { id };
    },
    'GET /emails/{id}/events/{event_id}/webhook': async () => {
      const id = await this.#email();
      const { body } = await this.server.api('GET', `/emails/${id}`, undefined, this.org.key);
      return { id, event_id: body.data.events[0].id };
    },
    'DELETE /domains/{id}/dkim/rotate': async () => {
      const id = await this.#domain();
      await this.#made(`/domains/${id}/dkim/rotate`);
      return { id };
    },
    'DELETE /sandbox/organization': async () => ({
      key: (await this.#made('/sandbox/organizations', {})).api_key,
    }),
    'DELETE /members/{id}': async () => ({ id: (await this.#colleague()).id }),
    'POST /auth/password-reset/confirm': async () => {
      const { email } = await this.#colleague();
      const ofInvite = await mailedToken(this.server, email);
      await this.owner.api('POST', '/auth/password-reset', { email });
      const newest = () => mailedToken(this.server, email);
      return { token: await until(newest, (token) => token !== ofInvite) };
    },
    'GET /webhooks/{id}/deliveries/{delivery_id}': () => this.#delivery(),
    'POST /webhooks/{id}/deliveries/{delivery_id}/replay': () => this.#delivery(),
  };

  readonly #byPath: readonly (readonly [RegExp, () => Promise<Values>])[] = [
    [
      /^\/emails\/batch\//,
      async () => ({ batch_id: (await this.#made('/emails/batch', await this.#batch())).batch_id }),
    ],
    [/^\/emails\/\{/, async () => ({ id: await this.#email() })],
    [/^\/templates\/\{/, async () => ({ id: await this.#template() })],
    [
      /^\/suppressions\/imports/,
      async () => ({ id: (await this.#made('/suppressions/import', SUPPRESSIONS)).id }),
    ],
    [
      /^\/suppressions\/\{/,
      async () => ({ id: (await this.#made('/suppressions', this.#suppression())).id }),
    ],
    [/^\/(?:sandbox\/)?domains\/\{/, async () => ({ id: await this.#domain() })],
    [/^\/webhooks\/\{/, async () => ({ id: await this.#webhook() })],
    [/^\/inbound\/routes\/\{/, async () => ({ id: await this.#route() })],
    [/^\/inbound\/domains\/\{/, async () => ({ domain: await this.#receiving() })],
    [/^\/inbound\/\{/, async () => ({ id: await this.#received() })],
    [
      /^\/streams\/\{/,
      async () => ({ name: (await this.#made('/streams', { name: `s${this.#next()}` })).name }),
    ],
    [/^\/views\/\{/, async () => ({ id: (await this.#made('/views', this.#view())).id })],
    [/^\/approvals\/\{/, async () => ({ id: await this.#unapproved() })],
    [/^\/holds\/\{/, async () => ({ id: (await this.#made('/holds', this.#hold())).id })],
    [/^\/undos\/\{/, async () => ({ id: (await this.#made('/undos', AN_UNDO)).id })],
    [/^\/api-keys\/\{/, async () => ({ id: (await this.#made('/api-keys', { name: 'Old' })).id })],
    [/^\/members\/invites\/\{/, async () => ({ id: (await this.#invite()).id })],
    [/^\/members\/\{/, async () => ({ id: this.owner.id })],
    [/^\/invites\/\{/, async () => ({ token: await mailedToken(this.server, (await this.#invite()).email) })],
    [/^\/sandbox\/messages\/\{/, async () => ({ id: await this.#message() })],
    [/^\/request-logs\/\{/, async () => ({ id: await this.#refusedRequest() })],
    [/^\/auth\/sessions\/\{/, async () => ({ id: await this.#otherSession() })],
  ];

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async #made(path: string, body?: object): Promise<any> {
    const answer = await this.server.api('POST', path, body, this.org.key);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  #view(): object {
    return { list: 'emails', name: `View ${this.#next()}`, query: { status: 'bounced' }, shared: true };
  }

  async #email(changes: object = {}): Promise<string> {
    const later = { scheduled_at: '2031-01-01T00:00:00Z', ...changes };
    return (await this.#made('/emails/send', letter(this.org, later))).message_id;
  }

  /** It waits for approval. */
  async #unapproved(): Promise<string> {
    const agent = { name: 'Agent', scope: 'agent', policy: { approval: 'required' } };
    const { key } = await this.#made('/api-keys', agent);
    const answer = await this.server.api('POST', '/emails/send', letter(this.org), key);
    return answer.body.data.message_id;
  }

  /** A name below the domain of the organization, which is verified. */
  async #receiving(): Promise<string> {
    return (await this.#made('/inbound/domains', { domain: `r${this.#next()}.${this.org.domain}` })).domain;
  }

  async #route(): Promise<string> {
    return (await this.#made('/inbound/routes', { address: `support@${await this.#receiving()}` })).id;
  }

  #received(): Promise<string> {
    return insertReadMail(this.server.db, { id: this.org.id, address: `support@${this.org.domain}` });
  }

  async #template(): Promise<string> {
    const { id } = await this.#made('/templates', { name: 'Welcome', subject: 'Welcome', text: 'Welcome.' });
    await this.server.api('PUT', `/templates/${id}/draft`, { text: 'Welcome!' }, this.org.key);
    return id;
  }

  async #domain(): Promise<string> {
    return (await this.#made('/domains', { domain: `d${this.#next()}.example.org` })).id;
  }

  async #webhook(): Promise<string> {
    return (await this.#made('/webhooks', { url: 'http://127.0.0.1:9/hook' })).id;
  }

  async #delivery(): Promise<Values> {
    const id = await this.#webhook();
    return { id, delivery_id: (await this.#made(`/webhooks/${id}/test`)).id };
  }

  async #batch(): Promise<object> {
    const recipients = [{ to: { email: 'grace@example.org' } }];
    return { template_id: await this.#template(), from: { email: `a@${this.org.domain}` }, recipients };
  }

  #suppression(): object {
    return { email: `s${this.#next()}@example.org`, reason: 'manual' };
  }

  #hold(): object {
    return { scope: 'tag', value: `kind:${this.#next()}`, ahead: true, reason: 'Wrong prices' };
  }

  async #invite(): Promise<{ id: string; email: string }> {
    const email = `guest${this.#next()}@example.org`;
    const { body } = await this.owner.api('POST', '/members/invites', { email, role: 'member' });
    return { id: body.data.id, email };
  }

  #colleague(): Promise<Person> {
    return join(this.server, this.owner, `colleague${this.#next()}@example.org`, 'member');
  }

  async #message(): Promise<string> {
    const id = uuidv7(Date.now());
    const raw = Buffer.from('Subject: Hello\r\n\r\nHello\r\n');
    const of = {
      organizationId: this.org.id,
      emailId: uuidv7(Date.now()),
      position: 0,
      receivedAt: new Date(),
    };
    const names = {
      mailFrom: 'b@example.org',
      rcptTo: 'ada@example.org',
      fromEmail: 'a@sandbox.test',
      fromName: null,
    };
    await insertMessages(this.server.db, [{ ...of, ...names, id, subject: 'Hello', raw }]);
    return id;
  }

  async #refusedRequest(): Promise<string> {
    await this.server.api('GET', '/emails/nothing', undefined, this.org.key);
    const logged = async () =>
      (await this.server.api('GET', '/request-logs', undefined, this.org.key)).body.data;
    return (await until(logged, (entries) => entries.length > 0))[0].id;
  }

  /** Of the same person, on another machine. */
  async #otherSession(): Promise<string> {
    const elsewhere = new Person(this.server, this.owner.email);
    await elsewhere.signIn();
    const { body } = await elsewhere.api('GET', '/auth/sessions');
    return body.data.find(({ current }: { current: boolean }) => current).id;
  }
}
