/**
 * Records operator actions in the audit log of the affected organization, or else of the first one, whose
 * owners run the installation. The entry is written after the action; a failed write is reported and undoes
 * nothing.
 */
import { hostname, userInfo } from 'node:os';
import { createAuditWriter } from '../accounts/audit-log/store.ts';
import type { Sql } from '../database/sql.ts';
import { firstOrganization } from '../organizations/store.ts';
import type { CommandContext, Operator } from './command.ts';

/** `sudoUser` is the user who ran sudo. */
export function operatorHere(sudoUser: string | undefined): Operator {
  return { user: sudoUser || userName(), machine: hostname() };
}

/** In containers a user may have a number without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** The operator as text, for rows that record who requested a change. */
export function operatorName({ operator }: CommandContext): string {
  return `operator ${operator.user}`;
}

export interface OperatorAction {
  readonly action: string;
  /** Null for the installation. */
  readonly organizationId: string | null;
  readonly targetId?: string;
  readonly targetName?: string;
  /** Null and undefined values are omitted. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Call outside of the action's transaction. */
export async function recordOperatorAction(
  db: Sql,
  { operator, clock, warn }: CommandContext,
  operatorAction: OperatorAction,
): Promise<void> {
  const { action, targetId = null, targetName = null } = operatorAction;
  const details = Object.fromEntries(
    Object.entries(operatorAction.details ?? {}).filter(([, value]) => value != null),
  );
  try {
    const organizationId = operatorAction.organizationId ?? (await firstOrganization(db))?.id;
    if (organizationId === undefined) return;
    await createAuditWriter(
      db,
      clock,
    )({
      ...{ organizationId, action, targetId, targetName, details },
      ...{ actorType: 'operator', actorId: operator.user, address: operator.machine },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`The command is done, but could not be written to the audit log: ${reason}`);
  }
}
