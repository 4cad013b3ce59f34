/** Whether mail moves: workers, what is due, and who receives bounces. */
import { liveHolders } from '../../maintenance/secret-keys/store.ts';
import { type QueueStatus, queueStatus, type WorkerStatus, workerStatus } from '../../outbox/status.ts';
import { doctorCheck } from '../doctor-check.ts';
import { counted, type Observation } from '../finding.ts';
import { type DoctorWorld, databaseOf } from '../world.ts';

export interface QueueFacts {
  readonly queue: QueueStatus;
  readonly workers: readonly WorkerStatus[];
  /** Processes that receive bounces. */
  readonly inbound: number;
}

const SLOW_S = 5 * 60;
const STUCK_S = 30 * 60;

export const queueCheck = doctorCheck({
  name: 'queue',
  needsDatabase: true,
  matters: 'Mail that is due and does not move arrives late, or never.',
  gather: gatherQueue,
  judge: judgeQueue,
});

async function gatherQueue(world: DoctorWorld): Promise<QueueFacts> {
  const db = databaseOf(world);
  const [queue, workers, holders] = await Promise.all([queueStatus(db), workerStatus(db), liveHolders(db)]);
  return { queue, workers, inbound: holders.filter(({ name }) => name.startsWith('inbound on ')).length };
}

export function judgeQueue({ queue, workers, inbound }: QueueFacts): Observation[] {
  const alive = workers.filter((worker) => worker.alive).length;
  const receiving: Observation[] =
    inbound > 0
      ? []
      : [
          {
            level: 'bad',
            seen: 'No process receives bounces.',
            why: 'Late bounces and complaints are lost.',
            mend: 'Start one: npx postrider start inbound (npx postrider start runs everything).',
          },
        ];
  return [judgeMoving(queue, alive), ...receiving];
}

function judgeMoving({ due, oldestDueSeconds }: QueueStatus, alive: number): Observation {
  const waited = oldestDueSeconds ?? 0;
  const seen = `${counted(alive, 'worker')} running; ${counted(due, 'delivery', 'deliveries')} due${due === 0 ? '' : `, the oldest for ${Math.round(waited / 60)} minutes`}.`;
  if (alive === 0)
    return {
      level: 'bad',
      seen,
      why: 'Nothing is sent without a worker.',
      mend: 'Start one: npx postrider start worker (npx postrider start runs everything).',
    };
  if (waited < SLOW_S) return { level: 'ok', seen };
  const mend =
    'npx postrider queue shows what it waits for. If no site is held up, start more workers (POSTRIDER_WORKERS).';
  return { level: waited < STUCK_S ? 'warn' : 'bad', seen, mend };
}
