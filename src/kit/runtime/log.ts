/** JSON lines on stdout. Credentials and message content never reach the log, whoever logs the object. */
import { type Logger, pino } from 'pino';

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

export function createLog(role: string, level = 'info'): Log {
  return pino({
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[hidden]' },
  });
}
