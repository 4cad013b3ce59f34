/** Applications with different clients that keep sending while a test changes the server. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { idIn } from './submission.ts';
import { until } from './until.ts';

export interface FlowOptions {
  readonly httpPort: number;
  readonly smtpPort: number;
  readonly key: string;
  readonly from: string;
}

/** Sends a mail and resolves with its id, or rejects. */
type Send = (to: string) => Promise<string>;

/** The pause between two mails of one application, which shares the machine with the server under test. */
const PAUSE_MS = 20;

export class MailFlow {
  /** The ids of accepted mail, by application. */
  readonly accepted = new Map<string, string[]>();
  readonly failures: string[] = [];
  readonly #running: Promise<void>[];
  readonly #close: () => void;
  #stopped = false;

  constructor(options: FlowOptions) {
    const kept = new Agent({ keepAlive: true });
    const pool = createTransport({ ...smtp(options), pool: true, maxConnections: 1 });
    const ways: Record<string, Send> = {
      'over HTTP connections that it keeps': (to) => post(options, kept, to),
      'over a new HTTP connection each': (to) => post(options, undefined, to),
      'over a pool of SMTP connections': async (to) =>
        idIn((await pool.sendMail(mail(options, to))).response),
      'over a new SMTP connection each': async (to) =>
        idIn((await createTransport(smtp(options)).sendMail(mail(options, to))).response),
    };
    this.#running = Object.entries(ways).map(([name, send]) => this.#keepSending(name, send));
    this.#close = () => {
      kept.destroy();
      pool.close();
    };
  }

  get ids(): string[] {
    return [...this.accepted.values()].flat();
  }

  /** Resolves when each application had `count` more mails accepted, and rejects when one failed. */
  async goesOn(count: number): Promise<void> {
    const wanted = [...this.accepted.values()].map((ids) => ids.length + count);
    const isDone = () => [...this.accepted.values()].every((ids, i) => ids.length >= (wanted[i] ?? 0));
    await until(() => this.failures.length > 0 || isDone());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
    this.#close();
  }

  async #keepSending(name: string, send: Send): Promise<void> {
    const ids: string[] = [];
    this.accepted.set(name, ids);
    while (!this.#stopped) {
      await send(`user${ids.length}@example.org`).then(
        (id) => ids.push(id),
        (error) => this.failures.push(`${name}: ${error}`),
      );
      await sleep(PAUSE_MS);
    }
  }
}

function post({ httpPort, key, from }: FlowOptions, agent: Agent | undefined, to: string): Promise<string> {
  const body = JSON.stringify({ from: { email: from }, to: [{ email: to }], subject: 'Flow', text: 'x' });
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const options = {
      host: '127.0.0.1',
      port: httpPort,
      path: '/api/v1/emails/send',
      method: 'POST',
      headers,
    };
    const asked = request({ ...options, agent: agent ?? false }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      if (response.statusCode === 201) resolve(JSON.parse(text).data.message_id);
      else reject(new Error(`${response.statusCode} ${text}`));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function smtp({ smtpPort, key }: FlowOptions) {
  return { host: '127.0.0.1', port: smtpPort, auth: { user: 'x', pass: key } };
}

function mail({ from }: FlowOptions, to: string) {
  return { from, to, subject: 'Flow', text: 'x' };
}
