/** Describes to operators whether mail is signed by the installation's own domain. */
import type { Sql } from '../../database/sql.ts';
import { firstOrganization } from '../../organizations/store.ts';
import { ENDS_AFTER_MS, isSigning } from './publication.ts';
import { findOwnKey, type OwnKeyRow } from './store.ts';

export type OwnKeyState = Pick<OwnKeyRow, 'domain' | 'switches' | 'missing_since' | 'last_check'>;

/** `ending`: still signing, although the record is gone. */
export function signingStateOf(key: OwnKeyState): 'waiting' | 'signing' | 'ending' {
  if (!isSigning(key)) return 'waiting';
  return key.missing_since === null ? 'signing' : 'ending';
}

export function signingSentence(key: OwnKeyState): string {
  const { domain, switches, missing_since: missingSince } = key;
  if (!isSigning(key)) return `Mail will also be signed by ${domain}, once DNS has its DKIM record.`;
  if (missingSince === null) {
    const from = switches.at(-1)?.toISOString();
    return `Mail is also signed by ${domain}: all mail that is first tried from ${from} on.`;
  }
  const until = new Date(missingSince.getTime() + ENDS_AFTER_MS).toISOString();
  return `Mail is also signed by ${domain}, until ${until} unless DNS has the right DKIM record again by then.`;
}

/** Only for the organization that operates the installation, because nobody else can publish the record. */
export async function findOwnKeyFor(
  db: Sql,
  domain: string,
  organizationId: string,
): Promise<OwnKeyRow | null> {
  const first = await firstOrganization(db);
  return first?.id === organizationId ? ((await findOwnKey(db, domain)) ?? null) : null;
}
