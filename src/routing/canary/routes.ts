/** `/routes/canaries`: gradually moves mail from one transport to another. For operators. */
import type { ApiRoutes } from '../../http/api-routes.ts';
import { addDetails, nameTarget } from '../../http/audit.ts';
import { dataOf } from '../../http/envelope.ts';
import { canaryOverview, canaryParams, canaryQuery } from './schema.ts';
import {
  type CanaryDeps,
  canaryOverviewOf,
  finishCanary,
  pauseCanary,
  resumeCanary,
  rollBackCanary,
} from './service.ts';

const tags = ['Routes'];
const access = 'operator' as const;
type App = Parameters<ApiRoutes>[0];

export function routeCanaries(app: App, deps: CanaryDeps): void {
  routeReading(app, deps);
  for (const one of CHANGES) routeChange(app, deps, one);
  routeFinishing(app, deps);
}

function routeReading(app: App, { db }: CanaryDeps): void {
  app.get(
    '/routes/canaries',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Get the progress of canaries',
        description:
          'Returns, for each rule with a `canary` and each provider, the percentage of mail on the new transport, the results on the old route and the new transport, and the last steps with the numbers that decided them. For operators.',
        response: { 200: dataOf(canaryOverview) },
      },
    },
    async () => ({ data: await canaryOverviewOf(db) }),
  );
}

interface Change {
  readonly verb: string;
  readonly action: string;
  readonly summary: string;
  readonly description: string;
  readonly change: (deps: CanaryDeps, name: string, provider: string | null) => Promise<void>;
}

const CHANGES: readonly Change[] = [
  {
    verb: 'pause',
    action: 'canary.paused',
    summary: 'Pause a canary',
    description:
      'The canary keeps its percentage until it is resumed. It can still fall automatically. For operators.',
    change: pauseCanary,
  },
  {
    verb: 'resume',
    action: 'canary.resumed',
    summary: 'Resume a canary',
    description:
      'The canary continues from its percentage. A canary that has fallen or was rolled back restarts at once. For operators.',
    change: resumeCanary,
  },
  {
    verb: 'back',
    action: 'canary.taken_back',
    summary: 'Roll a canary back',
    description: 'Within seconds all mail uses the old route, until the canary is resumed. For operators.',
    change: rollBackCanary,
  },
];

function routeChange(app: App, deps: CanaryDeps, what: Change): void {
  app.post(
    `/routes/canaries/:name/${what.verb}`,
    {
      config: { access, errors: ['NOT_FOUND'], audit: { action: what.action } },
      schema: {
        tags,
        summary: what.summary,
        description: what.description,
        params: canaryParams,
        querystring: canaryQuery,
        response: { 200: dataOf(canaryOverview) },
      },
    },
    async (request) => {
      const { name } = request.params;
      const { provider = null } = request.query;
      await what.change(deps, name, provider);
      nameTarget(request, name);
      if (provider !== null) addDetails(request, { provider });
      return { data: await canaryOverviewOf(deps.db) };
    },
  );
}

function routeFinishing(app: App, deps: CanaryDeps): void {
  app.post(
    '/routes/canaries/:name/finish',
    {
      config: { access, errors: ['NOT_FOUND'], audit: { action: 'canary.finished' } },
      schema: {
        tags,
        summary: 'Finish a canary',
        description:
          'Changes the route table: the new transport becomes the first step of the rule, the previous steps follow as its fallback, and the canary ends. For operators.',
        params: canaryParams,
        response: { 200: dataOf(canaryOverview) },
      },
    },
    async (request) => {
      const { name } = request.params;
      await finishCanary(deps, name);
      nameTarget(request, name);
      return { data: await canaryOverviewOf(deps.db) };
    },
  );
}
