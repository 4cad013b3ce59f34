/** Shares of canaries that fell automatically and have not restarted since, for operators' attention. */
import { type Sql, sql } from '../../database/sql.ts';
import { readRules } from '../store.ts';
import { canariesIn } from './plan.ts';

export interface RolledBackShare {
  readonly canary: string;
  readonly transport: string;
  readonly provider: string;
  /** The explanation of the fall with its numbers; null if it was removed. */
  readonly message: string | null;
}

/** Resuming a canary, or rolling it back, acknowledges its falls: they are no longer listed. */
const selectFallen = sql<RolledBackShare>(
  'canary_shares.fallen',
  `SELECT c.name AS canary, c.transport, s.provider, fall.message
   FROM canary_shares s JOIN canaries c ON c.name = s.canary
   LEFT JOIN LATERAL (
     SELECT message FROM canary_steps t
     WHERE t.canary = c.name AND t.transport = c.transport AND t.provider = s.provider AND t.kind = 'fall'
     ORDER BY t.at DESC, t.id DESC LIMIT 1
   ) fall ON true
   WHERE s.percent = 0 AND s.falls > 0 ORDER BY c.name, s.provider`,
  { home: 'control' },
);

export async function readRolledBackShares(db: Sql): Promise<RolledBackShare[]> {
  const fallen = await db.many(selectFallen);
  if (fallen.length === 0) return [];
  // A canary that left the table is removed a few seconds later.
  const canaries = canariesIn(await readRules(db));
  return fallen.filter(({ canary, transport }) =>
    canaries.some(({ name, to }) => name === canary && to === transport),
  );
}

export function rollbackSentence({ canary, transport, provider, message }: RolledBackShare): string {
  const what = message ?? `No mail to ${provider} goes through ${transport} any more.`;
  return `The canary ${canary} fell back automatically. ${what}`;
}
