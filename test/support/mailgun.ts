/** A real API with a worker, and Mailgun's own client. */
import Mailgun from 'mailgun.js';
import { expect } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from './api.ts';
import { startMailWorker } from './mail-worker.ts';

type MailgunClient = ReturnType<InstanceType<typeof Mailgun>['client']>;
type Messages = MailgunClient['messages'];

export type Sent = { readonly id?: string };
type Shown = Awaited<ReturnType<TestApi['api']>>['body'];

export interface MailgunFixture {
  readonly server: TestApi;
  readonly org: TestOrganization;
  /** A client with the given key, or the organization's full key. */
  client(key?: string): MailgunClient;
  /** Takes any data, because tests also send invalid mail. */
  send(data: object, key?: string, domain?: string): ReturnType<Messages['create']>;
  from(): string;
  /** A valid message. */
  simple(to: unknown): object;
  /** The accepted email, as our own API shows it. */
  record(sent: Sent): Promise<Shown>;
  content(id: string): Promise<Shown>;
  stop(): Promise<void>;
}

export async function startMailgun(): Promise<MailgunFixture> {
  const server = await startApi();
  const org = await server.createOrganization();
  const worker = await startMailWorker(server.database);
  const client = (key = org.key) =>
    new Mailgun(FormData).client({ username: 'api', key, url: `${server.url}/compat/mailgun` });
  const from = () => `Shop <hello@${org.domain}>`;
  const shown = async (path: string) => (await server.api('GET', path, undefined, org.key)).body.data;
  return {
    server,
    org,
    client,
    send: (data, key, domain = org.domain) =>
      client(key).messages.create(domain, data as Parameters<Messages['create']>[1]),
    from,
    simple: (to) => ({ from: from(), to, subject: 'Hello', text: 'Hi' }),
    record: (sent) => shown(`/emails/${idIn(sent)}`),
    content: (id) => shown(`/emails/${id}/content`),
    async stop() {
      await worker.stop();
      await server.stop();
    },
  };
}

export function idIn({ id = '' }: Sent): string {
  return /^<([\w-]+)@/.exec(id)?.[1] ?? expect.fail(`no id in ${id}`);
}

/** The error that the client throws. */
export async function refusal(sending: Promise<unknown>) {
  const error = await sending.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  const { status, details } = error as { status: number; details: string };
  return { status, details };
}
