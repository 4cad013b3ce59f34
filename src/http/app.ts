/**
 * The HTTP application: everything that is the same for every route. It knows no resource; slices hand in their
 * routes as fastify plugins (`ApiRoutes`), which are served under `/api/v1` and `/v1`.
 */

import type { IncomingMessage } from 'node:http';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { WriteAudit } from '../runtime/audit-entry.ts';
import { callerOfAddress } from '../runtime/caller-address.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { OnRefused } from '../runtime/refused-request.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { type OnAnswered, reportAnsweredRequests } from './answered-requests.ts';
import { type ApiRoutes, registerApi } from './api-routes.ts';
import { decoratePrincipal } from './authenticate.ts';
import { BodyBudget } from './body-budget.ts';
import { answerOddities, createClientErrorHandler } from './client-errors.ts';
import { CONNECTIONS_PER_ADDRESS, isProxyOrThisMachine, limitConnections } from './connection-limit.ts';
import { type Dialect, registerDialect } from './dialect.ts';
import { asApiError, createErrorHandler, type IsUnavailable, sendError } from './error-handler.ts';
import { ApiError } from './errors.ts';
import { type ReadyCheck, registerHealth, registerMetrics } from './health.ts';
import { requireOneHost } from './host-header.ts';
import { useStrictJson } from './json-body.ts';
import { type FindPrincipal, KeyCache } from './key-cache.ts';
import type { KnownHosts } from './known-hosts.ts';
import { KnownPaths } from './known-paths.ts';
import { answerLinksAlone, type LinkHosts } from './link-hosts.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { type OpenApiOptions, registerOpenApi } from './openapi.ts';
import { guardPages } from './page-guard.ts';
import { createProxyTrust, type TrustedProxies } from './proxy-trust.ts';
import { RateLimiter, rateLimitHeaders, type SharedCounts } from './rate-limit.ts';
import { reportRefusedRequests } from './refused-requests.ts';
import { measureRequests } from './request-metrics.ts';
import { traceRequests } from './request-traces.ts';
import { createSerializerCompiler } from './serialization.ts';
import type { SessionGate } from './session-gate.ts';
import { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';
import { createValidatorCompiler } from './validation.ts';

export const BODY_LIMIT = 20 * 1024 * 1024;
/** Of large bodies, in memory at once. Parsed and queued they take up several times as much. */
const BODIES_BYTES = 96 * 1024 * 1024;
export const API_PREFIXES = ['/api/v1', '/v1'] as const;

const CLOSED: MetricsAccess = { token: undefined, openTo: 'nobody' };

const HEADERS_TIMEOUT_MS = 15_000;
/** How often connections are looked over for those time-outs. */
const CONNECTIONS_CHECK_MS = 5000;
/** A full body over a slow line (20 MiB in two minutes is 1.4 Mbit/s). */
const REQUEST_TIMEOUT_MS = 120_000;
/** Longer than the idle time of common load balancers (60 s), so that they close first and never hit a race. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

export interface AppOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** For what lasts a moment; never set, unless by tests. */
  readonly steady?: Clock;
  /** Requests per minute and API key. */
  readonly rateLimit: number;
  /** Where several processes count together. */
  readonly shared?: SharedCounts;
  readonly trustProxy: TrustedProxies;
  readonly publicUrl: string;
  readonly version: string;
  /** From the SHA-256 of a token to its key; null when there is no such key, or it is expired or revoked. */
  readonly authenticate: FindPrincipal;
  /** Lets people in, beside keys. */
  readonly sessions?: SessionGate;
  /** The names under which what needs no key is answered; any when there is no list. */
  readonly hosts?: KnownHosts;
  /** Names of others that lead here, for links alone. */
  readonly linkHosts?: LinkHosts | undefined;
  readonly audit?: WriteAudit;
  /** Hears of every request of somebody known that is refused. */
  readonly onRefused?: OnRefused;
  /** Hears of every answer to a key. */
  readonly onAnswered?: OnAnswered;
  readonly ready: ReadyCheck;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
  /** Who may read them here; nobody when it is not said. */
  readonly metricsAccess?: MetricsAccess;
  /** Recognises errors that mean "the database is away", which become 503 instead of 500. */
  readonly isUnavailable?: IsUnavailable;
  /** Documented beside the routes. */
  readonly webhooks?: OpenApiOptions['webhooks'];
  readonly operationIds?: OpenApiOptions['operationIds'];
  /** Served under both API prefixes. */
  readonly routes: readonly ApiRoutes[];
  /** A mistake in one then stops the start; only tests do that, see validation.ts and serialization.ts. */
  readonly compileSchemasAtStart?: boolean;
  /** Other services' APIs, each under a prefix of its own. */
  readonly dialects?: readonly Dialect[];
  /** What an address may ask for before it is known who asks. */
  readonly strangers?: UnauthenticatedQuotas | undefined;
  /** Served at the root, without authentication; requests are counted for each address. */
  readonly rootRoutes?: readonly FastifyPluginAsync[];
}

export function createApp(options: AppOptions): FastifyInstance {
  const limiter = new RateLimiter(options.rateLimit, options.clock, options.shared);
  const isUnavailable = options.isUnavailable ?? (() => false);
  const always = alwaysHeaders(options, limiter);
  const app: FastifyInstance = fastify({
    ...serverOptions(options),
    clientErrorHandler: createClientErrorHandler(limiter),
    // Requests that fail before routing see no hooks, so they get their headers here.
    frameworkErrors: (error, request, reply) => {
      always(request, reply);
      sendError(asApiError(error, isUnavailable), request, reply);
    },
  });

  app.setValidatorCompiler(createValidatorCompiler(options.compileSchemasAtStart));
  app.setSerializerCompiler(createSerializerCompiler(options.compileSchemasAtStart));
  app.setErrorHandler(createErrorHandler(isUnavailable));
  answerOddities(app.server, limiter);
  limitConnectionsOf(app, options);
  const paths = new KnownPaths();
  const strangers = options.strangers ?? new UnauthenticatedQuotas(options.clock);
  useStrictJson(app);
  decoratePrincipal(app);
  // Hooks that wait for nothing call `done`: a promise for each would cost every request more than they do themselves.
  app.addHook('onRequest', (request, reply, done) => {
    always(request, reply);
    ignoreUpgrade(request, reply);
    done();
  });
  requireOneHost(app);
  answerLinksAlone(app, options.linkHosts);
  logResponses(app);
  traceRequests(app, options.tracer);
  measureRequests(app, options.metrics);
  tellOfRequests(app, options);
  guardPages(app, { strangers, paths, apis: apiPrefixes(options) });

  registerOpenApi(app, options);
  registerHealth(app, options.ready);
  registerMetrics(app, options.metrics, options.metricsAccess ?? CLOSED);
  const { sessions, hosts, audit } = options;
  const keys = new KeyCache(options.authenticate, options.steady, strangers);
  const bodies = new BodyBudget({ totalBytes: BODIES_BYTES, largest: BODY_LIMIT });
  const guards = { keys, limiter, bodies, strangers, sessions, hosts, audit, paths };
  for (const prefix of API_PREFIXES) registerApi(app, prefix, options.routes, guards);
  for (const dialect of options.dialects ?? []) registerDialect(app, dialect, { ...guards, isUnavailable });
  for (const plugin of options.rootRoutes ?? []) app.register(plugin);
  return app;
}

function apiPrefixes({ dialects = [] }: AppOptions): string[] {
  return [...API_PREFIXES, ...dialects.map(({ prefix }) => prefix)];
}

function serverOptions({ log, trustProxy }: AppOptions) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    trustProxy: trustProxy === false ? false : createProxyTrust(trustProxy),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // No handlerTimeout: it makes and aborts a signal for every request, a twelfth of what accepting an email costs.
    // Nothing a handler awaits is without an end of its own: statements, lookups and batches all have one.
    connectionTimeout: 0,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Checked in host-header.ts.
      requireHostHeader: false,
    },
    // While stopping, requests already on their way are answered, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
  };
}

/** A caller's own id is taken over when it is harmless, so that both sides find the same line in their logs. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : newId('req');
}

/** What every response carries, whatever becomes of the request. Names in capitals would be lowered for each of them. */
function alwaysHeaders({ publicUrl }: AppOptions, limiter: RateLimiter) {
  const fixed = securityHeaders(publicUrl);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(fixed);
    reply.headers(rateLimitHeaders(limiter.peek(callerOfAddress(request.ip))));
    reply.header('x-request-id', request.id);
  };
}

/** Browsers get nothing to run, frame or sniff from us, unless a page says otherwise for itself. */
function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/**
 * Nothing is upgraded here; clients that merely offer to (h2c) are answered as if they had not. But Node hears nothing
 * more on such a connection, not even that the chunks of a body are malformed, so it ends with the answer.
 */
function ignoreUpgrade({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers.upgrade === undefined) return;
  reply.header('Connection', 'close');
  if (headers['transfer-encoding'] !== undefined)
    throw new ApiError(
      'VALIDATION_ERROR',
      [],
      'A request that offers an upgrade must give its Content-Length.',
    );
}

function limitConnectionsOf({ server }: FastifyInstance, { trustProxy, metrics }: AppOptions): void {
  const onRefused = metrics.counter(
    'postrider_http_connections_refused_total',
    'Connections that were closed because their address had too many open.',
  );
  const isExempt = isProxyOrThisMachine(trustProxy);
  limitConnections(server, { perAddress: CONNECTIONS_PER_ADDRESS, isExempt, onRefused });
}

function tellOfRequests(app: FastifyInstance, { onRefused, onAnswered }: AppOptions): void {
  reportRefusedRequests(app, onRefused);
  reportAnsweredRequests(app, onAnswered);
}

/** One line per response; successes only at debug, they are counted in the metrics. */
function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const facts = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (reply.statusCode < 400) request.log.debug(facts, 'answered');
    else request.log.info(facts, 'refused');
    done();
  });
}
