/** Validates the target of a hold: a hold with a typing error would stop no mail while its author believes that it does. */
import { checkOwnKey } from '../../accounts/api-keys/own-key.ts';
import type { Database } from '../../database/database.ts';
import { isInAnyCell } from '../../database/per-cell.ts';
import { sql } from '../../database/sql.ts';
import { findByName, findPublished } from '../../domains/store.ts';
import { isTagUsed } from '../../emails/lists/store-list.ts';
import { listOrganizations } from '../../organizations/store.ts';
import { canonicalDomain } from '../../protocols/message/domain-name.ts';
import { Problems } from '../../runtime/problems.ts';
import type { ServiceError } from '../../runtime/service-error.ts';
import { findTemplate } from '../../templates/store.ts';
import type { HoldTarget, PlacedScope } from './hold.ts';

interface RequestedTarget extends HoldTarget {
  readonly scope: PlacedScope;
  /** Permits a tag that no mail has yet. */
  readonly ahead?: boolean;
}

/** The target in the form that workers look up. Refuses a value that matches nothing. */
export async function holdTargetOf(
  db: Database,
  { organizationId, scope, value, ahead = false }: RequestedTarget,
): Promise<HoldTarget> {
  if (ahead && scope !== 'tag') throw wrong('ahead', 'is allowed for the scope tag only');
  if (scope === 'organization' && organizationId === null)
    throw wrong('value', 'must say which organization');
  if (scope === 'all' || scope === 'organization') {
    if (value !== null) throw wrong('value', `must be left out where the scope is ${scope}`);
    return { organizationId, scope, value };
  }
  if (value === null || value === '') throw wrong('value', `must say which ${scope}`);
  if (scope === 'tag' && ahead) return { organizationId, scope, value: checkedTagName('value', value) };
  return { organizationId, scope, value: await VALUES[scope](db, organizationId, 'value', value) };
}

/** Returns the stored form of the value. `field`: the field that a problem refers to. */
type CheckValue = (
  db: Database,
  organizationId: string | null,
  field: string,
  value: string,
) => Promise<string>;

const checkedDomain: CheckValue = async (db, organizationId, field, value) => {
  const parsed = canonicalDomain(value);
  if (!parsed.ok) throw wrong(field, parsed.message);
  const { domain } = parsed;
  if (organizationId === null) {
    const isRegistered = async (cell: Database) => (await findPublished(cell, domain, null)) !== undefined;
    if (!(await isInAnyCell(db, isRegistered))) throw wrong(field, 'is not a domain of any organization');
  } else if ((await findByName(db, organizationId, domain)) === undefined)
    throw wrong(field, 'is not a domain of this organization');
  return domain;
};

export const checkedTemplate: CheckValue = async (db, organizationId, field, value) => {
  if (organizationId === null) throw wrong(field, 'is a template of one organization; say which');
  const template = await findTemplate(db, organizationId, value);
  if (template === undefined) throw wrong(field, 'is not a template of this organization');
  return template.id;
};

const checkedKey: CheckValue = async (db, organizationId, field, value) => {
  if (organizationId === null) throw wrong(field, 'is a key of one organization; say which');
  await checkOwnKey(db, organizationId, field, value);
  return value;
};

export const checkedTag: CheckValue = async (db, organizationId, field, value) => {
  const tag = checkedTagName(field, value);
  if (await isTagUsedAnywhere(db, organizationId, tag)) return tag;
  throw wrong(field, `is a tag that no mail of ${mailOwner(organizationId)} has`);
};

/** Unlike a filter on past mail, a hold may name a tag of future mail. */
const checkedTagToHold: CheckValue = async (db, organizationId, field, value) => {
  const tag = checkedTagName(field, value);
  if (await isTagUsedAnywhere(db, organizationId, tag)) return tag;
  throw wrong(
    field,
    `is a tag that no mail of ${mailOwner(organizationId)} has; to hold mail that is still to come, add \`ahead\``,
  );
};

function mailOwner(organizationId: string | null): string {
  return organizationId === null ? 'any organization' : 'this organization';
}

function checkedTagName(field: string, value: string): string {
  if (value.startsWith(':')) throw wrong(field, 'must be `name` or `name:value`');
  return value;
}

async function isTagUsedAnywhere(db: Database, organizationId: string | null, tag: string): Promise<boolean> {
  if (organizationId !== null) return isTagUsed(db.of(organizationId), organizationId, tag);
  // The search index stores tags per organization.
  for (const { id } of await listOrganizations(db)) if (await isTagUsed(db.of(id), id, tag)) return true;
  return false;
}

const selectProvider = sql<{ is: boolean }>(
  'holds.is_provider',
  'SELECT EXISTS (SELECT FROM site_domains WHERE site = $1 OR provider = $1) AS is',
  { home: 'cell' },
);

export const checkedProvider: CheckValue = async (db, _organizationId, field, value) => {
  const isKnown = (name: string) =>
    isInAnyCell(db, async (cell) => (await cell.one(selectProvider, [name])).is);
  if (await isKnown(value)) return value;
  // Before its first delivery, a domain has an entry of its own, named `… at <site>`.
  const [, site = ''] = / at (.+)$/.exec(value) ?? [];
  throw (await isKnown(site))
    ? wrong(field, `is the place of one domain at a site; to hold mail to the site: ${site}`)
    : wrong(field, 'is not a provider or site that mail was sent to lately; GET /sites lists the sites');
};

const VALUES: Readonly<Record<Exclude<PlacedScope, 'all' | 'organization'>, CheckValue>> = {
  domain: checkedDomain,
  template: checkedTemplate,
  key: checkedKey,
  tag: checkedTagToHold,
  provider: checkedProvider,
};

function wrong(field: string, message: string): ServiceError {
  return new Problems().add(field, message).toError();
}
