/** Address validation over HTTP. */
import { Type } from 'typebox';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { parseAddress } from '../protocols/message/address.ts';
import { MAX_BATCH, validateBatchBody, validateBody, validationResult } from './schema.ts';
import { type ValidationDeps, validateAddresses } from './service.ts';
import { presentResult } from './view.ts';

const tags = ['Validation'];

/** Longer than typical DNS answers take, short enough for a user who waits at a form. */
const BUDGET = { budgetMs: 5_000 };

/** Fits a hundred addresses of maximum length with every character escaped. The response repeats each. */
const BODY_LIMIT = 512 * 1024;

type App = Parameters<ApiRoutes>[0];

export function validationRoutes(deps: ValidationDeps): ApiRoutes {
  return async (app) => {
    routeValidating(app, deps);
  };
}

function routeValidating(app: App, deps: ValidationDeps): void {
  const present = presentResult(deps.lists.version);
  app.post(
    '/emails/validate',
    {
      bodyLimit: BODY_LIMIT,
      config: { scope: 'send', tied: true, reads: true, judgesText: true },
      schema: {
        tags,
        summary: 'Validate an address',
        description:
          'Deliverable means that the domain accepts mail and nothing looks wrong, not that the mailbox exists.',
        body: validateBody,
        response: { 200: dataOf(validationResult) },
      },
    },
    async ({ principal, body }) => {
      const { email } = body;
      const asked = [parseAddress(email)];
      const [result] = await validateAddresses(deps, principal.organizationId, asked, BUDGET);
      return { data: present(email, result as NonNullable<typeof result>) };
    },
  );

  app.post(
    '/emails/validate/batch',
    {
      bodyLimit: BODY_LIMIT,
      config: { scope: 'send', tied: true, reads: true, judgesText: true },
      schema: {
        tags,
        summary: `Validate up to ${MAX_BATCH} addresses`,
        description: 'Results come in the order of the addresses, one for each.',
        body: validateBatchBody,
        response: { 200: dataOf(Type.Array(validationResult)) },
      },
    },
    async ({ principal, body }) => {
      const asked = body.emails.map(parseAddress);
      const results = await validateAddresses(deps, principal.organizationId, asked, BUDGET);
      return { data: results.map((result, index) => present(body.emails[index] ?? '', result)) };
    },
  );
}
