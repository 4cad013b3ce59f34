/**
 * `/u/<token>`: the target of List-Unsubscribe. A POST unsubscribes at once (RFC 8058): mail services send it when a
 * user presses their unsubscribe button. A GET only shows a confirmation page, because scanners and browsers fetch
 * every link.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { UNSUBSCRIBE_PATH } from '../protocols/message/tracking-links.ts';
import { decodeUnsubscribeToken, type UnsubscribeRef } from '../protocols/message/tracking-token.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DerivedKeys, withAnyKey } from '../runtime/key-ring.ts';
import { resubscribe, unsubscribeAll } from '../suppressions/unsubscription.ts';
import {
  askPage,
  INVALID_PAGE,
  PAGE_HEADERS,
  type Page,
  renderPage,
  resubscribedPage,
  UNAVAILABLE_PAGE,
  unsubscribedPage,
} from './unsubscribe-page.ts';

/** Room for one form field and the additions of mail services. */
const BODY_LIMIT = 16 * 1024;
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const RESUBSCRIBE = '/resubscribe';
const RETRY_SECONDS = '60';

interface Route {
  Params: { '*': string };
}
type Request = FastifyRequest<Route>;

interface UnsubscribeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: DerivedKeys;
}

export function unsubscribeRoutes(deps: UnsubscribeDeps): FastifyPluginAsync {
  return async (app) => {
    acceptAnyForm(app);
    app.setErrorHandler((error, request, reply) => {
      if (!isUnavailable(error)) throw error;
      request.log.warn({ err: error }, 'an unsubscription could not be saved');
      return show(reply.code(503).header('Retry-After', RETRY_SECONDS), UNAVAILABLE_PAGE);
    });

    // Wildcards, because tokens exceed the maximum length of a parameter.
    app.get<Route>(`${UNSUBSCRIBE_PATH}*`, async (request, reply) => {
      const { token, ref, again } = readLink(request, deps.keys);
      if (ref === null) return invalid(reply);
      return show(reply, askPage(ref, again ? `../${token}` : ''));
    });

    app.post<Route>(`${UNSUBSCRIBE_PATH}*`, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const { token, ref, again } = readLink(request, deps.keys);
      if (ref === null) return invalid(reply);
      if (again) {
        await deps.db.transaction((tx) => resubscribe(tx, ref));
        return show(reply, resubscribedPage(ref, token));
      }
      await deps.db.transaction((tx) => unsubscribeAll(tx, [ref], deps.clock.nowMs()));
      if (isOneClick(request)) return reply.type('text/plain; charset=utf-8').send('Unsubscribed.\n');
      return show(reply, unsubscribedPage(ref, token));
    });
  };
}

/** RFC 8058 names two content types. Others are accepted too, because the POST itself expresses the wish. */
function acceptAnyForm(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
}

function readLink(
  request: Request,
  keys: DerivedKeys,
): { readonly token: string; readonly ref: UnsubscribeRef | null; readonly again: boolean } {
  const path = request.params['*'];
  const again = path.endsWith(RESUBSCRIBE);
  const token = again ? path.slice(0, -RESUBSCRIBE.length) : path;
  return { token, ref: withAnyKey(keys, (key) => decodeUnsubscribeToken(token, key)), again };
}

/** In a multipart form the name and the value are on separate lines. */
function isOneClick({ body }: Request): boolean {
  if (typeof body !== 'string') return false;
  return body.includes(ONE_CLICK) || /name="?List-Unsubscribe"?\s+One-Click/i.test(body);
}

function invalid(reply: FastifyReply): FastifyReply {
  return show(reply.code(404), INVALID_PAGE);
}

function show(reply: FastifyReply, page: Page): FastifyReply {
  return reply.headers(PAGE_HEADERS).send(renderPage(page));
}
