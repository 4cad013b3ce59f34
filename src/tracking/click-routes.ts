/**
 * `/t/c/<token>`: redirects tracked links. A token signed by this installation redirects to the original URL; any
 * other token redirects nowhere. The token contains the URL, so the redirect needs no database.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Click } from '../emails/clicks.ts';
import type { ForeignName } from '../http/link-hosts.ts';
import { CLICK_PATH } from '../protocols/message/tracking-links.ts';
import { type ClickRef, decodeClickToken } from '../protocols/message/tracking-token.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DerivedKeys, withAnyKey } from '../runtime/key-ring.ts';
import { judgeFollower } from './machine-opens.ts';
import { PAGE_HEADERS, type Page, renderPage } from './unsubscribe-page.ts';

interface ClickDeps {
  readonly keys: DerivedKeys;
  /** On a customer's host, only links created for that host redirect. */
  readonly foreignName: ForeignName;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly record: (click: Click) => void;
}

interface ClickRoute {
  Params: { '*': string };
}

const HEADERS = {
  // Every click must reach us, so no cache may store the redirect.
  'Cache-Control': 'no-store',
  // The target page must not see the token, which identifies a recipient.
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const UNKNOWN_LINK: Page = {
  title: 'This link does not lead anywhere',
  body: '<p>The link is incomplete or was changed. Open the link again from the email. If the link still does not work, contact the sender of the email.</p>',
};

export function clickRoutes(deps: ClickDeps): FastifyPluginAsync {
  return async (app) => {
    // A wildcard, because tokens exceed the maximum length of a parameter.
    app.get<ClickRoute>(`${CLICK_PATH}*`, (request, reply) => {
      const ref = readLink(request, deps);
      if (ref === null) return reply.code(404).headers(PAGE_HEADERS).send(renderPage(UNKNOWN_LINK));
      if (request.method === 'GET') note(deps, request, ref);
      return reply.code(302).headers(HEADERS).header('Location', ref.url).send();
    });
  };
}

/** In plain text, mail clients include a trailing bracket or full stop in the link. */
function readLink(request: FastifyRequest<ClickRoute>, { keys, foreignName }: ClickDeps): ClickRef | null {
  const token = /^[\w-]*/.exec(request.params['*'])?.[0] ?? '';
  const host = foreignName(request);
  return withAnyKey(keys, (key) => decodeClickToken(token, key, host));
}

function note({ clock, publicUrl, record }: ClickDeps, { headers }: FastifyRequest, ref: ClickRef): void {
  record({ ...ref, atMs: clock.nowMs(), ...judgeFollower({ headers, isPreview: false }, publicUrl) });
}
