/** Emails by words, each with what became of the person who was searched for. */
import { occursIn } from '../../database/spellings.ts';
import type { Sql } from '../../database/sql.ts';
import { ALL } from '../../emails/lists/emails-from.ts';
import { newestMatches } from '../../emails/lists/newest-matches.ts';
import { searchWords } from '../../emails/lists/search-words.ts';
import { type EmailFilter, type EmailItemRow, withinReach } from '../../emails/lists/store-list.ts';
import { type EmailSituation, situationsOf } from '../../emails/states.ts';
import { lastEventsOfRecipients } from '../../events/last-of-recipients.ts';
import type { LastEvent } from '../../events/read.ts';
import { parseAddress } from '../../protocols/message/address.ts';
import { type Find, MAX_HITS, type SearchHit, type Wanted } from '../found.ts';

/** Looks up the meaning of a reason in an event. */
export type MeaningOf = (reason: string | null) => string | null;

export function createFindEmails(meaningOf: MeaningOf): Find {
  return async (wanted) => {
    const { db, reach } = wanted;
    const { rows, complete } = await matches(wanted);
    const people = rows.map((row) => personOf(row, wanted.words));
    const [situations, events] = await Promise.all([
      situationsOf(
        db,
        reach.organizationId,
        rows.map(({ id }) => id),
      ),
      lastEvents(db, reach.organizationId, rows, people),
    ]);
    const hits = rows.map((row, index): SearchHit => {
      const { email, name } = people[index] as Person;
      const { id, subject: title, created_at: at } = row;
      const situation = situations.get(id);
      const message = messageOf(situation, events.get(id), meaningOf);
      return { id, title, email, name, state: situation?.state ?? row.status, message, email_id: id, at };
    });
    return { hits, complete };
  };
}

async function matches(wanted: Wanted): Promise<{ rows: readonly EmailItemRow[]; complete: boolean }> {
  const { db, reach, isOver } = wanted;
  for (const asked of filtersFor(wanted)) {
    const filter = withinReach(asked, reach);
    if (filter === null) continue;
    const query = { db, organizationId: reach.organizationId, filter, isOver };
    const found = await newestMatches(query, MAX_HITS + 1);
    if (found.rows.length > 0 || !found.complete) return found;
  }
  return { rows: [], complete: true };
}

/** A whole address is first looked for among all recipients. Of the words, only the first ten recipients have parts in the index. */
function filtersFor({ text, words }: Pick<Wanted, 'text' | 'words'>): EmailFilter[] {
  const address = parseAddress(text);
  const byWords = { ...ALL, search: searchWords(words.join(' ')) };
  return address.ok ? [{ ...ALL, to: address.email }, byWords] : [byWords];
}

type Person = EmailItemRow['addresses']['to'][number];

/** The recipient who has the words, or the first. */
function personOf({ addresses: { to, cc, bcc } }: EmailItemRow, words: readonly string[]): Person {
  const all = [...to, ...cc, ...bcc];
  const has = ({ name, email }: Person) => words.every((word) => occursIn(`${name ?? ''} ${email}`, word));
  return all.find(has) ?? (all[0] as Person);
}

function lastEvents(
  db: Sql,
  organizationId: string,
  rows: readonly EmailItemRow[],
  people: readonly Person[],
): Promise<ReadonlyMap<string, LastEvent>> {
  const recipients = rows.map(({ id }, index) => ({ emailId: id, address: (people[index] as Person).email }));
  return lastEventsOfRecipients(db, organizationId, recipients);
}

const PROBLEMS: ReadonlySet<string> = new Set(['bounced', 'failed', 'rejected', 'deferred', 'complained']);

function messageOf(
  situation: EmailSituation | undefined,
  last: LastEvent | undefined,
  meaningOf: MeaningOf,
): string | null {
  if (situation?.hold) return situation.hold.reason;
  if (last === undefined || !PROBLEMS.has(last.type)) return null;
  return last.type === 'complained' ? 'The recipient reported the email as spam.' : meaningOf(last.reason);
}
