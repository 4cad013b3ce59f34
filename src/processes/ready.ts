/** Sent once by a role when it is ready. The process that it replaces may then end. */
export const READY = 'ready';

/** Does nothing without a supervisor. */
export function announceReady(): void {
  process.send?.(READY, () => undefined);
}
