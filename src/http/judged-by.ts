/** What a dialect was translated into, held against a schema of our own API: no rule lives in a dialect. */
import type { Static, TSchema } from 'typebox';
import { lazily } from './lazily.ts';
import { createValidatorCompiler } from './validation.ts';

/** The function that it returns throws everything that is wrong. */
export function judgedBy<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const validator = lazily(() => createValidatorCompiler()({ schema, method: 'POST', url: '/compat' }));
  return (body) => {
    const judged = validator()(body);
    if ('error' in judged) throw judged.error;
    return judged.value as Static<T>;
  };
}
