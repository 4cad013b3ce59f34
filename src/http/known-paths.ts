/**
 * The methods that each path of the API supports, to distinguish a wrong method from a wrong path. The paths
 * are in the public reference; ids are not looked up.
 */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ApiError } from './errors.ts';

interface Shape {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

export class KnownPaths {
  readonly #fixed = new Map<string, Set<string>>();
  readonly #advice = new Map<string, string>();
  readonly #shapes = new Map<string, Shape>();

  /** Hook for each registered route. */
  readonly add = ({ url, method, schema, config }: RouteOptions): void => {
    if (schema?.hide) return;
    for (const [wrong, advice] of Object.entries(config?.insteadOf ?? {}))
      this.#advice.set(`${wrong} ${url}`, advice);
    for (const one of [method].flat()) this.#methodsOf(url).add(one);
  };

  /** Fixed segments take precedence over parameters: /emails/send is not an email. */
  allowed(path: string): readonly string[] | undefined {
    const fixed = this.allowedExactly(path);
    if (fixed) return fixed;
    const found = [...this.#shapes.values()].find(({ matches }) => matches.test(path));
    return found && listed(found.methods);
  }

  /** Suggests what to do instead of a request with a wrong method. */
  adviceFor(method: string, path: string): string | undefined {
    return this.#advice.get(`${method} ${path}`);
  }

  allowedExactly(path: string): readonly string[] | undefined {
    const methods = this.#fixed.get(path);
    return methods && listed(methods);
  }

  #methodsOf(url: string): Set<string> {
    const known = this.#fixed.get(url) ?? this.#shapes.get(url)?.methods;
    if (known) return known;
    const methods = new Set<string>();
    if (url.includes('/:')) this.#shapes.set(url, { matches: shapeOf(url), methods });
    else this.#fixed.set(url, methods);
    return methods;
  }
}

/**
 * For requests without a matching route, or with a parameter route where the path also exists as a fixed one.
 * Returns true when it answered; OPTIONS is always answered.
 */
export function answerWrongMethod(request: FastifyRequest, reply: FastifyReply, paths: KnownPaths): boolean {
  const { url: route = '*' } = request.routeOptions;
  const path = request.url.split('?', 1)[0] as string;
  if (!route.endsWith('*') && !route.includes('/:')) return false;
  const allowed = route.endsWith('*') ? paths.allowed(path) : paths.allowedExactly(path);
  // The path supports this method; the request has another problem, for example a name that is too long.
  if (allowed === undefined || (allowed.includes(request.method) && request.method !== 'OPTIONS'))
    return false;
  reply.header('Allow', allowed.join(', '));
  if (request.method !== 'OPTIONS') {
    const sentences = [`This path supports ${allowed.join(', ')}.`, paths.adviceFor(request.method, path)];
    throw new ApiError('METHOD_NOT_ALLOWED', [], sentences.filter(Boolean).join(' '));
  }
  reply.code(204).send();
  return true;
}

function listed(methods: ReadonlySet<string>): readonly string[] {
  return [...methods, 'OPTIONS'].sort();
}

function shapeOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);
}
