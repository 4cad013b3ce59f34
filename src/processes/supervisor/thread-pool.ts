/**
 * The size of a role's thread pool, where signatures are made. Node takes it from the environment before any of
 * our code runs, so whoever starts the process has to set it.
 */

/** Node's own: below it, slow file access or name lookups would be felt. */
const SMALLEST = 4;
const LARGEST = 1024;

/** One thread for each core; what an operator has set is left alone. */
export function withThreadPool(env: NodeJS.ProcessEnv, cores: number): NodeJS.ProcessEnv {
  if (env.UV_THREADPOOL_SIZE) return env;
  return { ...env, UV_THREADPOOL_SIZE: String(Math.min(Math.max(cores, SMALLEST), LARGEST)) };
}
