/** Operations on saved views. A member's own views are invisible to everybody else. */
import { isUniqueViolation } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { Problems } from '../runtime/problems.ts';
import { orNotFound, ServiceError } from '../runtime/service-error.ts';
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  updateView,
  type ViewRow,
} from './store.ts';
import { checkQuery, type ViewList, type ViewQuery } from './view.ts';

export interface ViewDeps {
  readonly db: Sql;
  readonly clock: Clock;
}

/** The caller, as far as views are concerned. */
export interface ViewActor {
  readonly organizationId: string;
  /** Null for an API key, which has no views of its own. */
  readonly userId: string | null;
  /** The user or the API key, as `created_by` stores it. */
  readonly id: string;
  readonly mayShare: boolean;
  readonly isOwner: boolean;
}

/** Of a member, in one list. */
const MAX_OWN = 50;
/** Of an organization, in all lists. */
const MAX_SHARED = 200;

interface GivenView {
  readonly list: ViewList;
  readonly name: string;
  readonly query: ViewQuery;
  readonly shared: boolean;
}

/** The shared views and the caller's own, of one list or of all. */
export function viewsOf(
  { db }: Pick<ViewDeps, 'db'>,
  { organizationId, userId }: ViewActor,
  list: ViewList | null,
): Promise<ViewRow[]> {
  return listViews(db, organizationId, list, userId);
}

export async function createView(
  { db, clock }: ViewDeps,
  actor: ViewActor,
  { list, name, query, shared }: GivenView,
): Promise<ViewRow> {
  const ownerId = ownerOf(actor, shared);
  await assertRoom(db, actor, list, ownerId);
  const view = { id: newId('view'), list, name: storedName(name), query, owner_id: ownerId };
  const made = { ...view, created_by: actor.id, created_at: new Date(clock.nowMs()) };
  return refusingNames(view, () => insertView(db, actor.organizationId, made));
}

export async function changeView(
  { db }: Pick<ViewDeps, 'db'>,
  actor: ViewActor,
  id: string,
  change: Partial<Omit<GivenView, 'list'>>,
): Promise<ViewRow> {
  const before = await editableView(db, actor, id);
  const wasShared = before.owner_id === null;
  const { name = before.name, query = before.query, shared = wasShared } = change;
  const problems = new Problems();
  checkQuery(before.list, query, problems);
  problems.throwIfAny();
  if (wasShared && !shared && before.created_by !== actor.id)
    throw new ServiceError(
      'FORBIDDEN',
      'Only the person who created a shared view can make it their own. Delete the view instead.',
    );
  const ownerId = shared === wasShared ? before.owner_id : ownerOf(actor, shared);
  if (shared !== wasShared) await assertRoom(db, actor, before.list, ownerId);
  const after = { ...before, name: storedName(name), query, owner_id: ownerId };
  return orNotFound(await refusingNames(after, () => updateView(db, actor.organizationId, before, after)));
}

/** Returns the deleted view. */
export async function removeView(
  { db }: Pick<ViewDeps, 'db'>,
  actor: ViewActor,
  id: string,
): Promise<ViewRow> {
  const view = await editableView(db, actor, id);
  if (!(await deleteView(db, actor.organizationId, view))) throw new ServiceError('NOT_FOUND');
  return view;
}

/** A member changes their own views in any role. A shared view is changed by its creator and by owners. */
export function mayEdit(actor: ViewActor, view: Pick<ViewRow, 'owner_id' | 'created_by'>): boolean {
  if (view.owner_id !== null) return view.owner_id === actor.userId;
  return actor.mayShare && (actor.isOwner || view.created_by === actor.id);
}

async function editableView(db: Sql, actor: ViewActor, id: string): Promise<ViewRow> {
  const view = orNotFound(await findView(db, actor.organizationId, id, actor.userId));
  if (mayEdit(actor, view)) return view;
  throw new ServiceError(
    'FORBIDDEN',
    actor.mayShare
      ? 'Only the creator of a shared view and owners of the organization can change it. Save a view of your own instead.'
      : 'Your role allows changing only views of your own. Save a view of your own instead.',
  );
}

/** The member whose own view it is going to be; null for a shared view. */
function ownerOf({ userId, mayShare }: ViewActor, shared: boolean): string | null {
  if (shared && !mayShare)
    throw new ServiceError(
      'FORBIDDEN',
      'Your role does not allow sharing views. Save the view for yourself, or ask an owner for another role.',
    );
  if (shared) return null;
  if (userId === null)
    throw new Problems().add('shared', 'must be true: an API key has no views of its own').toError();
  return userId;
}

async function assertRoom(db: Sql, actor: ViewActor, list: ViewList, ownerId: string | null): Promise<void> {
  const most = ownerId === null ? MAX_SHARED : MAX_OWN;
  if ((await countViews(db, actor.organizationId, list, ownerId)) < most) return;
  throw new ServiceError(
    'CONFLICT',
    ownerId === null
      ? `The organization has ${MAX_SHARED} shared views, which is the maximum. Delete a shared view first.`
      : `You have ${MAX_OWN} views of this list, which is the maximum. Delete one of your views first.`,
  );
}

/** The same text in another Unicode form would look like the same name. */
function storedName(name: string): string {
  return name.trim().normalize('NFC');
}

async function refusingNames<T>(
  { name, owner_id }: Pick<ViewRow, 'name' | 'owner_id'>,
  store: () => Promise<T>,
): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const whose = owner_id === null ? 'A shared view of this list' : 'One of your views of this list';
    const problems = [{ field: 'name', message: `${whose} already has this name. Choose another name.` }];
    throw new ServiceError('CONFLICT', `${whose} is already named “${name}”. Choose another name.`, {
      problems,
    });
  }
}
