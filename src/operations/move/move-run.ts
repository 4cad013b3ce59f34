/** What every step of a move is given. */
import type { MoveRow } from '../../cells/move-store.ts';
import { placementOf } from '../../cells/store.ts';
import { type Database, MAIN_CELL } from '../../database/database.ts';
import { copyOrganization, findOrganization } from '../../organizations/store.ts';
import type { Say } from '../../runtime/say.ts';
import type { CellEnd } from './cell-end.ts';
import type { CopyRun } from './copy-rows.ts';
import type { MovingTable } from './moving-tables.ts';

export interface MoveRun extends CopyRun {
  readonly control: Database;
  readonly move: MoveRow;
  readonly tables: readonly MovingTable[];
  /** How the server of the target reaches that of the source. */
  readonly reach: string;
  readonly say: Say;
  readonly signal: AbortSignal;
  /** Throws where the lock on the move is lost: somebody else may be at it by now. */
  readonly isOurs: () => Promise<void>;
  /** Only tests give one: told where it is, and may keep it there forever. */
  readonly at: (point: string) => Promise<void>;
}

/** Those whose rows PostgreSQL replicates. Of the others there are few rows, and they go over at the end. */
export function replicated({ tables, move }: MoveRun): readonly MovingTable[] {
  return move.way === 'replicated' ? publishable(tables) : [];
}

export function publishable(tables: readonly MovingTable[]): readonly MovingTable[] {
  return tables.filter(({ isKeyed }) => isKeyed);
}

/** Control has every organization; another cell has those that are there. */
export function isControl({ name }: CellEnd): boolean {
  return name === MAIN_CELL;
}

/** What foreign keys refer to there, and the sending limit is read from. */
export async function copyOfOrganization({ control, target, organizationId }: MoveRun): Promise<void> {
  if (isControl(target)) return;
  const organization = await findOrganization(control, organizationId);
  if (organization !== undefined) await copyOrganization(target.db, organization);
}

/** Where its mail is, by what control says. */
export async function cellOfOrganization(control: Database, organizationId: string): Promise<string> {
  return (await placementOf(control, organizationId))?.cell ?? MAIN_CELL;
}
