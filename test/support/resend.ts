/** A real API with a worker, and Resend's own client. */
import { type CreateEmailOptions, Resend } from 'resend';
import { startApi, type TestApi, type TestOrganization } from './api.ts';
import { startMailWorker } from './mail-worker.ts';

export interface ResendFixture {
  readonly server: TestApi;
  readonly org: TestOrganization;
  /** The client, with the organization's full key. */
  readonly resend: Resend;
  client(key: string): Resend;
  /** A valid email with `changes` applied, which may violate the client's types. */
  letter(changes?: object): CreateEmailOptions;
  /** Sends an email and returns its id. */
  send(changes?: object): Promise<string>;
  stop(): Promise<void>;
}

export async function startResend(): Promise<ResendFixture> {
  const server = await startApi();
  const org = await server.createOrganization();
  const worker = await startMailWorker(server.database);
  const client = (key: string) => new Resend(key, { baseUrl: `${server.url}/compat/resend` });
  const resend = client(org.key);
  const letter = (changes: object = {}) =>
    ({
      from: `The Shop <hello@${org.domain}>`,
      to: 'ada@example.org',
      subject: 'Your receipt',
      html: '<p>Thank you, <b>Ada</b>.</p>',
      ...changes,
    }) as CreateEmailOptions;
  return {
    server,
    org,
    resend,
    client,
    letter,
    send: async (changes) => (await dataOf(resend.emails.send(letter(changes)))).id,
    async stop() {
      await worker.stop();
      await server.stop();
    },
  };
}

/** The data of an answer. Throws if the answer is an error. */
export async function dataOf<T>(
  answer: PromiseLike<{ data: T | null; error: { message: string } | null }>,
): Promise<T> {
  const { data, error } = await answer;
  if (data === null) throw new Error(`refused: ${error?.message}`);
  return data;
}
