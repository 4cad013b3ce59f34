/**
 * Controls canaries: counts the outcomes of mail on both paths, and raises or lowers the share of each provider. Every worker
 * runs it every few seconds. The worker that locks a canary's row decides, so that no step is taken twice. All times are the
 * database's.
 */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { Log } from '../../runtime/log.ts';
import { readRules } from '../store.ts';
import { appendCanaryStepEvents, canaryEventTarget, type EventTarget } from './canary-step-events.ts';
import { deleteOldCanaryCounts, takeOldCounts } from './counts.ts';
import { type CanaryMove, decideCanary } from './decide.ts';
import { fallWords, riseWords } from './describe-canary.ts';
import { addedUp, type CanaryState, factsOf, readStates } from './facts.ts';
import { type Canary, canariesIn } from './plan.ts';
import { type CanaryStep, deleteOldCanarySteps } from './steps.ts';
import { deleteCanariesExcept, keepCounted, lockCanaryReview, putCanaryShare, sharesOf } from './store.ts';

export interface CanaryControlDeps {
  readonly db: Database;
  readonly log: Log;
  readonly clock: { nowMs(): number };
}

/**
 * The interval over all workers together. A receiver's change is noticed within this interval plus the second that counting
 * takes.
 */
export const CANARY_REVIEW_INTERVAL_MS = 5_000;
/** Prevents two workers with slightly different timers from both reviewing. */
const TOO_SOON_MS = CANARY_REVIEW_INTERVAL_MS * 0.8;
/** With fewer emails than this, the old path does not show the usual rates. */
const LEAST_USUAL = 100;

export async function reviewCanaries(deps: CanaryControlDeps, signal: AbortSignal): Promise<void> {
  const canaries = canariesIn(await readRules(deps.db));
  await deleteCanariesExcept(
    deps.db,
    canaries.map(({ name }) => name),
  );
  if (canaries.length === 0) return;
  const audience = await canaryEventTarget(deps.db, deps.clock.nowMs());
  for (const canary of canaries) {
    if (signal.aborted) return;
    const steps = await deps.db.transaction((tx) => lookAt(tx, canary, audience));
    for (const { message: told, canary: name, provider, kind } of steps)
      deps.log[kind === 'fall' ? 'warn' : 'info']({ canary: name, provider, kind }, told);
  }
}

export async function deleteOldCanaries(db: Sql): Promise<void> {
  await deleteOldCanaryCounts(db);
  await deleteOldCanarySteps(db);
}

async function lookAt(tx: Sql, canary: Canary, audience: EventTarget): Promise<readonly CanaryStep[]> {
  const row = await lockCanaryReview(tx, canary, TOO_SOON_MS);
  if (row === undefined) return [];
  await foldOldCounts(tx, canary.name);
  const steps: CanaryStep[] = [];
  for (const state of await readStates(tx, canary.name)) {
    const facts = factsOf(state, row);
    const move = decideCanary(canary, facts);
    if (move.kind !== 'stay') steps.push(await take(tx, canary, state, move, facts.isPaused));
  }
  if (steps.length > 0) await appendCanaryStepEvents(tx, steps, audience);
  return steps;
}

/** Counts older than an hour are merged into the total of the share's current step. */
async function foldOldCounts(tx: Sql, canary: string): Promise<void> {
  const old = await takeOldCounts(tx, canary);
  if (old.length === 0) return;
  const shares = await sharesOf(tx, canary);
  const changed = shares.flatMap(({ provider, since, counted: before }) => {
    const own = old.filter((one) => one.provider === provider && one.at >= since);
    return own.length === 0 ? [] : [{ provider, counted: addedUp(before, own) }];
  });
  await keepCounted(tx, canary, changed);
}

async function take(
  tx: Sql,
  canary: Canary,
  state: CanaryState,
  move: Exclude<CanaryMove, { kind: 'stay' }>,
  isPaused: boolean,
): Promise<CanaryStep> {
  const { provider, percent: before, step } = state;
  const isFall = move.kind === 'fall';
  const percent = isFall ? 0 : move.percent;
  const isLast = percent === canary.percents.at(-1);
  const falls = isFall ? state.falls + 1 : isLast ? 0 : state.falls;
  const usual = step.old.sent >= LEAST_USUAL ? step.old : null;
  await putCanaryShare(tx, canary.name, { provider, percent, falls, usual });
  const about = {
    canary: canary.name,
    transport: canary.to,
    provider,
    from_percent: before,
    to_percent: percent,
  };
  if (!isFall)
    return {
      ...about,
      kind: 'rise',
      message: riseWords(canary.to, provider, before, percent),
      numbers: { ...step, rate: null, worse: null },
    };
  const { rate, period } = move;
  const message = fallWords(canary.to, provider, { rate, period, falls, isPaused });
  return { ...about, kind: 'fall', message, numbers: { ...period, rate, worse: canary.worse[rate] } };
}
