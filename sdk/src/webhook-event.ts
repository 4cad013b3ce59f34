/** What a webhook is told. */
import type { CanaryStep, EmailEvent, Tag } from './generated/types.gen.ts';
import type { Body } from './operation.ts';

export type EmailEventType = EmailEvent['type'];

/** What a webhook can ask for: `email.delivered`, `domain.failing`, … */
export type WebhookEventType = NonNullable<Body<'POST /webhooks'>['event_types']>[number];

/** The event as `emails.get` shows it, and of its email what tells it apart. */
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

/** Sent by `webhooks.sendTest`, whatever the webhook asked for. */
export interface TestWebhookEvent {
  type: 'webhook.test';
  timestamp: string;
  data: { id: string; webhook_id: string; test: true };
}

export type DomainEventType = Extract<WebhookEventType, `domain.${string}`>;

/** What became of the DNS records of a sending domain. */
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
      /** When a domain whose records are wrong stops sending. */
      stops_sending_at: string | null;
      /** The records that are wrong, with the value to publish and what to change in words. */
      problems: { record: string; name: string; expected: string; message: string }[];
      created_at: string;
    };
  };
}[DomainEventType];

export type SuppressionEventType = Extract<WebhookEventType, `suppression.${string}`>;

/** What changes on the suppression list. Sent to webhooks that name these types. */
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
      /** The email that it came from. */
      email_id: string | null;
      /** The mail that it stops; null: all. */
      unsubscribe_group: string | null;
      created_at: string;
    };
  };
}[SuppressionEventType];

/** What needs attention, and what no longer does. Sent to webhooks that name these types. */
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
  /** The id or name of what it is about; empty for all of your mail. */
  subject: string;
  created_at: string;
}

/** A step of a canary of the route table. Sent to operators' webhooks that name this type. */
export interface CanaryWebhookEvent {
  type: 'canary.stepped';
  timestamp: string;
  data: Omit<CanaryStep, 'id' | 'at'> & { id: string; type: 'canary.stepped'; created_at: string };
}

/** `event.type` tells them apart. New types may come: leave alone what you do not know. */
export type WebhookEvent =
  | EmailWebhookEvent
  | DomainWebhookEvent
  | SuppressionWebhookEvent
  | AttentionWebhookEvent
  | CanaryWebhookEvent
  | TestWebhookEvent;
