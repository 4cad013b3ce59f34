/** Holds the counters of emails against the emails themselves. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

interface Difference {
  readonly organization_id: string;
  readonly day: Date;
  readonly status: string;
  readonly counted: number | null;
  readonly found: number | null;
}

/** Every organization, day and status for which the counters and a full count disagree. */
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
