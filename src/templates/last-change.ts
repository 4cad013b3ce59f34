/**
 * Two editors of one template: a change that names the last change its editor saw is refused after another one, so that
 * no work is replaced unseen.
 */
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import type { LastChangeQuery } from './schema.ts';
import type { TemplateRow } from './store.ts';
import type { DraftRow } from './store-drafts.ts';

type Changed = Pick<TemplateRow, 'updated_at'>;
type Saved = Pick<DraftRow, 'saved_at' | 'saved_by'>;

export function lastChangeOf({ updated_at: updatedAt }: Changed, draft: Saved | undefined): Date {
  return draft !== undefined && draft.saved_at > updatedAt ? draft.saved_at : updatedAt;
}

/** Later than the last change even if another process's clock is ahead: equal times mean the same state. */
export function nextChange(clock: Clock, template: Changed, draft: Saved | undefined): Date {
  return new Date(Math.max(clock.nowMs(), lastChangeOf(template, draft).getTime() + 1));
}

export function refuseUnseenChange(
  { last_changed_at: seen }: LastChangeQuery,
  template: Changed,
  draft: Saved | undefined,
): void {
  const last = lastChangeOf(template, draft);
  if (seen === undefined || Date.parse(seen) === last.getTime()) return;
  throw new ServiceError(
    'CONFLICT',
    'The template was changed after you opened it. Read it again, and decide which changes to keep.',
    { problems: [{ field: 'last_changed_at', message: `is not the last change, ${last.toISOString()}` }] },
  );
}
