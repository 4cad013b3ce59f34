/** `GET /v4/address/validate` in Mailgun's format. */
import type { FastifyInstance } from 'fastify';
import { jsonFields } from '../../../http/json-fields.ts';
import { parseAddress } from '../../../protocols/message/address.ts';
import { Problems } from '../../../runtime/problems.ts';
import {
  type ValidationDeps,
  type ValidationResult,
  validateAddresses,
} from '../../../validation/service.ts';

const BUDGET = { budgetMs: 5_000 };
const JUDGED = {
  deliverable: { result: 'deliverable', risk: 'low' },
  risky: { result: 'unknown', risk: 'medium' },
  undeliverable: { result: 'undeliverable', risk: 'high' },
} as const;
const DISPOSABLE = { result: 'do_not_send', risk: 'high' } as const;

export function routeMailgunValidation(app: FastifyInstance, deps: ValidationDeps): void {
  app.get('/v4/address/validate', { config: { scope: 'send', tied: true } }, async ({ principal, query }) => {
    const { address } = jsonFields(query);
    if (typeof address !== 'string' || address === '') throw new Problems().missing('address').toError();
    const asked = [parseAddress(address)];
    const [result] = await validateAddresses(deps, principal.organizationId, asked, BUDGET);
    return validationView(address, result as ValidationResult);
  });
}

function validationView(address: string, { verdict, signals, suggestions, checks }: ValidationResult) {
  const isDisposable = checks.disposable.status === 'fail';
  const isRole = checks.role.status === 'warn' || checks.role.status === 'fail';
  const [meant] = suggestions;
  return {
    address,
    ...(isDisposable ? DISPOSABLE : JUDGED[verdict]),
    reason: signals,
    is_disposable_address: isDisposable,
    is_role_address: isRole,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  };
}
