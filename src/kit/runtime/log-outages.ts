/**
 * While the database is away, everything that needs it fails again and again, and each time says so. Of what is said for that reason
 * the first line is written, and then one a minute, which tells how many were left out; by its words, so that no kind of trouble is
 * hidden behind another.
 */
import type { LoggerOptions } from 'pino';

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const REMIND_AFTER_MS = 60_000;
/** Words are our own, and few; should that change, what was left out is forgotten. */
const MOST_WORDS = 100;

interface Said {
  readonly atMs: number;
  omitted: number;
}

export function sayOutagesOnce(
  isOutage: (error: unknown) => boolean,
  steadyMs: () => number = () => performance.now(),
): LogMethod {
  const said = new Map<string, Said>();
  return function write(args, method) {
    const [details, words] = args as unknown as [unknown, unknown];
    if (typeof words !== 'string' || !isOutage(errorIn(details))) return method.apply(this, args);
    const before = said.get(words);
    if (before !== undefined && steadyMs() - before.atMs < REMIND_AFTER_MS) {
      before.omitted += 1;
      return;
    }
    if (said.size >= MOST_WORDS) said.clear();
    said.set(words, { atMs: steadyMs(), omitted: 0 });
    const omitted = before?.omitted ?? 0;
    const shown = omitted === 0 ? details : { ...(details as object), omitted };
    return method.apply(this, [shown, words] as unknown as typeof args);
  };
}

function errorIn(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'err' in details ? details.err : undefined;
}
