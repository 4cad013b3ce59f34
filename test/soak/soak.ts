/**
 * A soak, from a fresh installation to the verdict: start, measure what goes through, send a part of that for as long as
 * asked with everything else going on beside it, let the queues drain, judge what was seen.
 */
import { setMaxListeners } from 'node:events';
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { adHoc } from '../../src/database/sql.ts';
import { Random } from '../fuzz/random.ts';
import { furnish } from '../storm/furnish.ts';
import { type Installation, SupervisedInstallation } from '../storm/installation.ts';
import { Outside } from '../storm/outside.ts';
import { contradictions, tableSizes } from './account.ts';
import { PERSON, type Place, runErrands } from './bystanders.ts';
import { capacityOf } from './capacity.ts';
import { Client } from './client.ts';
import { leftInQueues } from './database-figures.ts';
import { EventFollower } from './event-stream.ts';
import { type Judgement, judge } from './judge.ts';
import { Readers } from './readers.ts';
import type { SoakReport } from './report.ts';
import { type Sample, Sampler } from './sampler.ts';
import { Sender } from './sender.ts';
import { seriesOf } from './series.ts';
import { Tally } from './tally.ts';

export interface SoakOptions {
  /** The installation's. What the outside world writes down is elsewhere, so that it does not count as growth. */
  readonly dataDir: string;
  readonly outsideFile: string;
  /** Every sample as it is taken, one JSON value a line: what is left of a run that is cut off. */
  readonly samplesFile: string;
  readonly commit: string;
  readonly forMs: number;
  readonly workers: number;
  readonly seed: number;
  /** Of the capacity, which is measured in the first minute; or emails a second. */
  readonly pace: { readonly load: number } | { readonly rate: number };
  /** Ends the work before its time; what was seen until then is judged. */
  readonly enough: AbortSignal;
  readonly say: (text: string) => void;
}

interface SoakContext extends Place {
  readonly options: SoakOptions;
  readonly installation: Installation;
  readonly outside: Outside;
  readonly readers: Readers;
  readonly followers: readonly EventFollower[];
}

const FOLLOWERS = 2;
const DRAINED_WITHIN_MS = 300_000;
const POLL_MS = 1_000;
/** A request in a thousand may go wrong on a machine that does other things too; it is in the report in any case. */
const FAILED_AT_MOST = 0.001;

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const faults = { beforeDot: 0, afterDot: 0, halfReply: 0 };
  const { outsideFile: file, seed, dataDir, workers } = options;
  const outside = await Outside.start({ file, seed, faults, thinkMs: { data: 0, dot: 0 }, hookFailures: 0 });
  let installation: Installation | undefined;
  try {
    const env = { POSTRIDER_ADMIN_EMAIL: PERSON.email, POSTRIDER_ADMIN_PASSWORD: PERSON.password };
    installation = await SupervisedInstallation.start({ dataDir, workers, outside, env });
    return await soak(await createContext(installation, outside, options));
  } finally {
    await installation?.stop();
    await outside.end();
  }
}

const selectOrganization = adHoc<{ id: string }>(
  `SELECT organization_id AS id FROM webhook_endpoints LIMIT 1`,
);

async function createContext(
  installation: Installation,
  outside: Outside,
  options: SoakOptions,
): Promise<SoakContext> {
  const { url, db } = installation;
  const templateId = await furnish(url, outside);
  const client = new Client(url);
  const [webhook] = await client.must<{ id: string }[]>('/webhooks');
  const [domain] = await client.must<{ id: string }[]>('/domains');
  await breakWebhooks(client, outside);
  await client.must('/settings/tracking', { method: 'PUT', body: { track_opens: true } });
  const random = new Random(options.seed);
  const tally = new Tally();
  const { id: organizationId } = await db.one(selectOrganization);
  const readers = new Readers({ url, organizationId, client, random, tally });
  const onHtml = (emailId: string) => readers.receive(emailId);
  const sender = new Sender({ target: { url, templateId }, random, tally, onHtml });
  const followers = Array.from({ length: FOLLOWERS }, () => new EventFollower(url, random, tally));
  const ids = { templateId, webhookId: webhook?.id ?? '', domainId: domain?.id ?? '' };
  return { options, installation, outside, client, random, tally, sender, readers, followers, ...ids };
}

/** Beside the one that works, one that answers 500 and one that never answers. */
async function breakWebhooks(client: Client, { at }: Outside): Promise<void> {
  const base = `https://127.0.0.1:${at.hooksPort}`;
  const outcomes = ['email.delivered', 'email.bounced', 'email.deferred', 'email.opened'];
  await client.must('/webhooks', { body: { url: `${base}/fails`, event_types: outcomes } });
  await client.must('/webhooks', { body: { url: `${base}/hangs`, event_types: ['email.delivered'] } });
}

async function soak(context: SoakContext): Promise<SoakReport> {
  const { options, sender, installation } = context;
  const startedAt = new Date().toISOString();
  const endsMs = performance.now() + options.forMs;
  const sampler = new Sampler(context, (sample) => {
    appendFileSync(options.samplesFile, `${JSON.stringify(sample)}\n`);
    tell(context, sample);
  });
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const work = [
    sender.run(),
    runErrands(context, over.signal),
    ...context.followers.map((one) => one.run(over.signal)),
  ];
  await sampler.start();
  const { pace } = options;
  const capacity =
    'load' in pace
      ? await capacityOf(sender, { db: installation.db, webhookId: context.webhookId, say: options.say })
      : null;
  sender.rate = 'load' in pace ? Math.max(1, (capacity ?? 0) * pace.load) : pace.rate;
  options.say(`Sending ${sender.rate.toFixed(1)} emails a second until the time is over.`);
  await sleep(Math.max(0, endsMs - performance.now()), undefined, { signal: options.enough }).catch(
    () => undefined,
  );
  // The last sample is of the work, not of the calm after it.
  await sampler.stop();
  sender.stop();
  context.readers.stop();
  over.abort();
  await Promise.all(work);
  options.say('The time is over. Waiting for the queues to drain.');
  const drainedAfterS = await drain(context);
  return report(context, { startedAt, capacity, drainedAfterS, samples: sampler.samples });
}

function tell({ options, tally }: SoakContext, { atS, database: d, ...sample }: Sample): void {
  const memory = sample.processes.map(
    ({ name, memoryBytes }) => `${name} ${(memoryBytes / 1e6).toFixed(0)} MB`,
  );
  options.say(
    `${atS.toFixed(0).padStart(5)} s  ${sample.acceptedEmails} accepted, ${sample.deliveredPerS.toFixed(0)}/s delivered, ` +
      `${d.queued} due (${d.queue_age_s.toFixed(1)} s), webhooks ${d.hook_waiting} due (${d.hook_age_s.toFixed(1)} s), ` +
      `p99 ${sample.acceptP99Ms.toFixed(0)} ms, ${memory.join(', ')}, database ${(d.database_bytes / 1e6).toFixed(0)} MB, ` +
      `others ${sample.othersCores.toFixed(1)} cores, ${tally.failed} failed`,
  );
}

/** In seconds; null when it did not happen in time. */
async function drain({ installation, webhookId }: SoakContext): Promise<number | null> {
  const beganMs = performance.now();
  while (performance.now() - beganMs < DRAINED_WITHIN_MS) {
    const { mail, webhooks } = await leftInQueues(installation.db, webhookId);
    if (mail === 0 && webhooks === 0) return (performance.now() - beganMs) / 1_000;
    await sleep(POLL_MS);
  }
  return null;
}

type Seen = Pick<SoakReport, 'startedAt' | 'capacity' | 'drainedAfterS' | 'samples'>;

async function report(context: SoakContext, seen: Seen): Promise<SoakReport> {
  const { options, installation, outside, sender, tally, followers, client } = context;
  const { taken } = await outside.count();
  const { accepted, unknown } = sender;
  const { judgements, unjudged } = judgeAll(seen.samples);
  const problems = [
    ...unjudged,
    ...(await contradictions(installation.db, { accepted, unknown, taken })),
    ...restarts(seen.samples),
    ...(seen.drainedAfterS === null ? ['The queues did not drain.'] : []),
    ...(tally.failed > tally.asked * FAILED_AT_MOST
      ? [`${tally.failed} of ${tally.asked} requests failed`]
      : []),
  ];
  for (const failure of tally.failures) options.say(failure);
  const tables = await tableSizes(installation.db);
  client.close();
  return {
    ...seen,
    commit: options.commit,
    minutes: Math.round((seen.samples.at(-1)?.atS ?? 0) / 6) / 10,
    longestGapS: longestGap(seen.samples),
    seed: options.seed,
    cores: cpus().length,
    workers: options.workers,
    load: 'load' in options.pace ? options.pace.load : null,
    rate: sender.rate,
    acceptedEmails: accepted.emails,
    deliveredMails: taken,
    streamedEvents: followers.reduce((sum, { events }) => sum + events, 0),
    requests: tally.counts,
    tables,
    judgements,
    problems,
  };
}

/** What cannot be judged is a problem of its own; the rest of the report must not be lost with it. */
function judgeAll(samples: readonly Sample[]): { judgements: Judgement[]; unjudged: string[] } {
  const judgements: Judgement[] = [];
  const unjudged: string[] = [];
  for (const series of seriesOf(samples)) {
    try {
      judgements.push(judge(series));
    } catch (error) {
      unjudged.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { judgements, unjudged };
}

/** Much more than ten seconds means that the machine had no time for this program, or that somebody halted it. */
function longestGap(samples: readonly Sample[]): number {
  return Math.max(...samples.slice(1).map(({ atS }, i) => atS - (samples[i]?.atS ?? 0)));
}

/** A process that was started again has forgotten what it had leaked. */
function restarts(samples: readonly Sample[]): string[] {
  const seen = new Map<string, Set<number>>();
  for (const { processes } of samples)
    for (const { name, pids } of processes) seen.set(name, new Set([...(seen.get(name) ?? []), ...pids]));
  return [...seen].filter(([, pids]) => pids.size > 1).map(([name]) => `${name} was started again`);
}
