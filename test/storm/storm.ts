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
import type { Scenario, StormOptions, World } from './scenario.ts';
import { Sender } from './sender.ts';

const HURRY_EVERY_MS = 5_000;
const ANSWERED_WITHIN_MS = 120_000;

export async function runStorm(scenario: Scenario, options: StormOptions): Promise<StormReport> {
  const outside = await Outside.start({
    file: `${options.dataDir}/outside.jsonl`,
    seed: options.seed,
    ...scenario.outside(options),
  });
  let installation: Installation | undefined;
  try {
    installation = await scenario.install(options, outside);
    const world = await createWorld(scenario, installation, outside, options);
    options.onStarted?.(() => endAll(scenario, world));
    await blow(scenario, world);
    return await account(scenario, world);
  } finally {
    // Ends what is still there; a second stop does nothing.
    await installation?.stop();
    await scenario.end?.();
    await outside.end();
  }
}

async function endAll(scenario: Scenario, { installation, outside, faults }: World): Promise<void> {
  faults.thawAll();
  await installation.stop();
  await scenario.end?.();
  await outside.end();
}

async function createWorld(
  { addressOf }: Scenario,
  installation: Installation,
  outside: Outside,
  options: StormOptions,
): Promise<World> {
  const templateId = await furnish(installation.url, outside);
  const ledger = new Ledger();
  const log = new FaultLog();
  const { url, smtpPort } = installation;
  const target = { url, templateId, smtpPort };
  const sender = new Sender({ target, ledger, seed: options.seed, addressOf, ...options.sending });
  return { installation, outside, options, ledger, log, sender, faults: new Faults(installation, log) };
}

/** The storm itself: resolves when everything is well again and nothing is queued, or nothing moves any more. */
async function blow(scenario: Scenario, world: World): Promise<void> {
  const { options, sender, faults, outside } = world;
  const progress = new Progress(world);
  const sending = sender.run();
  const isPatient = scenario.waitsMs !== undefined;
  const hurrying = setInterval(() => void (isPatient || hurry(world)), HURRY_EVERY_MS);
  try {
    options.say(`${scenario.name}: ${scenario.about} Seed ${options.seed}, data in ${options.dataDir}.`);
    await scenario.strike(world);
    sender.stop();
    await sending;
  } finally {
    clearInterval(hurrying);
    faults.thawAll();
    outside.calm();
  }
  options.say('The faults are over. Waiting for what was not answered, then for the queue.');
  await world.installation.ready();
  await sender.settled(ANSWERED_WITHIN_MS);
  await drain(world, scenario.waitsMs);
  progress.stop();
}

async function account(scenario: Scenario, world: World): Promise<StormReport> {
  const { installation, outside, ledger, log, options } = world;
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
  const problems = scenario.problems?.(world) ?? [];
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
