/**
 * `/sites`: where mail waits, and why. Organizations see sites of their own waiting mail; operators see and control
 * all.
 */
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { Reads } from '../database/reads.ts';
import { isAllowed } from '../http/access.ts';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { SITE_STATES, type SiteView, type SiteViews } from './site-view.ts';

/** Schemas of sites. */
const sitesQuery = strictObject({
  view: stringEnum(['organization', 'installation'], {
    default: 'organization',
    description:
      '`organization`: the sites that mail of your organization is waiting for. `installation`: all sites with queued mail or a restriction, counting the mail of all organizations; for operators.',
  }),
});

const told = {
  id: Type.String({ examples: ['site_0c3f9a51be2d47a6c9e1'] }),
  name: Type.String({
    description: 'Name of the site: the mail hosts, or the provider, that share limits.',
    examples: ['(mx1|mx2).example.net'],
  }),
  state: stringEnum(SITE_STATES, {
    description:
      '`open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent before the time in `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site.',
  }),
  message: Type.String({ description: 'Explanation of the state in words.' }),
  since: nullable(timestamp({ description: 'Start of the restriction. Null if there is none.' })),
  until: nullable(
    timestamp({ description: 'Time of the next try, if the state is `blocked`. Null otherwise.' }),
  ),
  reason: nullable(
    Type.String({
      description: 'Reason code of the restriction, from the closed list of reasons. Null if there is none.',
    }),
  ),
  reply: nullable(
    Type.String({
      description: 'Server reply that caused the state, without email addresses. Null if there was none.',
    }),
  ),
  messages_per_minute: nullable(
    Type.Number({ description: 'Pace of a slow site in messages per minute. Null otherwise.' }),
  ),
  connections: nullable(
    Type.Integer({
      description:
        'Maximum number of simultaneous connections, after the site refused further connections. Null if there is no such limit.',
    }),
  ),
};

export const siteView = told;

const site = Type.Object(
  {
    ...told,
    provider: nullable(Type.String()),
    due: Type.Integer({
      description:
        'Number of due deliveries that are waiting for the site. For an organization, at most 10,000 waiting deliveries are examined.',
    }),
    scheduled: Type.Integer({ description: 'Number of deliveries that are due later.' }),
    oldest_due_at: nullable(timestamp()),
    domains: Type.Array(Type.String(), { description: 'Domains of these recipients. The first 20.' }),
    editable: Type.Boolean({ description: 'Whether you are allowed to pause, resume and try the site.' }),
  },
  { $id: 'Site' },
);

interface SiteRouteDeps {
  readonly db: Database;
  readonly reads: Reads;
  readonly board: SiteViews;
}

const tags = ['Sites'];
const params = Type.Object({ id: Type.String() });
const OPERATOR = { access: 'operator' } as const;
const isOperator = (principal: Principal) => isAllowed(principal, OPERATOR, 'POST');

export function siteRoutes(deps: SiteRouteDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeChange(app, deps, {
      verb: 'try-now',
      action: 'site.tried',
      summary: 'Try a site now',
      description:
        'Ends a block: the next delivery is a trial, and if the trial fails, the site is blocked again. Limits on pace and connections are removed. A pause remains. Workers apply the change within seconds.',
      change: (board, name) => board.tryNow(deps.db, name),
    });
    routeChange(app, deps, {
      verb: 'pause',
      action: 'site.paused',
      summary: 'Pause a site',
      description:
        'Nothing is sent to the site until you resume it. Mail that is being transferred still arrives. Mail that expires during the pause fails.',
      change: (board, name) => board.pause(deps.db, name),
    });
    routeChange(app, deps, {
      verb: 'resume',
      action: 'site.resumed',
      summary: 'Resume a site',
      description: 'Removes a pause, a block, and limits on pace and connections.',
      change: (board, name) => board.resume(deps.db, name),
    });
  };
}

function routeReading(app: App, { reads, board }: SiteRouteDeps): void {
  app.get(
    '/sites',
    {
      schema: {
        tags,
        summary: 'List the sites that mail waits for',
        description:
          'A site is the actual destination of mail: the mail hosts that several domains share, or a provider. Limits apply to a site. Sites with the most due mail come first.',
        querystring: sitesQuery,
        response: { 200: dataOf(Type.Array(site)) },
      },
    },
    async ({ principal, query }) => {
      const db = reads.lately(principal.organizationId);
      if (query.view === 'installation' && !isOperator(principal))
        throw new ApiError(
          'FORBIDDEN',
          [],
          'Only operators of this installation can see the waiting mail of all organizations. Leave out `view` to see the sites that your own mail waits for.',
        );
      const found = await (query.view === 'installation'
        ? board.ofInstallation(reads.ofAllCells(principal.organizationId))
        : board.ofOrganization(db, principal.organizationId));
      return { data: found.map((one) => shown(one, principal)) };
    },
  );
  app.get(
    '/sites/:id',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: {
        tags,
        summary: 'Get a site',
        description:
          'Returns a site that mail of your organization is waiting for, or for operators any site with queued mail or a restriction.',
        params,
        response: { 200: dataOf(site) },
      },
    },
    async ({ principal, params: { id } }) => {
      const found = await findSite(board, reads, principal, id);
      return { data: shown(found, principal) };
    },
  );
}

interface Change {
  readonly verb: string;
  readonly action: string;
  readonly summary: string;
  readonly description: string;
  readonly change: (board: SiteViews, name: string) => Promise<void>;
}

function routeChange(app: App, { reads, board, db }: SiteRouteDeps, what: Change): void {
  app.post(
    `/sites/:id/${what.verb}`,
    {
      config: { ...OPERATOR, errors: ['NOT_FOUND'], audit: { action: what.action } },
      schema: {
        tags,
        summary: what.summary,
        description: what.description,
        params,
        response: { 200: dataOf(site) },
      },
    },
    async ({ principal, params: { id } }) => {
      const before = await findSite(board, reads, principal, id);
      await what.change(board, before.name);
      const after = (await board.ofInstallation(db.cells.map((cell) => cell.db))).find(
        (one) => one.id === id,
      );
      return { data: shown(after ?? withoutProblem(before), principal) };
    },
  );
}

async function findSite(board: SiteViews, reads: Reads, principal: Principal, id: string): Promise<SiteView> {
  const { organizationId } = principal;
  const sites = isOperator(principal)
    ? await board.ofInstallation(reads.ofAllCells(organizationId))
    : await board.ofOrganization(reads.of(organizationId), organizationId);
  const found = sites.find((one) => one.id === id);
  if (found === undefined)
    throw new ApiError(
      'NOT_FOUND',
      [],
      'No mail waits for a site with this id, and the site is not held up. GET /sites lists the sites.',
    );
  return found;
}

/** The site was listed only for its problem, which is now cleared. */
function withoutProblem(before: SiteView): SiteView {
  const nothing = { since: null, until: null, reason: null, reply: null, messages_per_minute: null };
  return { ...before, ...nothing, connections: null, state: 'open', message: 'The server accepts mail.' };
}

function shown(view: SiteView, principal: Principal) {
  return { ...view, domains: [...view.domains], editable: isOperator(principal) };
}
