/** JSON lines on stdout. Credentials and message content never reach the log, whoever logs the object. */
import { type Logger, pino } from 'pino';
import { sayOutagesOnce } from './log-outages.ts';

export type Log = Logger;

const SECRET_PATHS = [
  'authorization',
  'headers.authorization',
  'headers.cookie',
  'headers["set-cookie"]',
  'req.headers.authorization',
  'req.headers.cookie',
  'body',
  'req.body',
  'html',
  'text',
  'password',
  'secret',
  'privateKey',
  'apiKey',
];

interface LogOptions {
  /** What fails for this reason, and is tried again by itself, is said once a minute. */
  readonly isOutage?: (error: unknown) => boolean;
  /** The one that it serves, where it is not the first. */
  readonly cell?: string | undefined;
}

export function createLog(role: string, level = 'info', { isOutage, cell }: LogOptions = {}): Log {
  return pino({
    ...(isOutage && { hooks: { logMethod: sayOutagesOnce(isOutage) } }),
    level,
    base: { role, ...(cell !== undefined && { cell }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[hidden]' },
  });
}
