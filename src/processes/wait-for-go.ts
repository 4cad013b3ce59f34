/**
 * The supervisor starts roles and PostgreSQL in parallel, because both take about as long to load. A role
 * started with this flag loads and then waits for the go-ahead, which contains the database's address. Until
 * then it has no work to finish, so any signal ends it.
 */
export const WAITS = '--wait';

/** The environment to run with. */
export function waitForGo(): Promise<NodeJS.ProcessEnv> {
  if (!process.argv.includes(WAITS)) return Promise.resolve(process.env);
  const leave = () => process.exit(0);
  // The supervisor has already ended.
  if (!process.connected) leave();
  return new Promise((resolve) => {
    process.once('disconnect', leave);
    process.once('message', (given) => {
      process.off('disconnect', leave);
      resolve({ ...process.env, ...(given as NodeJS.ProcessEnv) });
    });
  });
}
