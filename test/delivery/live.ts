/** Live mode on loopback: workers, a DNS zone and one SMTP sink per site. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { Narrow, SiteBlock, Slow } from '../../src/delivery/scheduler/site-condition.ts';
import { eventsOf } from '../../src/events/started.ts';
import { wakeWorkers } from '../../src/outbox/wake.ts';
import type { MailWorker } from '../../src/processes/mail-worker.ts';
import type { Deadlines } from '../../src/protocols/smtp/deadlines.ts';
import type { Metrics } from '../../src/runtime/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DnsRecords, type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { createMailWorker, liveEnv } from '../support/mail-worker.ts';
import { type Seed, seedMail } from '../support/seed-mail.ts';
import { startSites, zoneOf } from '../support/sites.ts';
import type { SinkScript, SmtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';

export interface LiveOptions {
  /** The actions of each site's server instead of acceptance. */
  readonly sites: Readonly<Record<string, SinkScript>>;
  /** More domains, or other records for the domains of the sites. */
  readonly zone?: (sinks: Readonly<Record<string, SmtpSink>>) => Readonly<Record<string, DnsRecords>>;
  /** How much faster than real time retries and blocks run. */
  readonly speed?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The port of all servers; a free port by default. */
  readonly port?: number;
  readonly deadlines?: Partial<Deadlines>;
  readonly metrics?: Metrics;
  /** The EHLO capabilities of the servers; without TLS by default. */
  readonly capabilities?: readonly string[];
  /** Domains with earlier deliveries, and their sites; `name.test` of every site by default. */
  readonly delivered?: Readonly<Record<string, string>>;
}

export interface LiveEvent {
  readonly type: string;
  readonly recipient: string;
  readonly reason: string | null;
  readonly attempt: number;
  readonly created_at: Date;
}

export interface SiteRow {
  readonly paused_at: Date | null;
  readonly block: SiteBlock | null;
  readonly slow: Slow | null;
  readonly narrow: Narrow | null;
}

export class Live {
  readonly database: TestDatabase;
  readonly dns: DnsZoneServer;
  readonly sinks: Readonly<Record<string, SmtpSink>>;
  readonly #options: LiveOptions;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'postrider-live-'));
  readonly #workers = new Set<MailWorker>();

  private constructor(
    database: TestDatabase,
    dns: DnsZoneServer,
    sinks: Record<string, SmtpSink>,
    options: LiveOptions,
  ) {
    this.database = database;
    this.dns = dns;
    this.sinks = sinks;
    this.#options = options;
  }

  static async start(options: LiveOptions): Promise<Live> {
    const offers = options.capabilities === undefined ? {} : { capabilities: options.capabilities };
    const sites = Object.entries(options.sites).map(
      ([name, script]) => [name, { script, ...offers }] as const,
    );
    const sinks = await startSites(Object.fromEntries(sites), options.port);
    const dns = await startDnsZone({ ...zoneOf(sinks), ...options.zone?.(sinks) });
    const database = await createTestDatabase();
    const own = Object.keys(sinks).map((name) => [`${name}.test`, `mx.${name}.test`]);
    await haveDelivered(database.db, options.delivered ?? Object.fromEntries(own));
    return new Live(database, dns, sinks, options);
  }

  get db(): Database {
    return this.database.db;
  }

  sink(name: string): SmtpSink {
    const sink = this.sinks[name];
    if (sink === undefined) throw new Error(`There is no site ${name}.`);
    return sink;
  }

  async startWorker(): Promise<MailWorker> {
    const [sink] = Object.values(this.sinks);
    const { env, speed, deadlines, metrics } = this.#options;
    const worker = createMailWorker(
      this.database,
      { ...liveEnv(this.dns, sink?.port ?? 25), POSTRIDER_DATA_DIR: this.#dataDir, ...env },
      {
        metrics,
        ...(speed === undefined ? {} : { speed }),
        ...(deadlines === undefined ? {} : { deadlines }),
      },
    );
    await worker.start();
    this.#workers.add(worker);
    return worker;
  }

  async stopWorker(worker: MailWorker): Promise<void> {
    this.#workers.delete(worker);
    await worker.stop();
  }

  /** Adds mail of an organization to a site. The sender's address identifies the organization. */
  async seed(site: string, organizationId: string, count: number, more: Partial<Seed> = {}): Promise<void> {
    const from = `${organizationId}@sender.test`;
    await seedMail(this.db, { domain: `${site}.test`, organizationId, count, from, ...more });
    await wakeWorkers(this.db);
  }

  /** The number of queued rows, of one organization or of all. */
  async queued(organizationId?: string): Promise<number> {
    const { count } = await this.db.one(
      adHoc<{ count: number }>('SELECT count(*) FROM outbox WHERE $1::text IS NULL OR organization_id = $1'),
      [organizationId ?? null],
    );
    return count;
  }

  async whenSent(organizationId?: string): Promise<void> {
    await until(
      () => this.queued(organizationId),
      (count) => count === 0,
    );
  }

  async events(organizationId: string): Promise<LiveEvent[]> {
    const rows = await this.db.many(
      adHoc<LiveEvent & { id: string; started_at: Date | null }>(
        `SELECT id, started_at, type, recipient, reason, attempt, created_at FROM events
         WHERE organization_id = $1 ORDER BY id`,
      ),
      [organizationId],
    );
    return eventsOf(rows);
  }

  /** The stored condition of a site, by its name in this test. */
  site(name: string): Promise<SiteRow | undefined> {
    return this.siteNamed(`mx.${name}.test`);
  }

  siteNamed(name: string): Promise<SiteRow | undefined> {
    return this.db.maybeOne(
      adHoc<SiteRow>('SELECT paused_at, block, slow, narrow FROM sites WHERE name = $1'),
      [name],
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    for (const sink of Object.values(this.sinks)) await sink.close();
    await this.dns.stop();
    await this.database.drop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

function haveDelivered(db: Database, delivered: Readonly<Record<string, string>>): Promise<number> {
  return db.exec(
    adHoc(
      `INSERT INTO site_domains (domain, site, provider, delivered_at)
       SELECT d, s, 'other', now() FROM unnest($1::text[], $2::text[]) AS known(d, s)`,
    ),
    [Object.keys(delivered), Object.values(delivered)],
  );
}
