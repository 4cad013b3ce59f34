/** An organization's own lists of disposable domains. The one writer of `validation_settings`. */
import { Type } from 'typebox';
import { type Sql, sql } from '../../database/sql.ts';
import { strictObject } from '../../http/schema.ts';
import { canonicalDomain, type DomainName } from '../../protocols/message/domain-name.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Problems } from '../../runtime/problems.ts';
import type { OwnLists } from '../../validation/checks/disposable.ts';
import { defineSetting } from './setting.ts';

interface DisposableDomains {
  readonly disposable_allow: string[];
  readonly disposable_deny: string[];
}

const MAX_DOMAINS = 1000;

const select = sql<DisposableDomains>(
  'validation_settings.of',
  'SELECT disposable_allow, disposable_deny FROM validation_settings WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

/** A list that is left out stays unchanged. */
const upsert = sql<DisposableDomains>(
  'validation_settings.put',
  `INSERT INTO validation_settings AS s (organization_id, disposable_allow, disposable_deny, updated_at)
   VALUES ($1, coalesce($2::text[], '{}'), coalesce($3::text[], '{}'), $4)
   ON CONFLICT (organization_id) DO UPDATE SET
     disposable_allow = coalesce($2::text[], s.disposable_allow),
     disposable_deny = coalesce($3::text[], s.disposable_deny),
     updated_at = $4
   RETURNING disposable_allow, disposable_deny`,
  { home: 'cell', organization: '$1' },
);

async function read(db: Sql, organizationId: string): Promise<DisposableDomains> {
  return (await db.maybeOne(select, [organizationId])) ?? { disposable_allow: [], disposable_deny: [] };
}

export async function readOwnLists(db: Sql, organizationId: string): Promise<OwnLists> {
  const { disposable_allow, disposable_deny } = await read(db, organizationId);
  return { allow: new Set(disposable_allow), deny: new Set(disposable_deny) };
}

const shown = Type.Object(
  {
    disposable_allow: Type.Array(Type.String(), {
      description: 'Domains that are never disposable for this organization, including their subdomains.',
    }),
    disposable_deny: Type.Array(Type.String(), {
      description: 'Domains that are always disposable for this organization, including their subdomains.',
    }),
  },
  { $id: 'ValidationSettings' },
);

const domains = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: MAX_DOMAINS });

export const setDisposableDomainsBody = strictObject(
  { disposable_allow: Type.Optional(domains), disposable_deny: Type.Optional(domains) },
  { minProperties: 1 },
);

export function disposableDomainsSetting(db: Sql, clock: Clock) {
  return defineSetting({
    name: 'validation',
    tag: 'Validation',
    toRead: 'Get your allow and deny lists of disposable domains',
    toChange: 'Replace your allow and deny lists of disposable domains',
    description: 'A list that is omitted does not change.',
    shown,
    taken: setDisposableDomainsBody,
    audit: { action: 'settings.validation_changed' },
    read: (organizationId) => read(db, organizationId),
    change: async (organizationId, asked) => {
      const problems = new Problems();
      const allow = canonicalDisposableDomains('disposable_allow', asked.disposable_allow, problems);
      const deny = canonicalDisposableDomains('disposable_deny', asked.disposable_deny, problems);
      problems.throwIfAny();
      refuseContradiction(allow ?? [], deny ?? []);
      return db.one(upsert, [organizationId, allow, deny, new Date(clock.nowMs())]);
    },
  });
}

/** Sorted and without duplicates, in canonical form. */
export function canonicalDisposableDomains(
  field: string,
  given: readonly string[] | undefined,
  problems: Problems,
): DomainName[] | null {
  if (given === undefined) return null;
  const names = given.flatMap((domain, index) => {
    const parsed = canonicalDomain(domain);
    if (parsed.ok) return parsed.domain;
    problems.add(`${field}[${index}]`, parsed.message);
    return [];
  });
  return [...new Set(names)].sort();
}

function refuseContradiction(allow: readonly DomainName[], deny: readonly DomainName[]): void {
  const problems = new Problems();
  const denied = new Set(deny);
  for (const domain of allow) {
    if (denied.has(domain)) problems.add('disposable_deny', `${domain} is on both lists`);
  }
  problems.throwIfAny();
}
