/**
 * The HTTP API of another service under its own prefix, so that its clients need only our address and one of
 * our keys. This module holds what all dialects share: authentication, rate limits, body limits, and errors
 * in the dialect's own format. Session cookies are ignored: these routes are for programs.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOfAddress } from '../runtime/caller-address.ts';
import { nearestName } from '../runtime/nearest-name.ts';
import { hashToken } from '../runtime/tokens.ts';
import { agentOf, isRead } from './access.ts';
import { admitTo, type RequestGuards, registerUnknown } from './api-routes.ts';
import { auditOnSuccess } from './audit.ts';
import { createErrorHandler, type IsUnavailable, type WriteError } from './error-handler.ts';
import { ApiError } from './errors.ts';
import { FormBody } from './form-body.ts';
import { answerWrongMethod, KnownPaths } from './known-paths.ts';
import type { Principal } from './principal.ts';
import { type Allowance, callerOf, rateLimitHeaders } from './rate-limit.ts';
import { unstorableText } from './unstorable-text.ts';

export interface Dialect {
  /** For example `/compat/resend`. */
  readonly prefix: string;
  /** The dialect has a route at the prefix itself. */
  readonly atPrefix?: boolean;
  /** The API key that a request brings, or null. */
  readonly tokenOf: (request: FastifyRequest) => string | null;
  readonly writeError: WriteError;
  /** The dialect's own rate-limit headers, sent beside ours. */
  readonly rateHeaders?: (allowance: Allowance) => Readonly<Record<string, string>>;
  readonly routes: (app: FastifyInstance) => void;
}

type DialectGuards = Pick<RequestGuards, 'keys' | 'limiter' | 'bodies' | 'audit'> & {
  readonly isUnavailable: IsUnavailable;
};

export function registerDialect(app: FastifyInstance, dialect: Dialect, guards: DialectGuards): void {
  const paths = new KnownPaths();
  app.register(
    async (api) => {
      api.addHook('onRoute', paths.add);
      api.setErrorHandler(createErrorHandler(guards.isUnavailable, dialect.writeError));
      if (guards.audit) api.addHook('onRoute', auditOnSuccess(guards.audit));
      api.addHook('onRequest', async (request, reply) => {
        const token = dialect.tokenOf(request);
        const principal = token === null ? null : await guards.keys.lookUp(hashToken(token), request.ip);
        if (principal) request.principal = principal;
        await count(request, reply, principal, dialect, guards);
        if (answerWrongMethod(request, reply, paths)) return reply;
        admitTo(request, principal);
        refuseUnstorable(request);
        return undefined;
      });
      api.addHook('preValidation', async (request) => refuseDryRun(request));
      guards.bodies.register(api);
      dialect.routes(api);
      registerUnknown(api, dialect.atPrefix !== true);
    },
    { prefix: dialect.prefix },
  );
}

/** Counted before any body is read or answered. */
async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal | null,
  { rateHeaders }: Dialect,
  { limiter }: DialectGuards,
): Promise<void> {
  const allowance = await limiter.take(
    principal ? callerOf(principal, agentOf(principal)) : callerOfAddress(request.ip),
  );
  reply.headers(rateLimitHeaders(allowance));
  if (rateHeaders) reply.headers(rateHeaders(allowance));
  reply.header('cache-control', 'no-store');
  if (allowance.exceeded) throw new ApiError('RATE_LIMITED');
}

/** A send through a dialect with the `dry_run` parameter of our own API, which no dialect supports. */
export class DryRunElsewhere extends ApiError {
  constructor() {
    super(
      'VALIDATION_ERROR',
      [],
      'This endpoint has no dry_run, and nothing was sent. Use POST /api/v1/emails/send?dry_run=true for a dry run.',
    );
    this.name = 'DryRunElsewhere';
  }
}

/**
 * Other services ignore unknown parameters and fields, but ignoring this one would send mail that should not
 * be sent. The same goes for a misspelling; no service has a parameter with a similar name.
 */
function refuseDryRun({ method, query, body, routeOptions }: FastifyRequest): void {
  if (routeOptions.config.scope !== 'send' || isRead(method)) return;
  if (asksForDryRun(query) || (Array.isArray(body) ? body.some(asksForDryRun) : asksForDryRun(body)))
    throw new DryRunElsewhere();
}

function asksForDryRun(given: unknown): boolean {
  return fieldNames(given).some((name) => nearestName(name, DRY_RUN) !== undefined);
}

const DRY_RUN = ['dry_run'];

function fieldNames(given: unknown): readonly string[] {
  if (given instanceof FormBody) return given.names;
  return typeof given === 'object' && given !== null && !Buffer.isBuffer(given) ? Object.keys(given) : [];
}

/** Our own routes check queries in their schemas; paths and bodies are checked for all routes. */
function refuseUnstorable({ query }: FastifyRequest): void {
  const field = unstorableText(query);
  if (field !== undefined)
    throw new ApiError('VALIDATION_ERROR', [{ field, message: 'must not contain NUL characters' }]);
}
