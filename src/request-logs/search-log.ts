/** Finds refused requests by words. Reads only. */
import { hasSpelling, patternsFor } from '../database/spellings.ts';
import { adHoc, type Sql, Where } from '../database/sql.ts';
import type { LogRow } from './store.ts';

export type FoundRequest = Pick<LogRow, 'id' | 'method' | 'path' | 'status' | 'code' | 'message' | 'facts'>;

/** The texts of a request's facts, without the names of their fields. */
const TEXTS = `jsonb_path_query(l.facts, 'strict $.**') AS f(part) WHERE jsonb_typeof(f.part) = 'string'`;

/**
 * Requests that have all the words in their recipients, their excerpt, their message or their ids, newest first. An
 * organization has so few entries that all can be compared.
 */
export function requestsWith(
  db: Sql,
  organizationId: string,
  words: readonly string[],
  limit: number,
): Promise<FoundRequest[]> {
  const where = new Where().add('l.organization_id = ?', organizationId);
  for (const word of words) {
    const patterns = `${where.param(patternsFor(word))}::text[]`;
    const whole = where.param(word);
    // The first comparison excludes most entries without taking them apart.
    where.add(`l.request_id = ${whole} OR l.id::text = lower(${whole}) OR l.code = upper(${whole})
      OR ${hasSpelling("coalesce(l.message, '')", patterns)}
      OR (${hasSpelling('l.facts::text', patterns)}
          AND EXISTS (SELECT FROM ${TEXTS} AND ${hasSpelling("f.part #>> '{}'", patterns)}))`);
  }
  const text = `SELECT l.id, l.method, l.path, l.status, l.code, l.message, l.facts FROM request_logs l ${where}
    ORDER BY l.id DESC LIMIT ${where.param(limit)}`;
  return db.many(adHoc<FoundRequest>(text, { home: 'cell', organization: '$1' }), where.params);
}

interface NamedPerson {
  readonly email: string;
  readonly name: string;
}

const MAX_DEPTH = 6;
const NAMED_ADDRESS = /^\s*"?([^"<>]*[^"<>\s])"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/;

/** People in an excerpt of a request, which has addresses as objects or as in a header. Those without a name are left out. */
export function peopleIn(excerpt: unknown, depth = MAX_DEPTH): NamedPerson[] {
  if (typeof excerpt === 'string') {
    const [, name, email] = NAMED_ADDRESS.exec(excerpt) ?? [];
    return name === undefined || email === undefined ? [] : [{ email, name }];
  }
  if (typeof excerpt !== 'object' || excerpt === null || depth === 0) return [];
  const { email, name } = excerpt as { email?: unknown; name?: unknown };
  const own = typeof email === 'string' && typeof name === 'string' ? [{ email, name }] : [];
  return [...own, ...Object.values(excerpt).flatMap((inner) => peopleIn(inner, depth - 1))];
}
