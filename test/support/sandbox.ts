/** A sandbox on its own database, with our SMTP client and its inbox over HTTP. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Sql } from '../../src/database/sql.ts';
import { createApp } from '../../src/http/app.ts';
import { LinkChecks } from '../../src/message-checks/check-links.ts';
import { encodeReference, returnPathOf } from '../../src/protocols/message/return-path.ts';
import type { SmtpFacts } from '../../src/protocols/smtp/facts.ts';
import { SmtpPool } from '../../src/protocols/smtp/pool.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import type { Scope } from '../../src/runtime/permissions.ts';
import { hashToken } from '../../src/runtime/tokens.ts';
import { createSandboxTxt } from '../../src/sandbox/dns.ts';
import { InboxWaits } from '../../src/sandbox/inbox-waits.ts';
import type { SandboxReceiver } from '../../src/sandbox/receiver.ts';
import { RecipientActions } from '../../src/sandbox/recipient-actions.ts';
import { sandboxRoutes } from '../../src/sandbox/routes.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { waitingRoutes } from '../../src/sandbox/waiting-routes.ts';

const RETURN_PATH_HOST = 'mail.postrider.test';

export interface Delivery {
  readonly organizationId: string;
  readonly emailId: string;
  readonly position: number;
}

export function newDelivery(organizationId: string = newId('org')): Delivery {
  return { organizationId, emailId: uuidv7(Date.now()), position: 0 };
}

export class SandboxFixture {
  readonly receiver: SandboxReceiver;
  readonly #key = randomBytes(32);
  readonly #pool = new SmtpPool({ clock: systemClock });

  constructor(db: Sql) {
    this.receiver = createSandbox({
      db,
      log: createLog('test', 'silent'),
      clock: systemClock,
      returnPathKeys: { at: () => this.#key, all: () => [this.#key] },
      returnPathHost: RETURN_PATH_HOST,
    });
  }

  start(): Promise<void> {
    return this.receiver.start();
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
    await this.receiver.stop();
  }

  returnPathOf(delivery: Delivery): string {
    return returnPathOf(encodeReference(delivery, this.#key, Date.now()), RETURN_PATH_HOST);
  }

  /** Sends one message like the worker. */
  send(delivery: Delivery, to: string, message: string | Buffer): Promise<SmtpFacts> {
    return this.sendFrom(this.returnPathOf(delivery), to, message);
  }

  sendFrom(from: string, to: string, message: string | Buffer): Promise<SmtpFacts> {
    const { host, address, port } = this.receiver;
    const target = { host, address, port, tls: 'opportunistic', ehloName: 'worker.test' } as const;
    return this.#pool.send(target, { from, to, smtpUtf8: false }, Buffer.from(message));
  }
}

export interface InboxResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever shape the answer has.
  readonly json: any;
}

/** Never requests a link, because only tests with the whole API check links. */
const linkChecks = new LinkChecks({
  probe: async () => ({ status: null, leadsTo: null, error: 'not asked' }),
  clock: systemClock,
});

/** The inbox's routes on a real port. `key(organization)` returns a fictitious API key. */
export class InboxApi {
  readonly #app: FastifyInstance;
  readonly #keys = new Map<string, { organizationId: string; scope: Scope }>();
  #address = '';

  constructor(db: Sql) {
    const names = { lookUp: createSandboxTxt({ db, host: 'mx.test' }), host: 'mx.test' };
    this.#app = createApp({
      log: createLog('test', 'silent'),
      clock: systemClock,
      rateLimit: 100_000,
      trustProxy: false,
      publicUrl: 'http://localhost',
      version: '0.0.0',
      ready: async () => null,
      metrics: createMetrics('test'),
      authenticate: async (hash) => {
        const found = this.#keys.get(hash.toString('hex'));
        return found === undefined ? null : { ...found, keyId: newId('key'), domain: null };
      },
      routes: [
        waitingRoutes({ db, names, waits: new InboxWaits({ db, clock: systemClock }) }),
        sandboxRoutes({
          db,
          names,
          linkChecks,
          actions: new RecipientActions({
            ...{ publicUrl: 'http://127.0.0.1:1', clock: systemClock },
            sendBack: async () => {},
          }),
          sendSamples: async () => 0,
        }),
      ],
    });
  }

  async start(): Promise<void> {
    this.#address = await this.#app.listen({ host: '127.0.0.1', port: 0 });
  }

  async stop(): Promise<void> {
    await this.#app.close();
  }

  key(organizationId: string, scope: Scope = 'full'): string {
    const token = randomBytes(16).toString('hex');
    this.#keys.set(hashToken(token).toString('hex'), { organizationId, scope });
    return token;
  }

  async call(method: 'GET' | 'DELETE', path: string, key: string): Promise<InboxResponse> {
    const response = await fetch(`${this.#address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: isJson ? JSON.parse(bytes.toString()) : null,
    };
  }
}
