/** Lets operators view, pause, resume, roll back and finish canaries. */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { lockTable, putTable, readRules, readStoredTable } from '../store.ts';
import type { Rule } from '../table.ts';
import { appendCanaryStepEvents, canaryEventTarget } from './canary-step-events.ts';
import { readStates } from './facts.ts';
import { type Canary, canariesIn } from './plan.ts';
import { type CanaryStep, lastSteps, type StepKind } from './steps.ts';
import { endRest, listCanaries, lockCanary, putCanaryShare, setPaused, sharesOf } from './store.ts';
import { shareView } from './view.ts';

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
    return 'It stays at its share until it is resumed.';
  });
}

/** Continues from the current share. At 0 it restarts at once. */
export function resumeCanary(deps: CanaryDeps, name: string, provider: string | null): Promise<void> {
  return change(deps, name, provider, 'resume', async (tx) => {
    await setPaused(tx, name, provider, false);
    await endRest(tx, name, provider);
    return 'It goes on.';
  });
}

/** All mail takes the old path until the canary is resumed. */
export function rollBackCanary(deps: CanaryDeps, name: string, provider: string | null): Promise<void> {
  return change(deps, name, provider, 'back', async (tx) => {
    for (const share of await sharesOf(tx, name))
      if (provider === null || share.provider === provider)
        await putCanaryShare(tx, name, { provider: share.provider, percent: 0, falls: 0, usual: null });
    await setPaused(tx, name, provider, true);
    return 'All mail goes the old way until it is resumed.';
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
  const message = `All mail of the rule goes through ${canary.to} from now on; the steps it had are its fallback.`;
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
    throw new ServiceError('NOT_FOUND', 'No rule has such a canary. GET /routes/canaries lists them.');
  return found;
}

function stepOf(canary: Canary, provider: string | null, kind: StepKind, message: string): CanaryStep {
  const about = { canary: canary.name, transport: canary.to, provider, kind, message };
  return { ...about, from_percent: null, to_percent: null, numbers: null };
}
