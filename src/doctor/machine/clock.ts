/** Whether the clock of this machine is right, by clocks elsewhere and by that of the database. */
import { selectNow } from '../../kit/database/database-clock.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../kit/runtime/durations.ts';
import { doctorCheck } from '../doctor-check.ts';
import type { Observation } from '../finding.ts';
import { DOCTOR_LOOKUP, type DoctorWorld, databaseOf } from '../world.ts';
import { askTime } from './sntp.ts';

export interface ClockFacts {
  /** How far this machine is ahead of each server that answered. */
  readonly aheadMs: readonly number[];
  readonly asked: readonly string[];
  /** How far it is ahead of the database; null where that was not asked. */
  readonly aheadOfDatabaseMs: number | null;
}

const SLIGHTLY_MS = 5 * SECOND_MS;
const BADLY_MS = 2 * MINUTE_MS;
const SYNCHRONIZE = 'Turn on time synchronization: timedatectl set-ntp true (or install chrony).';

export const clockCheck = doctorCheck({
  name: 'clock',
  matters:
    'Signatures, certificates, one-time codes and the Date of mail depend on it: receivers distrust mail from the future or the past.',
  gather: gatherClock,
  judge: judgeClock,
});

async function gatherClock(world: DoctorWorld): Promise<ClockFacts> {
  const { outside, clock } = world;
  const [offsets, aheadOfDatabaseMs] = await Promise.all([
    Promise.all(outside.timeServers.map((name) => askServer(world, name))),
    typeof world.db === 'string' ? null : askDatabase(world, clock).catch(() => null),
  ]);
  return { aheadMs: offsets.filter((one) => one !== null), asked: outside.timeServers, aheadOfDatabaseMs };
}

async function askServer({ resolver, outside, clock }: DoctorWorld, name: string): Promise<number | null> {
  const answer = await resolver.a(name, DOCTOR_LOOKUP);
  const address = answer.kind === 'found' ? answer.records[0] : undefined;
  if (address === undefined) return null;
  return askTime({ address, port: outside.timePort }, clock, outside.patienceMs);
}

/** The database said it at some moment between asking and hearing: the middle is near enough. */
async function askDatabase(world: DoctorWorld, clock: Clock): Promise<number> {
  const askedMs = clock.nowMs();
  const { now_ms: nowMs } = await databaseOf(world).one(selectNow);
  return (askedMs + clock.nowMs()) / 2 - nowMs;
}

export function judgeClock({ aheadMs, asked, aheadOfDatabaseMs }: ClockFacts): Observation[] {
  return [byOthers(aheadMs, asked), ...byDatabase(aheadOfDatabaseMs)];
}

function byOthers(aheadMs: readonly number[], asked: readonly string[]): Observation {
  const ahead = median(aheadMs);
  if (ahead === null) {
    const seen = `No time server answered (${asked.join(', ')}): UDP port 123 may be closed.`;
    return { level: 'unknown', seen, fix: 'Look at it here: timedatectl, or chronyc tracking.' };
  }
  const off = Math.abs(ahead);
  if (off < SLIGHTLY_MS) return { level: 'ok', seen: `The clock is right, to ${words(off)}.` };
  const seen = `The clock of this machine is ${words(off)} ${ahead > 0 ? 'fast' : 'slow'}.`;
  return { level: off < BADLY_MS ? 'warn' : 'bad', seen, fix: SYNCHRONIZE };
}

function byDatabase(ahead: number | null): Observation[] {
  if (ahead === null || Math.abs(ahead) < SLIGHTLY_MS) return [];
  const seen = `The clocks of this machine and of the database are ${words(Math.abs(ahead))} apart.`;
  const why = 'The database’s clock decides when mail is due, and this machine’s what is written into it.';
  return [{ level: 'warn', seen, why, fix: `On both machines: ${SYNCHRONIZE}` }];
}

function median(all: readonly number[]): number | null {
  return all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? null;
}

function words(ms: number): string {
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(2)} s`;
  return ms < 2 * MINUTE_MS ? `${Math.round(ms / SECOND_MS)} s` : `${Math.round(ms / MINUTE_MS)} minutes`;
}
