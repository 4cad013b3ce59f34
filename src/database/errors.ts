/** What a failed query means to its caller. Recognised by SQLSTATE or errno, by message only where the driver gives neither. */

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
/** statement timed out, admin shutdown, crash shutdown, cannot connect now, too many connections, out of memory, disk full */
const SERVER_CODES = new Set(['57014', '57P01', '57P02', '57P03', '53300', '53200', '53100']);
const CONNECTION_EXCEPTION_CLASS = '08';
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
];

/** The database is away or refuses work for now: worth trying again, and not the caller's fault. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== undefined) {
    return NETWORK_CODES.has(code) || SERVER_CODES.has(code) || code.startsWith(CONNECTION_EXCEPTION_CLASS);
  }
  return DRIVER_MESSAGES.some((message) => error.message.includes(message));
}

/** It ran for longer than statements may. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return codeOf(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint);
}

export function isUndefinedTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** Someone else held what was needed for longer than this transaction wanted to wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Two transactions waited for each other and this one was chosen to give way: the same again will do. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01';
}

/** An insert found no partition for its row. PostgreSQL reports it as a check violation without a constraint. */
export function isMissingPartition(error: unknown): boolean {
  return codeOf(error) === '23514' && constraintOf(error) === undefined;
}

/** Raised by our own function `assert_within_limit`; tells whose limit it was. */
export function overLimitOf(error: unknown): string | undefined {
  return codeOf(error) === 'PR001' ? property(error, 'detail') : undefined;
}

/** It failed only because an earlier statement of its transaction had failed. */
export function isFollowUp(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}

function constraintOf(error: unknown): string | undefined {
  return property(error, 'constraint');
}

function property(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null || !(name in error)) return undefined;
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
