/** Looks up which sender domains may be used, for many emails in one query. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import type { MailDomain } from '../protocols/message/address.ts';
import type { DomainName } from '../protocols/message/domain-name.ts';
import { storedDomain } from '../protocols/message/stored.ts';
import { domainOwnerOf } from './senders.ts';

interface SenderDomain {
  readonly organizationId: string;
  readonly domain: MailDomain;
}

const selectFirst = sql<{ domain: string }>(
  'domains.first_verified',
  `SELECT domain FROM domains WHERE organization_id = $1 AND spf_verified AND dkim_verified
   ORDER BY created_at, id LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

const selectAnywhere = sql<{ found: boolean }>(
  'domains.verified_anywhere',
  `SELECT EXISTS (SELECT FROM domains WHERE domain = $1 AND spf_verified AND dkim_verified) AS found`,
  { home: 'cell' },
);

/** Whether any organization may send from it. */
export async function isVerifiedAnywhere(db: Sql, domain: string): Promise<boolean> {
  return (await db.one(selectAnywhere, [domain])).found;
}

/** The oldest verified domain. */
export async function firstVerifiedDomain(db: Sql, organizationId: string): Promise<DomainName | undefined> {
  const row = await db.maybeOne(selectFirst, [organizationId]);
  return row && storedDomain(row.domain);
}

/** The parameters of `unverified_senders` for these domains, without duplicates, and a reader of its result. */
interface SenderQuestion {
  readonly columns: { readonly sender_ids: readonly string[]; readonly sender_domains: readonly string[] };
  readonly isUnverified: (places: readonly number[]) => (sender: SenderDomain) => boolean;
}

export async function senderQuestion(db: Sql, senders: readonly SenderDomain[]): Promise<SenderQuestion> {
  const isLent = senders.some(({ organizationId }) => organizationId === INSTALLATION);
  const lender = isLent ? await domainOwnerOf(db, INSTALLATION) : INSTALLATION;
  const distinct = new Map(senders.map((sender) => [keyOf(sender), sender]));
  const asked = [...distinct.values()];
  return {
    columns: {
      sender_ids: asked.map(({ organizationId }) =>
        organizationId === INSTALLATION ? lender : organizationId,
      ),
      sender_domains: asked.map(({ domain }) => domain),
    },
    isUnverified: (places) => {
      const unverified = new Set(places.map((place) => keyOf(asked[place - 1] as SenderDomain)));
      return (sender) => unverified.has(keyOf(sender));
    },
  };
}

function keyOf({ organizationId, domain }: SenderDomain): string {
  return `${organizationId} ${domain}`;
}
