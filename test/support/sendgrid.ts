/** A real API with a worker, and SendGrid's own client. */
import client from '@sendgrid/client';
import sendgrid from '@sendgrid/mail';
import { expect } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from './api.ts';
import { startMailWorker } from './mail-worker.ts';

export type SendGridMail = Parameters<typeof sendgrid.sendMultiple>[0];

type Sent = readonly [
  { readonly statusCode: number; readonly headers: unknown; readonly body: unknown },
  unknown,
];

export interface SendGridFixture {
  readonly server: TestApi;
  readonly org: TestOrganization;
  clientOf(key: string): typeof client;
  /** A client with the given key, or the organization's full key. */
  mailOf(key?: string): {
    send(data: object): Promise<Sent>;
    sendMultiple(data: object): Promise<Sent>;
  };
  from(): string;
  /** A valid mail. */
  simple(to: unknown): object;
  stop(): Promise<void>;
}

export async function startSendGrid(): Promise<SendGridFixture> {
  const server = await startApi();
  const org = await server.createOrganization();
  const worker = await startMailWorker(server.database);
  /** Does not use `setApiKey`, which warns about keys that do not begin with SG. */
  const clientOf = (key: string) => {
    client.setDefaultHeader('Authorization', `Bearer ${key}`);
    client.setDefaultRequest('baseUrl', `${server.url}/compat/sendgrid/`);
    return client;
  };
  const from = () => `hello@${org.domain}`;
  return {
    server,
    org,
    clientOf,
    mailOf(key = org.key) {
      sendgrid.setClient(clientOf(key));
      // Takes any data, because tests also send invalid mail.
      return {
        send: (data) => sendgrid.send(data as SendGridMail),
        sendMultiple: (data) => sendgrid.sendMultiple(data as SendGridMail),
      };
    },
    from,
    simple: (to) => ({ to, from: from(), subject: 'Hello', text: 'Hi' }),
    async stop() {
      await worker.stop();
      await server.stop();
    },
  };
}

export function idOf([response]: Sent): string {
  return (response.headers as Record<string, string>)['x-message-id'] as string;
}

/** The error that the client throws. */
export async function refusal(sending: Promise<unknown>) {
  const error = await sending.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  const { code, response } = error as { code: number; response: { body: { errors: object[] } } };
  return { code, errors: response.body.errors };
}
