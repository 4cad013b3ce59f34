/** Creates a span for every API request, continuing the caller's trace. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan, Tracer } from '../runtime/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when tracing is off. */
    span: OpenSpan | null;
  }
}

/** Polled by machines every few seconds; not related to mail. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

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
