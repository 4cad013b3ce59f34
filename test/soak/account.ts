/** At the end: what was promised against what is there. A soak that loses mail is not flat either. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { countsDiffer, hourlyCountsDiffer } from '../support/counts.ts';
import type { Counted } from './sender.ts';

export interface Account {
  readonly accepted: Counted;
  readonly unknown: Counted;
  /** By the receiver. */
  readonly taken: number;
}

interface Stored {
  readonly emails: number;
  readonly recipients: number;
  readonly undecided: number;
  readonly delivered: number;
  readonly outbox: number;
}

const selectStored = adHoc<Stored>(
  `SELECT (SELECT count(*) FROM emails) AS emails,
          count(*) AS recipients,
          count(*) FILTER (WHERE state IN ('queued', 'deferred')) AS undecided,
          count(*) FILTER (WHERE state IN ('delivered', 'opened')) AS delivered,
          (SELECT count(*) FROM outbox) AS outbox
   FROM recipients`,
);

/** In words; empty when all is accounted for. */
export async function contradictions(db: Database, { accepted, unknown, taken }: Account): Promise<string[]> {
  const stored = await db.one(selectStored);
  const counters = [...(await countsDiffer(db)), ...(await hourlyCountsDiffer(db))];
  return [
    ...differ('emails stored', stored.emails, 'accepted', accepted.emails, unknown.emails),
    ...differ('recipients stored', stored.recipients, 'accepted', accepted.recipients, unknown.recipients),
    ...differ('mails that the receiver took', taken, 'recipients delivered', stored.delivered),
    ...differ('recipients undecided', stored.undecided, 'expected', 0),
    ...differ('mails queued', stored.outbox, 'expected', 0),
    ...counters.map((row) => `A counter differs from a full count: ${JSON.stringify(row)}`),
  ];
}

function differ(what: string, found: number, other: string, wanted: number, unknown = 0): string[] {
  if (found >= wanted && found <= wanted + unknown) return [];
  return [`${found} ${what}, ${wanted} ${other}${unknown === 0 ? '' : `, ${unknown} not answered`}`];
}

const selectSizes = adHoc<{ name: string; bytes: number; rows: number }>(
  `SELECT regexp_replace(relname, '_p\\d{8}$', '') AS name, sum(pg_total_relation_size(relid))::bigint AS bytes,
          sum(n_live_tup)::bigint AS rows
   FROM pg_stat_user_tables GROUP BY 1 HAVING sum(pg_total_relation_size(relid)) > 4194304 ORDER BY 2 DESC`,
);

/** The tables that are larger than 4 MiB, the largest first: what the disk is used for. */
export async function tableSizes(db: Database): Promise<{ name: string; bytes: number; rows: number }[]> {
  return db.many(selectSizes);
}
