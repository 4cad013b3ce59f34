/** A call as people read it in the log. Who composes calls describes them. */
import type { WebhookDeliveryRow } from '../log.ts';
import type { WebhookClaim } from '../queue.ts';
import type { EndpointRow } from './store.ts';

/** What a call looks like, without what is new in every one of them: its time and its signatures. */
export interface DescribedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Null: the email that it was about is gone, or the endpoint's format has no word for it. */
export type DescribeRequest = (
  claim: WebhookClaim,
  endpoint: Pick<EndpointRow, 'format'>,
) => Promise<DescribedRequest | null>;

export interface DeliveryWithRequest {
  readonly row: WebhookDeliveryRow;
  readonly url: string;
  readonly request: DescribedRequest | null;
}
