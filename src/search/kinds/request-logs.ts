/** Refused requests by recipient, subject, message or id. */
import { occursIn } from '../../database/spellings.ts';
import { type FoundRequest, peopleIn, requestsWith } from '../../request-logs/search-log.ts';
import { uuidv7Ms } from '../../runtime/ids.ts';
import { type Found, MAX_HITS, type SearchHit, type Wanted } from '../found.ts';

export async function findRequests({ db, reach, words }: Wanted): Promise<Found> {
  const rows = await requestsWith(db, reach.organizationId, words, MAX_HITS + 1);
  return { hits: rows.map((row) => hitOf(row, words)), complete: true };
}

function hitOf(row: FoundRequest, words: readonly string[]): SearchHit {
  const { id, method, path, code, message, facts } = row;
  const people = peopleIn(facts.excerpt);
  const named = people.find(({ name, email }) => words.every((word) => occursIn(`${name} ${email}`, word)));
  const email = named?.email ?? facts.recipients.find((one) => words.every((word) => occursIn(one, word)));
  return {
    id,
    title: `${method} ${path}`,
    email: email ?? facts.recipients[0] ?? null,
    name: named?.name ?? null,
    state: code,
    message,
    email_id: null,
    at: new Date(uuidv7Ms(id)),
  };
}
