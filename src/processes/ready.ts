/** What a role tells its supervisor, once: that it does its work. Another one that it replaces may go then. */
export const READY = 'ready';

/** Without a supervisor nobody waits for it. */
export function announceReady(): void {
  process.send?.(READY, () => undefined);
}
