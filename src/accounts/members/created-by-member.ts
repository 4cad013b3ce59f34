/** Things a member created that keep working after the member leaves: keys, webhooks and pending invites. */
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import { disableEndpoints, type EndpointRow, listEndpoints } from '../../webhooks/endpoints/store.ts';
import { type ApiKeyRow, revokeKeysOf, usableKeysOf } from '../api-keys/store.ts';
import { webhooksOfUser } from '../audit-log/store.ts';
import { type InviteRow, invitesOf, removeInvitesOf } from './invite-store.ts';

/** The keys and invites, which are in the control database. */
interface CreatedAccess {
  readonly keys: readonly ApiKeyRow[];
  readonly invites: readonly InviteRow[];
}

export interface CreatedByMember extends CreatedAccess {
  readonly webhooks: readonly EndpointRow[];
}

export async function accessCreatedBy(
  db: Sql,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<CreatedAccess> {
  const [keys, invites] = await Promise.all([
    usableKeysOf(db, organizationId, userId, now),
    invitesOf(db, organizationId, userId, now),
  ]);
  return { keys, invites };
}

/** Revokes the user's keys and invites and returns them. */
export async function revokeAccessCreatedBy(
  tx: Sql,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<CreatedAccess> {
  const [keys, invites] = await Promise.all([
    revokeKeysOf(tx, organizationId, userId, now),
    removeInvitesOf(tx, organizationId, userId, now),
  ]);
  return { keys, invites };
}

/** The user's webhooks that are enabled. */
export async function webhooksCreatedBy(
  db: Database,
  organizationId: string,
  userId: string,
): Promise<EndpointRow[]> {
  const [all, theirs] = await Promise.all([
    listEndpoints(db, organizationId),
    webhooksOfUser(db, organizationId, userId),
  ]);
  return all.filter(({ id, enabled }) => enabled && theirs.has(id));
}

/** Disables the user's webhooks and returns them. */
export async function disableWebhooksCreatedBy(
  db: Database,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<EndpointRow[]> {
  const webhooks = await webhooksCreatedBy(db, organizationId, userId);
  const named = webhooks.map(({ id }) => ({ organizationId, endpointId: id }));
  await disableEndpoints(db.of(organizationId), named, { reason: 'manual', at: now });
  return webhooks;
}

export function createdView({ keys, invites, webhooks }: CreatedByMember) {
  return {
    api_keys: keys.map(({ id, name, prefix, scope, created_at, last_used_at }) => ({
      id,
      name,
      prefix,
      scope,
      created_at,
      last_used_at,
    })),
    invites: invites.map(({ id, email, role: of, expires_at }) => ({ id, email, role: of, expires_at })),
    webhooks: webhooks.map(({ id, url, description, created_at }) => ({ id, url, description, created_at })),
  };
}
