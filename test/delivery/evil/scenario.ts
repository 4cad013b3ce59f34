/**
 * Shared by all scenarios of bad servers: the real worker in live mode with short deadlines, a zone, one scripted server per
 * site, one email to each, and a final check that nothing was left open.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { adHoc } from '../../../src/database/sql.ts';
import { createPolicyStore } from '../../../src/delivery/tls/sts-store.ts';
import { eventsOf } from '../../../src/events/started.ts';
import type { WorkerDeps } from '../../../src/processes/mail-worker.ts';
import type { StsPolicy } from '../../../src/protocols/dns/mta-sts-policy.ts';
import type { Deadlines } from '../../../src/protocols/smtp/deadlines.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/runtime/durations.ts';
import { newId } from '../../../src/runtime/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type DnsRecords, type DnsZoneServer, startDnsZone } from '../../support/dns-zone.ts';
import { createMailWorker, liveEnv } from '../../support/mail-worker.ts';
import { type Seed, seedMail } from '../../support/seed-mail.ts';
import { type SiteOptions, startSites, zoneOf } from '../../support/sites.ts';
import { type SinkAction, type SinkMoment, type SmtpSink, silent } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';

/** Far above what an honest server on this machine needs, far below the defaults. */
export const TIMEOUT_MS = 400;
/** An attempt may meet several deadlines, on a machine that does other things too; minutes are what must not pass. */
export const LONGEST_ATTEMPT_MS = 10_000;

const PHASES = [
  'connect',
  'banner',
  'ehlo',
  'startTls',
  'tls',
  'auth',
  'mail',
  'rcpt',
  'data',
  'dot',
] as const;
const SHORT: Partial<Deadlines> = {
  ...Object.fromEntries(PHASES.map((phase) => [`${phase}Ms`, TIMEOUT_MS])),
  bodyBlockMs: TIMEOUT_MS,
  bodyTotalMs: TIMEOUT_MS,
  epilogueMs: TIMEOUT_MS,
};

/** Says nothing and does nothing until the client has gone: what it pipelined stays unread. */
export async function hang({ connection }: SinkMoment): Promise<SinkAction> {
  await until(() => connection.ended !== 'open');
  return silent();
}

export interface ScenarioOptions {
  /** Each takes the mail for `name.test`, on an address of its own. */
  readonly sites: Readonly<Record<string, SiteOptions>>;
  /** More names, or other records for those of the sites. */
  readonly zone?: (sinks: Readonly<Record<string, SmtpSink>>) => Readonly<Record<string, DnsRecords>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly worker?: Partial<WorkerDeps>;
}

export interface AttemptEvent {
  readonly type: string;
  readonly recipient: string;
  readonly reason: string | null;
  readonly smtp_code: number | null;
  readonly smtp_message: string | null;
  readonly enhanced_code: string | null;
  readonly mx_host: string | null;
  readonly tls: string | null;
  readonly tls_certificate: unknown;
  readonly attempt: number;
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
}

export interface Scenario {
  readonly sinks: Readonly<Record<string, SmtpSink>>;
  readonly dns: DnsZoneServer;
  readonly database: TestDatabase;
  sink(name: string): SmtpSink;
  /** Sends one email to the domain, and gives the events of its attempts once so many, or the last, have ended. */
  deliver(domain: string, attempts?: number | 'final', more?: Partial<Seed>): Promise<AttemptEvent[]>;
  /** As if it had been fetched a minute ago. */
  storePolicy(domain: string, policy: Pick<StsPolicy, 'mode' | 'mx'>): Promise<void>;
  /** Another worker takes its place, which has nothing of it but the database and the folder. */
  restart(): Promise<void>;
  /** Stops the worker, lets go of the database, and gives what is still open then: nothing, that is. */
  leftovers(): Promise<string[]>;
}

export async function startScenario(options: ScenarioOptions): Promise<Scenario> {
  const timersBefore = timers();
  const sinks = await startSites(options.sites);
  const dns = await startDnsZone({ ...zoneOf(sinks), ...options.zone?.(sinks) });
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-evil-'));
  const port = Object.values(sinks)[0]?.port ?? 25;
  const env = { ...liveEnv(dns, port), POSTRIDER_DATA_DIR: dataDir, ...options.env };
  const create = () => createMailWorker(database, env, { deadlines: SHORT, ...options.worker });
  let worker = create();
  await worker.start();
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= worker.stop().then(() => database.drop());
    return ended;
  };
  onTestFinished(async () => {
    await end();
    for (const sink of Object.values(sinks)) await sink.close();
    await dns.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    sinks,
    dns,
    database,
    sink: (name) => sinks[name] as SmtpSink,
    deliver: (domain, attempts = 1, more = {}) => deliver(database, domain, attempts, more),
    storePolicy: (domain, { mode, mx }) =>
      createPolicyStore(database.db).save(domain, {
        id: '1',
        policy: { mode, mx, maxAgeMs: DAY_MS },
        fetchedAtMs: Date.now() - MINUTE_MS,
      }),
    async restart() {
      await worker.stop();
      worker = create();
      await worker.start();
    },
    async leftovers() {
      await end();
      for (const sink of Object.values(sinks)) await sink.waitForClosed(sink.connections.length);
      return until(
        async () => [...openSockets(port), ...(timers() > timersBefore ? [`${timers()} timers`] : [])],
        (open) => open.length === 0,
      );
    },
  };
}

const selectEvents = adHoc<AttemptEvent & { id: string; started_at: Date | null }>(
  `SELECT id, started_at, type, recipient, reason, smtp_code, smtp_message, enhanced_code, mx_host, tls, tls_certificate, attempt, next_attempt_at, created_at
   FROM events WHERE organization_id = $1 ORDER BY id`,
);

async function deliver(
  { db }: TestDatabase,
  domain: string,
  attempts: number | 'final',
  more: Partial<Seed>,
): Promise<AttemptEvent[]> {
  const organizationId = newId('org');
  await seedMail(db, { organizationId, domain, count: 1, ...more });
  const events = await until(
    async (): Promise<AttemptEvent[]> => eventsOf(await db.many(selectEvents, [organizationId])),
    (all) => {
      const ended = all.filter((event) => event.type !== 'processing');
      return attempts === 'final' ? ended.some(({ type }) => type !== 'deferred') : ended.length >= attempts;
    },
  );
  return events
    .filter((event) => event.type !== 'processing')
    .map((event, index) => timed(events, event, index));
}

/** Throws when an attempt took longer than an attempt may. */
function timed(events: readonly AttemptEvent[], event: AttemptEvent, index: number): AttemptEvent {
  const started = events.filter(({ type }) => type === 'processing')[index];
  const tookMs = started === undefined ? 0 : event.created_at.getTime() - started.created_at.getTime();
  if (tookMs > LONGEST_ATTEMPT_MS) throw new Error(`The attempt took ${tookMs} ms.`);
  return event;
}

function openSockets(port: number): string[] {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): readonly Socket[] };
  return handles
    .call(process)
    .filter((one) => one.remotePort === port && !one.destroyed)
    .map((one) => `socket to ${one.remoteAddress}`);
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
