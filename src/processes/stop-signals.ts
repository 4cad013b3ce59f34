/** How a process is asked to end. Signals are handled here and nowhere else. */

/**
 * One press of Ctrl-C may arrive twice: from the terminal, and again from npm, which passes signals on to
 * what it runs. Within this time it is the same request.
 */
const SAME_REQUEST_MS = 1_000;

/** The last is for a terminal that was closed. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A process that is asked to end, ends: this long after the request at the latest. */
const EXIT_WITHIN_MS = 9_000;

export interface StopRequests {
  /** The first request. */
  readonly stop: () => void;
  /** Somebody lost patience and asked again. */
  readonly force: () => void;
}

/** `ignore` is for a process that becomes another program, which listens for itself. */
export function onStopRequest({ stop, force }: StopRequests): { readonly ignore: () => void } {
  let firstMs: number | undefined;
  const request = () => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      stop();
    } else if (performance.now() - firstMs > SAME_REQUEST_MS) {
      force();
    }
  };
  for (const signal of SIGNALS) process.on(signal, request);
  followSupervisor(request);
  return {
    ignore: () => {
      for (const signal of SIGNALS) process.off(signal, request);
      process.off('disconnect', request);
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

/**
 * For a role (API, worker, …): runs `stop` on the first request and exits 0 when it is done; exits 1 if asked
 * again, or if stopping takes too long.
 */
export function exitWhenAsked(stop: () => Promise<void>): void {
  onStopRequest({
    stop: () => {
      setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    },
    force: () => process.exit(1),
  });
}
