/** `/search`: one search over everything that an organization has. */

import { Type } from 'typebox';
import { isAllowed, outcomeReachOf } from '../http/access.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import type { SearchHit, SearchKind } from './found.ts';
import { kindsOf, searchGroup, searchQuery } from './schema.ts';
import { type Group, Search, type SearchDeps } from './search.ts';

/** The rules of the lists of each kind: a search shows nobody more than these. */
const RULES = {
  suppressions: { scope: 'agent', ofAllMail: true },
  emails: { scope: 'agent', tied: true },
  request_logs: {},
  inbound: { scope: 'agent', ofReceivedMail: true },
  templates: { scope: 'agent', tied: true },
  domains: { scope: 'agent', tied: true },
  webhooks: {},
} as const satisfies Record<SearchKind, Parameters<typeof isAllowed>[1]>;

export function searchRoutes(deps: SearchDeps): ApiRoutes {
  const search = new Search(deps);
  return async (app) => {
    app.get(
      '/search',
      {
        config: { scope: 'agent', tied: true },
        schema: {
          tags: ['Search'],
          summary: 'Search everything',
          description:
            'Finds emails, suppressed addresses, refused requests, received mail, templates, domains and webhooks, at most five of each kind, in about three seconds at most. A suppressed address is also found by the name of its owner, if mail or a refused request has the name.',
          querystring: searchQuery,
          response: { 200: dataOf(Type.Array(searchGroup)) },
        },
      },
      async ({ principal, query }) => {
        const asked = kindsOf(query);
        const allowed = asked.filter((kind) => isAllowed(principal, RULES[kind], 'GET'));
        const groups = await search.find(outcomeReachOf(principal), query.q, allowed);
        const found = new Map(groups.map((group) => [group.kind, group]));
        return { data: asked.map((kind) => groupView(found.get(kind) ?? forbidden(kind))) };
      },
    );
  };
}

function forbidden(kind: SearchKind): Group {
  return { kind, outcome: 'forbidden', hasMore: false, hits: [] };
}

function groupView({ kind, outcome, hasMore, hits }: Group) {
  return { kind, outcome, has_more: hasMore, hits: hits.map((hit) => ({ ...hit, path: pathOf(kind, hit) })) };
}

const FOLDERS: Readonly<Record<SearchKind, string>> = {
  suppressions: '/suppressions',
  emails: '/emails',
  request_logs: '/request-logs',
  inbound: '/inbound',
  templates: '/templates',
  domains: '/domains',
  webhooks: '/webhooks',
};

function pathOf(kind: SearchKind, { id, email }: SearchHit): string {
  // There is no request for one suppression by its id.
  if (kind === 'suppressions') return `/suppressions?${new URLSearchParams({ email: email ?? '' })}`;
  return `${FOLDERS[kind]}/${encodeURIComponent(id)}`;
}
