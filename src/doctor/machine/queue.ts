/** Whether mail moves: workers, due mail, holds, and processes that receive bounces. */
import { holdName } from '../../interventions/holds/hold.ts';
import { type HoldRow, listHolds } from '../../interventions/holds/store.ts';
import { liveHolders } from '../../operations/secret-keys/store.ts';
import { type QueueStatus, queueStatus, type WorkerStatus, workerStatus } from '../../outbox/status.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf, ofAnswering } from '../doctor-context.ts';
import { counted, type Observation } from '../finding.ts';

interface QueueFacts {
  readonly queue: QueueStatus;
  readonly workers: readonly WorkerStatus[];
  /** Holds in force, newest first. */
  readonly holds: readonly HoldRow[];
  /** Processes that receive bounces. */
  readonly inbound: number;
}

const SLOW_S = 5 * 60;
const STUCK_S = 30 * 60;
const MAX_HOLDS_TOLD = 20;

export const queueCheck = doctorCheck({
  name: 'queue',
  needsDatabase: true,
  matters: 'Mail that is due and is not sent arrives late, or never.',
  gather: gatherQueue,
  judge: judgeQueue,
});

async function gatherQueue(context: DoctorContext): Promise<QueueFacts> {
  const db = databaseOf(context);
  const cells = await ofAnswering(context, async (cell) => {
    const [queue, workers, { rows }] = await Promise.all([
      queueStatus(cell),
      workerStatus(cell),
      listHolds(cell, 'everybody', { limit: MAX_HOLDS_TOLD, offset: 0 }),
    ]);
    return { queue, workers, rows };
  });
  const holders = await liveHolders(db);
  const open = cells.flatMap(({ rows }) => rows).filter((hold) => hold.lifted_at === null);
  return {
    queue: addedUp(cells.map(({ queue }) => queue)),
    workers: cells.flatMap(({ workers }) => workers),
    // A hold on all mail is in every cell, under one id.
    holds: [...new Map(open.map((hold) => [hold.id, hold])).values()],
    inbound: holders.filter(({ name }) => name.startsWith('inbound on ')).length,
  };
}

function addedUp(queues: readonly QueueStatus[]): QueueStatus {
  return queues.reduce((sum, one) => ({
    ...{ waiting: sum.waiting + one.waiting, due: sum.due + one.due, claimed: sum.claimed + one.claimed },
    oldestDueSeconds:
      sum.oldestDueSeconds === null && one.oldestDueSeconds === null
        ? null
        : Math.max(sum.oldestDueSeconds ?? 0, one.oldestDueSeconds ?? 0),
  }));
}

export function judgeQueue({ queue, workers, holds, inbound }: QueueFacts): Observation[] {
  const alive = workers.filter((worker) => worker.alive).length;
  const receiving: Observation[] =
    inbound > 0
      ? []
      : [
          {
            level: 'bad',
            seen: 'No process receives bounces.',
            why: 'Late bounces and complaints are lost.',
            fix: 'Start the inbound role: npx postrider start inbound (npx postrider start runs everything).',
          },
        ];
  const isAllHeld = holds.some(({ scope }) => scope === 'all');
  return [judgeMoving(queue, alive, isAllHeld), ...holds.map(judgeHold), ...receiving];
}

function judgeMoving({ due, oldestDueSeconds }: QueueStatus, alive: number, isAllHeld: boolean): Observation {
  const waited = oldestDueSeconds ?? 0;
  const seen = `${counted(alive, 'worker')} running; ${counted(due, 'delivery', 'deliveries')} due${due === 0 ? '' : `, the oldest for ${Math.round(waited / 60)} minutes`}.`;
  if (alive === 0)
    return {
      level: 'bad',
      seen,
      why: 'Nothing is sent without a worker.',
      fix: 'Start a worker: npx postrider start worker (npx postrider start runs everything).',
    };
  if (waited < SLOW_S || isAllHeld) return { level: 'ok', seen };
  const fix =
    'Run npx postrider queue to see the cause. If no site is paused or blocked, start more workers (POSTRIDER_WORKERS).';
  return { level: waited < STUCK_S ? 'warn' : 'bad', seen, fix };
}

/** An operator set the hold, and must also end it. */
function judgeHold(hold: HoldRow): Observation {
  const { id, placed_at, placed_by, reason } = hold;
  return {
    level: 'warn',
    seen: `Held since ${placed_at.toISOString()} by ${placed_by}: ${holdName(hold, hold.organization_id)} (${reason}).`,
    why: 'This mail is accepted and not sent until the hold ends.',
    fix: `npx postrider release ${id} previews the number and age of the emails before it releases them.`,
  };
}
