/**
 * The rules for every route under an API prefix: authentication, rate limits and access. Order matters: the
 * caller is authenticated before the request is counted, and counted before any body is read or answered.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { WriteAudit } from '../runtime/audit-entry.ts';
import { callerOfAddress } from '../runtime/caller-address.ts';
import { Problems } from '../runtime/problems.ts';
import { agentOf, assertAllowed, isAllowed, isRead } from './access.ts';
import { type AuditRule, auditOnSuccess } from './audit.ts';
import { principalOf, unauthorized } from './authenticate.ts';
import type { BodyBudget } from './body-budget.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import type { KeyCache } from './key-cache.ts';
import type { KnownHosts } from './known-hosts.ts';
import { answerWrongMethod, type KnownPaths } from './known-paths.ts';
import type { Principal } from './principal.ts';
import { type Allowance, callerOf, type RateLimiter, rateLimitHeaders } from './rate-limit.ts';
import { saveBandwidth } from './read-responses.ts';
import { strictObject } from './schema.ts';
import type { SessionGate } from './session-gate.ts';
import type { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';
import { unstorableText } from './unstorable-text.ts';

/** The routes of a slice: a fastify plugin with TypeBox types, registered once per prefix. */
export type ApiRoutes = FastifyPluginAsyncTypebox;
/** The application that routes are added to. */
export type App = Parameters<ApiRoutes>[0];

export interface RequestGuards {
  readonly keys: KeyCache;
  readonly limiter: RateLimiter;
  readonly bodies: BodyBudget;
  readonly paths: KnownPaths;
  readonly unauthenticatedQuotas: UnauthenticatedQuotas;
  readonly sessions?: SessionGate | undefined;
  readonly hosts?: KnownHosts | undefined;
  readonly audit?: WriteAudit | undefined;
}

export function registerApi(
  app: FastifyInstance,
  prefix: string,
  routes: readonly ApiRoutes[],
  guards: RequestGuards,
): void {
  app.register(
    async (api) => {
      api.addHook('onRoute', assertRouteConfig);
      api.addHook('onRoute', guards.paths.add);
      if (guards.audit) api.addHook('onRoute', auditOnSuccess(guards.audit));
      api.addHook('onRoute', saveBandwidth);
      api.addHook('onRequest', (request, reply, done) => {
        const principal = principalOf(request, guards.keys, guards.sessions);
        const admitted =
          principal instanceof Promise
            ? principal.then((found) => admit(request, reply, guards, found))
            : admit(request, reply, guards, principal);
        if (admitted instanceof Promise) return admitted;
        // Cached, as for nearly every request: the hook stays synchronous.
        if (admitted === undefined) done();
        return undefined;
      });
      guards.bodies.register(api);
      api.addHook('preValidation', (request, _reply, done) => {
        refuseUnaskedBody(request);
        done();
      });
      for (const plugin of routes) api.register(plugin);
      registerUnknown(api);
    },
    { prefix },
  );
}

/** Rejects a misconfigured route when the app is assembled, before a customer can reach the route. */
function assertRouteConfig(route: RouteOptions): void {
  if (route.config?.public && route.schema?.hide) return;
  const schema = route.schema ?? {};
  if (!schema.tags?.length || !schema.summary) {
    throw new Error(
      `${String(route.method)} ${route.url} needs schema.tags and schema.summary for the reference`,
    );
  }
  // Without a schema every parameter would be ignored; a mistyped filter must not list everything.
  schema.querystring ??= strictObject({});
}

const GUARDS = Symbol('guards');

type WithGuards = FastifyRequest & { [GUARDS]?: RequestGuards };

/** Whether the caller's access is still valid. For responses that stream for minutes. */
export async function isStillAdmitted(request: FastifyRequest): Promise<boolean> {
  const guards = (request as WithGuards)[GUARDS];
  const principal = guards ? await principalOf(request, guards.keys, guards.sessions) : null;
  if (principal?.organizationId !== request.principal.organizationId) return false;
  return isAllowed(principal, request.routeOptions.config, request.method);
}

type Admitted = FastifyReply | undefined;

/** Returns the reply when the request has been answered. */
function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  guards: RequestGuards,
  principal: Principal | null,
): Admitted | Promise<Admitted> {
  const allowance = guards.limiter.take(
    principal ? callerOf(principal, agentOf(principal)) : callerOfAddress(request.ip),
  );
  return allowance instanceof Promise
    ? allowance.then((found) => admitCounted(request, reply, guards, principal, found))
    : admitCounted(request, reply, guards, principal, allowance);
}

function admitCounted(
  request: FastifyRequest,
  reply: FastifyReply,
  guards: RequestGuards,
  principal: Principal | null,
  allowance: Allowance,
): Admitted {
  const { sessions, hosts, paths, unauthenticatedQuotas } = guards;
  (request as WithGuards)[GUARDS] = guards;
  if (principal) request.principal = principal;
  reply.headers(rateLimitHeaders(allowance));
  reply.header('cache-control', 'no-store');
  if (allowance.exceeded) throw new ApiError('RATE_LIMITED');
  // Runs before authentication: the paths are public in the API reference.
  if (answerWrongMethod(request, reply, paths)) return reply;
  if (!principal && isOpen(request.routeOptions) && !isRead(request.method))
    unauthenticatedQuotas.take(request.ip, 'accountRequests');
  if (principal?.session || isOpen(request.routeOptions)) hosts?.assertKnown(request);
  if (principal?.session) {
    sessions?.assertSameOrigin(request);
    sessions?.assertSameOrganization(request, principal);
  }
  admitTo(request, principal);
  return undefined;
}

/** Public routes are for users. Unknown paths are also public, but hidden, so they do not count. */
function isOpen({ config, schema }: FastifyRequest['routeOptions']): boolean {
  return config.public === true && schema?.hide !== true;
}

/** Throws unless this caller may use this route. */
export function admitTo(request: FastifyRequest, principal: Principal | null): void {
  const { config } = request.routeOptions;
  if (!config.public) {
    if (!principal) throw unauthorized(request);
    assertAllowed(principal, config, request.method);
  }
  if (unstorableText(request.params) !== undefined) throw new ApiError('NOT_FOUND');
}

/** A route without a body schema accepts no body or `{}`, and refuses anything else. */
function refuseUnaskedBody(request: FastifyRequest): void {
  if (request.body === undefined || request.body === null || request.routeOptions.schema?.body) return;
  const problems = new Problems();
  if (typeof request.body !== 'object') problems.add('body', 'this request takes no body');
  else for (const name in request.body) problems.add(name.slice(0, 100), 'this request takes no body');
  problems.throwIfAny();
}

/**
 * Explicit routes instead of a not-found handler, because a page served at `/*` must never answer for the
 * API. They throw before the body is read, so the answer is always 404.
 */
export function registerUnknown(api: FastifyInstance, atPrefixToo = true): void {
  const unknown = {
    config: { public: true },
    schema: { hide: true },
    onRequest: async () => {
      throw new ApiError('NOT_FOUND');
    },
  };
  const unreachable = async () => undefined;
  api.all('/*', unknown, unreachable);
  if (atPrefixToo) api.all('/', unknown, unreachable);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Admits keys of scope `send` and `agent`, or of scope `agent` alone. Without it, reading routes admit
     * `read` and all others admit `full`.
     */
    scope?: 'send' | 'agent';
    /** Shows all mail of the organization: agents need a policy that allows this. */
    ofAllMail?: boolean;
    /** Concerns received mail: agents need a policy that allows this. */
    ofReceivedMail?: boolean;
    /**
     * Admits keys tied to a domain: everything the route shows or changes belongs to that domain or to none.
     */
    tied?: boolean;
    /**
     * For signed-in users, not keys: `self` for every user about themselves; `member` for users who may
     * change data; `owner` for owners; `operator` for those who run the installation, with effect on all
     * organizations.
     */
    access?: 'self' | 'member' | 'owner' | 'operator';
    /** Changes nothing, regardless of its method, so read-only callers may use it. */
    reads?: boolean;
    /** May change only data of the caller: admits users who may only read. The service refuses them everything else. */
    ownData?: boolean;
    /** Shows the content of mail or of requests: browsers must not store the response. */
    confidential?: boolean;
    /** The audit entry for a success. */
    audit?: AuditRule;
    /**
     * Accepts any text, even text that cannot be stored: the route stores none of it and judges each value.
     */
    judgesText?: boolean;
    /**
     * With `?dry_run=true` the route answers 200 like the operation at `<path>/dry-run`. The document shows
     * that operation instead, because one operation with two response types fits neither.
     */
    hasDryRun?: boolean;
    /** Advice by method, for methods that the path does not support. */
    insteadOf?: Readonly<Record<string, string>>;
    /** No key needed. Only for routes that reveal nothing. */
    public?: boolean;
    /**
     * Error codes particular to this route, for the documentation. The shared ones are added automatically.
     */
    errors?: readonly ErrorCode[];
  }
}
