/** Handles requests to end a process. Signals are only handled here. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One Ctrl-C may arrive twice: from the terminal, and from npm, which forwards signals. Within this time they
 * count as one request.
 */
const SAME_REQUEST_MS = 1_000;

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
/** Sent when a terminal closes; for services it means a restart without a gap. */
const HANG_UP = 'SIGHUP';

/** The supervisor's message to a role that was replaced. */
export const RETIRE = 'retire';
/** Longer than the idle timeout of connections, so remaining connections are unused. */
const RETIRE_WITHIN_MS = 80_000;

/** The supervisor's message to a role to stop waiting for receivers. */
export const HURRY = 'hurry';

/** Time limit for an exit after the request, or after draining. */
const EXIT_WITHIN_MS = 9_000;

interface StopRequests {
  /** Called on the first request. */
  readonly stop: () => void;
  /** Called on a second request. */
  readonly force: () => void;
  /** Called instead of `stop` on SIGHUP without a terminal. */
  readonly renew?: () => void;
}

/** `ignore` is for a process that becomes another program with its own signal handlers. */
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
  // The supervisor's death is not a second request: a stopping role continues its stop.
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

/** The supervisor holds the other end of this channel. When it ends for any reason, its roles end too. */
function followSupervisor(request: () => void): void {
  // Undefined without a supervisor; null when the channel already broke.
  const channel: typeof process.channel | null = process.channel;
  if (channel === undefined) return;
  process.on('disconnect', request);
  if (channel === null) request();
  else channel.unref();
}

function isOnTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
}

interface RoleEnding {
  readonly stop: () => Promise<void>;
  /** Accepts no new connections, and resolves when all are closed. */
  readonly retire?: () => Promise<void>;
  /** Runs before `stop`, and completes work that must not be cut off. Ends early when `enough` is aborted. */
  readonly drain?: (enough: AbortSignal) => Promise<void>;
}

/**
 * For a role (API, worker, …): on the first request it drains, runs `stop` and exits 0. A second request ends
 * the draining. It exits 1 on a further request, or when stopping takes too long. A replaced role retires
 * first.
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
