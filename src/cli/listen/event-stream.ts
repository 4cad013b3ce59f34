/**
 * Follows the events of an installation over HTTP, local or remote: server-sent events, with automatic
 * reconnects. A new connection continues after the last event; repeated events are skipped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventId } from '../../events/read.ts';
import type { Clock } from '../../runtime/clock.ts';
import { GrowingPause } from '../../runtime/growing-pause.ts';
import { uuidv7Floor } from '../../runtime/ids.ts';
import { CliError } from '../command.ts';

export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly recipient: string;
  readonly email_id: string;
}

interface FollowedApi {
  readonly clock: Clock;
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
  /** Called when the connection broke and is being restored. */
  readonly onBroken: (why: string) => void;
  readonly onJoined: () => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** The server repeats the last few seconds. */
const MAX_REMEMBERED = 10_000;

export async function* followEvents(api: FollowedApi): AsyncGenerator<StreamedEvent> {
  const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  const seen = new Set<string>();
  /** Skips events from before the start, even when the server repeats them. */
  let first: string | null = null;
  let last: string | null = null;
  while (!api.signal.aborted) {
    try {
      const { frames, joinedMs } = await connect(api, last);
      first ??= eventId(uuidv7Floor(joinedMs));
      last ??= first;
      for await (const { id, data } of frames) {
        pause.reset();
        last = id ?? last;
        if (data !== null && id !== null && id >= first && isNew(seen, id))
          yield JSON.parse(data) as StreamedEvent;
      }
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (!api.signal.aborted) api.onBroken((error as Error).message);
    }
    await sleep(pause.next(), undefined, { signal: api.signal }).catch(() => {});
  }
}

function isNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
  return true;
}

interface Joined {
  readonly frames: AsyncGenerator<Frame>;
  /** By the server's clock. */
  readonly joinedMs: number;
}

interface Frame {
  readonly id: string | null;
  readonly data: string | null;
}

async function connect(
  { clock, url, key, signal, onJoined }: FollowedApi,
  last: string | null,
): Promise<Joined> {
  const response = await fetch(`${url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${key}`, ...(last === null ? {} : { 'last-event-id': last }) },
    signal,
  });
  if (!response.ok || response.body === null) throw await refusalOf(response);
  const joinedMs = Date.parse(response.headers.get('date') ?? '') || clock.nowMs();
  return { frames: notifyOnJoin(framesOf(response.body), onJoined), joinedMs };
}

/** Calls `onJoined` at the server's first frame, after which no event is missed. */
async function* notifyOnJoin(frames: AsyncGenerator<Frame>, onJoined: () => void): AsyncGenerator<Frame> {
  let hasJoined = false;
  for await (const frame of frames) {
    if (!hasJoined) onJoined();
    hasJoined = true;
    yield frame;
  }
}

/** An empty line ends a frame. */
async function* framesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) yield frameOf(frame);
  }
}

function frameOf(text: string): Frame {
  const fieldOf = (name: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name}: `));
    return line === undefined ? null : line.slice(name.length + 2);
  };
  return { id: fieldOf('id'), data: fieldOf('data') };
}

/** Errors that a retry will not fix. */
async function refusalOf(response: Response): Promise<Error> {
  const text = await response.text();
  const said = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? `it answered ${response.status}`;
  return response.status >= 500 || response.status === 429 ? new Error(said) : new CliError(said);
}
