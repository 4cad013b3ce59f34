/**
 * Limits log lines during a database outage, when everything that needs the database fails repeatedly. The
 * first line of each kind is written, then one per minute with the number omitted. Lines are grouped by
 * message, database and error code, so that no kind of failure hides another.
 */
import type { LoggerOptions } from 'pino';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

export interface Outage {
  /** The cell of the database; undefined for the first. */
  readonly cell?: string | undefined;
  /** An errno or SQLSTATE, if known. */
  readonly code?: string | undefined;
}

/** Null for errors with another cause. */
export type OutageOf = (error: unknown) => Outage | null;

const REMIND_AFTER_MS = 60_000;
/**
 * There are few kinds, because messages and cell names are our own. Beyond this number, the omitted counts
 * are discarded.
 */
const MOST_KINDS = 100;

interface Said {
  readonly atMs: number;
  omitted: number;
}

export function logOutagesOnce(
  outageOf: OutageOf,
  steadyMs: () => number = () => performance.now(),
): LogMethod {
  const said = new Map<string, Said>();
  return function write(args, method) {
    const [details, words] = args as unknown as [unknown, unknown];
    const outage = typeof words === 'string' ? outageOf(errorIn(details)) : null;
    if (outage === null) return method.apply(this, args);
    const { cell, code } = outage;
    const kind = JSON.stringify([words, cell, code]);
    const before = said.get(kind);
    if (before !== undefined && steadyMs() - before.atMs < REMIND_AFTER_MS) {
      before.omitted += 1;
      return;
    }
    if (said.size >= MOST_KINDS) said.clear();
    said.set(kind, { atMs: steadyMs(), omitted: 0 });
    const omitted = before?.omitted ?? 0;
    const shown = {
      ...(details as object),
      ...(cell !== undefined && { cell }),
      ...(omitted > 0 && { omitted }),
    };
    return method.apply(this, [shown, words] as unknown as typeof args);
  };
}

function errorIn(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'err' in details ? details.err : undefined;
}
