/** DNS is dead for a while, in each of the ways it dies: mail waits, nobody is told no, and it goes on by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { adHoc } from '../../../src/database/sql.ts';
import { SupervisedInstallation } from '../installation.ts';
import { addressOf, strangerAddress } from '../mail.ts';
import type { DnsState } from '../outside.ts';
import { FAIR_WEATHER, type Scenario, type StormContext } from '../scenario.ts';

/** While there is still an answer, some are asked for that the workers then know. */
const BEFORE_MS = 10_000;
const DNS_FAILURES: readonly DnsState[] = ['silent', 'failing', 'gone'];
/** After the fourth attempt there is a quarter of an hour to the next. */
const WAITS_MS = 20 * 60_000;
const STRANGERS = 6_000;

interface Seen {
  readonly waiting: number;
  readonly reasons: readonly string[];
}

const selectDeferred = adHoc<{ reason: string | null; emails: number }>(
  `SELECT e.reason, count(DISTINCT e.email_id)::int AS emails FROM events e
   WHERE e.type = 'deferred' AND e.recipient LIKE '%@n%' GROUP BY 1`,
);

export function dnsDead(): Scenario {
  const takenWhileDead: number[] = [];
  let seen: Seen = { waiting: 0, reasons: [] };
  let backMs = 0;
  return {
    name: 'dns-dead',
    about: 'Lets DNS be silent, fail and be gone, each for a third of the time; nothing is hurried.',
    usual: { minutes: 10, rate: 20, workers: 2 },
    waitsMs: WAITS_MS,
    // Every other email goes where nobody can know the way yet.
    addressOf: (submission, index) =>
      submission % 2 === 0 ? addressOf(submission, index) : strangerAddress(submission % STRANGERS, index),
    outside: () => ({ ...FAIR_WEATHER, strangers: STRANGERS }),
    install: (options, outside) => SupervisedInstallation.start({ ...options, outside }),
    async strike(context) {
      const { options, outside, log } = context;
      await sleep(BEFORE_MS);
      for (const state of DNS_FAILURES) {
        const before = (await outside.count()).taken;
        await outside.setDns(state);
        log.strike(`dns-${state}`, context.traffic.inHand());
        await sleep(options.forMs / DNS_FAILURES.length);
        takenWhileDead.push((await outside.count()).taken - before);
      }
      seen = await look(context);
      await outside.setDns('well');
      backMs = performance.now();
    },
    problems: () => [
      ...(seen.waiting > 0 ? [] : ['nothing had to wait']),
      ...seen.reasons
        .filter((reason) => reason !== 'dns_unavailable')
        .map((reason) => `waited for ${reason}`),
      ...takenWhileDead.flatMap((taken, i) =>
        taken > 0
          ? []
          : [`nothing was delivered while DNS was ${DNS_FAILURES[i]}, not even where the way was known`],
      ),
    ],
    figures: () => [
      [
        'delivered where the way was known',
        DNS_FAILURES.map((way, i) => `${way} ${takenWhileDead[i]}`).join(', '),
      ],
      ['emails that waited for DNS', seen.waiting],
      [
        'from the first answer to the end of the queue',
        `${Math.round((performance.now() - backMs) / 1_000)} s`,
      ],
    ],
  };
}

async function look({ installation }: StormContext): Promise<Seen> {
  const rows = await installation.db.many(selectDeferred);
  return {
    waiting: rows.reduce((sum, { emails }) => sum + emails, 0),
    reasons: rows.map(({ reason }) => reason ?? 'nothing that was said'),
  };
}
