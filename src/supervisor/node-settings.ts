/**
 * What Node reads before any code of ours runs, so that whoever starts the process has to set it.
 */

/** Node's own: below it, slow file access or name lookups would be felt. */
const SMALLEST = 4;
const LARGEST = 1024;

/** The size of a role's thread pool, where signatures are made: one thread for each core, unless an operator set it. */
export function withThreadPool(env: NodeJS.ProcessEnv, cores: number): NodeJS.ProcessEnv {
  if (env.UV_THREADPOOL_SIZE) return env;
  return { ...env, UV_THREADPOOL_SIZE: String(Math.min(Math.max(cores, SMALLEST), LARGEST)) };
}

/**
 * For workers, in megabytes: what a delivery holds lives for a few hundred milliseconds. With Node's own 16 most of it
 * is still alive when new objects are cleared out, and is copied; a worker then needs 4 % more processor time.
 */
const WORKER_SEMI_SPACE = 32;

/** What an operator has set is left alone. */
export function nodeFlags(role: string, env: NodeJS.ProcessEnv): string[] {
  const isSet = /max[-_]semi[-_]space[-_]size/.test(env.NODE_OPTIONS ?? '');
  return role === 'worker' && !isSet ? [`--max-semi-space-size=${WORKER_SEMI_SPACE}`] : [];
}
