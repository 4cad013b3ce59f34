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
      '`organization`: sites that your own mail waits for. `installation`: all that have mail or are held up, with everybody’s mail counted; for operators.',
  }),
});

const told = {
  id: Type.String({ examples: ['site_0c3f9a51be2d47a6c9e1'] }),
  name: Type.String({
    description: 'The mail hosts, or the provider, that share limits.',
    examples: ['(mx1|mx2).example.net'],
  }),
  state: stringEnum(SITE_STATES, {
    description:
      '`open`: accepts mail. `slow`: asked us to slow down, and gets `messages_per_minute`. `blocked`: nothing is sent until `until`. `probing`: one trial delivery. `paused`: by an operator.',
  }),
  message: Type.String({ description: 'The state in a sentence.' }),
  since: nullable(timestamp({ description: 'Since when it is held up.' })),
  until: nullable(timestamp({ description: 'For `blocked`: when it is tried again.' })),
  reason: nullable(Type.String({ description: 'Why, from the closed list of reasons.' })),
  reply: nullable(Type.String({ description: 'The reply that caused it, without addresses.' })),
  messages_per_minute: nullable(Type.Number({ description: 'The pace of a slow site.' })),
  connections: nullable(
    Type.Integer({ description: 'At most this many at a time, after it said there were too many.' }),
  ),
};

export const siteView = told;

const site = Type.Object(
  {
    ...told,
    provider: nullable(Type.String()),
    due: Type.Integer({
      description:
        'Deliveries that are due and wait for it. Of yours, up to 10,000 of all that wait are looked at.',
    }),
    scheduled: Type.Integer({ description: 'Deliveries that are due later.' }),
    oldest_due_at: nullable(timestamp()),
    domains: Type.Array(Type.String(), { description: 'Of these recipients’ domains; the first 20.' }),
    editable: Type.Boolean({ description: 'Whether you may pause, resume and try it.' }),
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
      summary: 'Try a site at once',
      description:
        'Ends a block: the next delivery is a trial, and if that fails the site is blocked again. Limits on pace and connections are lifted. A pause stays. Workers notice within seconds.',
      change: (board, name) => board.tryNow(deps.db, name),
    });
    routeChange(app, deps, {
      verb: 'pause',
      action: 'site.paused',
      summary: 'Pause a site',
      description:
        'Nothing is sent there until it is resumed. Mail on its way still arrives. Mail that expires meanwhile fails.',
      change: (board, name) => board.pause(deps.db, name),
    });
    routeChange(app, deps, {
      verb: 'resume',
      action: 'site.resumed',
      summary: 'Resume a site',
      description: 'Lifts a pause, a block, and limits on pace and connections.',
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
          'A site is where mail actually goes: the mail hosts that several domains share, or a provider. Limits belong to it. Sites with the most due mail come first.',
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
        summary: 'Read one site',
        description:
          'One that your own mail waits for; for operators any that mail waits for, or that is held up.',
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
  return { ...before, ...nothing, connections: null, state: 'open', message: 'It takes mail.' };
}

function shown(view: SiteView, principal: Principal) {
  return { ...view, domains: [...view.domains], editable: isOperator(principal) };
}
