/** What a webhook is told. */
import type { EmailEvent, Tag } from './generated/types.gen.ts';
import type { Body } from './operation.ts';

export type EmailEventType = EmailEvent['type'];

/** What a webhook can ask for: `email.delivered`, `email.bounced`, … */
export type WebhookEventType = NonNullable<Body<'POST /webhooks'>['event_types']>[number];

/** The event as `emails.get` shows it, and of its email what tells it apart. */
export interface EmailEventData<Type extends EmailEventType = EmailEventType>
  extends Omit<EmailEvent, 'type'> {
  type: Type;
  email_id: string;
  subject: string;
  tags: Tag[];
  metadata: Record<string, string | number | boolean>;
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

/** `event.type` tells them apart. New types may come: leave alone what you do not know. */
export type WebhookEvent = EmailWebhookEvent | TestWebhookEvent;
