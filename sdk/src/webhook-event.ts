/** The events that a webhook receives. */
import type { CanaryStep, EmailEvent, Tag } from './generated/types.gen.ts';
import type { Body } from './operation.ts';

export type EmailEventType = EmailEvent['type'];

/** The types that a webhook can subscribe to: `email.delivered`, `domain.failing`, … */
export type WebhookEventType = NonNullable<Body<'POST /webhooks'>['event_types']>[number];

/** The event as `emails.get` shows it, with the fields that identify its email. */
export interface EmailEventData<Type extends EmailEventType = EmailEventType>
  extends Omit<EmailEvent, 'type'> {
  type: Type;
  email_id: string;
  /** The `X-Request-Id` of the request that sent the email; null if there was none. */
  request_id: string | null;
  subject: string;
  stream: string;
  tags: Tag[];
  metadata: Record<string, string | number | boolean>;
  /** The kind of mail that the recipient can unsubscribe from, if the email names one. */
  unsubscribe_group: string | null;
}

export type EmailWebhookEvent = {
  [Type in EmailEventType]: { type: `email.${Type}`; timestamp: string; data: EmailEventData<Type> };
}[EmailEventType];

/** Sent by `webhooks.sendTest`, whatever types the webhook subscribes to. */
export interface TestWebhookEvent {
  type: 'webhook.test';
  timestamp: string;
  data: { id: string; webhook_id: string; test: true };
}

export type DomainEventType = Extract<WebhookEventType, `domain.${string}`>;

/** A change in the state of the DNS records of a sending domain. */
export type DomainWebhookEvent = {
  [Type in DomainEventType]: {
    type: Type;
    timestamp: string;
    data: {
      id: string;
      type: Type;
      domain_id: string;
      domain: string;
      is_verified: boolean;
      /** Time at which the domain stops sending unless its records are fixed before. Null if there is no such time. */
      stops_sending_at: string | null;
      /** The wrong records, each with the value to publish and the necessary change in words. */
      problems: { record: string; name: string; expected: string; message: string }[];
      created_at: string;
    };
  };
}[DomainEventType];

export type SuppressionEventType = Extract<WebhookEventType, `suppression.${string}`>;

/** A change of the suppression list. Sent to webhooks that name these types. */
export type SuppressionWebhookEvent = {
  [Type in SuppressionEventType]: {
    type: Type;
    timestamp: string;
    data: {
      id: string;
      type: Type;
      suppression_id: string;
      email: string;
      reason: string;
      source: string;
      /** Id of the email that caused the suppression. Null if no email did. */
      email_id: string | null;
      /** Group of mail that the suppression stops. Null means all mail. */
      unsubscribe_group: string | null;
      created_at: string;
    };
  };
}[SuppressionEventType];

/** The beginning or the end of a warning. Sent to webhooks that name these types. */
export type AttentionWebhookEvent =
  | {
      type: 'attention.raised';
      timestamp: string;
      data: AttentionData<'attention.raised'> & { name: string | null; message: string };
    }
  | {
      type: 'attention.cleared';
      timestamp: string;
      data: AttentionData<'attention.cleared'> & { raised_at: string };
    };

interface AttentionData<Type extends string> {
  id: string;
  type: Type;
  /** As in `stats.attention`. */
  kind: string;
  severity: 'critical' | 'warning';
  /** Id or name of the object that the warning is about. Empty if it is about all your mail. */
  subject: string;
  created_at: string;
}

/** A step of a canary of the route table. Sent to operators' webhooks that name this type. */
export interface CanaryWebhookEvent {
  type: 'canary.stepped';
  timestamp: string;
  data: Omit<CanaryStep, 'id' | 'at'> & { id: string; type: 'canary.stepped'; created_at: string };
}

/** `event.type` is the discriminator. Later versions can add types: ignore those that you do not know. */
export type WebhookEvent =
  | EmailWebhookEvent
  | DomainWebhookEvent
  | SuppressionWebhookEvent
  | AttentionWebhookEvent
  | CanaryWebhookEvent
  | TestWebhookEvent;
