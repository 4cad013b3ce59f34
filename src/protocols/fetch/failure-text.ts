/** Describes a connection failure, to follow a colon. */
import { DestinationError } from './guard-address.ts';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed without an answer',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection could not be made in time',
};

export function connectionWords(error: unknown): string {
  if (error instanceof DestinationError) return error.message;
  // After several addresses, the first failure represents all.
  if (error instanceof AggregateError) return connectionWords(error.errors[0]);
  const { code, message } = error as NodeJS.ErrnoException;
  return WORDS[code ?? ''] ?? (message === '' ? (code ?? 'unknown error') : message);
}
