/** Compares this machine's clock with time servers and with the database's clock. */

import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { selectNow } from '../../database/database-clock.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';
import { doctorCheck } from '../doctor-check.ts';
import { DOCTOR_LOOKUP, type DoctorContext, databaseOf } from '../doctor-context.ts';
import type { Observation } from '../finding.ts';
import type { SmtpEndpoint } from '../smtp/smtp-probe.ts';

interface ClockFacts {
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
    'Signatures, certificates, one-time codes and the Date of mail depend on the clock: receivers distrust mail from the future or the past.',
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
  matters:
    'The database’s clock decides when mail is due, and this machine’s clock sets the times in the mail.',
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

function judgeClock(facts: ClockFacts): Observation[] {
  const ahead = median(facts.aheadMs);
  if (ahead === null)
    return [
      {
        level: 'unknown',
        seen: whyUnknown(facts),
        fix: 'Check the clock on this machine: timedatectl, or chronyc tracking.',
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

function judgeDatabaseClock(ahead: number | null): Observation[] {
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

const PACKET_BYTES = 48;
/** No warning, version 4, client mode. */
const ASKING = 0b00_100_011;
const SERVER_MODE = 4;
const UNSYNCHRONIZED = 3;
const MAX_STRATUM = 15;
/** NTP counts seconds from 1900. */
const FROM_1900_TO_1970_S = 2_208_988_800;

/** Queries a time server (SNTP, RFC 4330): how far our clock is ahead, in milliseconds; null without a credible response. */
function querySntp({ address, port }: SmtpEndpoint, clock: Clock, timeoutMs: number): Promise<number | null> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const cookie = randomBytes(8);
  return new Promise<number | null>((resolve) => {
    let askedMs = 0;
    const finish = (ahead: number | null): void => {
      clearTimeout(timer);
      socket.close();
      resolve(ahead);
    };
    const timer = setTimeout(() => finish(null), timeoutMs);
    socket.once('error', () => finish(null));
    socket.on('message', (packet: Buffer, from: RemoteInfo) => {
      if (from.port !== port || !isAnswer(packet, cookie)) return;
      const [received, sent] = [timeAt(packet, 32), timeAt(packet, 40)];
      finish((askedMs - received + clock.nowMs() - sent) / 2);
    });
    const packet = Buffer.alloc(PACKET_BYTES);
    packet[0] = ASKING;
    cookie.copy(packet, 40);
    askedMs = clock.nowMs();
    socket.send(packet, port, address, (error) => error && finish(null));
  });
}

/**
 * The response repeats our random value, so only a server that saw the request can answer. Stratum 0 is a
 * refusal.
 */
function isAnswer(packet: Buffer, cookie: Buffer): boolean {
  const [first = 0, stratum = 0] = packet;
  return (
    packet.length >= PACKET_BYTES &&
    (first & 0b111) === SERVER_MODE &&
    first >> 6 !== UNSYNCHRONIZED &&
    stratum >= 1 &&
    stratum <= MAX_STRATUM &&
    packet.subarray(24, 32).equals(cookie)
  );
}

/** Seconds and fractions, 32 bits each. They wrap around in 2036. */
function timeAt(packet: Buffer, offset: number): number {
  const seconds = packet.readUInt32BE(offset);
  const era = seconds < FROM_1900_TO_1970_S ? 2 ** 32 : 0;
  return (seconds + era - FROM_1900_TO_1970_S + packet.readUInt32BE(offset + 4) / 2 ** 32) * 1_000;
}
