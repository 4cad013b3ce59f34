/** Whether the guard may hold and slow an organization's mail, and the recipients exempt from slowing. */
import { Type } from 'typebox';
import { type Sql, sql } from '../../database/sql.ts';
import { strictObject } from '../../http/schema.ts';
import { parseAddress } from '../../protocols/message/address.ts';
import { canonicalDomain } from '../../protocols/message/domain-name.ts';
import { Problems } from '../../runtime/problems.ts';
import { defineSetting } from './setting.ts';

const MAX_ALLOWED = 1_000;

/** `enabled` is the column `guard`. */
interface GuardRow {
  readonly enabled: boolean;
  readonly allow: string[];
  readonly created_at: Date;
}

const select = sql<GuardRow>(
  'organizations.guard',
  'SELECT guard AS enabled, guard_allow AS allow, created_at FROM organizations WHERE id = $1',
  { home: 'control' },
);

/** A field that is left out stays unchanged. */
const update = sql<GuardRow>(
  'organizations.set_guard',
  `UPDATE organizations SET guard = coalesce($2, guard), guard_allow = coalesce($3::text[], guard_allow) WHERE id = $1
   RETURNING guard AS enabled, guard_allow AS allow, created_at`,
  { home: 'control' },
);

const removeAllowed = sql(
  'organizations.erase_allowed',
  `UPDATE organizations SET guard_allow = array_remove(guard_allow, $2) WHERE id = $1 AND $2 = ANY (guard_allow)`,
  { home: 'control' },
);

const enabled = Type.Boolean({
  description:
    'Whether the guard holds mail that servers suddenly refuse, and slows down repeated emails that flood an address.',
});
const allow = Type.Array(Type.String({ minLength: 1, maxLength: 330, example: 'alerts@example.com' }), {
  maxItems: MAX_ALLOWED,
  description:
    'Recipient addresses, and domains with their subdomains, whose mail the guard never slows down, such as mailboxes for alerts.',
});

export const setGuardBody = strictObject(
  { enabled: Type.Optional(enabled), allow: Type.Optional(allow) },
  {
    $id: 'SetGuard',
    minProperties: 1,
    examples: [{ enabled: true, allow: ['alerts@example.com', 'ops.example.com'] }],
  },
);

export function guardSetting(db: Sql) {
  return defineSetting({
    name: 'guard',
    toRead: 'Get the settings of the guard',
    toChange: 'Turn the guard on or off, or replace its allow-list',
    description: 'Omitted fields do not change. Holds that the guard has already placed stay.',
    shown: Type.Object({ enabled, allow }, { $id: 'Guard' }),
    taken: setGuardBody,
    audit: { action: 'settings.guard_changed', show: ['enabled'] },
    read: async (organizationId) => shownOf(await db.maybeOne(select, [organizationId])),
    change: async (organizationId, asked) => {
      const problems = new Problems();
      const list = canonicalAllowList('allow', asked.allow, problems);
      problems.throwIfAny();
      return shownOf(await db.maybeOne(update, [organizationId, asked.enabled ?? null, list]));
    },
  });
}

function shownOf(row: GuardRow | undefined) {
  return { enabled: row?.enabled ?? false, allow: row?.allow ?? [] };
}

/** Sorted and without duplicates, in canonical form. */
export function canonicalAllowList(
  field: string,
  given: readonly string[] | undefined,
  problems: Problems,
): string[] | null {
  if (given === undefined) return null;
  const entries = given.flatMap((entry, index) => {
    const parsed = entry.includes('@') ? parseAddress(entry) : canonicalDomain(entry);
    if (!parsed.ok) {
      problems.add(`${field}[${index}]`, parsed.message);
      return [];
    }
    return 'key' in parsed ? parsed.key : parsed.domain;
  });
  return [...new Set(entries)].sort();
}

export interface GuardPolicy {
  readonly isEnabled: boolean;
  readonly allow: ReadonlySet<string>;
  /** The creation time of the organization. */
  readonly createdAt: Date;
}

/** Read by the guard, rarely. Null when the organization was deleted. */
export async function guardPolicyOf(db: Sql, organizationId: string): Promise<GuardPolicy | null> {
  const row = await db.maybeOne(select, [organizationId]);
  return row === undefined
    ? null
    : { isEnabled: row.enabled, allow: new Set(row.allow), createdAt: row.created_at };
}

/** Whether the list contains the address, its domain or a parent domain. */
export function isNeverSlowed(allow: ReadonlySet<string>, address: string, domain: string): boolean {
  if (allow.has(address)) return true;
  const labels = domain.split('.');
  return labels.some((_, index) => allow.has(labels.slice(index).join('.')));
}

export async function eraseFromAllowList(db: Sql, organizationId: string, address: string): Promise<void> {
  await db.exec(removeAllowed, [organizationId, address]);
}
