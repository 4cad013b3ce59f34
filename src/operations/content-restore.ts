/**
 * Restores content from the content store to PostgreSQL, for operators who stop using a store. One transaction writes the
 * content and records that it is back, so this may be interrupted anywhere, and the next run continues with the rest.
 *
 * The list of content comes from one cell. The content of each email is written through the database that routes by
 * organization.
 */

import type { Database } from '../database/database.ts';
import { organizationsIn, weeksBefore } from '../database/partitions.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { countMoved, type MovedCount, movedAfter } from '../emails/moved/store-moved.ts';
import { uuidv7Floor } from '../runtime/ids.ts';

interface ContentRestore {
  readonly moved: MovedContents;
  /** Only this organization. */
  readonly only?: string | undefined;
  readonly signal: AbortSignal;
  /** Set only by tests. */
  readonly perStep?: number;
  /** `missing`: emails whose content the store no longer has. */
  readonly onBrought: (emails: number, missing: readonly string[]) => void;
}

const PER_STEP = 64;

/** Week by week, because one query for all would exceed the time limit. */
export async function countContentToRestore(cell: Database, only: string | undefined): Promise<MovedCount> {
  const all = { emails: 0, bytes: 0 };
  for (const { startMs, endMs } of await weeksBefore(cell, Number.POSITIVE_INFINITY)) {
    const week = await countMoved(cell, only, uuidv7Floor(startMs), uuidv7Floor(endMs));
    all.emails += week.emails;
    all.bytes += week.bytes;
  }
  return all;
}

/** Resolves when nothing is left, or the signal aborts. */
export async function restoreContent(cell: Database, bringing: ContentRestore): Promise<void> {
  const { moved, only, signal, perStep = PER_STEP, onBrought } = bringing;
  for (const week of await weeksBefore(cell, Number.POSITIVE_INFINITY)) {
    const organizations = await organizationsIn(cell, week, 'moved_contents');
    for (const id of organizations.filter((one) => only === undefined || one === only)) {
      for (let last = uuidv7Floor(week.startMs); !signal.aborted; ) {
        const ids = await movedAfter(cell, id, last, uuidv7Floor(week.endMs), perStep);
        const next = ids.at(-1);
        if (next === undefined) break;
        const { brought, missing } = await moved.bringBack(id, ids);
        onBrought(brought, missing);
        last = next;
      }
    }
  }
}
