/** Counts and times every response, by route pattern, method and status class. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../runtime/metrics.ts';
import type { OpenSpan, Tracer } from '../runtime/tracing.ts';
import { principalIfAny } from './authenticate.ts';

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

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when tracing is off. */
    span: OpenSpan | null;
  }
}

/** Polled by machines every few seconds; not related to mail. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** Creates a span for every API request, continuing the caller's trace. */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined): void {
  app.decorateRequest('span', null);
  if (tracer === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    if (route !== undefined && !UNTRACED.has(route)) request.span = begin(tracer, request, route);
    done();
  });
  app.addHook('onResponse', ({ span }, { statusCode }, done) => {
    span?.end({
      attributes: { 'http.response.status_code': statusCode },
      problem: statusCode >= 500 ? `HTTP ${statusCode}` : null,
    });
    done();
  });
}

function begin(tracer: Tracer, request: FastifyRequest, route: string): OpenSpan | null {
  const { traceparent } = request.headers;
  return tracer.begin({
    name: `${request.method} ${route}`,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'postrider.request_id': request.id,
    },
  });
}

export type OnAnswered = (organizationId: string, keyId: string, isRefused: boolean) => void;

/** Reports each answered request with its organization and whether it was refused. */
export function reportAnsweredRequests(app: FastifyInstance, onAnswered: OnAnswered | undefined): void {
  if (onAnswered === undefined) return;
  app.addHook('onResponse', (request, reply, done) => {
    const principal = principalIfAny(request);
    if (principal !== undefined && principal.keyId !== null)
      onAnswered(principal.organizationId, principal.keyId, reply.statusCode >= 400);
    done();
  });
}
