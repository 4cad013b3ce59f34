import type { Database } from '../../database/database.ts';
import type { Reads } from '../../database/reads.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { Problems } from '../../runtime/problems.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { checkedProvider, checkedTag, checkedTemplate } from '../holds/targets.ts';
import { whatHappened } from './bounces.ts';
import { findUndo, listUndos, requestUndo, type UndoRow } from './store.ts';
import type { Incident } from './undo.ts';

export interface UndoDeps {
  readonly db: Database;
  readonly reads: Reads;
  readonly nowMs: () => number;
}

/** Longer than an incident lasts, and shorter than the default retention of content. */
const MAX_WINDOW_MS = 7 * DAY_MS;

/** Ends the window now, so that a repeated undo finds nothing more. */
export function checkedIncident(incident: Incident, nowMs: number): Incident {
  const { from, to } = incident;
  const problems = new Problems();
  if (from >= to) problems.add('to', 'must be later than `from`');
  else if (to.getTime() - from.getTime() > MAX_WINDOW_MS)
    problems.add('to', 'must be within 7 days of `from`');
  if (from.getTime() > nowMs) problems.add('from', 'must be in the past');
  problems.throwIfAny();
  return { ...incident, to: new Date(Math.min(to.getTime(), nowMs)) };
}

interface RequestedFilters extends Pick<Incident, 'templateId' | 'tag' | 'provider'> {
  /** Null means all organizations. */
  readonly organizationId: string | null;
}

/**
 * Converts the filters to their stored form. Refuses a filter that matches nothing: a misspelt one would look like an incident
 * without bounces.
 */
export async function knownFilters(
  db: Database,
  { organizationId, templateId, tag, provider }: RequestedFilters,
): Promise<Pick<Incident, 'templateId' | 'tag' | 'provider'>> {
  return {
    templateId: templateId && (await checkedTemplate(db, organizationId, 'template_id', templateId)),
    tag: tag && (await checkedTag(db, organizationId, 'tag', tag)),
    provider: provider && (await checkedProvider(db, null, 'provider', provider)),
  };
}

export async function previewUndo({ db, reads, nowMs }: UndoDeps, incident: Incident) {
  const known = { ...incident, ...(await knownFilters(db, incident)) };
  const checked = checkedIncident(known, nowMs());
  return whatHappened(reads.of(incident.organizationId), checked);
}

export async function startUndo(
  { db, nowMs }: UndoDeps,
  incident: Incident,
  about: { readonly reason: string; readonly by: string },
): Promise<UndoRow> {
  const known = { ...incident, ...(await knownFilters(db, incident)) };
  return requestUndo(db, checkedIncident(known, nowMs()), about);
}

export async function readUndo({ db }: UndoDeps, organizationId: string, id: string): Promise<UndoRow> {
  const row = await findUndo(db, id, organizationId);
  if (row === undefined)
    throw new ServiceError('NOT_FOUND', 'No undo has this id. GET /undos lists the undos.');
  return row;
}

export function undosOf(
  { reads }: UndoDeps,
  organizationId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ rows: UndoRow[]; total: number }> {
  return listUndos(reads.of(organizationId), organizationId, { limit, offset: (page - 1) * limit });
}
