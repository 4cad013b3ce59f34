/**
 * Postmark has a suppression list per stream. Here, suppressions of all mail appear in every stream, and
 * unsubscribes from the group `broadcast` appear in the stream `broadcast`.
 */
import type { Address } from '../../../protocols/message/address.ts';
import { Problems } from '../../../runtime/problems.ts';
import { addSuppression, type SuppressionDeps } from '../../../suppressions/service.ts';
import { REASONS, type Reason, type SuppressionRow } from '../../../suppressions/suppression.ts';
import { removeListed } from '../reason-lists.ts';
import { BROADCAST } from './message-body.ts';
import { addressIn, momentIn, type PostmarkQuery } from './query.ts';

function groupOfStream(stream: string): string | null {
  return stream === BROADCAST ? BROADCAST : null;
}

export function reasonInStream(stream: string): Reason {
  return groupOfStream(stream) === null ? 'manual' : 'unsubscribe';
}

export async function suppressIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<void> {
  const group = groupOfStream(stream);
  const reason = reasonInStream(stream);
  await addSuppression(deps, organizationId, address, {
    reason,
    ...(group === null ? {} : { unsubscribe_group: group }),
  });
}

/** Succeeds when the address is not on the list, because the goal is already reached. */
export async function unsuppressIn(
  deps: SuppressionDeps,
  organizationId: string,
  stream: string,
  address: Address,
): Promise<void> {
  const group = groupOfStream(stream);
  await removeListed(deps, organizationId, address, (row) => row.unsubscribe_group === group);
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

export interface SuppressionsRequest {
  readonly address: Address | null;
  readonly isMeant: (row: SuppressionRow) => boolean;
}

const FILTER_NAMES = { suppressionreason: 'SuppressionReason', origin: 'Origin' } as const;
const CHOICES: Readonly<Record<string, ReadonlySet<string>>> = {
  suppressionreason: new Set(REASONS.map((reason) => REASON_NAMES[reason])),
  origin: new Set(['Recipient', 'Customer', 'Admin']),
};

export function suppressionsRequestOf(query: PostmarkQuery, stream: string): SuppressionsRequest {
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
