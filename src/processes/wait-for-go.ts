/**
 * A role takes about as long to load as PostgreSQL to start, so the supervisor starts both at once. A role that was
 * started with this flag does nothing but load until it is told to go on, and gets with that what was not known before:
 * where the database is. Until then it has nothing to finish, so any signal may end it.
 */
export const WAITS = '--wait';

/** The environment to run with. */
export function waitForGo(): Promise<NodeJS.ProcessEnv> {
  if (!process.argv.includes(WAITS)) return Promise.resolve(process.env);
  const leave = () => process.exit(0);
  // The supervisor is gone already.
  if (!process.connected) leave();
  return new Promise((resolve) => {
    process.once('disconnect', leave);
    process.once('message', (given) => {
      process.off('disconnect', leave);
      resolve({ ...process.env, ...(given as NodeJS.ProcessEnv) });
    });
  });
}
