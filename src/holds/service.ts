/** What people can do with holds: members with their organization's, operators with those of operators, too. */
import { actorNameOf } from '../accounts/actor-name.ts';
import { findByName } from '../domains/store.ts';
import type { Database } from '../kit/database/database.ts';
import { isInAnyCell } from '../kit/database/per-cell.ts';
import type { Reads } from '../kit/database/reads.ts';
import { type Sql, sql } from '../kit/database/sql.ts';
import { canonicalDomain } from '../kit/message/domain-name.ts';
import { Problems } from '../kit/problems.ts';
import { ServiceError } from '../kit/service-error.ts';
import { findTemplate } from '../templates/store.ts';
import type { HoldFigures } from './coverage.ts';
import type { HoldEnding, HoldTarget, PlacedScope } from './hold.ts';
import { endInCells, figuresInCells, findInCells, listInCells, placeInCells } from './of-all-cells.ts';
import { findHold, type HoldPage, type HoldRow, listHolds } from './store.ts';

export interface HoldDeps {
  readonly db: Database;
  readonly reads: Reads;
}

/** Who acts: a member or a key of an organization; an operator from anywhere. */
export interface HoldActor {
  readonly organizationId: string;
  readonly isOperator: boolean;
  /** A user's or a key's. */
  readonly id: string;
}

export interface HoldRequest {
  readonly scope: PlacedScope;
  readonly value: string | null;
  readonly reason: string;
}

export interface HoldWithFigures {
  readonly hold: HoldRow;
  readonly figures: HoldFigures;
}

/** Workers keep all of them in memory. */
export const MAX_HOLDS_IN_FORCE = 100;

export async function requestHold(
  { db }: HoldDeps,
  actor: HoldActor,
  { scope, value, reason }: HoldRequest,
): Promise<HoldRow> {
  const byOperator = scope === 'all' || scope === 'provider';
  if (byOperator && !actor.isOperator) throw new ServiceError('FORBIDDEN', OPERATORS_PLACE);
  const organizationId = byOperator ? null : actor.organizationId;
  const target = await holdTargetOf(db, { organizationId, scope, value });
  if (organizationId !== null) await checkRoom(db, organizationId);
  const by = await actorNameOf(db, actor.id);
  const hold = await placeInCells(db, { ...target, reason, by, byOperator });
  if (hold === undefined)
    throw new ServiceError('CONFLICT', 'There is such a hold already. GET /holds lists it.');
  return hold;
}

/** Without figures: those read the queue. */
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

/** The figures read the queue, so they are asked for as lists are, and by nobody who is in a hurry. */
export async function readHold(
  { db, reads }: HoldDeps,
  actor: HoldActor,
  id: string,
): Promise<HoldWithFigures> {
  const hold = await find(db, actor, id);
  const cells =
    hold.organization_id === null
      ? reads.ofAllCells(actor.organizationId)
      : [reads.ofCell(hold.organization_id, actor.organizationId)];
  return { hold, figures: await figuresInCells(cells, id) };
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
  if (ending === undefined) throw new ServiceError('CONFLICT', 'It was released or discarded before.');
  return ending;
}

const OPERATORS_PLACE =
  'Only operators of this installation may hold everything or a provider. You may hold your organization, or a domain, template or tag of it.';
const OPERATORS_END = 'An operator of this installation placed this hold, and only an operator can end it.';

/** The target as workers look it up. Refuses what is not there: a hold with a typing error would stop nothing. */
export async function holdTargetOf(
  db: Database,
  { organizationId, scope, value }: HoldTarget & { readonly scope: PlacedScope },
): Promise<HoldTarget> {
  if (scope === 'organization' && organizationId === null) throw wrong('must say which organization');
  if (scope === 'all' || scope === 'organization') {
    if (value !== null) throw wrong(`must be left out where the scope is ${scope}`);
    return { organizationId, scope, value };
  }
  if (value === null || value === '') throw wrong(`must say which ${scope}`);
  return { organizationId, scope, value: await VALUES[scope](db, value, organizationId) };
}

const selectProvider = sql<{ is: boolean }>(
  'holds.is_provider',
  'SELECT EXISTS (SELECT FROM site_domains WHERE site = $1 OR provider = $1) AS is',
);

type CheckValue = (db: Database, value: string, organizationId: string | null) => Promise<string>;

const VALUES: Readonly<Record<Exclude<PlacedScope, 'all' | 'organization'>, CheckValue>> = {
  domain: async (db, value, organizationId) => {
    const parsed = canonicalDomain(value);
    if (!parsed.ok) throw wrong(parsed.message);
    if (organizationId !== null && (await findByName(db, organizationId, parsed.domain)) === undefined)
      throw wrong('is not a domain of this organization');
    return parsed.domain;
  },
  template: async (db, value, organizationId) => {
    if (organizationId === null) return value;
    const template = await findTemplate(db, organizationId, value);
    if (template === undefined) throw wrong('is not a template of this organization');
    return template.id;
  },
  tag: async (_db, value) => {
    if (value.startsWith(':')) throw wrong('must be `name` or `name:value`');
    return value;
  },
  provider: async (db, value) => {
    const isKnown = (name: string) =>
      isInAnyCell(db, async (cell) => (await cell.one(selectProvider, [name])).is);
    if (await isKnown(value)) return value;
    // A domain that was never delivered to has a place of its own at its site.
    const [, site = ''] = / at (.+)$/.exec(value) ?? [];
    throw (await isKnown(site))
      ? wrong(`is the place of one domain at a site; to hold mail to the site: ${site}`)
      : wrong('is no provider or site that mail was sent to lately; GET /sites lists them');
  },
};

async function checkRoom(db: Sql, organizationId: string): Promise<void> {
  const { open } = await listHolds(db, { organizationId }, { limit: 0, offset: 0 });
  if (open >= MAX_HOLDS_IN_FORCE)
    throw new ServiceError('CONFLICT', `There are ${open} holds already. Release some of them first.`);
}

async function find(db: Database, { organizationId, isOperator }: HoldActor, id: string): Promise<HoldRow> {
  await db.located();
  // Whose own it is does not notice where the cell of others is away.
  const own = await findHold(db.of(organizationId), id);
  const hold = own?.organization_id === organizationId || !isOperator ? own : await findInCells(db, id);
  const isTheirs = hold?.organization_id === organizationId || (isOperator && hold?.by_operator);
  if (hold === undefined || !isTheirs) throw new ServiceError('NOT_FOUND', 'There is no such hold.');
  return hold;
}

function wrong(message: string): ServiceError {
  return new Problems().add('value', message).toError();
}
