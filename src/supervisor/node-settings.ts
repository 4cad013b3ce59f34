/** Settings that Node reads before any of our code runs, so the parent process must set them. */

/** Node's default; fewer threads would slow down file access and name lookups. */
const SMALLEST = 4;
const LARGEST = 1024;

/**
 * Sets the size of a role's thread pool, which computes signatures: one thread per core, unless an operator
 * set it.
 */
export function withThreadPool(env: NodeJS.ProcessEnv, cores: number): NodeJS.ProcessEnv {
  if (env.UV_THREADPOOL_SIZE) return env;
  return { ...env, UV_THREADPOOL_SIZE: String(Math.min(Math.max(cores, SMALLEST), LARGEST)) };
}

/**
 * Semi-space size of workers in megabytes. A delivery's objects live for a few hundred milliseconds. With
 * Node's default of 16, most of them survive a minor collection and are copied, which costs a worker 4 % more
 * processor time.
 */
const WORKER_SEMI_SPACE = 32;

/** Operator settings take precedence. */
export function nodeFlags(role: string, env: NodeJS.ProcessEnv): string[] {
  const isSet = /max[-_]semi[-_]space[-_]size/.test(env.NODE_OPTIONS ?? '');
  return role === 'worker' && !isSet ? [`--max-semi-space-size=${WORKER_SEMI_SPACE}`] : [];
}
