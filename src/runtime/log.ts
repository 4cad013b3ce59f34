/** JSON lines on stdout. Credentials and message content are redacted from every logged object. */
import { type Logger, pino } from 'pino';
import { logOutagesOnce, type OutageOf } from './log-outages.ts';

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
  /** Recognises outages, whose lines are limited to one per minute. */
  readonly outageOf?: OutageOf;
  /** The cell that the process serves, if not the first. */
  readonly cell?: string | undefined;
}

export function createLog(role: string, level = 'info', { outageOf, cell }: LogOptions = {}): Log {
  return pino({
    ...(outageOf && { hooks: { logMethod: logOutagesOnce(outageOf) } }),
    level,
    base: { role, ...(cell !== undefined && { cell }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[hidden]' },
  });
}
