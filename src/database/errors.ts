/** Classifies failed queries for their callers: by SQLSTATE or errno, and by message only if the driver gives neither. */
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
  // The name could not be looked up.
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
]);
/**
 * SQLSTATE classes that do not blame the statement: connection (08), a transaction that the server ended or that met a
 * read-only server (25), a serialization failure or deadlock (40), out of memory, disk or connections (53), a lock held by
 * another session (55), an operator or a shutdown (57), the system below (58), PostgreSQL itself (XX). The same statement may
 * succeed later.
 */
const PASSING_CLASSES = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX']);
/** A connection failure, a read-only server, no free connection, a shutdown or a start; a moving organization. */
const AWAY = /^(08...|25006|53300|57P0[1-3]|40PR5)$/;
const INTERNAL_CLASS = 'XX';
/** An unknown or duplicate prepared statement: behind a pooler that shares sessions. */
const FORGOTTEN_STATEMENT = new Set(['26000', '42P05']);
const DRIVER_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Query read timeout',
];

/** This code cannot use the schema, or the server itself. The message tells the operator what to do. */
export class SchemaError extends Error {}

/** The database is down or temporarily cannot work: a retry makes sense, and the caller is not at fault. */
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

/** Every database fails with the same messages, so this records the cell of the error. */
export function noteCell(error: unknown, cell: string): void {
  if (error instanceof Error) cellsOf.set(error, cell);
}

/**
 * The failed database, and the failure; null if the error and its causes have another reason. `isOutage`: the default covers
 * only databases that do not answer; callers that retry every temporary failure pass a wider test.
 */
export function outageOf(error: unknown, isOutage: (error: unknown) => boolean = isAway): Outage | null {
  const reason = error instanceof Error && !isOutage(error) ? error.cause : error;
  if (!(reason instanceof Error) || !isOutage(reason)) return null;
  return { cell: cellsOf.get(reason), code: codeOf(reason) };
}

/** The database does not answer, at all or for one organization, whatever the statement was. */
function isAway(error: unknown): boolean {
  if (!isUnavailable(error)) return false;
  const code = codeOf(error);
  return code === undefined || NETWORK_CODES.has(code) || AWAY.test(code);
}

/** An internal error of PostgreSQL: the same statement may well fail again. */
export function isInternal(error: unknown): boolean {
  return codeOf(error)?.startsWith(INTERNAL_CLASS) === true;
}

/** The server is read-only, like a former primary. Another connection may reach the new primary. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** The session lacks a prepared statement that another session has. The statement was not executed. */
export function isForgottenStatement(error: unknown): boolean {
  return FORGOTTEN_STATEMENT.has(codeOf(error) ?? '');
}

/** A pooler accepts no session settings from a client. */
export function refusesSettings(error: unknown): boolean {
  return error instanceof Error && error.message.includes('unsupported startup parameter');
}

/** The query was sent and not answered, and the connection may still be waiting: it may still run, or may have completed. */
export function isUnresolved(error: unknown): boolean {
  return codeOf(error) === '08007';
}

/** The statement exceeded its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return codeOf(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint);
}

export function isUndefinedTable(error: unknown): boolean {
  return codeOf(error) === '42P01';
}

/** The role lacks a privilege. */
export function isMissingRight(error: unknown): boolean {
  return codeOf(error) === '42501';
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** An insert found no partition for its row. PostgreSQL reports this as a check violation without a constraint. */
export function isMissingPartition(error: unknown): boolean {
  const isUnknown = codeOf(error) === '23514' && constraintOf(error) === undefined;
  return isUnknown || (isInternal(error) && NO_PARTITION.test(property(error, 'message') ?? ''));
}

/** Citus reports a failed copy into a table only in the message, as an internal error. */
const NO_PARTITION = /^no partition of relation /;

/** Raised by Postrider's function `count_usage`. Returns the organization whose limit was exceeded. */
export function overLimitOf(error: unknown): string | undefined {
  return codeOf(error) === 'PR001' ? property(error, 'detail') : undefined;
}

/** Raised by Postrider's function `complete_requests`: the same request was accepted before, or taken over by another run. */
export const TAKEN_OVER = 'PR002';

export function isTakenOver(error: unknown): boolean {
  return codeOf(error) === TAKEN_OVER;
}

/** Raised by Postrider's function `hold_read_slot`: the organization already runs its maximum of reads. */
export function isReadSlotTaken(error: unknown): boolean {
  return codeOf(error) === 'PR003';
}

/** Raised by Postrider's function `await_replay`: this standby has not caught up with the primary. */
export function isBehind(error: unknown): boolean {
  return codeOf(error) === 'PR004';
}

/** In the class of serialization failures: retried alone, the other statements of the batch succeed. */
export const MOVED_AWAY = '40PR5';

/** The statement's organization has moved to another cell. Nothing was executed. */
export function isMovedAway(error: unknown): boolean {
  return codeOf(error) === MOVED_AWAY;
}

/** Two transactions conflicted, and this one was rolled back: a retry will succeed. */
export function isConflict(error: unknown): boolean {
  return codeOf(error)?.startsWith('40') === true;
}

/**
 * Of several items in one batch, perhaps only one is at fault, and the others will succeed when tried alone. An error that
 * stops PostgreSQL itself affects all of them.
 */
export function concernsOne(error: unknown): boolean {
  return !isUnavailable(error) || isConflict(error) || isInternal(error);
}

/** Failed only because an earlier statement of its transaction failed. */
export function isFollowUp(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code);
}

function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}

/** Citus reports the constraint only in the message, with a shard number appended. */
const CONSTRAINT = /constraint "(.+?)(?:_\d{6,})?"/;

function constraintOf(error: unknown): string | undefined {
  return property(error, 'constraint') ?? CONSTRAINT.exec(property(error, 'message') ?? '')?.[1];
}

function property(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null || !(name in error)) return undefined;
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
