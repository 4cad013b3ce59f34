/** Validating addresses, and what an organization says about disposable domains. */
import { Type } from 'typebox';
import type { Sql } from '../kit/database/sql.ts';
import type { ApiRoutes } from '../kit/http/api-routes.ts';
import { dataOf } from '../kit/http/envelope.ts';
import { canonicalDomain } from '../kit/message/domain-name.ts';
import { Problems } from '../kit/problems.ts';
import { readSettings, writeSettings } from '../organizations/settings/validation.ts';
import {
  MAX_BATCH,
  settingsBody,
  settingsSchema,
  validateBatchBody,
  validateBody,
  validationResult,
} from './schema.ts';
import { type ValidationDeps, validateAddresses } from './service.ts';
import { presentResult } from './view.ts';

const tags = ['Validation'];

/** Longer than DNS takes when it answers at all, short enough for somebody who waits at a form. */
const BUDGET = { budgetMs: 5_000 };

/** A hundred addresses as long as addresses can be, every character of them escaped. Each is in the answer again. */
const BODY_LIMIT = 512 * 1024;

type App = Parameters<ApiRoutes>[0];

export interface ValidationRouteDeps {
  readonly db: Sql;
  readonly validation: ValidationDeps;
}

export function validationRoutes({ db, validation }: ValidationRouteDeps): ApiRoutes {
  return async (app) => {
    routeValidating(app, validation);
    routeSettings(app, db, validation);
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
          'Deliverable means that the domain takes mail and nothing looks wrong, not that the mailbox exists.',
        body: validateBody,
        response: { 200: dataOf(validationResult) },
      },
    },
    async ({ principal, body }) => {
      const [result] = await validateAddresses(deps, principal.organizationId, [body.email], BUDGET);
      return { data: present(result as NonNullable<typeof result>) };
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
      const results = await validateAddresses(deps, principal.organizationId, body.emails, BUDGET);
      return { data: results.map(present) };
    },
  );
}

function routeSettings(app: App, db: Sql, { clock }: ValidationDeps): void {
  app.get(
    '/settings/validation',
    {
      schema: {
        tags,
        summary: 'Read your own allow and deny lists of disposable domains',
        response: { 200: dataOf(settingsSchema) },
      },
    },
    async ({ principal }) => ({ data: await readSettings(db, principal.organizationId) }),
  );

  app.put(
    '/settings/validation',
    {
      config: { audit: { action: 'settings.validation_changed' } },
      schema: {
        tags,
        summary: 'Replace your own allow and deny lists of disposable domains',
        description: 'A list that is left out stays as it is.',
        body: settingsBody,
        response: { 200: dataOf(settingsSchema) },
      },
    },
    async ({ principal, body }) => {
      const allow = canonical(body.disposable_allow);
      const deny = canonical(body.disposable_deny);
      refuseContradiction(allow, deny);
      const changes = {
        ...(allow === undefined ? {} : { disposable_allow: allow }),
        ...(deny === undefined ? {} : { disposable_deny: deny }),
      };
      const now = new Date(clock.nowMs());
      return { data: await writeSettings(db, principal.organizationId, changes, now) };
    },
  );
}

/** The schema has checked each; kept sorted and once, in the form domains are compared in. */
function canonical(domains: readonly string[] | undefined): string[] | undefined {
  if (domains === undefined) return undefined;
  const names = domains.map((domain) => {
    const parsed = canonicalDomain(domain);
    return parsed.ok ? parsed.domain : domain;
  });
  return [...new Set(names)].sort();
}

function refuseContradiction(allow: readonly string[] = [], deny: readonly string[] = []): void {
  const problems = new Problems();
  const denied = new Set(deny);
  for (const domain of allow) {
    if (denied.has(domain)) problems.add('disposable_deny', `${domain} is on both lists`);
  }
  problems.throwIfAny();
}
