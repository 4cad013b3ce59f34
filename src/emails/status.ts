/** The status of an email as a whole. */
export const STATUSES = ['queued', 'delivered', 'bounced', 'failed', 'opened'] as const;
export type EmailStatus = (typeof STATUSES)[number];

/** States that refine a status, each with the status that it belongs to; null if it occurs with several. */
export const SPECIAL_STATES = {
  scheduled: 'queued',
  awaiting_approval: 'queued',
  held: 'queued',
  retrying: 'queued',
  partly_delivered: null,
  withdrawn: 'failed',
  superseded: 'failed',
  complained: null,
} as const satisfies Record<string, EmailStatus | null>;
export type SpecialState = keyof typeof SPECIAL_STATES;

/** The states of an email as shown to users. */
export const EMAIL_STATES = [
  'scheduled',
  'awaiting_approval',
  'held',
  'queued',
  'retrying',
  'delivered',
  'opened',
  'partly_delivered',
  'bounced',
  'failed',
  'withdrawn',
  'superseded',
  'complained',
] as const satisfies readonly (EmailStatus | SpecialState)[];
export type EmailState = (typeof EMAIL_STATES)[number];

/** The states of a recipient as shown to users. */
export const RECIPIENT_STATES = ['queued', 'deferred', 'delivered', 'bounced', 'failed', 'opened'] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];
