/**
 * Where replies to an organization's mail are received: at one of its receiving names, or at the host that receives all
 * bounces.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { EmailAddress, MailDomain } from '../protocols/message/address.ts';
import { type AnsweredEmail, replyLocal } from '../protocols/message/reply-address.ts';
import { storedEmail } from '../protocols/message/stored.ts';
import { uuidv7Ms } from '../runtime/ids.ts';
import type { DerivedKeys } from '../runtime/key-ring.ts';

/** Prefers a name below the domain to the domain itself, whose mail may go elsewhere. */
const selectName = sql<{ name: string }>(
  'receiving_names.for_domain',
  `SELECT n.name FROM receiving_names n
   JOIN domains d ON d.organization_id = n.organization_id AND d.id = n.domain_id AND d.spf_verified AND d.dkim_verified
   WHERE n.organization_id = $1 AND d.domain = $2
   ORDER BY n.name = d.domain, n.created_at, n.name LIMIT 1`,
  { home: 'cell', organization: '$1' },
);

export function createAnswerPlaces(db: Sql, keys: DerivedKeys, host: string) {
  return async (
    organizationId: string,
    fromDomain: MailDomain,
  ): Promise<(email: AnsweredEmail) => EmailAddress> => {
    const name = (await db.maybeOne(selectName, [organizationId, fromDomain]))?.name ?? host;
    return (email) => storedEmail(`${replyLocal(email, keys.at(uuidv7Ms(email.emailId)))}@${name}`);
  };
}
