/** Counts and times every response, by route pattern, method and status class. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const labels = ['route', 'method', 'status'];
  const count = metrics.counter('postrider_http_requests_total', 'HTTP requests answered.', labels);
  const observe = metrics.histogram(
    'postrider_http_request_duration_seconds',
    'Time from the request line to the end of the response.',
    DURATION_BUCKETS_SECONDS,
    labels,
  );
  app.addHook('onResponse', (request, reply, done) => {
    const values = {
      // Unknown paths share one label, or any client could fill the memory with labels.
      route: request.routeOptions.url ?? 'unknown',
      method: request.method,
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    };
    count(values);
    observe(reply.elapsedTime / 1000, values);
    done();
  });
}
