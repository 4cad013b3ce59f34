/** Maps our single suppression list to other services' separate lists by reason. */
import { type Address, parseAddress } from '../../protocols/message/address.ts';
import { Problems } from '../../runtime/problems.ts';
import { listSuppressions, removeSuppression, type SuppressionDeps } from '../../suppressions/service.ts';
import { countSuppressions, pageOfSuppressions } from '../../suppressions/store-read.ts';
import { publicId, type Reason, type SuppressionRow } from '../../suppressions/suppression.ts';

/** More entries than one address has: one for all mail, and one for each group it unsubscribed from. */
const OF_ONE_ADDRESS = { page: 1, limit: 1_000 };

export const BOUNCE_REASONS: readonly Reason[] = ['hard_bounce', 'soft_bounce'];

/** Entries grouped by reason, in the order of the reasons; newest first. */
export async function pageListed(
  { reads }: SuppressionDeps,
  organizationId: string,
  reasons: readonly Reason[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: SuppressionRow[]; readonly total: number }> {
  const db = reads.lately(organizationId);
  const rows: SuppressionRow[] = [];
  let before = 0;
  for (const reason of reasons) {
    const total = await countSuppressions(db, organizationId, reason);
    const from = Math.max(0, offset - before);
    const wanted = limit - rows.length;
    if (from < total && wanted > 0) {
      const page = { limit: wanted, offset: from, total };
      rows.push(...(await pageOfSuppressions(db, organizationId, reason, page)));
    }
    before += total;
  }
  return { rows, total: before };
}

export type IsListed = (row: SuppressionRow) => boolean;

export async function entriesListed(
  deps: SuppressionDeps,
  organizationId: string,
  address: Address,
  isListed: IsListed,
): Promise<SuppressionRow[]> {
  const { rows } = await listSuppressions(deps, organizationId, { address, ...OF_ONE_ADDRESS });
  return rows.filter(isListed);
}

/** False when no entry was removed. */
export async function removeListed(
  deps: SuppressionDeps,
  organizationId: string,
  address: Address,
  isListed: IsListed,
): Promise<boolean> {
  const rows = await entriesListed(deps, organizationId, address, isListed);
  for (const { id } of rows) await removeSuppression(deps, organizationId, publicId(id));
  return rows.length > 0;
}

/** `field` is the dialect's name for it. */
export function addressNamed(text: unknown, field: string): Address {
  const address = parseAddress(String(text ?? ''));
  if (!address.ok) throw new Problems().add(field, address.message).toError();
  return address;
}

/** The audit log's name for several targets. */
export function targetName(emails: readonly string[]): string {
  const shown = emails.slice(0, MAX_NAMED).join(', ');
  return emails.length > MAX_NAMED ? `${shown} and ${emails.length - MAX_NAMED} more` : shown;
}

const MAX_NAMED = 5;
