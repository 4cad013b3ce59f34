/**
 * A stopping worker's message to its supervisor: the number of receivers that have a message and have not
 * replied. The last message is 0.
 */
import type { Log } from '../runtime/log.ts';

interface WaitingMessage {
  readonly waitingFor: number;
}

/** Logs the number when there is no supervisor. */
export function printWaiting(log: Log): (receivers: number) => void {
  return (receivers) => {
    const message: WaitingMessage = { waitingFor: receivers };
    if (process.connected) process.send?.(message, () => undefined);
    else if (receivers > 0)
      log.warn({ receivers }, 'stopping: waiting for the replies of receivers to messages in progress');
  };
}

/** Undefined for any other message. */
export function waitingIn(message: unknown): number | undefined {
  const { waitingFor } = (
    typeof message === 'object' && message !== null ? message : {}
  ) as Partial<WaitingMessage>;
  return typeof waitingFor === 'number' ? waitingFor : undefined;
}
