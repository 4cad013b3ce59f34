/**
 * While a database is away, everything that needs it fails again and again, and each time says so. Of what is said for that reason
 * the first line is written, and then one a minute, which tells how many were left out; by its words, by the database and by how it is away, so
 * that no kind of trouble is hidden behind another.
 */
import type { LoggerOptions } from 'pino';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

export interface Outage {
  /** Which database, where there are several; none for the first. */
  readonly cell?: string | undefined;
  /** An errno or an SQLSTATE, where there is one. */
  readonly code?: string | undefined;
}

/** Null for an error that has another reason. */
export type OutageOf = (error: unknown) => Outage | null;

const REMIND_AFTER_MS = 60_000;
/** There are few kinds: words are our own, and so are the names of cells. Should that change, what was left out is forgotten. */
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
