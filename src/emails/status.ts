/** What may be known of an email as a whole. */
export const STATUSES = ['queued', 'delivered', 'bounced', 'failed', 'opened'] as const;
export type EmailStatus = (typeof STATUSES)[number];

/** And of each of its recipients. */
export const RECIPIENT_STATES = ['queued', 'deferred', 'delivered', 'bounced', 'failed', 'opened'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];
