import { MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';

/** Timeouts of each phase in milliseconds, from the last byte of the command to the last of the reply. */
export interface Deadlines {
  readonly connectMs: number;
  readonly bannerMs: number;
  readonly ehloMs: number;
  readonly startTlsMs: number;
  readonly tlsMs: number;
  readonly authMs: number;
  readonly mailMs: number;
  readonly rcptMs: number;
  readonly dataMs: number;
  /** For sending each block of the message. */
  readonly bodyBlockMs: number;
  /** For sending the whole message: a slow server must not occupy a connection for hours. */
  readonly bodyTotalMs: number;
  readonly dotMs: number;
  /** For replies that no longer change the result: the rest of a refused pipeline, RSET, QUIT. */
  readonly epilogueMs: number;
}

/**
 * RFC 5321 section 4.5.3.2 sets the minimums for banner, MAIL, RCPT, DATA, body block and dot. A short
 * timeout after the dot is the classic cause of duplicates: the server accepts the message after the client
 * has disconnected.
 */
export const DEFAULT_DEADLINES: Deadlines = {
  connectMs: 30 * SECOND_MS,
  bannerMs: 5 * MINUTE_MS,
  ehloMs: 5 * MINUTE_MS,
  startTlsMs: 2 * MINUTE_MS,
  tlsMs: MINUTE_MS,
  authMs: 2 * MINUTE_MS,
  mailMs: 5 * MINUTE_MS,
  rcptMs: 5 * MINUTE_MS,
  dataMs: 2 * MINUTE_MS,
  bodyBlockMs: 3 * MINUTE_MS,
  bodyTotalMs: 30 * MINUTE_MS,
  dotMs: 10 * MINUTE_MS,
  epilogueMs: 5 * SECOND_MS,
};
