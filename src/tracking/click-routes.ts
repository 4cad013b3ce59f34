/**
 * `/t/c/<token>`: where tracked links lead first. A token that this installation signed leads on to the address that the
 * link had, and nothing else leads anywhere. The address is in the token, so nobody waits for the database.
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

export interface ClickDeps {
  readonly keys: DerivedKeys;
  /** Under a customer's name only the links that were made for it lead anywhere. */
  readonly foreignName: ForeignName;
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly record: (click: Click) => void;
}

interface ClickRoute {
  Params: { '*': string };
}

const HEADERS = {
  // Every click must come to us: nothing on the way may keep it.
  'Cache-Control': 'no-store',
  // The page must not learn the token, which stands for one recipient.
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const UNKNOWN_LINK: Page = {
  title: 'This link does not lead anywhere',
  body: '<p>It is not complete, or it was changed. Open it again from the email that you got; if that does not help, ask whoever sent it to you.</p>',
};

export function clickRoutes(deps: ClickDeps): FastifyPluginAsync {
  return async (app) => {
    // A wildcard, because a token is longer than a parameter may be.
    app.get<ClickRoute>(`${CLICK_PATH}*`, (request, reply) => {
      const ref = readLink(request, deps);
      if (ref === null) return reply.code(404).headers(PAGE_HEADERS).send(renderPage(UNKNOWN_LINK));
      if (request.method === 'GET') note(deps, request, ref);
      return reply.code(302).headers(HEADERS).header('Location', ref.url).send();
    });
  };
}

/** In plain text mail clients take a closing bracket or a full stop for a part of the link. */
function readLink(request: FastifyRequest<ClickRoute>, { keys, foreignName }: ClickDeps): ClickRef | null {
  const token = /^[\w-]*/.exec(request.params['*'])?.[0] ?? '';
  const host = foreignName(request);
  return withAnyKey(keys, (key) => decodeClickToken(token, key, host));
}

function note({ clock, publicUrl, record }: ClickDeps, { headers }: FastifyRequest, ref: ClickRef): void {
  record({ ...ref, atMs: clock.nowMs(), ...judgeFollower({ headers, isPreview: false }, publicUrl) });
}
