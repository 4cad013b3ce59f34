/** Received mail by sender, recipient or subject. */
import { hasReceivedMore, receivedWith } from '../../received/store-search.ts';
import { type Found, MAX_HITS, type Wanted } from '../found.ts';

export async function findInbound({ db, reach: { organizationId }, words }: Wanted): Promise<Found> {
  const rows = await receivedWith(db, organizationId, words, MAX_HITS + 1);
  const hits = rows.map(({ id, state, subject, from_email: email, from_name: name, received_at: at }) => ({
    ...{ id, title: subject ?? 'No subject', email, name, state },
    ...{ message: null, email_id: null, at },
  }));
  return { hits, complete: rows.length > MAX_HITS || !(await hasReceivedMore(db, organizationId)) };
}
