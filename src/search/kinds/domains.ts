/** Sending domains by name. A key that is tied to a domain finds only that one. */
import { domainToUnicode } from 'node:url';
import { occursIn } from '../../database/spellings.ts';
import { listDomains } from '../../domains/store.ts';
import type { Found, Wanted } from '../found.ts';

const NOT_VERIFIED = 'No mail can be sent from this domain until its DNS records are verified.';

export async function findDomains({ db, reach, words }: Wanted): Promise<Found> {
  const rows = await listDomains(db, reach.organizationId);
  const found = rows.filter(({ id, domain }) => {
    const texts = `${domain} ${domainToUnicode(domain)} ${id}`;
    return (reach.domain === null || reach.domain === domain) && words.every((word) => occursIn(texts, word));
  });
  const hits = found.map(({ id, domain, spf_verified: spf, dkim_verified: dkim, created_at: at }) => ({
    ...{ id, title: domainToUnicode(domain), email: null, name: null, email_id: null, at },
    ...(spf && dkim
      ? { state: 'verified', message: null }
      : { state: 'not_verified', message: NOT_VERIFIED }),
  }));
  return { hits, complete: true };
}
