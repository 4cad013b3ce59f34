/** Queries a time server (SNTP, RFC 4330). */
import { randomBytes } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import type { Clock } from '../../runtime/clock.ts';
import type { SmtpEndpoint } from '../smtp/smtp-probe.ts';

const PACKET_BYTES = 48;
/** No warning, version 4, client mode. */
const ASKING = 0b00_100_011;
const SERVER_MODE = 4;
const UNSYNCHRONIZED = 3;
const MAX_STRATUM = 15;
/** NTP counts seconds from 1900. */
const FROM_1900_TO_1970_S = 2_208_988_800;

/** How far our clock is ahead, in milliseconds; null without a credible response. */
export function querySntp(
  { address, port }: SmtpEndpoint,
  clock: Clock,
  timeoutMs: number,
): Promise<number | null> {
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
