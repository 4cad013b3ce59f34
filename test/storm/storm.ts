/**
 * A storm, from a fresh installation to the verdict: start, send, let the scenario do its harm, calm down, wait until
 * nothing is queued any more, hold everything that was promised against everything that happened.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { accountOfDatabase, accountOfMail, accountOfWebhooks, TOO_EARLY } from './account.ts';
import { accountOfApi } from './api-account.ts';
import { contradictions, storedEmails } from './database-account.ts';
import { FaultLog } from './fault-log.ts';
import { Faults } from './faults.ts';
import { finding } from './findings.ts';
import { furnish } from './furnish.ts';
import type { Installation } from './installation.ts';
import { Ledger } from './ledger.ts';
import { Outside } from './outside.ts';
import { readOutside } from './outside-account.ts';
import { drain, hurry, Progress } from './progress.ts';
import type { StormReport } from './report.ts';
import type { Scenario, StormContext, StormOptions } from './scenario.ts';
import { Sender } from './sender.ts';
import { accountOfStrikes } from './strikes.ts';
import { Traffic } from './traffic.ts';

const HURRY_EVERY_MS = 5_000;
const ANSWERED_WITHIN_MS = 120_000;
/** Deliveries that are due at once, unless the options say otherwise: enough for two workers to be busy all the time. */
const MOST_DUE = 400;

export async function runStorm(scenario: Scenario, options: StormOptions): Promise<StormReport> {
  const outside = await Outside.start({
    file: `${options.dataDir}/outside.jsonl`,
    seed: options.seed,
    ...scenario.outside(options),
  });
  const ends: End[] = [() => outside.end(), async () => scenario.end?.()];
  try {
    return await Promise.race([everything(scenario, options, outside, ends), outside.failed]);
  } finally {
    await endEach(ends, options);
  }
}

async function everything(
  scenario: Scenario,
  options: StormOptions,
  outside: Outside,
  ends: End[],
): Promise<StormReport> {
  const installation = await scenario.install(options, outside);
  ends.push(() => installation.stop()); // a second stop does nothing
  const context = await createContext(scenario, installation, outside, options);
  ends.push(async () => calmDown(context));
  options.onStarted?.(() => endEach(ends, options));
  await blow(scenario, context);
  return await account(scenario, context);
}

type End = () => Promise<unknown>;

/** The last one first. What fails here must not hide the error because of which everything is ended. */
async function endEach(ends: readonly End[], { say }: StormOptions): Promise<void> {
  for (const end of ends.toReversed())
    await end().catch((error: unknown) => say(`Something could not be ended: ${error}`));
}

/** Nobody sends, counts or is frozen any more. */
function calmDown({ sender, traffic, faults, outside }: StormContext): void {
  sender.stop();
  traffic.stop();
  faults.thawAll();
  outside.calm();
}

async function createContext(
  { addressOf }: Scenario,
  installation: Installation,
  outside: Outside,
  options: StormOptions,
): Promise<StormContext> {
  const templateId = await furnish(installation.url, outside);
  const ledger = new Ledger();
  const log = new FaultLog();
  const { url, smtpPort } = installation;
  const { seed, mostDue = MOST_DUE, sending } = options;
  const traffic = new Traffic(installation.db, outside);
  const pace = { due: () => traffic.due, mostDue, ...sending };
  const sender = new Sender({ target: { url, templateId, smtpPort }, ledger, seed, addressOf, ...pace });
  const faults = new Faults(installation, log, traffic);
  return { installation, outside, options, ledger, log, sender, faults, traffic };
}

/** The storm itself: resolves when everything is well again and nothing is queued, or nothing moves any more. */
async function blow(scenario: Scenario, context: StormContext): Promise<void> {
  const { options, sender, installation } = context;
  const progress = new Progress(context);
  const sending = sender.run();
  const isPatient = scenario.waitsMs !== undefined;
  const hurrying = setInterval(() => void (isPatient || hurry(context)), HURRY_EVERY_MS);
  try {
    options.say(`${scenario.name}: ${scenario.about} Seed ${options.seed}, data in ${options.dataDir}.`);
    await Promise.race([scenario.strike(context), failure(sending)]);
    context.log.over(await context.outside.count());
    calmDown(context);
    await sending;
    clearInterval(hurrying);
    options.say('The faults are over. Waiting for what was not answered, then for the queue.');
    await installation.ready();
    await sender.settled(ANSWERED_WITHIN_MS);
    await drain(context, scenario.waitsMs);
  } finally {
    clearInterval(hurrying);
    progress.stop();
  }
}

/** Settles only when the work fails. */
function failure(work: Promise<void>): Promise<never> {
  return work.then(() => new Promise<never>(() => undefined));
}

async function account(scenario: Scenario, context: StormContext): Promise<StormReport> {
  const { installation, outside, ledger, log, options } = context;
  const { db, url } = installation;
  options.say('Accounting…');
  const { cuts, stalls } = await outside.count();
  await sleep(500); // the outside world writes down what it heard last
  const stored = await storedEmails(db);
  const arrived = await readOutside(outside);
  const webhooks = await accountOfWebhooks(db, arrived, options.workers);
  const api = await accountOfApi(url, stored);
  const found = await contradictions(db);
  const wellEnded = await installation.stop();
  const mail = accountOfMail({ ledger, stored, arrived, faults: log.faults });
  const problems = scenario.problems?.(context) ?? [];
  return {
    scenario: scenario.name,
    seed: options.seed,
    workers: options.workers,
    forMs: options.forMs,
    submissions: ledger.submissions.length,
    accepted: ledger.emails('accepted'),
    acceptedAs: ledger.acceptedAs(),
    unknown: ledger.emails('unknown'),
    refused: ledger.emails('refused'),
    answers: ledger.answers,
    repeatedRequests: ledger.repeats,
    deliveries: arrived.taken,
    deliveriesDuringFaults: log.delivered,
    inHand: log.inHand,
    repeats: mail.repeats,
    webhooks: arrived.hooks.size,
    faults: { ...log.struck, ...sinkCuts(cuts) },
    kills: log.strikes('kill-'),
    freezes: log.strikes('freeze-'),
    missed: log.missed,
    figures: scenario.figures?.() ?? [],
    findings: [
      ...mail.findings.map((one) =>
        one.name === TOO_EARLY && scenario.mayBeEarly ? { ...one, mustBeNone: false } : one,
      ),
      ...accountOfDatabase(found, installation.journals(), wellEnded),
      ...webhooks,
      ...api,
      ...accountOfStrikes(log, arrived.taken, scenario),
      finding('what the scenario itself saw', problems),
      finding(
        'pauses of the outside world, which spoil the run',
        stalls.map((ms) => `${ms} ms`),
      ),
    ],
  };
}

function sinkCuts(cuts: { beforeDot: number; afterDot: number; halfReply: number }): Record<string, number> {
  return {
    'sink-before-dot': cuts.beforeDot,
    'sink-after-dot': cuts.afterDot,
    'sink-half-reply': cuts.halfReply,
  };
}
