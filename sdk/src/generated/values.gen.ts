// Made from the closed sets of the API by `npm run types -w sdk`. Changes belong there.

/** What may be known of an email as a whole. */
export const EMAIL_STATUSES = [
  "queued",
  "delivered",
  "bounced",
  "failed",
  "opened",
] as const;

/** What people call its situation. */
export const EMAIL_STATES = [
  "scheduled",
  "awaiting_approval",
  "held",
  "queued",
  "retrying",
  "delivered",
  "opened",
  "partly_delivered",
  "bounced",
  "failed",
  "withdrawn",
  "superseded",
  "complained",
] as const;

/** What can happen to an email. */
export const EMAIL_EVENT_TYPES = [
  "queued",
  "processing",
  "held",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "deferred",
  "failed",
  "complained",
  "unsubscribed",
  "rejected",
  "received",
] as const;

/** What a webhook can ask for. */
export const WEBHOOK_EVENT_TYPES = [
  "email.queued",
  "email.processing",
  "email.held",
  "email.delivered",
  "email.opened",
  "email.clicked",
  "email.bounced",
  "email.deferred",
  "email.failed",
  "email.complained",
  "email.unsubscribed",
  "email.rejected",
  "email.received",
  "domain.verified",
  "domain.failing",
  "domain.recovered",
  "domain.unverified",
  "suppression.added",
  "suppression.removed",
  "attention.raised",
  "attention.cleared",
  "canary.stepped",
] as const;

/** In whose words a webhook is told. */
export const WEBHOOK_FORMATS = [
  "postrider",
  "resend",
  "sendgrid",
  "postmark",
] as const;

/** Why an address must not be mailed. */
export const SUPPRESSION_REASONS = [
  "hard_bounce",
  "soft_bounce",
  "complaint",
  "unsubscribe",
  "manual",
] as const;

/** Of people in an organization. */
export const ROLES = [
  "owner",
  "member",
  "read_only",
] as const;

/** Of API keys, the widest first. */
export const API_KEY_SCOPES = [
  "full",
  "read",
  "agent",
  "send",
] as const;
