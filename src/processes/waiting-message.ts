/** What a worker that stops tells its supervisor: how many receivers have a message and have not answered. Last it tells 0. */
import type { Log } from '../runtime/log.ts';

interface WaitingMessage {
  readonly waitingFor: number;
}

/** Without a supervisor, or after its death, the log says it. */
export function printWaiting(log: Log): (receivers: number) => void {
  return (receivers) => {
    const message: WaitingMessage = { waitingFor: receivers };
    if (process.connected) process.send?.(message, () => undefined);
    else if (receivers > 0)
      log.warn({ receivers }, 'stopping: waiting for receivers that have a message to answer');
  };
}

/** Undefined for any other message. */
export function waitingIn(message: unknown): number | undefined {
  const { waitingFor } = (
    typeof message === 'object' && message !== null ? message : {}
  ) as Partial<WaitingMessage>;
  return typeof waitingFor === 'number' ? waitingFor : undefined;
}
