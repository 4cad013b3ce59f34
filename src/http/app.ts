/**
 * The HTTP application: everything that is the same for every route. It depends on no resource; slices
 * register their routes as fastify plugins (`ApiRoutes`), which are served under `/api/v1` and `/v1`.
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
import { type ApiRoutes, registerApi } from './api-routes.ts';
import { decoratePrincipal } from './authenticate.ts';
import { BodyBudget } from './body-budget.ts';
import { answerOddities, createClientErrorHandler } from './client-errors.ts';
import { CONNECTIONS_PER_ADDRESS, isProxyOrThisMachine, limitConnections } from './connection-limit.ts';
import { type Dialect, registerDialect } from './dialect.ts';
import { asApiError, createErrorHandler, type IsUnavailable, sendError } from './error-handler.ts';
import { ApiError } from './errors.ts';
import { type ReadyCheck, registerHealth, registerMetrics } from './health.ts';
import { useStrictJson } from './json-body.ts';
import { type FindPrincipal, KeyCache } from './key-cache.ts';
import { type KnownHosts, requireOneHost } from './known-hosts.ts';
import { KnownPaths } from './known-paths.ts';
import { answerLinksAlone, type LinkHosts } from './link-hosts.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { type OpenApiOptions, registerOpenApi } from './openapi.ts';
import { guardPages } from './page-guard.ts';
import { createProxyTrust, type TrustedProxies } from './proxy-trust.ts';
import { RateLimiter, rateLimitHeaders, type SharedCounts } from './rate-limit.ts';
import { reportRefusedRequests } from './refused-requests.ts';
import {
  measureRequests,
  type OnAnswered,
  reportAnsweredRequests,
  traceRequests,
} from './request-metrics.ts';
import { createSerializerCompiler } from './serialization.ts';
import type { SessionGate } from './session-gate.ts';
import { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';
import { createValidatorCompiler } from './validation.ts';

export const BODY_LIMIT = 20 * 1024 * 1024;
/**
 * Limit for large bodies in memory at the same time. A parsed and queued body takes several times its size.
 */
const BODIES_BYTES = 96 * 1024 * 1024;
const API_PREFIXES = ['/api/v1', '/v1'] as const;

const CLOSED: MetricsAccess = { token: undefined, openTo: 'nobody' };

const HEADERS_TIMEOUT_MS = 15_000;
/** How often Node checks connections for the timeouts below. */
const CONNECTIONS_CHECK_MS = 5000;
/** Long enough for a full body over a slow line: 20 MiB in two minutes is 1.4 Mbit/s. */
const REQUEST_TIMEOUT_MS = 120_000;
/**
 * Longer than the idle timeout of common load balancers (60 s), so that the balancer closes first and never
 * sends a request into a closing connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

export interface AppOptions {
  readonly log: Log;
  readonly clock: Clock;
  /** Monotonic clock for caches and limits. Tests pass their own. */
  readonly steady?: Clock;
  /** Requests per minute and API key. */
  readonly rateLimit: number;
  /** Set when several processes share their request counts. */
  readonly shared?: SharedCounts;
  readonly trustProxy: TrustedProxies;
  readonly publicUrl: string;
  readonly version: string;
  /**
   * Finds the key for the SHA-256 of a token; null when the key does not exist, has expired or was revoked.
   */
  readonly authenticate: FindPrincipal;
  /** Authenticates users by session cookie, in addition to API keys. */
  readonly sessions?: SessionGate;
  /** Host names under which routes without a key answer. Without a list, any name is accepted. */
  readonly hosts?: KnownHosts;
  /** Customers' host names that point here, for tracked links only. */
  readonly linkHosts?: LinkHosts | undefined;
  readonly audit?: WriteAudit;
  /** Called for every refused request of an authenticated caller. */
  readonly onRefused?: OnRefused;
  /** Called for every response to an API key. */
  readonly onAnswered?: OnAnswered;
  readonly ready: ReadyCheck;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
  /** Who may read the metrics here; nobody by default. */
  readonly metricsAccess?: MetricsAccess;
  /** Recognises errors that mean the database is unavailable, which become 503 instead of 500. */
  readonly isUnavailable?: IsUnavailable;
  /** Webhooks documented in the OpenAPI document beside the routes. */
  readonly webhooks?: OpenApiOptions['webhooks'];
  readonly operationIds?: OpenApiOptions['operationIds'];
  /** Served under both API prefixes. */
  readonly routes: readonly ApiRoutes[];
  /**
   * Compiles every schema at startup, so that a mistake in one fails the start. Only tests set this; see
   * validation.ts and serialization.ts.
   */
  readonly compileSchemasAtStart?: boolean;
  /** Compatible APIs of other services, each under its own prefix. */
  readonly dialects?: readonly Dialect[];
  /** What a network address may request before authentication. */
  readonly unauthenticatedQuotas?: UnauthenticatedQuotas | undefined;
  /** Served at the root, without authentication; requests are counted per address. */
  readonly rootRoutes?: readonly FastifyPluginAsync[];
}

export function createApp(options: AppOptions): FastifyInstance {
  const limiter = new RateLimiter(options.rateLimit, options.clock, options.shared);
  const isUnavailable = options.isUnavailable ?? (() => false);
  const always = alwaysHeaders(options, limiter);
  const app: FastifyInstance = fastify({
    ...serverOptions(options),
    clientErrorHandler: createClientErrorHandler(limiter),
    // Requests that fail before routing run no hooks, so they get their headers here.
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
  const unauthenticatedQuotas = options.unauthenticatedQuotas ?? new UnauthenticatedQuotas(options.clock);
  useStrictJson(app);
  decoratePrincipal(app);
  // Synchronous hooks call `done`: a promise per hook would cost every request more than the hook's own work.
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
  guardPages(app, { unauthenticatedQuotas, paths, apis: apiPrefixes(options) });

  registerOpenApi(app, options);
  registerHealth(app, options.ready);
  registerMetrics(app, options.metrics, options.metricsAccess ?? CLOSED);
  const { sessions, hosts, audit } = options;
  const keys = new KeyCache(options.authenticate, options.steady, unauthenticatedQuotas);
  const bodies = new BodyBudget({ totalBytes: BODIES_BYTES, largest: BODY_LIMIT });
  const guards = { keys, limiter, bodies, unauthenticatedQuotas, sessions, hosts, audit, paths };
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
    // No handlerTimeout: creating and aborting a signal per request takes a twelfth of the cost of accepting
    // an email. Everything that a handler awaits has its own timeout: statements, lookups and batches.
    connectionTimeout: 0,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Checked in known-hosts.ts.
      requireHostHeader: false,
    },
    // During shutdown, requests already in flight are answered, not refused.
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
  };
}

/**
 * Uses the caller's own request id when it is harmless, so that both sides find the same line in their logs.
 */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : newId('req');
}

/**
 * Headers that every response carries. Names are lower case because Node would lower-case them for each
 * response.
 */
function alwaysHeaders({ publicUrl }: AppOptions, limiter: RateLimiter) {
  const fixed = securityHeaders(publicUrl);
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(fixed);
    reply.headers(rateLimitHeaders(limiter.peek(callerOfAddress(request.ip))));
    reply.header('x-request-id', request.id);
  };
}

/** Forbids browsers to run, frame or sniff content, unless a page sets its own policy. */
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
 * No protocol is upgraded here; a client that offers an upgrade (h2c) gets a plain answer. Node stops parsing
 * the connection after the offer, even for malformed chunks of a body, so the connection closes with the
 * answer.
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

/** One line per response. Successes are logged only at debug level, because the metrics count them. */
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
