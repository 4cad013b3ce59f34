/** How a process is asked to end. Signals are handled here and nowhere else. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One press of Ctrl-C may arrive twice: from the terminal, and again from npm, which passes signals on to
 * what it runs. Within this time it is the same request.
 */
const SAME_REQUEST_MS = 1_000;

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
/** Sent when a terminal is closed; services are told by it to begin anew without a gap. */
const HANG_UP = 'SIGHUP';

/** What a supervisor tells a role that another one has replaced. */
export const RETIRE = 'retire';
/** Longer than idle connections are kept: whoever is still connected then has nothing to ask. */
const RETIRE_WITHIN_MS = 80_000;

/** The message by which a supervisor tells a role to stop waiting for receivers. */
export const HURRY = 'hurry';

/** A process that is asked to end, ends: this long after the request, or after it has drained, at the latest. */
const EXIT_WITHIN_MS = 9_000;

export interface StopRequests {
  /** The first request. */
  readonly stop: () => void;
  /** Somebody lost patience and asked again. */
  readonly force: () => void;
  /** What to do instead of ending when there is no terminal that could have been closed. */
  readonly renew?: () => void;
}

/** `ignore` is for a process that becomes another program, which listens for itself. */
export function onStopRequest({ stop, force, renew }: StopRequests): { readonly ignore: () => void } {
  let lastMs: number | undefined;
  const request = () => {
    const isFirst = lastMs === undefined;
    const nowMs = performance.now();
    if (lastMs !== undefined && nowMs - lastMs <= SAME_REQUEST_MS) return;
    lastMs = nowMs;
    if (isFirst) stop();
    else force();
  };
  // The death of the supervisor is no impatience: a role that is stopping already goes on with that.
  const orphaned = () => {
    if (lastMs === undefined) request();
  };
  const hangUp = renew === undefined || isOnTerminal() ? request : renew;
  for (const signal of SIGNALS) process.on(signal, request);
  process.on(HANG_UP, hangUp);
  followSupervisor(orphaned);
  return {
    ignore: () => {
      for (const signal of SIGNALS) process.off(signal, request);
      process.off(HANG_UP, hangUp);
      process.off('disconnect', orphaned);
    },
  };
}

/** The supervisor holds the other end of this channel. When it is gone, however it ended, so are its roles. */
function followSupervisor(request: () => void): void {
  // Without a supervisor there never was a channel; null it is when it broke before we came to look.
  const channel: typeof process.channel | null = process.channel;
  if (channel === undefined) return;
  process.on('disconnect', request);
  if (channel === null) request();
  else channel.unref();
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
}

export interface RoleEnding {
  readonly stop: () => Promise<void>;
  /** Takes nobody new, and resolves when those who are connected have gone. */
  readonly retire?: () => Promise<void>;
  /** Before `stop`: finishes what must not be cut off. Takes as long as that takes, or until `enough` is aborted. */
  readonly drain?: (enough: AbortSignal) => Promise<void>;
}

/**
 * For a role (API, worker, …): on the first request it drains, runs `stop` and exits 0 when that is done. A second request
 * ends the draining. It exits 1 if asked after that, or if stopping takes too long. One that was replaced retires first.
 */
export function exitWhenAsked({ stop, retire = async () => {}, drain = async () => {} }: RoleEnding): void {
  let state: 'running' | 'draining' | 'stopping' = 'running';
  const enough = new AbortController();
  const end = async () => {
    if (state !== 'running') return;
    state = 'draining';
    await drain(enough.signal).catch(() => undefined);
    state = 'stopping';
    setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
    await stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const force = () => {
    if (state === 'draining' && !enough.signal.aborted) enough.abort();
    else process.exit(1);
  };
  onStopRequest({ stop: () => void end(), force });
  process.on('message', (message) => {
    if (message === HURRY) enough.abort();
    if (message === RETIRE) void Promise.race([retire(), sleep(RETIRE_WITHIN_MS)]).then(end, end);
  });
}
