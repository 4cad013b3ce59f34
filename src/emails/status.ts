/** What may be known of an email as a whole. */
export const STATUSES = ['queued', 'delivered', 'bounced', 'failed', 'opened'] as const;
export type EmailStatus = (typeof STATUSES)[number];
