/**
 * Clicks on tracked links: which clicks are recorded, and how they change the recipient and the email.
 *
 * A click by a person proves that the mail was read, so a delivered recipient becomes `opened`, whether or not the pixel was
 * fetched. A click by a machine is an event and changes nothing: unlike pixels, links are not fetched on behalf of people.
 */

import { countClicks } from '../counters/hourly-counts.ts';
import { countInStreams } from '../counters/stream-counts.ts';
import { columns } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { EVERY_MS, type Fetched, isTooSoon } from './opens.ts';
import { countChanges, deriveStatusesOf, lockEmailsOf, span } from './outcomes.ts';
import type { RecipientState } from './status.ts';

/** A followed link. */
export interface Click extends Fetched {
  readonly url: string;
}

interface RecordedClick extends Click {
  readonly recipient: string;
  /** Whether no link of this recipient's mail was followed before. */
  readonly isFirst: boolean;
}

interface ClickedRecipient {
  readonly address: string;
  readonly state: RecipientState;
  readonly updated_at: Date;
  readonly opened_by_person: boolean;
  /** All recorded clicks of this recipient. */
  readonly clicks: number;
  readonly clicked_by_person: boolean;
  readonly last_at: Date | null;
  readonly followed_by_person: boolean;
  /** How many other links were followed shortly before. */
  readonly others_lately: number;
}

/** A person does not follow this many links within this time. */
const BURST_MS = 2_000;
const BURST_LINKS = 3;
/** Per delivery, so that endless clicks do not fill the log. */
const MAX_CLICKS = 500;

const select = sql<ClickedRecipient & { index: number }>(
  'recipients.to_click',
  `SELECT (asked.index - 1)::int AS index, r.address, r.state, r.updated_at, r.opened_by_person, seen.*
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::text[], $5::float8[])
        WITH ORDINALITY AS asked(organization_id, email_id, position, url, at, index)
   JOIN recipients r ON r.organization_id = asked.organization_id AND r.email_id = asked.email_id
     AND r.position = asked.position
   CROSS JOIN LATERAL (
     SELECT count(*)::int AS clicks, coalesce(bool_or(e.reason IS NULL), false) AS clicked_by_person,
            max(e.created_at) FILTER (WHERE e.url = asked.url) AS last_at,
            coalesce(bool_or(e.reason IS NULL) FILTER (WHERE e.url = asked.url), false) AS followed_by_person,
            (count(DISTINCT e.url) FILTER (
              WHERE e.url <> asked.url AND e.created_at > to_timestamp((asked.at - ${BURST_MS}) / 1000.0)))::int AS others_lately
     FROM events e
     WHERE e.organization_id = r.organization_id AND e.email_id = r.email_id AND e.position = r.position
       AND e.type = 'clicked' AND e.email_id BETWEEN $6 AND $7) AS seen
   WHERE r.email_id BETWEEN $6 AND $7`,
  { home: 'cell', organization: '$1' },
);

const update = sql(
  'recipients.click',
  `UPDATE recipients r SET state = 'opened', updated_at = to_timestamp(c.at / 1000.0)
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::float8[]) AS c(organization_id, email_id, position, at)
   WHERE r.organization_id = c.organization_id AND r.email_id = c.email_id AND r.position = c.position
     AND r.state = 'delivered' AND r.email_id BETWEEN $5 AND $6`,
  { home: 'cell', organization: '$1' },
);

/**
 * Part of a transaction that also appends the returned clicks as events. Each link of a delivery may occur only once among the
 * clicks. A click is left out if its email was removed.
 */
export async function recordClicks(tx: Sql, clicks: readonly Click[]): Promise<RecordedClick[]> {
  if (clicks.length === 0) return [];
  const before = await lockEmailsOf(tx, clicks);
  const recorded = judgeAll(clicks, await readRecipients(tx, clicks));
  const byPeople = recorded.filter(({ machine }) => machine === null);
  if (byPeople.length === 0) return recorded;
  const nowMs = Math.max(...byPeople.map(({ atMs }) => atMs));
  const [, changed] = await Promise.all([writeOpened(tx, byPeople), deriveStatusesOf(tx, byPeople, nowMs)]);
  await countChanges(tx, before, changed);
  const first = byPeople.filter(({ isFirst }) => isFirst);
  await countClicks(tx, first);
  await countInStreams(tx, 'clicked', first);
  return recorded;
}

function readRecipients(
  tx: Sql,
  clicks: readonly Click[],
): Promise<(ClickedRecipient & { index: number })[]> {
  const ids = clicks.map(({ emailId }) => emailId);
  return tx.many(select, [
    clicks.map(({ organizationId }) => organizationId),
    ids,
    ...columns(clicks, 'position', 'url', 'atMs'),
    ...span(ids),
  ]);
}

/** In the order of the clicks, so that the first click of a recipient is judged first. */
function judgeAll(
  clicks: readonly Click[],
  rows: readonly (ClickedRecipient & { index: number })[],
): RecordedClick[] {
  const known = new Map(rows.map((row) => [row.index, row]));
  const counted = new Set<string>();
  return clicks.flatMap((click, index) => {
    const recipient = known.get(index);
    const judged = recipient && judgeClick(click, recipient, othersWith(click, clicks));
    if (!judged) return [];
    const delivery = deliveryOf(click);
    const isFirst = judged.isFirst && !counted.has(delivery);
    if (isFirst) counted.add(delivery);
    return [{ ...judged, isFirst }];
  });
}

/** The click as it is recorded, or null if it is not worth an event. */
function judgeClick(click: Click, recipient: ClickedRecipient, others: number): RecordedClick | null {
  if (recipient.clicks >= MAX_CLICKS) return null;
  const isBurst = others + recipient.others_lately + 1 >= BURST_LINKS;
  const machine = click.machine ?? (isTooSoon(click, recipient) ? 'too_soon' : isBurst ? 'many_links' : null);
  const sinceMs = recipient.last_at === null ? EVERY_MS : click.atMs - recipient.last_at.getTime();
  // The first click by a person is recorded even right after one by a machine.
  const isFirstPerson = machine === null && !recipient.followed_by_person;
  if (sinceMs < EVERY_MS && !isFirstPerson) return null;
  const isFirst = machine === null && !recipient.clicked_by_person;
  return { ...click, machine, recipient: recipient.address, isFirst };
}

/** How many other links of the same delivery were followed at about the same time. */
function othersWith(click: Click, clicks: readonly Click[]): number {
  const delivery = deliveryOf(click);
  const isNear = (one: Click) => one.url !== click.url && Math.abs(one.atMs - click.atMs) <= BURST_MS;
  return clicks.filter((one) => isNear(one) && deliveryOf(one) === delivery).length;
}

function deliveryOf({ emailId, position }: Click): string {
  return `${emailId} ${position}`;
}

async function writeOpened(tx: Sql, clicks: readonly RecordedClick[]): Promise<void> {
  const ids = clicks.map(({ emailId }) => emailId);
  await tx.exec(update, [
    clicks.map(({ organizationId }) => organizationId),
    ids,
    ...columns(clicks, 'position', 'atMs'),
    ...span(ids),
  ]);
}
