/**
 * For load balancers and monitoring: /healthz (the event loop runs), /readyz (this process can serve
 * requests), and /metrics.
 */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';
import { type MetricsAccess, mayReadMetrics, metricsRefused } from './metrics-access.ts';

/** Null when ready, otherwise the reason for an operator to read. */
export type ReadyCheck = () => Promise<string | null>;

const READY_TIMEOUT_MS = 2000;

export function registerHealth(app: FastifyInstance, ready: ReadyCheck): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  const check = oneAtATime(() => reasonNotReady(ready));

  app.get('/readyz', async (request, reply) => {
    const reason = await check().catch((error: unknown) => {
      request.log.warn({ err: error }, 'the readiness check failed');
      return 'the readiness check failed';
    });
    if (reason === null) return { status: 'ready' };
    return reply.code(503).header('Retry-After', '5').send({ status: 'unavailable', reason });
  });
}

export function registerMetrics(app: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request.headers, access)) throw metricsRefused(access);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** The endpoint is public and each check costs a query, so concurrent requests share one check. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}

async function reasonNotReady(ready: ReadyCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, READY_TIMEOUT_MS, `no answer within ${READY_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([ready(), late]);
  } finally {
    clearTimeout(timer);
  }
}
