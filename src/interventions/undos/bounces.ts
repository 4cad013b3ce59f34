/** The bounces of an incident, from the log of events. Reads only. */

import { type Sql, sql } from '../../database/sql.ts';
import { hasTag } from '../../emails/tag-filter.ts';
import { REJECTED } from './lifted-suppressions.ts';
import type { Incident, UndoneEvent } from './undo.ts';

/** Events of an organization and a type are found by their ids, which begin with the time. */
const FOUND = `ev.organization_id = $1 AND ev.type = 'bounced' AND ev.id >= uuid_v7_floor($2) AND ev.id < uuid_v7_floor($3)
  AND ($7::text IS NULL OR position(lower($7) IN lower(ev.smtp_message)) > 0)
  AND (($4::text IS NULL AND $5::text IS NULL) OR EXISTS (
    SELECT FROM emails e WHERE e.organization_id = ev.organization_id AND e.id = ev.email_id
      AND ($4 IS NULL OR e.template_id = $4) AND ($5 IS NULL OR ${hasTag('$5')})))
  AND ($6::text IS NULL OR EXISTS (
    SELECT FROM site_domains s WHERE s.domain = split_part(ev.recipient, '@', -1) AND $6 IN (s.site, s.provider)))`;

function paramsOf({ organizationId, from, to, templateId, tag, provider, reply }: Incident): unknown[] {
  return [organizationId, from, to, templateId, tag, provider, reply];
}

export interface Bounce extends UndoneEvent {
  readonly created_at: Date;
  readonly reason: string | null;
  readonly smtp_code: number | null;
  readonly smtp_message: string | null;
  readonly mx_host: string | null;
}

const COLUMNS =
  'ev.id, ev.email_id, ev.position, ev.recipient, ev.created_at, ev.reason, ev.smtp_code, ev.smtp_message, ev.mx_host';

const selectNext = sql<Bounce>(
  'undos.next_bounces',
  `SELECT ${COLUMNS} FROM events ev WHERE ${FOUND} AND ($8::uuid IS NULL OR ev.id > $8) ORDER BY ev.id LIMIT $9`,
  { home: 'cell', organization: '$1' },
);

/** The next bounces after the given one, or from the first if it is null. */
export function nextBounces(db: Sql, incident: Incident, after: string | null, limit: number) {
  return db.many(selectNext, [...paramsOf(incident), after, limit]);
}

const selectLatest = sql<Bounce>(
  'undos.latest_bounces',
  `SELECT ${COLUMNS} FROM events ev WHERE ${FOUND} ORDER BY ev.id DESC LIMIT $8`,
  { home: 'cell', organization: '$1' },
);

interface BouncesByReason {
  readonly reason: string | null;
  readonly smtp_code: number | null;
  readonly count: number;
}

const selectReasons = sql<BouncesByReason>(
  'undos.bounces_by_reason',
  `SELECT ev.reason, ev.smtp_code, count(*) FROM events ev WHERE ${FOUND}
   GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT 50`,
  { home: 'cell', organization: '$1' },
);

interface Effect {
  readonly bounces: number;
  /** Recipients rejected since then because of suppressions from the bounces. */
  readonly rejections: number;
  /** Recipients of both kinds that would be retried. */
  readonly requeue: number;
  /** Automatic suppressions that would be lifted. */
  readonly unsuppress: number;
}

const BOUNCE = `bounce AS MATERIALIZED (
     SELECT ev.organization_id, ev.email_id, ev.position, min(ev.recipient) AS recipient, count(*) AS times
     FROM events ev WHERE ${FOUND} GROUP BY 1, 2, 3
   )`;

/** The suppression `s` was caused by the bounce `b`. */
const CAUSED = `s.organization_id = b.organization_id AND s.key = lower(b.recipient)
     AND s.email_id = b.email_id AND s.source = 'automatic' AND s.reason IN ('hard_bounce', 'soft_bounce')
     AND s.created_at <= $3`;

const hasContent = (one: string) => `EXISTS (
     SELECT FROM kept_contents c WHERE c.organization_id = ${one}.organization_id AND c.email_id = ${one}.email_id)`;

/** An estimate for display: whether an address is suppressed for another reason is checked when the undo runs. */
const selectEffect = sql<Omit<Effect, 'rejections'>>(
  'undos.effect',
  `WITH ${BOUNCE}
   SELECT coalesce(sum(b.times), 0)::bigint AS bounces,
          count(*) FILTER (WHERE r.state = 'bounced' AND r.updated_at <= $3 AND ${hasContent('b')}) AS requeue,
          count(s.id) AS unsuppress
   FROM bounce b
   JOIN recipients r ON r.organization_id = b.organization_id AND r.email_id = b.email_id AND r.position = b.position
   LEFT JOIN suppressions s ON ${CAUSED}`,
  { home: 'cell', organization: '$1' },
);

const selectRejections = sql<{ count: number; requeue: number }>(
  'undos.rejections',
  `WITH ${BOUNCE}, l AS MATERIALIZED (
     SELECT lower(b.recipient) AS address, min(s.created_at) AS since
     FROM bounce b JOIN suppressions s ON ${CAUSED} GROUP BY 1
   )
   SELECT count(*), count(*) FILTER (WHERE ${hasContent('ev')}) AS requeue
   FROM events ev JOIN l ON true WHERE ${REJECTED}`,
  { home: 'cell', organization: '$1' },
);

export interface WhatHappened extends Effect {
  readonly reasons: readonly BouncesByReason[];
  /** The latest bounces. */
  readonly samples: readonly Bounce[];
}

const SAMPLES = 10;

export async function whatHappened(db: Sql, incident: Incident): Promise<WhatHappened> {
  const params = paramsOf(incident);
  const effect = await db.one(selectEffect, params);
  const rejections = await db.one(selectRejections, params);
  const reasons = await db.many(selectReasons, params);
  return {
    ...effect,
    rejections: rejections.count,
    requeue: effect.requeue + rejections.requeue,
    reasons,
    samples: await db.many(selectLatest, [...params, SAMPLES]),
  };
}
