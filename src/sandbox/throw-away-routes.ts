/** `POST /sandbox/organizations` creates an organization for one test run. */
import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf, deletedSchema } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { strictObject, timestamp } from '../http/schema.ts';
import { organizationName } from '../organizations/name-schema.ts';
import type { Clock } from '../runtime/clock.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { createThrowAway, endThrowAway, MAX_THROW_AWAYS } from './throw-away.ts';

const tags = ['Sandbox'];
const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 24 * 60;
const DEFAULT_NAME = 'Test run';

const create = {
  tags,
  summary: 'Create an organization for one run of your tests',
  description: `The organization has its own sending domain, API key, inbox, templates, suppressions and webhooks. It is deleted automatically with all its data when its time is over. At most ${MAX_THROW_AWAYS} such organizations can exist at a time.`,
  body: strictObject(
    {
      name: Type.Optional(organizationName('Build 4711')),
      minutes: Type.Optional(
        Type.Integer({
          ...{ minimum: 1, maximum: MAX_MINUTES, default: DEFAULT_MINUTES },
          description: 'Number of minutes until the organization is deleted.',
        }),
      ),
    },
    { $id: 'CreateThrowAway' },
  ),
  response: {
    201: dataOf(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          domain: Type.String({
            description:
              'Sending domain of the organization. It is verified, so mail can be sent from it at once.',
          }),
          api_key: Type.String({
            description: 'API key of scope `full`. It is shown only in this response.',
          }),
          expires_at: timestamp(),
        },
        { $id: 'ThrowAwayOrganization' },
      ),
    ),
  },
};

const end = {
  tags,
  summary: 'Delete the test organization of the calling API key',
  description:
    'Works only for an organization that was created for a test run. Its API key stops working at once, and its data is removed within minutes.',
  response: { 200: dataOf(deletedSchema) },
};

interface ThrowAwayRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export function throwAwayRoutes({ db, clock }: ThrowAwayRouteDeps): ApiRoutes {
  return async (app) => {
    app.post(
      '/sandbox/organizations',
      { config: { audit: { action: 'sandbox.organization_created' } }, schema: create },
      async ({ body }, reply) => {
        const wanted = {
          name: body.name?.trim() ?? DEFAULT_NAME,
          forMs: (body.minutes ?? DEFAULT_MINUTES) * MINUTE_MS,
        };
        const { apiKey, expiresAt, ...made } = await createThrowAway(db, clock, wanted);
        return reply.code(201).send({ data: { ...made, api_key: apiKey, expires_at: expiresAt } });
      },
    );

    app.delete(
      '/sandbox/organization',
      { config: { errors: ['CONFLICT'] }, schema: end },
      async ({ principal: { organizationId } }) => {
        const isEnded = await db.transaction((tx) => endThrowAway(tx, organizationId, clock.nowMs()));
        if (!isEnded) throw new ApiError('CONFLICT', [], NOT_ONE);
        return { data: { id: organizationId, deleted: true } };
      },
    );
  };
}

const NOT_ONE =
  'This organization was not created with POST /sandbox/organizations, so it cannot be deleted this way.';
