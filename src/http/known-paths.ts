/**
 * Which methods each path of the API supports, to tell a wrong method from a wrong path. All of this is in the public
 * reference; ids are not looked up.
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

  /** A hook for routes as they are added. */
  readonly add = ({ url, method, schema, config }: RouteOptions): void => {
    if (schema?.hide) return;
    for (const [wrong, advice] of Object.entries(config?.insteadOf ?? {}))
      this.#advice.set(`${wrong} ${url}`, advice);
    for (const one of [method].flat()) this.#methodsOf(url).add(one);
  };

  /** What stands for itself comes before what stands for anything: /emails/send is no email. */
  allowed(path: string): readonly string[] | undefined {
    const fixed = this.allowedExactly(path);
    if (fixed) return fixed;
    const found = [...this.#shapes.values()].find(({ matches }) => matches.test(path));
    return found && listed(found.methods);
  }

  /** What to do instead of a request with a wrong method. */
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
 * For a request that came to no route of its own, or to one that takes any name where its own path is known. True when
 * it is answered, which is what OPTIONS asks for.
 */
export function answerWrongMethod(request: FastifyRequest, reply: FastifyReply, paths: KnownPaths): boolean {
  const { url: route = '*' } = request.routeOptions;
  const path = request.url.split('?', 1)[0] as string;
  if (!route.endsWith('*') && !route.includes('/:')) return false;
  const allowed = route.endsWith('*') ? paths.allowed(path) : paths.allowedExactly(path);
  // A method that it does take came here for another reason: a name that is too long to be one.
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
