/** How fast events reach customers: in bulk, next to endpoints that hang, and one by one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { adHoc } from '../src/database/sql.ts';
import { appendEvents } from '../src/events/append.ts';
import { createWaker } from '../src/outbox/wake.ts';
import { newId, uuidv7 } from '../src/runtime/ids.ts';
import { KeyRing } from '../src/runtime/key-ring.ts';
import { SecretKey } from '../src/runtime/secret-key.ts';
import { webhookSecretBox } from '../src/webhooks/endpoints/secret.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { type Receiver, startReceiver } from './support/counting-receiver.ts';
import { end, type Installation, startInstallation, startRole } from './support/installation.ts';
import { median, percentile } from './support/measure.ts';
import { describeQueue } from './support/queue.ts';
import { number } from './support/table.ts';
import { waitUntilDone } from './support/wait.ts';

export const title = 'Events to webhooks';
export const claim =
  'at least 2,000 deliveries/s to a local receiver; with 100 of 1,000 endpoints hanging the others keep 0.9 of their rate; p50 from event to receiver under 100 ms at 500 events/s';

const SECRET_KEY = 'a-master-key-for-benches-and-nothing-else';
const ENV = { POSTRIDER_SECRET_KEY: SECRET_KEY };
const SIZES = {
  full: {
    bulk: { deliveries: 20_000, endpoints: 10 },
    many: { endpoints: 1_000, hanging: 100, each: 40 },
    latency: { eventsPerSecond: 500, seconds: 10 },
  },
  smoke: {
    bulk: { deliveries: 200, endpoints: 10 },
    many: { endpoints: 20, hanging: 2, each: 10 },
    latency: { eventsPerSecond: 50, seconds: 1 },
  },
};
type Numbers = (typeof SIZES)[Size];
const TICK_MS = 10;
const TARGETS = { perSecond: 2_000, kept: 0.9, p50Ms: 100 };

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { bulk: inBulk, many, latency } = SIZES[size];
  const receiver = await startReceiver();
  const installation = await startInstallation(ENV);
  const inTurn = <T>(measure: (setting: Setting) => Promise<T>) =>
    withWorker(installation, receiver, measure);
  try {
    const bulk = await inTurn((setting) => measureBulk(setting, inBulk, progress));
    const well = await inTurn((setting) => measureMany(setting, { ...many, hanging: 0 }, progress));
    const some = await inTurn((setting) => measureMany(setting, many, progress));
    const latencies = await inTurn((setting) => measureLatency(setting, latency, progress));
    return report({ bulk, well, some, latencies }, many);
  } finally {
    await installation.stop();
    receiver.close();
  }
}

interface Found {
  readonly bulk: number;
  readonly well: number;
  readonly some: number;
  readonly latencies: readonly number[];
}

function report({ bulk, well, some, latencies }: Found, many: Numbers['many']): BenchResult {
  const p50 = median(latencies);
  const p99 = percentile(latencies, 0.99);
  const kept = some / well;
  const rows = [
    ['deliveries/s in bulk', number(bulk), `>= ${number(TARGETS.perSecond)}`],
    [`deliveries/s to ${number(many.endpoints)} endpoints`, number(well), ''],
    [
      `deliveries/s to ${number(many.endpoints - many.hanging)}, ${many.hanging} more hang`,
      number(some),
      `${number(kept, 2)} of it, >= ${TARGETS.kept}`,
    ],
    ['ms from event to receiver, p50', number(p50, 1), `< ${TARGETS.p50Ms}`],
    ['ms from event to receiver, p99', number(p99, 1), ''],
  ];
  return {
    // The worst of the three against its own target, so that 1 means that all hold.
    ratio: Math.min(bulk / TARGETS.perSecond, kept / TARGETS.kept, TARGETS.p50Ms / p50),
    target: 1,
    table: { columns: ['measure', 'value', 'target'], rows },
    figures: { perSecond: Math.round(bulk), kept, p50Ms: p50, p99Ms: p99 },
  };
}

interface Setting {
  readonly installation: Installation;
  readonly receiver: Receiver;
  startWorker(): void;
}

/** A worker and empty tables for each measurement: an endpoint that hangs must not weigh on the next one. */
async function withWorker<T>(
  installation: Installation,
  receiver: Receiver,
  measure: (setting: Setting) => Promise<T>,
): Promise<T> {
  await installation.db.exec(adHoc('TRUNCATE webhook_endpoints, webhook_deliveries, events, emails CASCADE'));
  let worker: ReturnType<typeof startRole> | undefined;
  try {
    return await measure({
      installation,
      receiver,
      startWorker() {
        worker = startRole('worker', {
          ...ENV,
          DATABASE_URL: installation.databaseUrl,
          POSTRIDER_LOG_LEVEL: 'error',
          POSTRIDER_DATA_DIR: `${process.env.TMPDIR ?? '/tmp'}/postrider-bench-worker-${process.pid}`,
        });
      },
    });
  } finally {
    receiver.reset();
    if (worker) await end(worker);
  }
}

async function measureBulk(
  setting: Setting,
  { deliveries, endpoints }: Numbers['bulk'],
  progress: Progress,
): Promise<number> {
  progress(`seeding ${number(deliveries)} deliveries to ${endpoints} endpoints`);
  await addEndpoints(setting, Array<string>(endpoints).fill('/'));
  await addEvents(setting, deliveries / endpoints);
  setting.startWorker();
  return rateOf(setting, deliveries, progress);
}

async function measureMany(
  setting: Setting,
  { endpoints, hanging, each }: Numbers['many'],
  progress: Progress,
): Promise<number> {
  progress(`seeding ${each} deliveries to each of ${number(endpoints)} endpoints, of which ${hanging} hang`);
  const paths = Array.from({ length: endpoints }, (_, n) => (n < hanging ? '/hang' : '/'));
  await addEndpoints(setting, paths);
  await addEvents(setting, each);
  setting.startWorker();
  return rateOf(setting, (endpoints - hanging) * each, progress);
}

async function measureLatency(
  setting: Setting,
  { eventsPerSecond, seconds }: Numbers['latency'],
  progress: Progress,
): Promise<number[]> {
  const { installation, receiver } = setting;
  progress(`${eventsPerSecond} events/s for ${seconds} s`);
  await addEndpoints(setting, ['/']);
  const total = eventsPerSecond * seconds;
  // Each of an email of its own, as events are: those of one email go out one after the other.
  const emailIds = await addEmails(setting, total);
  setting.startWorker();
  await addEvents(setting, 1); // until the first one arrives, the worker is starting
  await arrived(setting, 1);
  receiver.reset();
  const wake = createWaker(installation.db);
  const startedMs = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) * eventsPerSecond) / 1000));
    if (due > sent) {
      // As accept and settle do: events of a flush in one transaction, then a wake-up.
      const events = emailIds.slice(sent, due).map((emailId) => event(setting, emailId));
      sent = due;
      await installation.db.transaction((tx) => appendEvents(tx, events));
      wake();
    }
    await sleep(TICK_MS);
  }
  await arrived(setting, total);
  return [...receiver.latenciesMs];
}

/** All to the one organization: what an organization may have is the API's business, not what is measured here. */
async function addEndpoints({ installation, receiver }: Setting, paths: readonly string[]): Promise<void> {
  const box = webhookSecretBox(new KeyRing([new SecretKey(Buffer.from(SECRET_KEY))]));
  const ids = paths.map(() => newId('whk'));
  await installation.db.exec(
    adHoc(`INSERT INTO webhook_endpoints (id, organization_id, url, secret, created_at, updated_at)
           SELECT id, $1, 'http://127.0.0.1:' || $2 || path, decode(secret, 'base64'), now(), now()
           FROM unnest($3::text[], $4::text[], $5::text[]) AS new(id, path, secret)`),
    [
      installation.organizationId,
      String(receiver.port),
      ids,
      paths,
      ids.map((id) => box.seal(id, Buffer.alloc(32, 7)).toString('base64')),
    ],
  );
}

/** `count` events, each of an email of its own; fanned out to every endpoint there is. */
async function addEvents(setting: Setting, count: number): Promise<void> {
  const emailIds = await addEmails(setting, count);
  await setting.installation.db.transaction((tx) =>
    appendEvents(
      tx,
      emailIds.map((emailId) => event(setting, emailId)),
    ),
  );
}

async function addEmails({ installation }: Setting, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(Date.now()));
  await installation.db.exec(
    adHoc(`INSERT INTO emails (organization_id, id, status, priority, created_at, updated_at, from_email, subject,
                               addresses, metadata)
           SELECT $1, id, 'delivered', 1, now(), now(), 'shop@example.org', 'Your receipt',
                  '{"to": [{"email": "ada@example.org"}]}', '{"order": "4711"}'
           FROM unnest($2::uuid[]) AS id`),
    [installation.organizationId, ids],
  );
  return ids;
}

function event({ installation }: Setting, emailId: string) {
  return {
    organizationId: installation.organizationId,
    emailId,
    position: 0,
    recipient: 'ada@example.org',
    type: 'delivered' as const,
    atMs: Date.now(),
    attempt: 1,
    mxHost: 'mx.example.org',
    smtpCode: 250,
    smtpMessage: '2.0.0 Ok: queued as 4WqX2m3Z6Yz9vN',
  };
}

/** From a tenth to the end, so that the worker's start is not measured. */
async function rateOf(setting: Setting, count: number, progress: Progress): Promise<number> {
  await arrived(setting, count, progress);
  const { receiver } = setting;
  const from = Math.floor(count / 10);
  const spanMs = (receiver.atMs[count - 1] ?? 0) - (receiver.atMs[from] ?? 0);
  return ((count - 1 - from) * 1000) / spanMs;
}

async function arrived(
  { receiver, installation }: Setting,
  count: number,
  progress?: Progress,
): Promise<void> {
  await waitUntilDone({
    what: `${number(count)} webhooks to arrive`,
    isDone: () => receiver.atMs.length >= count,
    left: () => {
      progress?.(`${number(receiver.atMs.length)} of ${number(count)} arrived`);
      return count - receiver.atMs.length;
    },
    about: () => describeQueue(installation.db),
  });
}
