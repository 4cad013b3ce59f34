/** Finds the counter labels of late bounces and complaints, because no worker still has their mail. */

import type { CountedDelivery } from '../counters/delivery-counts.ts';
import { type Sql, sql, unprepared } from '../database/sql.ts';
import type { Tag } from '../emails/email.ts';
import type { RecipientOutcome } from '../emails/outcomes.ts';
import type { NewReport } from '../events/attempts.ts';
import { domainOf } from '../protocols/message/address.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import { storedEmail } from '../protocols/message/stored.ts';

interface LabelRow {
  readonly index: number;
  readonly from_email: string;
  readonly template_id: string | null;
  readonly tags: readonly Tag[] | null;
  readonly site: string | null;
  readonly provider: string | null;
}

/** Registered so that it is checked against the schema. */
const select = sql<LabelRow>(
  'inbound.labels',
  `SELECT (asked.index - 1)::int AS index, e.from_email, e.template_id, e.tags, s.site, s.provider
   FROM unnest($1::text[], $2::uuid[], $3::smallint[]) WITH ORDINALITY AS asked(o, e, p, index)
   JOIN emails e ON e.organization_id = asked.o AND e.id = asked.e
   JOIN recipients r ON r.organization_id = asked.o AND r.email_id = asked.e AND r.position = asked.p
   LEFT JOIN site_domains s ON s.domain = split_part(r.address, '@', -1)
   WHERE e.id BETWEEN $4 AND $5 AND r.email_id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

/** Unprepared, like every query for weeks of mail by id. */
const selectNow = unprepared(select);

interface LateOutcome extends DeliveryRef {
  readonly atMs: number;
}

/** Counted at their arrival; their mail was counted as delivered before. */
export async function lateBounces(
  tx: Sql,
  outcomes: readonly RecipientOutcome[],
  reports: readonly NewReport[],
): Promise<CountedDelivery[]> {
  return labelled(tx, outcomes, ({ emailId, position }) => ({
    outcome: 'bounced',
    reason: reports.find((one) => one.emailId === emailId && one.position === position)?.reason ?? null,
  }));
}

export function complaintsOf(tx: Sql, complaints: readonly LateOutcome[]): Promise<CountedDelivery[]> {
  return labelled(tx, complaints, () => ({ outcome: 'complained', reason: null }));
}

async function labelled<T extends LateOutcome>(
  tx: Sql,
  all: readonly T[],
  countedAs: (one: T) => Pick<CountedDelivery, 'outcome' | 'reason'>,
): Promise<CountedDelivery[]> {
  if (all.length === 0) return [];
  const ids = all.map((one) => one.emailId);
  const sorted = ids.toSorted();
  const rows = await tx.many(selectNow, [
    all.map((one) => one.organizationId),
    ids,
    all.map((one) => one.position),
    sorted[0],
    sorted.at(-1),
  ]);
  const labels = new Map(rows.map((row) => [row.index, labelsOf(row)]));
  return all.map((one, index) => ({
    organizationId: one.organizationId,
    atMs: one.atMs,
    isFirst: false,
    ...countedAs(one),
    labels: labels.get(index) ?? null,
  }));
}

function labelsOf({ from_email, template_id: templateId, tags, site, provider }: LabelRow) {
  const known = site === null ? null : { name: site, provider: provider ?? '' };
  return { site: known, fromDomain: domainOf(storedEmail(from_email)), templateId, tags, sinceMs: null };
}
