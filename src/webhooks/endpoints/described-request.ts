/** The description of a webhook call in the log. The module that composes calls implements it. */
import type { WebhookDeliveryRow } from '../log.ts';
import type { WithMail } from '../mail-of-deliveries.ts';
import type { WebhookClaim } from '../queue.ts';
import type { EndpointRow } from './store.ts';

/** A call without the parts that differ every time: its time and its signatures. */
interface DescribedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Null if the event's email was removed, or if the endpoint's format has no such event. */
export type DescribeRequest = (
  claim: WebhookClaim,
  endpoint: Pick<EndpointRow, 'format'>,
) => Promise<DescribedRequest | null>;

export interface DeliveryWithRequest {
  readonly row: WithMail<WebhookDeliveryRow>;
  readonly url: string;
  readonly request: DescribedRequest | null;
}
