/**
 * Checks the domain in a path. Mail is sent from the domain of its From address, so the path may name any
 * other domain of the organization: an application that names `mg.example.com` and sends from `example.com`
 * keeps working.
 */

import type { Sql } from '../../../database/sql.ts';
import { findByName } from '../../../domains/store.ts';
import { ApiError } from '../../../http/errors.ts';
import { canonicalDomain } from '../../../protocols/message/domain-name.ts';

const MAX_SHOWN = 253;

/** `from` is the sender's domain, which is checked when the mail is submitted. */
export async function assertOwnDomain(
  db: Sql,
  organizationId: string,
  named: string,
  from?: string,
): Promise<void> {
  const read = canonicalDomain(named);
  if (read.ok && (read.domain === from || (await findByName(db, organizationId, read.domain)))) return;
  throw new ApiError('NOT_FOUND', [], `Domain not found: ${named.slice(0, MAX_SHOWN)}`);
}
