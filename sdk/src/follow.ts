/**
 * An endless stream of events over several connections: when a connection breaks, the next one continues after the last
 * event. Events that the server repeats are left out.
 */
import { PostriderError } from './errors.ts';
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts';
import { wait } from './transport.ts';

/** The server sends a heartbeat every 15 seconds. */
export const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The server repeats the last few seconds. */
const MAX_REMEMBERED = 10_000;

export interface FollowOptions {
  readonly connect: (lastId: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  /** Events that the caller already has, newest first. The stream continues after the first of them. */
  readonly known: readonly string[];
  readonly signal: AbortSignal | undefined;
}

export async function* follow<T extends { readonly id: string }>({
  connect,
  known,
  signal: caller,
}: FollowOptions): AsyncGenerator<T, void, undefined> {
  const seen = new Set([...known].reverse());
  let lastId = known[0];
  let failures = 0;
  for (let connected = false; ; ) {
    const open = async (signal: AbortSignal) => {
      const stream = await connect(lastId, signal);
      connected = true;
      failures = 0;
      return stream;
    };
    try {
      for await (const { id, data } of readConnection(open, caller)) {
        lastId = id ?? lastId;
        if (data !== null && (id === undefined || isNew(seen, id))) yield JSON.parse(data) as T;
      }
    } catch (error) {
      caller?.throwIfAborted();
      if (!connected || isRefusal(error)) throw error;
      failures += 1;
    }
    await wait(pauseMs(failures), caller);
  }
}

/** The events of one connection. It leaves nothing behind at the signal of the caller, which may last for the whole process. */
export async function* readConnection(
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  caller: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const connection = new AbortController();
  const end = () => connection.abort(caller?.reason);
  caller?.addEventListener('abort', end, { once: true });
  try {
    yield* readServerSentEvents(await open(connection.signal), SILENCE_MS);
  } finally {
    connection.abort();
    caller?.removeEventListener('abort', end);
  }
}

function isNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
  return true;
}

/** Whether the server refused the request. A server that is unavailable, or a broken connection, is no refusal. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof PostriderError)) return false;
  return error.status !== 0 && error.status < 500 && error.status !== 429;
}

function pauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random() / 2);
}
