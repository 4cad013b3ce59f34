/** Templates by name, alias, subject or id. */
import { templatesWith } from '../../templates/named.ts';
import { type Found, MAX_HITS, type Wanted } from '../found.ts';

export async function findTemplates({ db, reach, words }: Wanted): Promise<Found> {
  const rows = await templatesWith(db, reach.organizationId, words, MAX_HITS + 1);
  const hits = rows.map(({ id, name, kind, subject, updated_at: at }) => ({
    ...{ id, title: name, email: null, name: null, state: kind },
    ...{ message: subject === '' ? null : subject, email_id: null, at },
  }));
  return { hits, complete: true };
}
