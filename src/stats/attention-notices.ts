/**
 * Sends attention items to webhooks: once when an item appears, once more when it becomes critical, and once when it
 * is over. The one writer of `attention_notices`, which records the sent notices.
 */

import type { Database } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import {
  type AttentionEvent,
  appendAttentionEvents,
  organizationsListening,
} from '../events/attention-events.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import type { AttentionItem, Severity } from './attention-facts.ts';
import { type AttentionDeps, attentionItems } from './gather-attention.ts';

interface NoticeDeps extends AttentionDeps {
  readonly db: Database;
  readonly log: Log;
}

export const CHECK_INTERVAL_MS = MINUTE_MS;
/** A problem that disappears and returns within this time, such as a slow queue, counts as one. */
export const OVER_AFTER_MS = 10 * MINUTE_MS;

interface NoticeRow {
  readonly kind: string;
  readonly subject: string;
  readonly severity: Severity;
  readonly raised_at: Date;
}

/** The known items that have become critical. */
const renewKnown = sql<Pick<NoticeRow, 'kind' | 'subject'>>(
  'attention_notices.see',
  `WITH seen AS (
     SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS seen (kind, subject, severity)
   ), known AS (
     SELECT n.kind, n.subject, n.severity FROM attention_notices n JOIN seen USING (kind, subject)
     WHERE n.organization_id = $1 ORDER BY n.kind, n.subject FOR UPDATE OF n
   ), renewed AS (
     UPDATE attention_notices n SET seen_at = $5, severity = seen.severity FROM seen
     WHERE n.organization_id = $1 AND n.kind = seen.kind AND n.subject = seen.subject
   )
   SELECT kind, subject FROM seen JOIN known USING (kind, subject)
   WHERE seen.severity = 'critical' AND known.severity <> 'critical'`,
  { home: 'cell', organization: '$1' },
);

/** The new items; of two workers that check concurrently, only one gets each. */
const raise = sql<Pick<NoticeRow, 'kind' | 'subject'>>(
  'attention_notices.raise',
  `INSERT INTO attention_notices (organization_id, kind, subject, severity, raised_at, seen_at)
   SELECT $1, kind, subject, severity, $5, $5
   FROM unnest($2::text[], $3::text[], $4::text[]) AS raised (kind, subject, severity) ORDER BY kind, subject
   ON CONFLICT (organization_id, kind, subject) DO NOTHING RETURNING kind, subject`,
  { home: 'cell', organization: '$1' },
);

const clear = sql<NoticeRow>(
  'attention_notices.clear',
  `DELETE FROM attention_notices WHERE organization_id = $1 AND seen_at < $2
   RETURNING kind, subject, severity, raised_at`,
  { home: 'cell', organization: '$1' },
);

/** One organization after the other; a failure of one does not stop the rest. */
export async function sendAttentionNotices(deps: NoticeDeps, signal: AbortSignal): Promise<void> {
  for (const organizationId of await organizationsListening(deps.db)) {
    if (signal.aborted) return;
    try {
      await notifyOrganization(deps, organizationId);
    } catch (error) {
      deps.log.warn({ err: error, organizationId }, 'could not queue attention notices for webhooks');
    }
  }
}

async function notifyOrganization(deps: NoticeDeps, organizationId: string): Promise<void> {
  const { items } = await attentionItems(deps, deps.db, organizationId);
  const nowMs = deps.clock.nowMs();
  const noticed = withoutDuplicates(items.filter(({ severity }) => severity !== 'info'));
  await deps.db.transaction(async (tx) => {
    const events = [
      ...(await noticesToSend(tx, organizationId, noticed, nowMs)),
      ...(await noticesOfEnd(tx, organizationId, nowMs)),
    ];
    await appendAttentionEvents(tx, organizationId, nowMs, events);
  });
}

async function noticesToSend(
  tx: Sql,
  organizationId: string,
  items: readonly AttentionItem[],
  nowMs: number,
): Promise<AttentionEvent[]> {
  const given = [
    organizationId,
    items.map(({ kind }) => kind),
    items.map(subjectOf),
    items.map(({ severity }) => severity),
    new Date(nowMs),
  ];
  const data = [...(await tx.many(renewKnown, given)), ...(await tx.many(raise, given))];
  const keys = new Set(data.map(({ kind, subject }) => `${kind} ${subject}`));
  return items
    .filter((item) => keys.has(keyOf(item)))
    .map(({ kind, severity, id, name, message }) => ({
      type: 'attention.raised',
      data: { kind, severity, subject: subjectOf({ id, name }), name, message },
    }));
}

async function noticesOfEnd(tx: Sql, organizationId: string, nowMs: number): Promise<AttentionEvent[]> {
  const over = await tx.many(clear, [organizationId, new Date(nowMs - OVER_AFTER_MS)]);
  return over.map(({ kind, severity, subject, raised_at }) => ({
    type: 'attention.cleared',
    data: { kind, severity, subject, raised_at },
  }));
}

/**
 * The subject: a domain's or webhook's id, or a host's name; empty when the item is about all of the organization's
 * mail.
 */
function subjectOf({ id, name }: Pick<AttentionItem, 'id' | 'name'>): string {
  return id ?? name ?? '';
}

function keyOf(item: AttentionItem): string {
  return `${item.kind} ${subjectOf(item)}`;
}

/** Keeps the first item for each subject, which is the most severe. */
function withoutDuplicates(items: readonly AttentionItem[]): AttentionItem[] {
  const byKey = new Map<string, AttentionItem>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}
