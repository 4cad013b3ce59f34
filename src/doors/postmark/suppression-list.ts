/**
 * Postmark has a suppression list for each stream. Here, what stops all mail is the list of every stream, and the
 * unsubscriptions of the group `broadcast` are that of the stream `broadcast`.
 */
import type { Address } from '../../kit/message/address.ts';
import { Problems } from '../../kit/problems.ts';
import {
  addSuppression,
  listSuppressions,
  removeSuppression,
  type SuppressionDeps,
} from '../../suppressions/service.ts';
import { publicId, REASONS, type Reason, type SuppressionRow } from '../../suppressions/suppression.ts';
import { BROADCAST } from './message-body.ts';
import { addressIn, momentIn, type PostmarkQuery } from './query.ts';

export function groupOfStream(stream: string): string | null {
  return stream === BROADCAST ? BROADCAST : null;
}

export async function suppressIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<void> {
  const group = groupOfStream(stream);
  await addSuppression(deps, organizationId, address, {
    ...(group === null ? { reason: 'manual' } : { reason: 'unsubscribe', unsubscribe_group: group }),
  });
}

/** One that is not on the list may be mailed already, which is all that was wanted. */
export async function unsuppressIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<void> {
  for (const { id } of await entriesIn(deps, organizationId, stream, address))
    await removeSuppression(deps, organizationId, publicId(id));
}

async function entriesIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<SuppressionRow[]> {
  const { rows } = await listSuppressions(deps, organizationId, { address, page: 1, limit: 1_000 });
  return rows.filter((row) => row.unsubscribe_group === groupOfStream(stream));
}

const REASON_NAMES: Readonly<Record<Reason, string>> = {
  hard_bounce: 'HardBounce',
  soft_bounce: 'HardBounce',
  complaint: 'SpamComplaint',
  unsubscribe: 'ManualSuppression',
  manual: 'ManualSuppression',
};

export function postmarkSuppression({ email, reason, source, created_at }: SuppressionRow) {
  return {
    EmailAddress: email,
    SuppressionReason: REASON_NAMES[reason],
    Origin: source === 'manual' ? 'Customer' : 'Recipient',
    CreatedAt: created_at,
  };
}

export interface SuppressionsAsked {
  readonly address: Address | null;
  readonly isMeant: (row: SuppressionRow) => boolean;
}

const FILTER_NAMES = { suppressionreason: 'SuppressionReason', origin: 'Origin' } as const;
const CHOICES: Readonly<Record<string, ReadonlySet<string>>> = {
  suppressionreason: new Set(REASONS.map((reason) => REASON_NAMES[reason])),
  origin: new Set(['Recipient', 'Customer', 'Admin']),
};

export function suppressionsAsked(query: PostmarkQuery, stream: string): SuppressionsAsked {
  const { suppressionreason: reason, origin } = query;
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = query[name];
    if (value !== undefined && !choices.has(value))
      throw new Problems()
        .add(FILTER_NAMES[name as keyof typeof FILTER_NAMES], `must be one of ${[...choices].join(', ')}`)
        .toError();
  }
  const [fromMs, toMs] = [
    momentIn(query, 'fromdate') ?? 0,
    momentIn(query, 'todate') ?? Number.POSITIVE_INFINITY,
  ];
  const isMeant = (row: SuppressionRow) => {
    const shown = postmarkSuppression(row);
    const atMs = row.created_at.getTime();
    const isAsked = (value: string | undefined, is: string) => value === undefined || value === is;
    return (
      row.unsubscribe_group === groupOfStream(stream) &&
      isAsked(reason, shown.SuppressionReason) &&
      isAsked(origin, shown.Origin) &&
      atMs >= fromMs &&
      atMs <= toMs
    );
  };
  return { address: addressIn(query, 'emailaddress'), isMeant };
}
