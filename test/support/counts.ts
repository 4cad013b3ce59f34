/** Compares the counters of emails with the emails themselves. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

interface Difference {
  readonly organization_id: string;
  readonly day: Date;
  readonly status: string;
  readonly counted: number | null;
  readonly found: number | null;
}

/** Every organization, day and status whose counter differs from a full count. */
export function countsDiffer(db: Database): Promise<Difference[]> {
  return db.many(
    adHoc<Difference>(
      `SELECT organization_id, day, status, c.count - c.removed AS counted, f.found
       FROM email_counts c
       FULL JOIN (SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date AS day, status, count(*) AS found
                  FROM emails GROUP BY 1, 2, 3) AS f USING (organization_id, day, status)
       WHERE coalesce(c.count - c.removed, 0) <> coalesce(f.found, 0)`,
    ),
  );
}

/** The same for the counters of streams. */
export function streamCountsDiffer(db: Database): Promise<unknown[]> {
  return db.many(
    adHoc(
      `SELECT organization_id, stream, hour, to_jsonb(c) AS counted, to_jsonb(f) AS found
       FROM stream_counts c
       FULL JOIN (SELECT organization_id, stream, date_trunc('hour', created_at, 'UTC') AS hour,
                         count(*) AS accepted, count(*) FILTER (WHERE status = 'delivered') AS delivered,
                         count(*) FILTER (WHERE status = 'bounced') AS bounced,
                         count(*) FILTER (WHERE status = 'failed') AS failed,
                         count(*) FILTER (WHERE status = 'opened') AS opened
                  FROM emails WHERE stream IS NOT NULL
                  GROUP BY 1, 2, 3) AS f USING (organization_id, stream, hour)
       WHERE (coalesce(c.accepted, 0), coalesce(c.delivered, 0), coalesce(c.bounced, 0), coalesce(c.failed, 0),
              coalesce(c.opened, 0))
          <> (coalesce(f.accepted, 0), coalesce(f.delivered, 0), coalesce(f.bounced, 0), coalesce(f.failed, 0),
              coalesce(f.opened, 0))`,
    ),
  );
}

/** The same for the hourly counters. Only valid if no email was removed, because removals do not change these counters. */
export function hourlyCountsDiffer(db: Database): Promise<unknown[]> {
  return db.many(
    adHoc(
      `SELECT organization_id, hour, to_jsonb(c) AS counted, to_jsonb(f) AS found
       FROM hourly_counts c
       FULL JOIN (SELECT organization_id, date_trunc('hour', created_at, 'UTC') AS hour, count(*) AS accepted,
                         count(*) FILTER (WHERE status = 'delivered') AS delivered,
                         count(*) FILTER (WHERE status = 'bounced') AS bounced,
                         count(*) FILTER (WHERE status = 'failed') AS failed,
                         count(*) FILTER (WHERE status = 'opened') AS opened
                  FROM emails GROUP BY 1, 2) AS f USING (organization_id, hour)
       WHERE (coalesce(c.accepted, 0), coalesce(c.delivered, 0), coalesce(c.bounced, 0), coalesce(c.failed, 0),
              coalesce(c.opened, 0))
          <> (coalesce(f.accepted, 0), coalesce(f.delivered, 0), coalesce(f.bounced, 0), coalesce(f.failed, 0),
              coalesce(f.opened, 0))`,
    ),
  );
}
