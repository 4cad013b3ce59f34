/** The tracer of a role, if tracing is on. */
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { packageVersion } from './package-version.ts';

/** Loaded on demand, to save start time and memory. */
export async function startTracing(role: string, { tracing }: Config, log: Log): Promise<Tracer | undefined> {
  if (tracing === undefined) return undefined;
  const { createOtlpTracer } = await import('../runtime/otlp-tracer.ts');
  return createOtlpTracer({ config: tracing, role, version: packageVersion(), log });
}
