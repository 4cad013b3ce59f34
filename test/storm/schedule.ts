/** Which fault comes when: all of it follows from the seed. Pure. */
import { Random } from '../fuzz/random.ts';

/** How often each is chosen, of all kills and of all freezes. */
const KILLS = {
  'kill-worker': 30,
  'kill-api': 18,
  /** Inbound, and whatever role there will be. */
  'kill-other': 10,
  'kill-backend': 6,
  'kill-postmaster': 5,
  'kill-supervisor': 5,
} as const;
const SESSIONS = { 'end-session': 1 } as const;
const FREEZES = {
  'freeze-worker': 30,
  'freeze-api': 15,
  'freeze-other': 10,
  'freeze-backend': 15,
  'freeze-postgres': 15,
  'freeze-supervisor': 10,
} as const;

/** A worker that goes on right after another has taken over what it had in hand. */
export const PAST_LEASE = 'freeze-past-lease';
const LATE_WORKERS = { [PAST_LEASE]: 1 } as const;

export type FaultKind =
  | keyof typeof KILLS
  | keyof typeof SESSIONS
  | keyof typeof FREEZES
  | keyof typeof LATE_WORKERS;

export const SINK_FAULTS = ['sink-before-dot', 'sink-after-dot', 'sink-half-reply'] as const;
export const FAULT_KINDS: readonly string[] = [
  ...Object.keys({ ...KILLS, ...SESSIONS, ...FREEZES, ...LATE_WORKERS }),
  ...SINK_FAULTS,
];

export interface PlannedFault {
  readonly atMs: number;
  readonly kind: FaultKind;
  /** From 0 up to 1: which of those that it could happen to. */
  readonly pick: number;
  /** How long a freeze lasts. */
  readonly forMs: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly forMs: number;
  readonly kinds: ReadonlySet<string>;
  readonly killEveryMs: number;
  readonly sessionEveryMs: number;
  readonly freezeEveryMs: number;
  readonly pastLeaseEveryMs: number;
  readonly longestFreezeMs: number;
}

const SHORTEST_FREEZE_MS = 1_000;

export function scheduleOf(options: ScheduleOptions): PlannedFault[] {
  const { seed, killEveryMs, sessionEveryMs, freezeEveryMs, pastLeaseEveryMs } = options;
  return [
    ...stream(KILLS, killEveryMs, new Random(seed), options),
    ...stream(SESSIONS, sessionEveryMs, new Random(seed + 1), options),
    ...stream(FREEZES, freezeEveryMs, new Random(seed + 2), options),
    ...stream(LATE_WORKERS, pastLeaseEveryMs, new Random(seed + 3), options),
  ].toSorted((a, b) => a.atMs - b.atMs);
}

function stream(
  weights: Readonly<Record<string, number>>,
  everyMs: number,
  random: Random,
  { kinds, forMs, longestFreezeMs }: ScheduleOptions,
): PlannedFault[] {
  const bag = Object.entries(weights).flatMap(([kind, weight]) =>
    kinds.has(kind) ? Array<FaultKind>(weight).fill(kind as FaultKind) : [],
  );
  const planned: PlannedFault[] = [];
  if (bag.length === 0) return planned;
  for (let atMs = everyMs * random.next(); atMs < forMs; atMs += everyMs * (0.5 + random.next())) {
    // Mostly short, sometimes long.
    const longer = (longestFreezeMs - SHORTEST_FREEZE_MS) * random.next() ** 3;
    const lasting = SHORTEST_FREEZE_MS + Math.max(0, longer);
    planned.push({
      atMs,
      kind: random.pick(bag),
      pick: random.next(),
      forMs: Math.min(lasting, forMs - atMs),
    });
  }
  return planned;
}
