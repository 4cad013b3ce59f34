/** A real installation with every ingress, a worker that delivers, and keys whose policies the tests try to bypass. */
import { createTransport, type SendMailOptions } from 'nodemailer';
import { adHoc } from '../../src/database/sql.ts';
import { join, type Person, signUpOwner, strangerOf } from '../accounts/people.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker } from '../support/mail-worker.ts';
import { startSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';

export const LISTED = 'ops@allowed.example';
export const EVIL = 'evil@evil.example';

/** What a list of recipients looks like. */
const RECIPIENTS = [LISTED, 'team.example', '*.sub.example'];

export interface AgentKey {
  readonly id: string;
  readonly key: string;
}

export interface AgentFixture {
  readonly server: TestApi;
  /** The same installation, in another process. */
  readonly second: TestApi;
  readonly org: TestOrganization;
  readonly owner: Person;
  readonly member: Person;
  readonly reader: Person;
  readonly stranger: Person;
  readonly templates: { readonly welcome: string; readonly other: string };
  readonly keys: Readonly<Record<'listed' | 'templated' | 'fixed' | 'careful' | 'guarded', AgentKey>>;
  /** A key with a policy of its own. */
  newKey(policy: object, scope?: 'agent' | 'send'): Promise<AgentKey>;
  send(key: string, changes?: object, path?: string): Promise<Answer>;
  smtp(key: string, mail: SendMailOptions): Promise<string>;
  /** A request to another service's compatibility endpoint. */
  postCompat(path: string, body: unknown, headers: Record<string, string>): Promise<string>;
  /** What has left, once nothing is on its way any more. */
  left(): Promise<string[]>;
  /** Mail that is on its way, or was: not parked, and not ended. */
  onItsWay(): Promise<number>;
  stop(): Promise<void>;
}

/** Processes of one installation agree where it is reached. */
const WHEREABOUTS = { POSTRIDER_PUBLIC_URL: 'http://localhost:3000' };

export async function startAgentFixture(): Promise<AgentFixture> {
  const server = await startApi({ env: WHEREABOUTS });
  const second = await startApi({ database: server.database, env: WHEREABOUTS });
  const org = await server.createOrganization('First');
  const worker = await startMailWorker(server.database, WHEREABOUTS);
  const submission = await startSubmission(server.database);
  const people = await peopleOf(server);
  const newKey: AgentFixture['newKey'] = async (policy, scope = 'agent') => {
    const { status, body } = await people.owner.api('POST', '/api-keys', { name: 'agent', scope, policy });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: body.data.id, key: body.data.key };
  };
  const templates = {
    welcome: await newTemplate(server, org.key, 'welcome'),
    other: await newTemplate(server, org.key, 'other'),
  };
  return {
    ...{ server, second, org, ...people, templates, newKey },
    keys: {
      listed: await newKey({ recipients: RECIPIENTS, attachments: true }),
      templated: await newOldKey(server, org.id, { templates: ['welcome'] }),
      fixed: await newKey({ templates: ['welcome'], from: sendersOf(org) }),
      careful: await newKey({ approval: 'required' }),
      guarded: await newKey({ recipients: RECIPIENTS, approval: 'required' }),
    },
    send: (key, changes = {}, path = '/emails/send') =>
      server.api('POST', path, { ...letter(org), ...changes }, key),
    smtp: (key, mail) => submitted(submission.port, key, { ...plainMail(org), ...mail }),
    postCompat: (path, body, headers) => posted(`${server.url}/compat${path}`, body, headers),
    left: () => leftOf(server, org.id),
    onItsWay: () => onItsWay(server, org.id),
    async stop() {
      await submission.stop();
      await worker.stop();
      await second.stop();
      await server.stop();
    },
  };
}

/** Who a key with fixed senders may send from: one with a name, one without. */
export function sendersOf({ domain }: TestOrganization): string[] {
  return [`Acme Support <support@${domain}>`, `billing@${domain}`];
}

/** With a policy as it was stored before policies named senders. */
async function newOldKey(server: TestApi, organizationId: string, policy: object): Promise<AgentKey> {
  const key = await server.createKey(organizationId, { scope: 'agent' });
  // Not from the API: it would remember the key without its policy for a second.
  const { id } = await server.db.one(
    adHoc<{ id: string }>('SELECT id FROM api_keys WHERE organization_id = $1 AND starts_with($2, prefix)'),
    [organizationId, key],
  );
  const stored = { recipients: null, attachments: false, daily_budget: null, approval: 'none', ...policy };
  await server.db.exec(adHoc('UPDATE api_keys SET policy = $2::jsonb WHERE id = $1'), [
    id,
    JSON.stringify(stored),
  ]);
  return { id, key };
}

async function peopleOf(server: TestApi) {
  const owner = await signUpOwner(server);
  const member = await join(server, owner, 'member@example.org', 'member');
  const reader = await join(server, owner, 'reader@example.org', 'read_only');
  const stranger = await strangerOf(server, owner, 'stranger@example.org');
  return { owner, member, reader, stranger };
}

export function letter({ domain }: TestOrganization) {
  return { from: { email: `agent@${domain}` }, to: [{ email: LISTED }], subject: 'Hello', text: 'Hi' };
}

function plainMail({ domain }: TestOrganization) {
  return { from: `agent@${domain}`, to: LISTED, subject: 'Hello', text: 'Hi' };
}

async function newTemplate(server: TestApi, key: string, alias: string): Promise<string> {
  const template = { name: alias, alias, subject: `${alias} {{name}}`, html: `<p>${alias} {{name}}</p>` };
  return (await server.api('POST', '/templates', template, key)).body.data.id;
}

async function submitted(port: number, key: string, mail: SendMailOptions): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, auth: { user: 'x', pass: key } });
  return transport.sendMail(mail).then(
    ({ response }) => response,
    (error: { response?: string }) => error.response ?? String(error),
  );
}

async function posted(url: string, body: unknown, headers: Record<string, string>): Promise<string> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  return `${response.status} ${await response.text()}`;
}

export function statusAndBody({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body)}`;
}

const UNPARKED = adHoc<{ count: number }>(
  `SELECT count(*) AS count FROM outbox WHERE organization_id = $1 AND hold_id IS NULL`,
);

async function leftOf({ db }: TestApi, organizationId: string): Promise<string[]> {
  await until(async () => (await db.one(UNPARKED, [organizationId])).count === 0);
  const rows = await db.many(
    adHoc<{ rcpt_to: string }>(
      'SELECT rcpt_to FROM sandbox_messages WHERE organization_id = $1 ORDER BY rcpt_to',
    ),
    [organizationId],
  );
  return rows.map(({ rcpt_to }) => rcpt_to);
}

async function onItsWay({ db }: TestApi, organizationId: string): Promise<number> {
  const { count } = await db.one(
    adHoc<{ count: number }>(
      `SELECT count(*) AS count FROM emails e WHERE organization_id = $1 AND status <> 'failed' AND NOT EXISTS (
         SELECT FROM outbox o WHERE o.organization_id = e.organization_id AND o.email_id = e.id
           AND o.hold_id = 'approval')`,
    ),
    [organizationId],
  );
  return count;
}
