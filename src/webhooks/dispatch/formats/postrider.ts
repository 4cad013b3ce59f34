/** Postrider's own format: the event as the API shows it, and the fields that identify its email. */
import { eventView } from '../../../events/read.ts';
import { publicType } from '../../endpoints/view.ts';
import type { MailFacts } from './mail-facts.ts';

export function postriderBody({ event, email }: MailFacts): object {
  return envelope(publicType(event.type), event.created_at, {
    ...eventView(event),
    email_id: email.id,
    request_id: email.origin.requestId ?? null,
    subject: email.subject,
    stream: email.stream,
    tags: email.tags,
    metadata: email.metadata,
    unsubscribe_group: email.unsubscribeGroup,
  });
}

export function envelope(type: string, at: Date, data: object): object {
  return { type, timestamp: at, data };
}
