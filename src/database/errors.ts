/** What a failed query means to its caller. Recognised by SQLSTATE or errno, by message only where the driver gives neither. */
import type { Outage } from '../runtime/log-outages.ts';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  // Its name could not be looked up.
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
]);
/**
 * Classes of SQLSTATE that say nothing against the statement: the connection (08), a transaction that was ended for us or
 * meets a server that only reads (25), one that gave way to another (40), no memory, disk or connection left (53),
 * something that is held by somebody else (55), an operator or a shutdown (57), the system below (58), PostgreSQL itself
 * (XX). The same again, later, may work.
 */
const PASSING_CLASSES = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX']);
/** The connection, a server that only reads, one that has no connection left, a shutdown or a start; an organization that is on its way. */
const AWAY = /^(08...|25006|53300|57P0[1-3]|40PR5)$/;
const INTERNAL_CLASS = 'XX';
/** No such prepared statement, or one too many of its name: behind a pooler that hands sessions around. */
const FORGOTTEN_STATEMENT = new Set(['26000', '42P05']);
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
];

/** This code cannot use what is there: the schema, or the server itself. Its message says what to do. */
export class SchemaError extends Error {}

/** The database is away or cannot do its work for now: worth trying again, and not the caller's fault. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== undefined) {
    const isPassing = isSqlState(code) && PASSING_CLASSES.has(code.slice(0, 2));
    return isPassing || NETWORK_CODES.has(code) || FORGOTTEN_STATEMENT.has(code);
  }
  return DRIVER_MESSAGES.some((message) => error.message.includes(message));
}

const cellsOf = new WeakMap<Error, string>();

/** Databases fail in the same words: what comes of this one's failure can say which it was. */
export function noteCell(error: unknown, cell: string): void {
  if (error instanceof Error) cellsOf.set(error, cell);
}

/**
 * Which database is away, and how; null where the error, or what it was made of, has another reason. `isOutage`: for whoever tries again whatever
 * passes, more than that nobody answers.
 */
export function outageOf(error: unknown, isOutage: (error: unknown) => boolean = isAway): Outage | null {
  const reason = error instanceof Error && !isOutage(error) ? error.cause : error;
  if (!(reason instanceof Error) || !isOutage(reason)) return null;
  return { cell: cellsOf.get(reason), code: codeOf(reason) };
}

/** Nobody answers there, or for an organization, until somebody does: what was asked has nothing to do with it. */
function isAway(error: unknown): boolean {
  if (!isUnavailable(error)) return false;
  const code = codeOf(error);
  return code === undefined || NETWORK_CODES.has(code) || AWAY.test(code);
}

/** Something broke inside PostgreSQL: the same again may well break again. */
export function isInternal(error: unknown): boolean {
  return codeOf(error)?.startsWith(INTERNAL_CLASS) === true;
}

/** The server only reads, as one does that was the primary: another connection may reach the one that is now. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** The session does not know a prepared statement that another one knew. It has not run. */
export function isForgottenStatement(error: unknown): boolean {
  return FORGOTTEN_STATEMENT.has(codeOf(error) ?? '');
}

/** A pooler takes no settings for the session from a client that connects. */
export function refusesSettings(error: unknown): boolean {
  return error instanceof Error && error.message.includes('unsupported startup parameter');
}

/** It was sent and not answered, and the connection may still be waiting: it may be done yet, or have been done. */
export function isUnresolved(error: unknown): boolean {
  return codeOf(error) === '08007';
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

/** The role may not do that. */
export function isMissingRight(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** Someone else held what was needed for longer than this transaction wanted to wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** An insert found no partition for its row. PostgreSQL reports it as a check violation without a constraint. */
export function isMissingPartition(error: unknown): boolean {
  const isUnknown = codeOf(error) === '23514' && constraintOf(error) === undefined;
  return isUnknown || (isInternal(error) && NO_PARTITION.test(property(error, 'message') ?? ''));
}

/** What Citus copies into a table fails with words, and as something internal. */
const NO_PARTITION = /^no partition of relation /;

/** Raised by our own function `count_usage`; tells whose limit it was. */
export function overLimitOf(error: unknown): string | undefined {
  return codeOf(error) === 'PR001' ? property(error, 'detail') : undefined;
}

/** Raised by our own function `complete_requests`: the same request was accepted before, or begun anew by another run. */
export const TAKEN_OVER = 'PR002';

export function isTakenOver(error: unknown): boolean {
  return codeOf(error) === TAKEN_OVER;
}

/** Raised by our own function `hold_read_slot`: as many statements of this organization run as may. */
export function isReadSlotTaken(error: unknown): boolean {
  return codeOf(error) === 'PR003';
}

/** Raised by our own function `await_replay`: this standby does not have what the primary has. */
export function isBehind(error: unknown): boolean {
  return codeOf(error) === 'PR004';
}

/** Of the class of those that gave way: the same again, alone, will do for everybody else. */
export const MOVED_AWAY = '40PR5';

/** Whoever it is about lives in another cell by now. Nothing was run. */
export function isMovedAway(error: unknown): boolean {
  return codeOf(error) === MOVED_AWAY;
}

/** Two transactions were in each other's way, and this one was taken back: the same again will do. */
export function isConflict(error: unknown): boolean {
  return codeOf(error)?.startsWith('40') === true;
}

/**
 * Of several that were handed in together perhaps only one is the reason, and tried alone the others will work. What
 * keeps PostgreSQL from working at all keeps it from each of them.
 */
export function concernsOne(error: unknown): boolean {
  return !isUnavailable(error) || isConflict(error) || isInternal(error);
}

/** It failed only because an earlier statement of its transaction had failed. */
export function isFollowUp(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code);
}

function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}

/** Citus tells it in words alone, with the number of a shard behind it. */
const CONSTRAINT = /constraint "(.+?)(?:_\d{6,})?"/;

function constraintOf(error: unknown): string | undefined {
  return property(error, 'constraint') ?? CONSTRAINT.exec(property(error, 'message') ?? '')?.[1];
}

function property(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null || !(name in error)) return undefined;
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
