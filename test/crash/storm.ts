/**
 * Real processes under load, against a real PostgreSQL, a loopback DNS zone and a byte-exact sink; the tests
 * beside this file kill one of them in the middle and count what arrived.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/database/database.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { insertDomain } from '../../src/resources/domains/store.ts';
import { bootstrap } from '../../src/resources/organizations/bootstrap.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { freePort } from '../processes/supervised.ts';
import { countsDiffer, hourlyCountsDiffer } from '../support/counts.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { Role } from '../support/role.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const KEY = 'storm_key_0123456789abcdef';
const SENDERS = 32;
const SENDER_DOMAIN = 'storm.test';

type Postgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

interface Parts {
  readonly dataDir: string;
  readonly sink: SmtpSink;
  readonly zone: DnsZoneServer;
  readonly api: Role;
  readonly worker: Role;
  readonly db: Database;
  readonly url: string;
}

export class Storm {
  readonly #parts: Parts;
  #postgres: Postgres;

  private constructor(parts: Parts, postgres: Postgres) {
    this.#parts = parts;
    this.#postgres = postgres;
  }

  get sink(): SmtpSink {
    return this.#parts.sink;
  }

  get api(): Role {
    return this.#parts.api;
  }

  get worker(): Role {
    return this.#parts.worker;
  }

  static async start(): Promise<Storm> {
    const dataDir = mkdtempSync(join(tmpdir(), 'postrider-storm-'));
    chmodSync(dataDir, 0o755);
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    await migrate(postgres.url);
    const log = createLog('test', 'silent');
    const db = new Database({ url: postgres.url, log, applicationName: 'storm' });
    const { organizationId } = await bootstrap(db, parseConfig({ POSTRIDER_API_KEY: KEY }), systemClock);
    await addSenderDomain(db, organizationId);
    const sink = await startSmtpSink();
    const zone = await startDnsZone({
      'example.org': { MX: [[10, 'mx.example.org']] },
      'mx.example.org': { A: ['127.0.0.1'] },
    });
    const port = await freePort();
    const env = {
      DATABASE_URL: postgres.url,
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_PORT: String(port),
      POSTRIDER_MODE: 'live',
      POSTRIDER_DNS_SERVERS: zone.address,
      POSTRIDER_MX_PORT: String(sink.port),
      POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
      POSTRIDER_RATE_LIMIT: '1000000',
      POSTRIDER_LOG_LEVEL: 'warn',
    };
    const api = new Role('api', env);
    const worker = new Role('worker', env);
    api.start();
    worker.start();
    const storm = new Storm(
      { dataDir, sink, zone, api, worker, db, url: `http://127.0.0.1:${port}` },
      postgres,
    );
    await storm.#ready();
    return storm;
  }

  /** Sends `count` emails, many at once. Returns the ids that were answered 201; other answers are no promise. */
  async send(count: number): Promise<string[]> {
    const accepted: string[] = [];
    let next = 0;
    const sender = async () => {
      for (let n = next++; n < count; n = next++) {
        const id = await this.#sendOne(n).catch(() => undefined);
        if (id === undefined) await this.#ready();
        else accepted.push(id);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    return accepted;
  }

  /** Waits until nothing is queued any more, and returns how many emails of each status there are. */
  async settled(): Promise<Map<string, string>> {
    const open = adHoc<{ count: number }>('SELECT count(*) AS count FROM outbox');
    for (;;) {
      const left = await this.#parts.db.one(open).catch(() => ({ count: -1 }));
      if (left.count === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const rows = await this.#parts.db.many(
      adHoc<{ id: string; status: string }>('SELECT id, status FROM emails'),
    );
    return new Map(rows.map((row) => [row.id, row.status]));
  }

  /** Where the counters and a full count disagree. */
  async countsDiffer(): Promise<unknown[]> {
    const { db } = this.#parts;
    return [...(await countsDiffer(db)), ...(await hourlyCountsDiffer(db))];
  }

  /**
   * The emails that arrived more than once although nothing was unclear. A copy may be repeated only when its
   * connection was cut right behind it: then its sender cannot know whether the final dot was answered.
   */
  unexcusedDuplicates(): string[] {
    const seen = new Map<string, number>();
    const unexcused: string[] = [];
    this.sink.messages.forEach((message, index) => {
      const id = messageId(message.content);
      const earlier = seen.get(id);
      if (earlier !== undefined && !this.#wasCutBehind(earlier)) unexcused.push(id);
      seen.set(id, index);
    });
    return unexcused;
  }

  arrived(): Set<string> {
    return new Set(this.sink.messages.map((message) => messageId(message.content)));
  }

  async restartPostgres(): Promise<void> {
    if (this.#postgres.pid !== null) process.kill(this.#postgres.pid, 'SIGKILL');
    await this.#postgres.exited;
    this.#postgres = await startEmbeddedPostgres({
      dataDir: this.#parts.dataDir,
      port: this.#postgres.port,
      log: () => undefined,
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.end('SIGTERM'), this.worker.end('SIGTERM')]);
    await this.#parts.db.close();
    await this.sink.close();
    await this.#parts.zone.stop();
    await this.#postgres.stop();
    rmSync(this.#parts.dataDir, { recursive: true, force: true });
  }

  #wasCutBehind(index: number): boolean {
    const { connection } = this.sink.messages[index] as (typeof this.sink.messages)[number];
    const isLast = !this.sink.messages.some((other, at) => at > index && other.connection === connection);
    return isLast && connection.ended !== 'clean' && connection.ended !== 'open';
  }

  async #sendOne(n: number): Promise<string | undefined> {
    const response = await fetch(`${this.#parts.url}/api/v1/emails/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        from: { email: `hello@${SENDER_DOMAIN}` },
        to: [{ email: `user${n}@example.org` }],
        subject: `Number ${n}`,
        text: 'It works.',
      }),
    });
    if (response.status !== 201) return undefined;
    return ((await response.json()) as { data: { message_id: string } }).data.message_id;
  }

  async #ready(): Promise<void> {
    for (;;) {
      const response = await fetch(`${this.#parts.url}/readyz`).catch(() => null);
      if (response?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function messageId(content: Buffer): string {
  const id = /^Message-ID: <([^@]+)@/im.exec(content.toString('latin1'))?.[1];
  if (id === undefined) throw new Error('A message arrived without a Message-ID.');
  return id;
}

/** The sandbox's own domain may not send in live mode. */
async function addSenderDomain(db: Database, organizationId: string): Promise<void> {
  const now = new Date();
  await insertDomain(db, {
    id: newId('dom'),
    organization_id: organizationId,
    domain: SENDER_DOMAIN,
    spf_verified: true,
    dkim_verified: true,
    verified_at: now,
    created_at: now,
  });
}
