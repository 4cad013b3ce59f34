/**
 * One delivery, from claimed to recorded. Each step returns the value of the next stage (stages.ts). What a server said is a
 * fact, the judge decides what the fact means, and the recorder alone writes to the database afterwards.
 */

import { stageStopwatch, untimed } from '../../runtime/stage-metrics.ts';
import type { Dispatched } from '../scheduler/scheduler.ts';
import { judgeAttempt, recordDecision } from './conclude.ts';
import type { DeliverDeps } from './deliver-deps.ts';
import { notingStages, type StageTime } from './finished-attempt.ts';
import { connect, loadDelivery, prepareMessage, sendDelivery } from './prepare.ts';
import { advance, type ClaimedStage, type JudgedDelivery, judgeFailure } from './stages.ts';

export function deliver(deps: DeliverDeps, dispatched: Dispatched): Promise<void> {
  const { delivery, slot } = dispatched;
  return deps.memory
    .hold(delivery.size, () => attemptDelivery(claimedStage(deps, dispatched)))
    .finally(() => slot.release());
}

async function attemptDelivery(claimed: ClaimedStage): Promise<void> {
  const loaded = await advance(claimed, loadDelivery);
  const composed = await advance(loaded, prepareMessage);
  const routed = await advance(composed, connect);
  const attempted = await advance(routed, sendDelivery);
  const judged = await advance(attempted, judgeAttempt);
  await record(judged);
}

function claimedStage(deps: DeliverDeps, dispatched: Dispatched): ClaimedStage {
  const times: StageTime[] = [];
  const onStage = notingStages(times, deps.onStage ?? untimed);
  const endStage = stageStopwatch(onStage);
  const { clock } = deps;
  const mail = { deps, ...dispatched, clock, times, onStage, endStage, email: null, labels: null };
  return { stage: 'claimed', mail };
}

/** Retries once, because an internal error must not leave the delivery unsettled. */
async function record(judged: JudgedDelivery): Promise<void> {
  try {
    await recordDecision(judged);
  } catch (error) {
    await recordDecision(judgeFailure(judged, error));
  }
}
