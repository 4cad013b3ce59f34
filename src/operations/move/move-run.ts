/** The context of every step of a move. */
import type { MoveRow } from '../../cells/move-store.ts';
import { placementOf } from '../../cells/store.ts';
import { type Database, MAIN_CELL } from '../../database/database.ts';
import { copyOrganization, findOrganization } from '../../organizations/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Say } from '../../runtime/say.ts';
import type { CellEnd } from './cell-end.ts';
import type { CopyRun } from './copy-rows.ts';
import type { MovingTable } from './moving-tables.ts';

export interface MoveRun extends CopyRun {
  readonly control: Database;
  readonly clock: Clock;
  readonly move: MoveRow;
  readonly tables: readonly MovingTable[];
  /** The source's address as seen from the target's server. */
  readonly reach: string;
  readonly say: Say;
  readonly signal: AbortSignal;
  /** Throws if the lock on the move is lost, because another process may have taken over. */
  readonly isOurs: () => Promise<void>;
  /** Set only by tests: called at each point, and may block there forever. */
  readonly at: (point: string) => Promise<void>;
}

/** The tables that PostgreSQL replicates. The others have few rows, which are copied at the end. */
export function replicated({ tables, move }: MoveRun): readonly MovingTable[] {
  return move.way === 'replicated' ? publishable(tables) : [];
}

export function publishable(tables: readonly MovingTable[]): readonly MovingTable[] {
  return tables.filter(({ isKeyed }) => isKeyed);
}

/** Control has every organization; another cell has its own. */
export function isControl({ name }: CellEnd): boolean {
  return name === MAIN_CELL;
}

/** Copies the row that foreign keys refer to, and that the sending limit is read from. */
export async function copyOfOrganization({ control, target, organizationId }: MoveRun): Promise<void> {
  if (isControl(target)) return;
  const organization = await findOrganization(control, organizationId);
  if (organization !== undefined) await copyOrganization(target.db, organization);
}

export async function cellOfOrganization(control: Database, organizationId: string): Promise<string> {
  return (await placementOf(control, organizationId))?.cell ?? MAIN_CELL;
}
