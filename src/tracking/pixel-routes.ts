/**
 * The tracking pixel: the same 43 bytes from memory for every request. A valid token records an open; an invalid one
 * gets the same answer, so that the answer reveals nothing.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Open } from '../emails/opens.ts';
import { PIXEL_PATH, PIXEL_SUFFIX } from '../protocols/message/tracking-links.ts';
import { decodeOpenToken } from '../protocols/message/tracking-token.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DerivedKeys, withAnyKey } from '../runtime/key-ring.ts';
import { judgeRequest } from './machine-opens.ts';

interface PixelDeps {
  readonly keys: DerivedKeys;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly record: (open: Open) => void;
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const HEADERS = {
  'Content-Type': 'image/gif',
  // Every open must reach us, so no cache may store the pixel.
  'Cache-Control': 'no-store, no-cache, must-revalidate, private, max-age=0',
  Pragma: 'no-cache',
  Expires: '0',
  // Web mail embeds the pixel in pages of its own origin.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Robots-Tag': 'noindex',
};

interface PixelRoute {
  Params: { '*': string };
  Querystring: Record<string, unknown>;
}

export function pixelRoutes(deps: PixelDeps): FastifyPluginAsync {
  return async (app) => {
    // A wildcard, because a parameter above the maximum length is answered 404.
    app.get<PixelRoute>(`${PIXEL_PATH}*`, (request, reply) => {
      if (request.method === 'GET') note(deps, request);
      reply.headers(HEADERS).send(PIXEL);
    });
  };
}

function note({ keys, publicUrl, clock, record }: PixelDeps, request: FastifyRequest<PixelRoute>): void {
  const name = request.params['*'];
  if (!name.endsWith(PIXEL_SUFFIX)) return;
  const token = name.slice(0, -PIXEL_SUFFIX.length);
  const ref = withAnyKey(keys, (key) => decodeOpenToken(token, key));
  if (ref === null) return;
  const isPreview = request.query.preview !== undefined;
  record({
    ...ref,
    atMs: clock.nowMs(),
    ...judgeRequest({ headers: request.headers, isPreview }, publicUrl),
  });
}
