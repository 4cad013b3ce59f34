/** What traces a role, where traces are wanted. */
import type { Config } from '../kit/runtime/config.ts';
import type { Log } from '../kit/runtime/log.ts';
import type { Tracer } from '../kit/runtime/tracing.ts';
import { packageVersion } from './package-version.ts';

/** Loaded only then: neither a start nor memory should have to do with what nobody reads. */
export async function startTracing(role: string, { tracing }: Config, log: Log): Promise<Tracer | undefined> {
  if (tracing === undefined) return undefined;
  const { createOtlpTracer } = await import('../kit/runtime/otlp-tracer.ts');
  return createOtlpTracer({ config: tracing, role, version: packageVersion(), log });
}
