/**
 * What a dialect was translated into, held against the rules of our own API: no rule about mail lives in a dialect. A
 * refusal names the fields of our API; the dialect puts its own names in their place.
 */
import { type SendBody, sendBody } from '../../emails/schema.ts';
import { filesOf, toDraft } from '../../emails/send-request.ts';
import { createValidatorCompiler } from '../../kit/http/validation.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import type { Draft } from '../../submission/draft.ts';

/** Rejects with what is wrong. */
export type DraftOf = (body: unknown) => Promise<Draft>;

export function createDraftOf(clock: Clock): DraftOf {
  const validate = createValidatorCompiler()({ schema: sendBody(clock), method: 'POST', url: '/compat' });
  return async (body) => {
    const judged = validate(body);
    if ('error' in judged) throw judged.error;
    const checked = judged.value as SendBody;
    return toDraft(checked, await filesOf(checked));
  };
}
