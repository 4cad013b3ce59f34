/** A whole installation in live mode that delivers to receiving servers of the test, each of which answers a final dot when told to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { seedMail } from '../support/seed-mail.ts';
import { startSites, zoneOf } from '../support/sites.ts';
import { agree, type SinkMoment, type SinkScript, type SmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { freePort, Supervised } from './supervised.ts';

const START = fileURLToPath(new URL('../../dist/processes/start.js', import.meta.url));
export const ORGANIZATION = newId('org');
/** Receiving servers that answer final dots when told to. Each takes the mail for its name with `.test`. */
const SLOW_SITES = ['slow', 'slow2', 'slow3', 'slow4', 'slow5', 'slow6', 'slow7', 'slow8'];
export const SLOW_DOMAINS = SLOW_SITES.map((name) => `${name}.test`);
/** How long receivers take to answer: much longer than a worker that does not wait for them takes to stop. */
const LONG_S = 12;

export interface WorkerRow {
  readonly epoch: number;
  readonly pid: number;
}

export class SlowReceivers {
  /** The recipients of all messages whose final dot arrived, in that order, whatever was answered. */
  readonly received: string[] = [];
  readonly dataDir = mkdtempSync(join(tmpdir(), 'postrider-stops-'));
  readonly #dns: DnsZoneServer;
  readonly #sinks: Readonly<Record<string, SmtpSink>>;
  readonly #answers: Promise<void>;
  /** Final dots are answered from now on. */
  answer: () => void = () => undefined;
  #running: Supervised | undefined;

  private constructor(dns: DnsZoneServer, sinks: Readonly<Record<string, SmtpSink>>) {
    this.#dns = dns;
    this.#sinks = sinks;
    this.#answers = new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  /** The slow sites answer final dots when told to; the others do as their scripts say. */
  static async start(others: Readonly<Record<string, SinkScript>> = {}): Promise<SlowReceivers> {
    const slow = SLOW_SITES.map((name) => [name, {}] as const);
    const sites = Object.entries(others).map(([name, script]) => [name, { script }] as const);
    const sinks = await startSites(Object.fromEntries([...slow, ...sites]));
    const receivers = new SlowReceivers(await startDnsZone(zoneOf(sinks)), sinks);
    for (const [name, sink] of Object.entries(sinks))
      sink.script = { ...sink.script, dot: (moment) => receivers.#dot(name, moment) };
    return receivers;
  }

  async #dot(name: string, { connection }: SinkMoment) {
    const rcpt = connection.commands.findLast((line) => line.startsWith('RCPT')) ?? '';
    this.received.push(/<(.*?)>/.exec(rcpt)?.[1] ?? rcpt);
    if (SLOW_SITES.includes(name)) await this.#answers;
    return agree();
  }

  async install(env: Readonly<Record<string, string>>): Promise<Supervised> {
    const ports = {
      POSTRIDER_INBOUND_PORT: String(await freePort()),
      POSTRIDER_SUBMISSION_PORT: String(await freePort()),
      POSTRIDER_METRICS_PORT: '',
    };
    const live = { ...liveEnv(this.#dns, this.#sinks.slow?.port ?? 25), POSTRIDER_DATA_DIR: this.dataDir };
    this.#running = await Supervised.start([], { ...live, ...ports, ...env }, START);
    await this.#running.says(/is ready/);
    return this.#running;
  }

  hasReceived(count: number): Promise<unknown> {
    return until(() => this.received.length >= count);
  }

  async close(): Promise<void> {
    this.answer();
    await this.#running?.clear();
    for (const sink of Object.values(this.#sinks)) await sink.close();
    await this.#dns.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** The domain counts as one that was delivered to before: a new one gets a single connection at first. */
export async function seedTo(db: Sql, domain: string, count: number): Promise<void> {
  const known = `INSERT INTO site_domains (domain, site, provider, delivered_at) VALUES ($1, 'mx.' || $1, 'other', now())`;
  await db.exec(adHoc(known), [domain]);
  await seedMail(db, { organizationId: ORGANIZATION, domain, count });
}

/** The worker that has mail to this domain in hand. */
export function workerOf(db: Sql, domain: string): Promise<WorkerRow> {
  return db.one(
    adHoc<WorkerRow>(
      `SELECT epoch, pid FROM workers WHERE epoch IN (SELECT worker FROM outbox WHERE domain = $1)`,
    ),
    [domain],
  );
}

/** Resolves when the worker has renewed its lease for so long. */
export async function hasWaitedLong(db: Sql, { epoch }: WorkerRow, seconds = LONG_S): Promise<void> {
  const read = async () => {
    const row = await db.maybeOne(
      adHoc<{ beat: number }>(
        'SELECT extract(epoch FROM heartbeat_at)::float8 AS beat FROM workers WHERE epoch = $1',
      ),
      [epoch],
    );
    if (row === undefined) throw new Error('The worker ended before its receivers answered.');
    return row.beat;
  };
  const first = await read();
  await until(read, (beat) => beat >= first + seconds, 200);
}

/** How often each event happened to mail of the test: type and reason. */
export async function eventCounts(db: Sql): Promise<Record<string, number>> {
  const rows = await db.many(
    adHoc<{ what: string; count: number }>(
      `SELECT concat_ws(' ', type, reason) AS what, count(*)::int AS count FROM events
       WHERE organization_id = $1 AND type IN ('delivered', 'deferred', 'bounced', 'failed') GROUP BY 1`,
    ),
    [ORGANIZATION],
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

/** Which of the mail to this domain is in the queue, and whether a worker has claimed it. */
export function queued(db: Sql, domain: string): Promise<{ claimed: boolean }[]> {
  return db.many(
    adHoc<{ claimed: boolean }>('SELECT worker IS NOT NULL AS claimed FROM outbox WHERE domain = $1'),
    [domain],
  );
}
