/** Lets operators view, pause, resume, roll back and finish canaries. */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { lockTable, putTable, readRules, readStoredTable } from '../store.ts';
import type { Rule } from '../table.ts';
import { appendCanaryStepEvents, canaryEventTarget } from './canary-step-events.ts';
import { restMinutes } from './decide.ts';
import { minutesWords, percentWords } from './describe-canary.ts';
import { type CanaryState, isPaused, readStates } from './facts.ts';
import { type Canary, canariesIn, DEFAULT_PLAN, type Rate } from './plan.ts';
import { type CanaryStep, lastSteps, type StepKind } from './steps.ts';
import { endRest, listCanaries, lockCanary, putCanaryShare, setPaused, sharesOf } from './store.ts';

export interface CanaryDeps {
  readonly db: Database;
  readonly nowMs: () => number;
}

const STEPS_SHOWN = 100;

export async function canaryOverviewOf(db: Sql) {
  const rules = await readRules(db);
  const known = await listCanaries(db);
  const canaries = [];
  for (const [index, { canary }] of rules.entries()) {
    if (canary === undefined) continue;
    const row = known.find((one) => one.name === canary.name && one.transport === canary.to);
    const paused_at = row?.paused_at ?? null;
    const states = row === undefined ? [] : await readStates(db, canary.name);
    canaries.push({
      ...canary,
      ...{ percents: [...canary.percents], rule: index + 1, paused_at },
      shares: states.map((state) => shareView(canary, state, paused_at)),
    });
  }
  return { canaries, steps: await lastSteps(db, STEPS_SHOWN) };
}

/** The share does not rise until the canary is resumed, but it can still fall. */
export function pauseCanary(deps: CanaryDeps, name: string, provider: string | null): Promise<void> {
  return change(deps, name, provider, 'pause', async (tx) => {
    await setPaused(tx, name, provider, true);
    return 'The canary stays at its share until it is resumed.';
  });
}

/** Continues from the current share. At 0 it restarts at once. */
export function resumeCanary(deps: CanaryDeps, name: string, provider: string | null): Promise<void> {
  return change(deps, name, provider, 'resume', async (tx) => {
    await setPaused(tx, name, provider, false);
    await endRest(tx, name, provider);
    return 'The canary continues.';
  });
}

/** All mail takes the old path until the canary is resumed. */
export function rollBackCanary(deps: CanaryDeps, name: string, provider: string | null): Promise<void> {
  return change(deps, name, provider, 'back', async (tx) => {
    for (const share of await sharesOf(tx, name))
      if (provider === null || share.provider === provider)
        await putCanaryShare(tx, name, { provider: share.provider, percent: 0, falls: 0, usual: null });
    await setPaused(tx, name, provider, true);
    return 'All mail takes the old transports until the canary is resumed.';
  });
}

/** The new transport becomes the first step of its rule, followed by the previous steps, and the canary ends. */
export async function finishCanary(deps: CanaryDeps, name: string): Promise<void> {
  const canary = await deps.db.transaction(async (tx) => {
    await lockTable(tx);
    const { transports, rules } = await readStoredTable(tx);
    const found = canaryNamed(rules, name);
    await putTable(
      tx,
      transports,
      rules.map((rule) => (rule.canary?.name === name ? finished(rule, found) : rule)),
    );
    return found;
  });
  const message = `All mail of the rule goes through ${canary.to} from now on; the previous steps are the fallback.`;
  const audience = await canaryEventTarget(deps.db, deps.nowMs());
  const step = stepOf(canary, null, 'finish', message);
  await deps.db.transaction((tx) => appendCanaryStepEvents(tx, [step], audience));
}

function finished({ canary: _canary, steps, ...rule }: Rule, { to }: Canary): Rule {
  const others = steps
    .map(({ choices }) => ({ choices: choices.filter(({ transport }) => transport !== to) }))
    .filter(({ choices }) => choices.some(({ weight }) => weight > 0));
  return { ...rule, steps: [{ choices: [{ transport: to, weight: 1 }] }, ...others] };
}

async function change(
  { db, nowMs }: CanaryDeps,
  name: string,
  provider: string | null,
  kind: StepKind,
  work: (tx: Sql) => Promise<string>,
): Promise<void> {
  const canary = canaryNamed(await readRules(db), name);
  const audience = await canaryEventTarget(db, nowMs());
  await db.transaction(async (tx) => {
    await lockCanary(tx, canary);
    if (provider !== null) await requireShare(tx, name, provider);
    await appendCanaryStepEvents(tx, [stepOf(canary, provider, kind, await work(tx))], audience);
  });
}

async function requireShare(tx: Sql, name: string, provider: string): Promise<void> {
  const shares = await sharesOf(tx, name);
  if (shares.some((one) => one.provider === provider)) return;
  throw new ServiceError(
    'NOT_FOUND',
    `No mail of the canary ${name} has gone to ${provider} yet. GET /routes/canaries lists the providers.`,
  );
}

function canaryNamed(rules: readonly Rule[], name: string): Canary {
  const found = canariesIn(rules).find((one) => one.name === name);
  if (found === undefined)
    throw new ServiceError(
      'NOT_FOUND',
      'No rule has a canary with this name. GET /routes/canaries lists the canaries.',
    );
  return found;
}

function stepOf(canary: Canary, provider: string | null, kind: StepKind, message: string): CanaryStep {
  const about = { canary: canary.name, transport: canary.to, provider, kind, message };
  return { ...about, from_percent: null, to_percent: null, numbers: null };
}

const MINUTE_MS = 60_000;

/** The public form of canaries. Pure. */
function shareView(canary: Canary, state: CanaryState, allPausedAt: Date | null) {
  const { provider, percent, since, falls, step } = state;
  const paused = isPaused(state, allPausedAt);
  const next = canary.percents.find((one) => one > percent) ?? null;
  const restMs = percent === 0 ? restMinutes(falls) * MINUTE_MS : 0;
  return {
    ...{ provider, percent, since, falls, paused, old: step.old, new: step.new },
    next_percent: next,
    rests_until: since !== null && restMs > 0 && !paused ? new Date(since.getTime() + restMs) : null,
    message: sentence(canary, state, next, paused, restMs),
  };
}

function sentence(
  { minutes, mails }: Canary,
  { percent, age_ms, step }: CanaryState,
  next: number | null,
  paused: boolean,
  restMs: number,
): string {
  if (paused)
    return `The canary is paused at ${percentWords(percent)}. If the results get worse on the new transport, the canary still falls back.`;
  if (percent === 0)
    return restMs > age_ms
      ? `The canary has fallen back, and starts again in ${minutesWords((restMs - age_ms) / MINUTE_MS)}.`
      : 'The canary starts within seconds.';
  if (next === null)
    return 'The canary is at its last step. If the results get worse on the new transport, the canary still falls back. Finish the canary when its results are good enough.';
  const leftMinutes = minutes - age_ms / MINUTE_MS;
  const leftMails = mails - step.new.sent;
  const waits = [
    ...(leftMinutes > 0 ? [`in ${minutesWords(leftMinutes)}`] : []),
    ...(leftMails > 0 ? [`after ${leftMails} more emails on the new path`] : []),
  ];
  return `The canary moves on to ${percentWords(next)} ${waits.length === 0 ? 'within seconds' : waits.join(', and ')}.`;
}

export interface WantedCanary {
  readonly name: string;
  readonly to: string;
  readonly percents?: readonly number[] | undefined;
  readonly minutes?: number | undefined;
  readonly mails?: number | undefined;
  readonly worse?: { readonly [rate in Rate]?: number | undefined } | undefined;
}

interface RuleWithCanary {
  readonly steps: readonly {
    readonly choices: readonly { readonly transport: string; readonly weight?: number | undefined }[];
  }[];
  readonly canary?: WantedCanary | null | undefined;
}

/** Each canary is reviewed every few seconds and has counts of its own. */
const MAX_CANARIES = 20;

/** Validates the requested canary of a rule and fills in its defaults. Pure. */
export function canaryProblems(
  rules: readonly RuleWithCanary[],
  transports: ReadonlySet<string>,
  problems: Problems,
): void {
  const names = new Set<string>();
  for (const [index, { canary, steps }] of rules.entries()) {
    if (!canary) continue;
    const field = `rules[${index}].canary`;
    const { name, to, percents = DEFAULT_PLAN.percents } = canary;
    if (names.has(name)) problems.add(`${field}.name`, 'is used twice.');
    names.add(name);
    if (names.size > MAX_CANARIES)
      problems.add(field, `is one canary too many: a table has at most ${MAX_CANARIES}.`);
    if (!transports.has(to)) problems.add(`${field}.to`, `There is no transport ${to}.`);
    const isThere = steps[0]?.choices.some(({ transport, weight = 1 }) => transport === to && weight > 0);
    if (isThere)
      problems.add(
        `${field}.to`,
        `is already in the first step of the rule. The steps are the current transports; \`to\` is the transport to move to.`,
      );
    if (percents.some((one, nth) => nth > 0 && one <= (percents[nth - 1] ?? 0)))
      problems.add(`${field}.percents`, 'must rise from each percentage to the next.');
  }
}

/** Defaults are stored, so that a later version with other defaults does not change a canary in progress. */
export function parseWantedCanary({ name, to, percents, minutes, mails, worse = {} }: WantedCanary): Canary {
  const { deferred, bounced, complained } = worse;
  return {
    name,
    to,
    percents: percents ?? DEFAULT_PLAN.percents,
    minutes: minutes ?? DEFAULT_PLAN.minutes,
    mails: mails ?? DEFAULT_PLAN.mails,
    worse: {
      deferred: deferred ?? DEFAULT_PLAN.worse.deferred,
      bounced: bounced ?? DEFAULT_PLAN.worse.bounced,
      complained: complained ?? DEFAULT_PLAN.worse.complained,
    },
  };
}
