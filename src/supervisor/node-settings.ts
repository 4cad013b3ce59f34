/** Settings that Node reads before any of our code runs, so the parent process must set them. */

/** Node's default; fewer threads would slow down file access and name lookups. */
const SMALLEST = 4;
const LARGEST = 1024;

/** Each thread that allocates may get an arena, which keeps what it once needed. Two instead of eight per core save 2 MB a process. */
const MALLOC_ARENAS = '2';

/**
 * Sets the size of a role's thread pool, which computes signatures: one thread per core. What an operator set takes precedence.
 */
export function roleEnvironment(env: NodeJS.ProcessEnv, cores: number): NodeJS.ProcessEnv {
  const threads = String(Math.min(Math.max(cores, SMALLEST), LARGEST));
  return {
    ...env,
    UV_THREADPOOL_SIZE: env.UV_THREADPOOL_SIZE || threads,
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX || MALLOC_ARENAS,
  };
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
