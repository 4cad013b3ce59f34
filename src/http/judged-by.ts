/**
 * Validates the result of a dialect's translation against a schema of our own API, so that dialects contain
 * no rules.
 */
import type { Static, TSchema } from 'typebox';
import { lazily } from './lazily.ts';
import { createValidatorCompiler } from './validation.ts';

/** The returned function throws all problems together. */
export function judgedBy<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const validator = lazily(() => createValidatorCompiler()({ schema, method: 'POST', url: '/compat' }));
  return (body) => {
    const judged = validator()(body);
    if ('error' in judged) throw judged.error;
    return judged.value as Static<T>;
  };
}
