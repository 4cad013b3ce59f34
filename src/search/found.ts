/** What is searched for, and what is found. */
import type { Sql } from '../database/sql.ts';
import type { Reach } from '../runtime/permissions.ts';

export const SEARCH_KINDS = [
  'suppressions',
  'emails',
  'request_logs',
  'inbound',
  'templates',
  'domains',
  'webhooks',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** The hits of a kind that are shown. One more is looked for, to know whether there are more. */
export const MAX_HITS = 5;

export interface Wanted {
  readonly db: Sql;
  readonly reach: Reach;
  readonly text: string;
  /** Without those that are too short to search for. */
  readonly words: readonly string[];
  /** Whether the time to read older mail is over. */
  readonly isOver: () => boolean;
}

export interface SearchHit {
  readonly id: string;
  readonly title: string;
  /** The person whom the hit is about. */
  readonly email: string | null;
  readonly name: string | null;
  readonly state: string | null;
  /** Why it matters, in one sentence. */
  readonly message: string | null;
  readonly email_id: string | null;
  readonly at: Date;
}

export interface Found {
  readonly hits: readonly SearchHit[];
  /** False if older things were not compared. */
  readonly complete: boolean;
}

export type Find = (wanted: Wanted) => Promise<Found>;
