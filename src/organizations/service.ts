import type { Sql } from '../database/sql.ts';
import { findUnwritable } from '../protocols/message/unsafe-text.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { insertOrganization, type OrganizationRow } from './store.ts';

export const ORGANIZATION_NAME_MAX = 200;

/** A message that describes what is wrong with the name, or undefined. */
export function organizationNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty';
  // The cheap length check comes first, because a request may contain megabytes.
  if (name.length > 2 * ORGANIZATION_NAME_MAX || [...name].length > ORGANIZATION_NAME_MAX)
    return `must be at most ${ORGANIZATION_NAME_MAX} characters`;
  const unwritable = findUnwritable(name);
  if (unwritable !== null) return `contains ${unwritable.codePoint}, which is not allowed there`;
  return undefined;
}

export function newOrganization(
  clock: Clock,
  { name, dailyLimit }: { name: string; dailyLimit: number },
): OrganizationRow {
  return { id: newId('org'), name, daily_limit: dailyLimit, created_at: new Date(clock.nowMs()) };
}

/** Creates the organization in the first cell. */
export function createOrganization(
  db: Sql,
  clock: Clock,
  given: { name: string; dailyLimit: number },
): Promise<OrganizationRow> {
  return insertOrganization(db, newOrganization(clock, given));
}
