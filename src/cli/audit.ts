/**
 * What operators do is in the audit log: of the organization that it concerns, otherwise of the first one, whose owners run
 * the installation. It is written when the deed is done: a log that cannot be written is told of, and undoes nothing.
 */
import { hostname, userInfo } from 'node:os';
import { createAuditWriter } from '../accounts/audit-log/store.ts';
import type { Sql } from '../database/sql.ts';
import { firstOrganization } from '../organizations/store.ts';
import type { CommandContext, Operator } from './command.ts';

/** `sudoUser`: who became another user to type it. */
export function operatorHere(sudoUser: string | undefined): Operator {
  return { user: sudoUser || userName(), machine: hostname() };
}

/** In containers a user may be a number without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** For rows that keep who asked, as text. */
export function operatorName({ operator }: CommandContext): string {
  return `operator ${operator.user}`;
}

export interface OperatorAction {
  readonly action: string;
  /** Null where it concerns the installation. */
  readonly organizationId: string | null;
  readonly targetId?: string;
  readonly targetName?: string;
  /** What is null or undefined is left out. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Not within a transaction of the deed. */
export async function recordOperatorAction(
  db: Sql,
  { operator, clock, warn }: CommandContext,
  deed: OperatorAction,
): Promise<void> {
  const { action, targetId = null, targetName = null } = deed;
  const details = Object.fromEntries(Object.entries(deed.details ?? {}).filter(([, value]) => value != null));
  try {
    const organizationId = deed.organizationId ?? (await firstOrganization(db))?.id;
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
    warn(`It is done, and could not be written to the audit log: ${reason}`);
  }
}
