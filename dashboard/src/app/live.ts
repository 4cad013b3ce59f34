/**
 * The live stream of a tab: loads again what events have changed, several events at once. The stream is open only while the tab is visible;
 * the query cache loads everything once when the tab is shown again. Without the stream (too many of them, a proxy that holds it back) the
 * queries are polled more often.
 */
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, isOfOtherOrganization, PostriderError } from './api.ts';
import { type EventType, noteStream, noteTouch, paceMs, untouchedForMs } from './freshness.ts';
import { meQuery, useMe } from './session.ts';
import { shownOrganization } from './shown-organization.ts';

/** A new stream begins with the events of the last ten seconds. */
const GAP_WITHOUT_LOSS_MS = 8_000;
/** How long a tab that nobody touches may show old data. */
const LONGEST_REST_MS = 30_000;
const ASLEEP_MS = 60_000;
const RECONNECT_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const TOUCHES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** While the component is there. Each organization has its own stream. */
export function useLive(): void {
  const client = useQueryClient();
  const router = useRouter();
  const { organization } = useMe();
  const shown = shownOrganization();
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests of the stream name the organization
  useEffect(() => {
    const onSignedOut = () => {
      client.removeQueries({ queryKey: ['auth'] });
      void router.invalidate();
    };
    return startLive({ client, onSignedOut });
  }, [client, router, organization.id, shown]);
}

interface LiveOptions {
  readonly client: QueryClient;
  readonly onSignedOut: () => void;
}

/** Until the returned function is called. */
function startLive({ client, onSignedOut }: LiveOptions): () => void {
  const refresher = new Refresher(client);
  let connection: AbortController | undefined;
  const connect = () => {
    connection?.abort();
    refresher.stop();
    noteStream(false);
    if (document.visibilityState === 'hidden') return;
    noteTouch();
    connection = new AbortController();
    void new Connection({ client, onSignedOut, refresher, signal: connection.signal }).keep();
  };
  const touch = () => {
    const wasAsleep = untouchedForMs() > ASLEEP_MS;
    noteTouch();
    if (wasAsleep) refresher.refresh('any event');
  };
  document.addEventListener('visibilitychange', connect);
  for (const name of TOUCHES) addEventListener(name, touch, { passive: true, capture: true });
  connect();
  return () => {
    document.removeEventListener('visibilitychange', connect);
    for (const name of TOUCHES) removeEventListener(name, touch, { capture: true });
    connection?.abort();
    refresher.stop();
  };
}

/** Loads the touched queries again: at once, and then again only after a rest. */
class Refresher {
  readonly #client: QueryClient;
  #touched = new Set<EventType | 'any event'>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refreshedAtMs = 0;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  refresh(...types: readonly (EventType | 'any event')[]): void {
    if (types.length === 0) return;
    for (const type of types) this.#touched.add(type);
    clearTimeout(this.#timer);
    const restMs = Math.min(LONGEST_REST_MS, paceMs());
    this.#timer = setTimeout(() => this.#run(), this.#refreshedAtMs + restMs - Date.now());
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #run(): void {
    const touched = this.#touched;
    this.#touched = new Set();
    this.#refreshedAtMs = Date.now();
    const predicate = ({ meta: { changedBy = [] } = {} }: Query) =>
      changedBy === 'any event' ||
      (touched.has('any event') && changedBy.length > 0) ||
      changedBy.some((type) => touched.has(type));
    const isLate = this.#client.isFetching({ predicate }) > 0;
    void this.#client.invalidateQueries({ predicate }, { cancelRefetch: false });
    // What is already being loaded may be older than the events.
    if (isLate) this.refresh(...touched);
  }
}

interface ConnectionOptions extends LiveOptions {
  readonly refresher: Refresher;
  readonly signal: AbortSignal;
}

class Connection {
  readonly #options: ConnectionOptions;
  #lostAtMs = Date.now();
  #failures = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Connects again and again, until the signal. */
  async keep(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      await this.#read().catch((error: unknown) => this.#fail(error));
      await pause(Math.min(LONGEST_PAUSE_MS, RECONNECT_MS * 2 ** this.#failures), signal);
    }
  }

  async #read(): Promise<void> {
    const { refresher, signal } = this.#options;
    let isNew = true;
    for await (const { types } of api.events.changes({ signal, maxRetries: 0 })) {
      if (signal.aborted) return;
      if (isNew && Date.now() - this.#lostAtMs > GAP_WITHOUT_LOSS_MS) refresher.refresh('any event');
      isNew = false;
      this.#failures = 0;
      noteStream(true);
      refresher.refresh(...types);
    }
    if (isNew) throw new Error('The stream ended before its first message.');
    this.#lostAtMs = Date.now();
  }

  #fail(error: unknown): void {
    const { client, onSignedOut, refresher, signal } = this.#options;
    if (signal.aborted) return;
    noteStream(false);
    this.#failures += 1;
    if (isOfOtherOrganization(error)) void client.invalidateQueries({ queryKey: meQuery.queryKey });
    else if (error instanceof PostriderError && error.status === 401) onSignedOut();
    // Nobody knows how long the line was silent before it broke.
    else if (this.#failures === 1) refresher.refresh('any event');
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms * (0.5 + Math.random() / 2));
    signal.addEventListener('abort', end);
  });
}
