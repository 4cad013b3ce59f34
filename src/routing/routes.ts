/** `/routes`: the route table. For operators only, because it applies to the whole installation. */
import { Type } from 'typebox';
import { separateStream } from '../emails/stream.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { addDetails } from '../http/audit.ts';
import { dataOf } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { halvesOf } from '../protocols/message/address.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';
import { utcDay } from '../runtime/timestamp.ts';
import { routeCanaries } from './canary/routes.ts';
import { explainRoute } from './explain.ts';
import { explainQuery, routeExplanation } from './explain-schema.ts';
import type { RoutedMailFacts } from './match.ts';
import { routesBody, routeTable } from './schema.ts';
import { type RoutingDeps, replaceTable, type WantedTransport } from './service.ts';
import { daysOfSources } from './source-days.ts';
import { readSpent } from './spent-allowances.ts';
import { readStoredTable, readTable, type StoredTable } from './store.ts';
import type { FindDestination, TransportHealth, TransportHealthSource } from './transport-health.ts';
import { type DefaultRoute, tableView } from './view.ts';
import { warmUpEntry } from './warm-up-schema.ts';
import { warmUpsOf } from './warm-up-view.ts';

export interface RoutingRouteDeps extends RoutingDeps {
  readonly board: TransportHealthSource;
  readonly home: DefaultRoute;
  readonly destinationOf: FindDestination;
  /** The stream of mail without a stream. */
  readonly stream: string;
  readonly nowMs: () => number;
}

const tags = ['Routes'];
const access = 'operator' as const;
type App = Parameters<ApiRoutes>[0];

export function routingRoutes(deps: RoutingRouteDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeReplacing(app, deps);
    routeExplaining(app, deps);
    routeWarmUps(app, deps);
    routeCanaries(app, deps);
  };
}

function routeReading(app: App, deps: RoutingRouteDeps): void {
  app.get(
    '/routes',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Get the route table',
        description:
          'Returns the transports with their health, and the rules that choose among them. Passwords are never shown. For operators.',
        response: { 200: dataOf(routeTable) },
      },
    },
    async () => ({ data: await shown(deps, await readStoredTable(deps.db)) }),
  );
}

function routeReplacing(app: App, deps: RoutingRouteDeps): void {
  app.put(
    '/routes',
    {
      config: { access, errors: ['CONFLICT'], audit: { action: 'routes.changed' } },
      schema: {
        tags,
        summary: 'Replace the route table',
        description:
          'Replaces the whole table. `version` is the version that you read; if the table has changed since, nothing is stored and the response is 409. Workers apply the new table within seconds. For operators.',
        body: routesBody,
        response: { 200: dataOf(routeTable) },
      },
    },
    async (request) => {
      const { version, transports, rules } = request.body;
      const wanted = { version, rules, transports: transports as readonly WantedTransport[] };
      const table = await replaceTable(deps, wanted);
      const withNewPassword = transports.filter(({ password }) => password !== undefined);
      addDetails(request, {
        version: table.version,
        transports: table.transports.map(({ transport }) => transport.name),
        rules: table.rules.length,
        ...(withNewPassword.length > 0 ? { new_passwords: withNewPassword.map(({ name }) => name) } : {}),
      });
      return { data: await shown(deps, table) };
    },
  );
}

function routeWarmUps(app: App, { db, nowMs }: RoutingRouteDeps): void {
  app.get(
    '/routes/warm-up',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Get the progress of the warm-up of addresses',
        description:
          'Returns, for each address with `warm_up` and each provider that it has sent to, the limit of today, the number of sent emails, and the results day by day. For operators.',
        response: { 200: dataOf(Type.Array(warmUpEntry)) },
      },
    },
    async () => {
      const table = await readTable(db);
      const addresses = table.transports.flatMap((one) =>
        one.kind === 'direct' ? one.sources.map(({ address }) => address) : [],
      );
      const rows = await daysOfSources(db, addresses);
      return { data: warmUpsOf(table, rows, utcDay(nowMs())) };
    },
  );
}

function routeExplaining(app: App, deps: RoutingRouteDeps): void {
  app.get(
    '/routes/explain',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Explain how a mail would be routed',
        description:
          'Uses the current table and the current state of the transports. `GET /emails/{id}/explain` has the route of a sent email. For operators.',
        querystring: explainQuery,
        response: { 200: dataOf(routeExplanation) },
      },
    },
    async ({ query, principal }) => {
      const domain = domainIn('to', query.to);
      const destination = await deps.destinationOf(domain);
      // As a send does: the tag may name the stream.
      const { tags, stream } = separateStream(query.tag === undefined ? null : [tagOf(query.tag)]);
      const mail: RoutedMailFacts = {
        organizationId: query.organization ?? principal.organizationId,
        domain,
        provider: query.provider ?? destination?.provider ?? '',
        stream: query.stream ?? stream ?? deps.stream,
        senderDomain: query.from === undefined ? '' : domainIn('from', query.from),
        tags: tags ?? [],
      };
      const [table, health] = [await readTable(deps.db), await healthOf(deps)];
      const mode = deps.home.kind === 'sandbox' ? 'sandbox' : 'live';
      const spent = await readSpent(deps.db, table, deps.nowMs());
      return { data: explainRoute(mail, { table, health, destination, mode, spent }) };
    },
  );
}

async function shown(deps: RoutingRouteDeps, table: StoredTable) {
  return tableView(table, deps.home, await healthOf(deps), deps.providers);
}

/** Workers of every cell use the transports. */
function healthOf({ db, board }: RoutingRouteDeps): Promise<TransportHealth> {
  return board.read(
    db,
    db.cells.map((cell) => cell.db),
  );
}

function domainIn(field: string, text: string): string {
  const canonical = canonicalDomain(halvesOf(text).domain);
  if (!canonical.ok)
    throw new ApiError(
      'VALIDATION_ERROR',
      [{ field, message: canonical.message }],
      `${field}: ${canonical.message}`,
    );
  return canonical.domain;
}

function tagOf(text: string): RoutedMailFacts['tags'][number] {
  const [name = '', ...value] = text.split(':');
  return { name, value: value.join(':') };
}
