/** Compares this machine's clock with time servers and with the database's clock. */
import { selectNow } from '../../database/database-clock.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext, databaseOf } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';
import { querySntp } from './sntp.ts';

export interface ClockFacts {
  /** How far this machine is ahead of each server that answered. */
  readonly aheadMs: readonly number[];
  /** Time servers that were queried. */
  readonly asked: readonly string[];
  /** Time servers not queried, because DNS has no address for them or did not answer. */
  readonly unresolved: readonly string[];
}

const SLIGHTLY_MS = 5 * SECOND_MS;
const BADLY_MS = 2 * MINUTE_MS;
const SYNCHRONIZE = 'Turn on time synchronization: timedatectl set-ntp true (or install chrony).';

export const clockCheck = doctorCheck({
  name: 'clock',
  needsDns: true,
  matters:
    'Signatures, certificates, one-time codes and the Date of mail depend on it: receivers distrust mail from the future or the past.',
  gather: gatherClock,
  judge: judgeClock,
});

async function gatherClock(context: DoctorContext): Promise<ClockFacts> {
  const tried = await Promise.all(context.outside.timeServers.map((name) => askServer(context, name)));
  return {
    aheadMs: tried.flatMap(({ aheadMs }) => aheadMs ?? []),
    asked: tried.filter(({ isResolved }) => isResolved).map(({ name }) => name),
    unresolved: tried.filter(({ isResolved }) => !isResolved).map(({ name }) => name),
  };
}

async function askServer({ resolver, outside, clock }: DoctorContext, name: string) {
  const answer = await resolver.a(name, DOCTOR_LOOKUP);
  const address = answer.kind === 'found' ? answer.records[0] : undefined;
  if (address === undefined) return { name, isResolved: false, aheadMs: null };
  const aheadMs = await querySntp({ address, port: outside.timePort }, clock, outside.timeoutMs);
  return { name, isResolved: true, aheadMs };
}

/** Compares the clock with the database's, without outside servers. */
export const databaseClockCheck = doctorCheck({
  name: 'clock',
  matters: 'The database’s clock decides when mail is due, and this machine’s what is written into it.',
  gather: async (context) =>
    typeof context.db === 'string' ? null : askDatabase(context, context.clock).catch(() => null),
  judge: judgeDatabaseClock,
});

/** The reading is compared with the middle of the query's duration. */
async function askDatabase(context: DoctorContext, clock: Clock): Promise<number> {
  const askedMs = clock.nowMs();
  const { now_ms: nowMs } = await databaseOf(context).one(selectNow);
  return (askedMs + clock.nowMs()) / 2 - nowMs;
}

export function judgeClock(facts: ClockFacts): Observation[] {
  const ahead = median(facts.aheadMs);
  if (ahead === null)
    return [
      {
        level: 'unknown',
        seen: whyUnknown(facts),
        fix: 'Look at it here: timedatectl, or chronyc tracking.',
      },
    ];
  const off = Math.abs(ahead);
  if (off < SLIGHTLY_MS) return [{ level: 'ok', seen: `The clock is right, to ${words(off)}.` }];
  const seen = `The clock of this machine is ${words(off)} ${ahead > 0 ? 'fast' : 'slow'}.`;
  return [{ level: off < BADLY_MS ? 'warn' : 'bad', seen, fix: SYNCHRONIZE }];
}

/** A server that was not queried gives no information about the port. */
function whyUnknown({ asked, unresolved }: ClockFacts): string {
  if (asked.length === 0)
    return `No time server was asked: DNS gave no address for ${unresolved.join(', ')}.`;
  return `No time server answered (${asked.join(', ')}): UDP port 123 may be closed.`;
}

export function judgeDatabaseClock(ahead: number | null): Observation[] {
  if (ahead === null || Math.abs(ahead) < SLIGHTLY_MS) return [];
  const seen = `The clocks of this machine and of the database are ${words(Math.abs(ahead))} apart.`;
  return [{ level: 'warn', seen, fix: `On both machines: ${SYNCHRONIZE}` }];
}

function median(all: readonly number[]): number | null {
  return all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) / 2)] ?? null;
}

function words(ms: number): string {
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(2)} s`;
  return ms < 2 * MINUTE_MS ? `${Math.round(ms / SECOND_MS)} s` : `${Math.round(ms / MINUTE_MS)} minutes`;
}
