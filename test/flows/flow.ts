/** API and worker together on one database, and the questions a flow test asks of them. */
import type { WorkerDeps } from '../../src/processes/mail-worker.ts';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { until } from '../support/until.ts';

export interface SeenEvent {
  readonly type: string;
  readonly recipient: string;
  readonly mx_host: string | null;
  readonly smtp_code: number | null;
  readonly smtp_message: string | null;
  readonly enhanced_code: string | null;
  readonly reason: string | null;
  readonly attempt: number | null;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export interface SeenEmail {
  readonly id: string;
  readonly status: string;
  readonly recipients: readonly {
    readonly email: string;
    readonly status: string;
    readonly attempts: number;
  }[];
  readonly events: readonly SeenEvent[];
}

export class Flow {
  readonly #api: TestApi;
  readonly #worker: TestWorker;
  readonly organization: TestOrganization;

  private constructor(api: TestApi, worker: TestWorker, organization: TestOrganization) {
    this.#api = api;
    this.#worker = worker;
    this.organization = organization;
  }

  /** `env` configures both halves. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<Flow> {
    return Flow.on(await startApi({ env }), env);
  }

  /** With an API that is there already; `env` and `more` are the worker's. */
  static async on(
    api: TestApi,
    env: Readonly<Record<string, string>> = {},
    more: Partial<WorkerDeps> = {},
  ): Promise<Flow> {
    const organization = await api.createOrganization();
    return new Flow(api, await startMailWorker(api.database, env, more), organization);
  }

  get url(): string {
    return this.#api.url;
  }

  get db(): TestApi['db'] {
    return this.#api.db;
  }

  api(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#api.api(method, path, body, this.organization.key);
  }

  async send(
    to: string | readonly string[],
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const answer = await this.api('POST', '/emails/send', {
      from: { email: `hello@${this.organization.domain}`, name: 'Hello' },
      to: [to].flat().map((email) => ({ email })),
      subject: 'Flow',
      text: 'It works.',
      ...fields,
    });
    if (answer.status !== 201)
      throw new Error(`send answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.message_id;
  }

  async email(id: string): Promise<SeenEmail> {
    return (await this.api('GET', `/emails/${id}`)).body.data;
  }

  /** Waits until the email looks as wanted; the test's own time limit bounds it. */
  when(id: string, wanted: (email: SeenEmail) => boolean): Promise<SeenEmail> {
    return until(() => this.email(id), wanted);
  }

  final(id: string): Promise<SeenEmail> {
    return this.when(id, (email) => email.status !== 'queued');
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#api.stop();
  }
}

export function typesOf(email: SeenEmail): string[] {
  return email.events.map((event) => event.type);
}
