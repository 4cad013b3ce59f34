/** Manages holds: members manage their organization's, operators also those of operators. */
import { actorNameOf } from '../../accounts/actor-name.ts';
import type { Database } from '../../database/database.ts';
import type { Reads } from '../../database/reads.ts';
import type { Sql } from '../../database/sql.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import type { HoldFigures } from './coverage.ts';
import type { HoldEnding, PlacedScope } from './hold.ts';
import { endInCells, figuresInCells, findInCells, listInCells, placeInCells } from './holds-in-cells.ts';
import { findHold, type HoldPage, type HoldRow, listHolds } from './store.ts';
import { holdTargetOf } from './targets.ts';

export interface HoldDeps {
  readonly db: Database;
  readonly reads: Reads;
}

/** A member or a key of an organization, or an operator of any. */
export interface HoldActor {
  readonly organizationId: string;
  readonly isOperator: boolean;
  /** The id of a user or a key. */
  readonly id: string;
}

interface HoldRequest {
  readonly scope: PlacedScope;
  readonly value: string | null;
  /** Permits a tag that no mail has yet. */
  readonly ahead?: boolean | undefined;
  readonly reason: string;
}

export interface HoldWithFigures {
  readonly hold: HoldRow;
  readonly figures: HoldFigures;
}

export interface PlacedHold {
  readonly hold: HoldRow;
  /** Null if counting took too long. */
  readonly figures: HoldFigures | null;
}

/** Workers keep all of them in memory. */
export const MAX_HOLDS_IN_FORCE = 100;

export async function requestHold(
  deps: HoldDeps,
  actor: HoldActor,
  { scope, value, ahead = false, reason }: HoldRequest,
): Promise<PlacedHold> {
  const { db } = deps;
  const byOperator = scope === 'all' || scope === 'provider';
  if (byOperator && !actor.isOperator) throw new ServiceError('FORBIDDEN', OPERATORS_PLACE);
  const organizationId = byOperator ? null : actor.organizationId;
  const target = await holdTargetOf(db, { organizationId, scope, value, ahead });
  if (organizationId !== null) await checkRoom(db, organizationId);
  const by = await actorNameOf(db, actor.id);
  const hold = await placeInCells(db, { ...target, reason, by, byOperator });
  if (hold === undefined)
    throw new ServiceError('CONFLICT', 'An identical hold already exists. GET /holds lists it.');
  return { hold, figures: await figuresInTime(deps, actor, hold) };
}

/** Without figures, because these read the queue. */
export function holdsOf(
  { reads }: HoldDeps,
  { organizationId }: HoldActor,
  { page, limit, view }: { page: number; limit: number; view: 'organization' | 'installation' },
): Promise<HoldPage> {
  const part = { limit, offset: (page - 1) * limit };
  return view === 'installation'
    ? listInCells(reads.ofAllCells(organizationId), 'operators', part)
    : listHolds(reads.of(organizationId), { organizationId }, part);
}

/** The figures read the queue, so they run with the limits of list queries and never on a hot path. */
export async function readHold(deps: HoldDeps, actor: HoldActor, id: string): Promise<HoldWithFigures> {
  const hold = await find(deps.db, actor, id);
  return { hold, figures: await figuresFor(deps, actor, hold) };
}

function figuresFor({ reads }: HoldDeps, { organizationId }: HoldActor, hold: HoldRow): Promise<HoldFigures> {
  const cells =
    hold.organization_id === null
      ? reads.ofAllCells(organizationId)
      : [reads.ofCell(hold.organization_id, organizationId)];
  return figuresInCells(cells, hold.id);
}

/** The hold is already in force, so a slow count must not fail the request. */
export function figuresInTime(deps: HoldDeps, actor: HoldActor, hold: HoldRow): Promise<HoldFigures | null> {
  return figuresFor(deps, actor, hold).catch((error: unknown) => {
    if (error instanceof ServiceError) return null;
    throw error;
  });
}

export async function decideHold(
  { db }: HoldDeps,
  actor: HoldActor,
  id: string,
  { how, reason }: { readonly how: HoldEnding; readonly reason: string | null },
): Promise<HoldRow> {
  const hold = await find(db, actor, id);
  if (hold.by_operator && !actor.isOperator) throw new ServiceError('FORBIDDEN', OPERATORS_END);
  const by = await actorNameOf(db, actor.id);
  const ending = await endInCells(db, hold, { how, reason, by });
  if (ending === undefined)
    throw new ServiceError(
      'CONFLICT',
      'This hold has already ended. GET /holds/:id says when it was released or discarded.',
    );
  return ending;
}

const OPERATORS_PLACE =
  'Only operators of this installation may hold everything or a provider. You may hold your organization, or a domain, template, tag or API key of it.';
const OPERATORS_END = 'An operator of this installation placed this hold, and only an operator can end it.';

async function checkRoom(db: Sql, organizationId: string): Promise<void> {
  const { open } = await listHolds(db, { organizationId }, { limit: 0, offset: 0 });
  if (open >= MAX_HOLDS_IN_FORCE)
    throw new ServiceError(
      'CONFLICT',
      `There are already ${open} holds, which is the maximum. Release some of these holds first.`,
    );
}

async function find(db: Database, { organizationId, isOperator }: HoldActor, id: string): Promise<HoldRow> {
  await db.located();
  // Checked first, so that an organization's own hold is found even if other cells are down.
  const own = await findHold(db.of(organizationId), id);
  const hold = own?.organization_id === organizationId || !isOperator ? own : await findInCells(db, id);
  const isTheirs = hold?.organization_id === organizationId || (isOperator && hold?.by_operator);
  if (hold === undefined || !isTheirs)
    throw new ServiceError('NOT_FOUND', 'No hold has this id. GET /holds lists the holds.');
  return hold;
}
