/**
 * How often the dashboard loads data again. Events of the live stream touch the queries that name their type (`changedBy`). What events do
 * not cover is polled: often while somebody is at work, and rarely in a tab that nobody has touched for a while.
 */
import type { Item } from '@postrider/sdk';
import { ASK_AGAIN_MS, isPassing } from './query-client.ts';

export type EventType = Item<'GET /events'>['type'];

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly changedBy?: 'any event' | readonly EventType[] };
  }
}

interface Freshness {
  readonly changedBy?: 'any event' | readonly EventType[];
  /** The shortest and the longest time between two polls, where the usual ones do not fit. */
  readonly leastMs?: number;
  readonly mostMs?: number;
}

/** How soon a query is polled again, by how long nobody has touched the tab. */
const PACES = [
  { untouchedMs: 10_000, pollMs: 2_000 },
  { untouchedMs: 60_000, pollMs: 5_000 },
  { untouchedMs: 300_000, pollMs: 15_000 },
] as const;
const QUICK_MS = 500;
const QUICK_FOR_MS = 10_000;
const SLOWEST_MS = 60_000;
/** For queries that events cover. */
const SLOWEST_COVERED_MS = 300_000;
const SLOWEST_WITHOUT_STREAM_MS = 20_000;

let touchedAtMs = Date.now();
let isStreaming = false;

/** Options of a query whose data changes without anybody doing anything here. */
export function keptFresh({ changedBy = [], ...limits }: Freshness = {}) {
  return { meta: { changedBy }, refetchInterval: (query: Polled) => pollMs(query, limits) };
}

interface Polled {
  readonly state: { readonly error: Error | null };
  readonly meta: { readonly changedBy?: Freshness['changedBy'] } | undefined;
}

/** The time until the next poll of a query. It changes in steps, because each other value starts the wait anew. */
export function pollMs(
  { state: { error }, meta }: Polled,
  { leastMs = 0, mostMs = Number.POSITIVE_INFINITY }: Freshness = {},
): number {
  if (isPassing(error)) return ASK_AGAIN_MS;
  const isCovered = (meta?.changedBy?.length ?? 0) > 0;
  const slowestMs = isCovered ? SLOWEST_COVERED_MS : SLOWEST_MS;
  return Math.max(leastMs, Math.min(paceMs(), mostMs, isStreaming ? slowestMs : SLOWEST_WITHOUT_STREAM_MS));
}

/** For the result of what somebody has just done. */
export function quickPollMs(query: Polled): number {
  return untouchedForMs() < QUICK_FOR_MS ? QUICK_MS : pollMs(query);
}

export function paceMs(): number {
  const untouchedMs = untouchedForMs();
  return PACES.find((pace) => untouchedMs < pace.untouchedMs)?.pollMs ?? SLOWEST_COVERED_MS;
}

export function untouchedForMs(): number {
  return Date.now() - touchedAtMs;
}

export function noteTouch(): void {
  touchedAtMs = Date.now();
}

export function noteStream(is: boolean): void {
  isStreaming = is;
}
