/**
 * The system under test of the delivery benches: the built worker in live mode, on an embedded PostgreSQL with fsync on, sends
 * mail from the API's tables to a sink in another process. The sink measures the rate.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { seedMail } from '../../test/support/seed-mail.ts';
import { cpuSeconds } from './cpu.ts';
import { end, type Installation, startInstallation, startRole } from './installation.ts';
import { DOMAINS, type Intake, type MailSink, type SinkTraits, startMailSink } from './mail-sink.ts';
import { describeQueue } from './queue.ts';
import { receipt } from './receipt.ts';

export const SECRET_KEY = 'bench-secret-key-bench-secret-key-0123456789';
/** The number of workers, like POSTRIDER_WORKERS. */
export const WORKERS = availableParallelism();
const MAIL = receipt();

export interface Delivered extends Intake {
  /** The memory of the largest worker. */
  readonly rssMb: number;
  /** Processor time of the worker, including its start, and of PostgreSQL. */
  readonly cpuMsPerMail: number;
}

export interface DeliveryRig {
  readonly db: Database;
  readonly organizationId: string;
  readonly sink: MailSink;
  readonly installation: Installation;
  /** Inserts mail of 4 KB into the tables, spread evenly over the domains and due at once. */
  seed(count: number, from?: string): Promise<void>;
  /** Starts a worker for each core, waits until `count` messages arrived, and stops them. */
  deliver(count: number, warmUp: number, env?: Readonly<Record<string, string>>): Promise<Delivered>;
  /** Removes all seeded mail. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDeliveryRig(traits: SinkTraits = {}): Promise<DeliveryRig> {
  const sink = await startMailSink(traits);
  const installation = await startInstallation({ POSTRIDER_SECRET_KEY: SECRET_KEY });
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-bench-worker-'));
  const { db, organizationId, databaseUrl } = installation;
  return {
    db,
    organizationId,
    sink,
    installation,
    async seed(count, from = 'orders@unsigned.test') {
      for (let i = 0; i < DOMAINS; i += 1) {
        const domain = sink.domain(i);
        const dueInMs = -3_600_000;
        await seedMail(db, { ...MAIL, organizationId, domain, dueInMs, from, count: count / DOMAINS });
      }
      await db.exec(adHoc('ANALYZE'));
    },
    async deliver(count, warmUp, env = {}) {
      const databaseBefore = cpuSeconds(installation.databasePid);
      const intake = sink.intake(count, warmUp, () => describeQueue(db));
      intake.catch(() => {}); // if a worker ends first, its end is the error
      const workers = Array.from({ length: WORKERS }, () =>
        startRole('worker', {
          DATABASE_URL: databaseUrl,
          POSTRIDER_DATA_DIR: dataDir,
          POSTRIDER_MODE: 'live',
          POSTRIDER_SECRET_KEY: SECRET_KEY,
          POSTRIDER_HOSTNAME: 'mail.bench.test',
          POSTRIDER_DNS_SERVERS: sink.dnsAddress,
          POSTRIDER_MX_PORT: String(sink.port),
          POSTRIDER_ALLOW_PRIVATE_DESTINATIONS: 'true',
          POSTRIDER_LOG_LEVEL: 'warn',
          ...env,
        }),
      );
      const pids = workers.map((worker) => worker.pid ?? 0);
      const seen = await Promise.race([intake, ...workers.map(unexpectedEnd)]);
      const rssMb = Math.max(...pids.map(peakMemoryMb));
      const seconds = pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
      const databaseSeconds = cpuSeconds(installation.databasePid) - databaseBefore;
      await Promise.all(workers.map(end));
      return { ...seen, rssMb, cpuMsPerMail: ((seconds + databaseSeconds) * 1000) / count };
    },
    async empty() {
      await db.exec(
        adHoc(
          'TRUNCATE emails, email_contents, recipients, events, outbox, email_counts, sites, site_domains',
        ),
      );
    },
    async stop() {
      await installation.stop();
      await sink.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function unexpectedEnd(worker: ChildProcess): Promise<never> {
  const ended = once(worker, 'exit').then(() => {
    throw new Error('A worker ended while it was measured.');
  });
  ended.catch(() => {}); // after the measurement the worker is stopped on purpose
  return ended;
}

function peakMemoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
