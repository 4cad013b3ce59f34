/**
 * What a dialect was translated into, held against the rules of our own API: no rule about mail lives in a dialect. A
 * refusal names the fields of our API; the dialect puts its own names in their place.
 */

import { jsonFields } from '../../http/json-fields.ts';
import { judgedBy } from '../../http/judged-by.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Draft } from '../../submission/draft.ts';
import { sendBody } from '../schema.ts';
import { filesOf, toDraft } from './send-request.ts';

/** Rejects with what is wrong. */
export type DraftOf = (body: unknown) => Promise<Draft>;

export function createDraftOf(clock: Clock, onSuppressed: Draft['onSuppressed'] = 'refuse'): DraftOf {
  const judge = judgedBy(sendBody(clock));
  return async (body) => {
    const checked = judge(body);
    return toDraft(checked, await filesOf(checked), onSuppressed);
  };
}

/** For services where an email without a subject has that of its template; our own API wants one. */
export function withTemplateSubject(draftOf: DraftOf): DraftOf {
  return async (body) => {
    const fields = jsonFields(body);
    if (fields.template_id === undefined || fields.subject !== undefined) return draftOf(body);
    const draft = await draftOf({ ...fields, subject: 'The subject of the template' });
    const { content } = draft;
    return content.kind === 'template' ? { ...draft, content: { ...content, subject: null } } : draft;
  };
}
