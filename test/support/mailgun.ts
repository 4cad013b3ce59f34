/** A real API with a worker behind it, and Mailgun's own client in front. */
import Mailgun from 'mailgun.js';
import { expect } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from './api.ts';
import { startMailWorker } from './mail-worker.ts';

type MailgunClient = ReturnType<InstanceType<typeof Mailgun>['client']>;
type Messages = MailgunClient['messages'];

export type Sent = { readonly id?: string };
type Shown = Awaited<ReturnType<TestApi['api']>>['body'];

export interface MailgunWorld {
  readonly server: TestApi;
  readonly org: TestOrganization;
  /** With the full key of the organization, unless another is given. */
  client(key?: string): MailgunClient;
  /** But for the type of what is sent: tests send what is wrong, too. */
  send(data: object, key?: string, domain?: string): ReturnType<Messages['create']>;
  from(): string;
  /** A message that is accepted. */
  simple(to: unknown): object;
  /** Of what was answered, as our own API shows it. */
  record(sent: Sent): Promise<Shown>;
  content(id: string): Promise<Shown>;
  stop(): Promise<void>;
}

export async function startMailgun(): Promise<MailgunWorld> {
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

/** What the client throws. */
export async function refusal(sending: Promise<unknown>) {
  const error = await sending.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  const { status, details } = error as { status: number; details: string };
  return { status, details };
}
