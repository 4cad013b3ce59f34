/** The real API and the real worker in sandbox mode, an organization, and somebody who listens. */
import type { WorkerDeps } from '../../src/processes/mail-worker.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

export interface Hooked {
  readonly id: string;
  readonly secret: string;
}

export class WebhookFixture {
  readonly server: TestApi;
  readonly org: TestOrganization;
  readonly receiver: WebhookReceiver;
  readonly #worker: TestWorker;

  private constructor(server: TestApi, org: TestOrganization, receiver: WebhookReceiver, worker: TestWorker) {
    this.server = server;
    this.org = org;
    this.receiver = receiver;
    this.#worker = worker;
  }

  static async start(
    env: Readonly<Record<string, string>> = {},
    onlyApi: Readonly<Record<string, string>> = {},
    ofWorker: Partial<WorkerDeps> = {},
  ): Promise<WebhookFixture> {
    const server = await startApi({ env: { ...env, ...onlyApi } });
    const receiver = await startWebhookReceiver();
    const worker = await startMailWorker(server.database, env, ofWorker);
    return new WebhookFixture(server, await server.createOrganization(), receiver, worker);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape and check what they find
  async call(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.server.api(method, path, body, this.org.key);
    if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  /** A webhook to the receiver, on a path of its own. */
  hook(path = '/hook', settings: object = {}): Promise<Hooked> {
    return this.call('POST', '/webhooks', {
      url: `http://127.0.0.1:${this.receiver.port}${path}`,
      ...settings,
    });
  }

  send(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return sendLetter(this.server, this.org, changes);
  }

  /** Waits until a delivery is as wanted. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  delivery(hook: Hooked, matches: (delivery: any) => boolean): Promise<any> {
    return until(async () =>
      (await this.call('GET', `/webhooks/${hook.id}/deliveries?limit=100`)).find(matches),
    );
  }

  async stop(): Promise<void> {
    await this.receiver.close();
    await this.#worker.stop();
    await this.server.stop();
  }
}
