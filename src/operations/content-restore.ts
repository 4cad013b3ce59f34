/**
 * Brings content back from the content store into PostgreSQL, for those who stop using one. What is back is said to be in the transaction that
 * writes it, so this may be cut off anywhere, and goes on with what is left when it is run again.
 *
 * What there is, is asked of one cell; where each email's content is written, of the database that knows where its organization lives.
 */

import type { Database } from '../database/database.ts';
import { organizationsIn, weeksBefore } from '../database/partitions.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import { countMoved, type MovedCount, movedAfter } from '../emails/moved/store-moved.ts';
import { uuidv7Floor } from '../runtime/ids.ts';

export interface ContentRestore {
  readonly moved: MovedContents;
  /** Of one organization alone. */
  readonly only?: string | undefined;
  readonly signal: AbortSignal;
  /** Only tests give one. */
  readonly perStep?: number;
  /** `missing`: those of which the store has nothing any more. */
  readonly onBrought: (emails: number, missing: readonly string[]) => void;
}

const PER_STEP = 64;

/** Week by week: all of it in one question takes longer than a question may. */
export async function countContentToRestore(cell: Database, only: string | undefined): Promise<MovedCount> {
  const all = { emails: 0, bytes: 0 };
  for (const { startMs, endMs } of await weeksBefore(cell, Number.POSITIVE_INFINITY)) {
    const week = await countMoved(cell, only, uuidv7Floor(startMs), uuidv7Floor(endMs));
    all.emails += week.emails;
    all.bytes += week.bytes;
  }
  return all;
}

/** Resolves when nothing is left, or the signal says so. */
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
