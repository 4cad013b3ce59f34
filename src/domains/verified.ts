/** Which sender domains may be used, asked for many emails at once. Reads only. */
import { type Sql, sql } from '../kit/database/sql.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import { domainOwner } from './lender.ts';

export interface SenderDomain {
  readonly organizationId: string;
  readonly domain: string;
}

const selectVerified = sql<{ organization_id: string; domain: string }>(
  'domains.verified',
  `SELECT d.organization_id, d.domain FROM domains d
   JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS s(organization_id, domain)) AS asked
     ON d.organization_id = asked.organization_id AND d.domain = asked.domain
   WHERE d.spf_verified AND d.dkim_verified`,
);

const selectFirst = sql<{ domain: string }>(
  'domains.first_verified',
  `SELECT domain FROM domains WHERE organization_id = $1 AND spf_verified AND dkim_verified
   ORDER BY created_at, id LIMIT 1`,
);

const selectAnywhere = sql<{ found: boolean }>(
  'domains.verified_anywhere',
  `SELECT EXISTS (SELECT FROM domains WHERE domain = $1 AND spf_verified AND dkim_verified) AS found`,
);

/** Whether any organization may send from it. */
export async function isVerifiedAnywhere(db: Sql, domain: string): Promise<boolean> {
  return (await db.one(selectAnywhere, [domain])).found;
}

/** The oldest one that may be sent from. */
export async function firstVerifiedDomain(db: Sql, organizationId: string): Promise<string | undefined> {
  return (await db.maybeOne(selectFirst, [organizationId]))?.domain;
}

/** Answers whether a sender domain is verified, for those asked about. */
export async function verifiedDomains(
  db: Sql,
  senders: readonly SenderDomain[],
): Promise<(sender: SenderDomain) => boolean> {
  const lent = senders.some(({ organizationId }) => organizationId === INSTALLATION);
  const lender = lent ? await domainOwner(db, INSTALLATION) : INSTALLATION;
  const ownerOf = ({ organizationId }: SenderDomain) =>
    organizationId === INSTALLATION ? lender : organizationId;
  const rows = await db.many(selectVerified, [senders.map(ownerOf), senders.map((sender) => sender.domain)]);
  const verified = new Set(rows.map((row) => `${row.organization_id} ${row.domain}`));
  return (sender) => verified.has(`${ownerOf(sender)} ${sender.domain}`);
}
