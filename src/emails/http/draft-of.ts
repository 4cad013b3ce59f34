/**
 * Validates the translation of another service's request against the rules of Postrider's own API, so that no compatibility
 * endpoint has rules about mail. A refusal names the fields of Postrider's API; the endpoint replaces them with its own names.
 */

import { jsonFields } from '../../http/json-fields.ts';
import { judgedBy } from '../../http/judged-by.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Draft } from '../../submission/draft.ts';
import { sendBody } from '../schema.ts';
import { filesOf, toDraft } from './send-request.ts';

/** Rejects with the problems. */
export type DraftOf = (body: unknown) => Promise<Draft>;

export function createDraftOf(clock: Clock, onSuppressed: Draft['onSuppressed'] = 'refuse'): DraftOf {
  const judge = judgedBy(sendBody(clock));
  return async (body) => {
    const checked = judge(body);
    return toDraft(checked, await filesOf(checked), onSuppressed);
  };
}

/** For services where an email without a subject has the template's; Postrider's API requires a subject. */
export function withTemplateSubject(draftOf: DraftOf): DraftOf {
  return async (body) => {
    const fields = jsonFields(body);
    if (fields.template_id === undefined || fields.subject !== undefined) return draftOf(body);
    const draft = await draftOf({ ...fields, subject: 'The subject of the template' });
    const { content } = draft;
    return content.kind === 'template' ? { ...draft, content: { ...content, subject: null } } : draft;
  };
}
