/** Shares of canaries that fell by themselves, and have not begun anew since: an operator should know. */
import { type Sql, sql } from '../../database/sql.ts';
import { readRules } from '../store.ts';
import { canariesIn } from './plan.ts';

export interface RolledBackShare {
  readonly canary: string;
  readonly transport: string;
  readonly provider: string;
  /** What was said of the fall, with its numbers; null where that was forgotten. */
  readonly message: string | null;
}

/** Who resumes a canary, or takes it back, takes note of its falls: they count no more. */
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
  // One that was taken out of the table is forgotten a few seconds later.
  const canaries = canariesIn(await readRules(db));
  return fallen.filter(({ canary, transport }) =>
    canaries.some(({ name, to }) => name === canary && to === transport),
  );
}

export function rollbackSentence({ canary, transport, provider, message }: RolledBackShare): string {
  const what = message ?? `No mail to ${provider} goes through ${transport} any more.`;
  return `The canary ${canary} fell back by itself. ${what}`;
}
