/** Servers without manners: whoever writes to others does not notice, the worker's memory does not, and all arrives. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { adHoc } from '../../../src/database/sql.ts';
import { ApartInstallation } from '../apart.ts';
import { addressOf } from '../mail.ts';
import { MISBEHAVIORS, type MisbehaviorName } from '../misbehaviors.ts';
import { memoryOf } from '../processes.ts';
import { FAIR_WEATHER, type Scenario } from '../scenario.ts';

const NAMES = Object.keys(MISBEHAVIORS) as MisbehaviorName[];
/** Every eighth submission goes to one of them. */
const EVERY = 8;
/** Of the time, before the first of them is written to: what the workers' memory is held against. */
const WARM_UP = 0.2;
const MAY_GROW_MIB = 150;
/** Between acceptance and delivery, for 99 of 100 mails to others; or so many times what it took before. */
const OTHERS_WITHIN_S = 5;
const OTHERS_TIMES = 2;
/** With a clock that runs 120 times faster, four hours take two minutes. */
const WAITS_MS = 3 * 60_000;
const CHECK_INTERVAL_MS = 200;
/** How much longer than asked for it goes on, where a busy machine has not deferred any of that mail by then. */
const LONGER_MS = 60_000;

interface Took {
  readonly mails: number;
  readonly p50: number;
  readonly p99: number;
}

/** Of mail to others that was accepted since; what is not delivered yet counts with its age. */
const selectOthers = adHoc<Took>(
  `SELECT count(*)::int AS mails,
          coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY took), 0) AS p50,
          coalesce(percentile_cont(0.99) WITHIN GROUP (ORDER BY took), 0) AS p99
   FROM (SELECT extract(epoch FROM coalesce(d.created_at, now()) - q.created_at)::float8 AS took
         FROM events q
         JOIN emails e ON e.organization_id = q.organization_id AND e.id = q.email_id AND e.scheduled_at IS NULL
         LEFT JOIN events d ON d.organization_id = q.organization_id AND d.email_id = q.email_id
           AND d.position = q.position AND d.type = 'delivered'
         WHERE q.type = 'queued' AND q.recipient LIKE 'user.%@d%' AND q.created_at > $1) AS mail`,
);

const selectRude = adHoc<{ deferred: number; reasons: string }>(
  `SELECT count(*)::int AS deferred, string_agg(DISTINCT reason, ', ') AS reasons
   FROM events WHERE type = 'deferred' AND recipient LIKE 'rude.%'`,
);

export function receivers(): Scenario {
  let isRude = false;
  const memory = { before: 0, peak: 0 };
  let before: Took = { mails: 0, p50: 0, p99: 0 };
  let others = before;
  let rude = { deferred: 0, reasons: '' };
  let flooded = 0;
  const grownMiB = () => Math.round((memory.peak - memory.before) / 2 ** 20);
  return {
    name: 'receivers',
    about: `Sends to servers that ${NAMES.join(', ')}; retries run 120 times faster, and nothing is hurried.`,
    // Half a minute is the hour for which one of them says 450.
    usual: { minutes: 1, rate: 100, workers: 2 },
    waitsMs: WAITS_MS,
    addressOf: (submission, index) =>
      isRude && submission % EVERY === 0
        ? `rude.${submission}.${index}@${NAMES[(submission / EVERY) % NAMES.length]}.storm.test`
        : addressOf(submission, index),
    outside: () => ({ ...FAIR_WEATHER, rude: NAMES }),
    install: (options, outside) =>
      ApartInstallation.start({
        ...options,
        outside,
        workerScript: fileURLToPath(new URL('../quick-worker.mjs', import.meta.url)),
      }),
    async strike(context) {
      await sleep(context.options.forMs * WARM_UP);
      // Looked for once: going through all processes takes longer than everything else here.
      const workers = context.faults.roles().filter(({ victim }) => victim === 'worker');
      const largest = () => Math.max(0, ...workers.map(({ pid }) => memoryOf(pid)));
      memory.before = largest();
      before = await context.installation.db.one(selectOthers, [new Date(0)]);
      const since = new Date();
      isRude = true;
      const looking = setInterval(() => {
        memory.peak = Math.max(memory.peak, largest());
      }, CHECK_INTERVAL_MS);
      await sleep(context.options.forMs * (1 - WARM_UP));
      const latestMs = performance.now() + LONGER_MS;
      rude = await context.installation.db.one(selectRude);
      while (rude.deferred === 0 && performance.now() < latestMs) {
        await sleep(CHECK_INTERVAL_MS);
        rude = await context.installation.db.one(selectRude);
      }
      clearInterval(looking);
      others = await context.installation.db.one(selectOthers, [since]);
      flooded = (await context.outside.count()).flooded;
      for (const name of NAMES) context.log.strike(name, null);
    },
    problems: () => [
      ...(grownMiB() <= MAY_GROW_MIB ? [] : [`a worker grew by ${grownMiB()} MiB`]),
      ...(others.p99 <= Math.max(OTHERS_WITHIN_S, OTHERS_TIMES * before.p99)
        ? []
        : [`mail to others took ${others.p99.toFixed(1)} s`]),
      ...(rude.deferred > 0 ? [] : ['nobody was rude']),
    ],
    figures: () => [
      ['largest worker before, and at most', `${mib(memory.before)}, ${mib(memory.peak)}`],
      ['bytes of flood that were taken', mib(flooded)],
      ['mail to others before', inWords(before)],
      ['mail to others meanwhile', inWords(others)],
      ['attempts that were deferred', `${rude.deferred} (${rude.reasons})`],
    ],
  };
}

function inWords({ mails, p50, p99 }: Took): string {
  return `${mails}, half within ${p50.toFixed(3)} s, 99 % within ${p99.toFixed(3)} s`;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
