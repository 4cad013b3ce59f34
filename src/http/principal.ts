/** Who is calling. Routes under the API prefixes always have one, unless they say `config: { public: true }`. */
import type { ErrorCode } from './errors.ts';

export type Scope = 'full' | 'send';

export interface Principal {
  readonly organizationId: string;
  readonly keyId: string;
  readonly scope: Scope;
  /** The one sending domain this key is tied to, or null when it may use any of its organization. */
  readonly domain: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Reading it on a route without authentication is a mistake in that route and throws. */
    principal: Principal;
  }

  interface FastifyContextConfig {
    /** The least scope that may call this route; `full` when not given. */
    scope?: Scope;
    /** No key needed. Only for routes that give nothing away. */
    public?: boolean;
    /** Error codes particular to this route, for the documentation. The usual ones are added by the kit. */
    errors?: readonly ErrorCode[];
  }
}
