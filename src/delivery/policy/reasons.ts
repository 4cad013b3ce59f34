/**
 * Every reason for the outcome of an attempt, with its sentence for operators. A closed list, because events store the reasons.
 */
export const OUTCOME_REASONS = {
  accepted: "The recipient's server accepted the message.",

  unknown_recipient: 'The mailbox does not exist.',
  recipient_domain_invalid: "The recipient's domain does not exist.",
  domain_accepts_no_mail: "The recipient's domain accepts no mail.",
  domain_not_served: "The mail server of the recipient's domain does not accept mail for it.",
  domain_has_no_servers: "The recipient's domain has no server that could be connected to.",
  mailbox_moved: 'The mailbox has moved and left no forwarding.',
  mailbox_disabled: 'The mailbox is disabled.',
  mailbox_owner_changed: 'The mailbox now belongs to another person.',
  mailbox_full: 'The mailbox is full.',
  mailbox_unavailable: 'The mailbox cannot accept mail at the moment.',
  recipient_receives_too_fast: 'The recipient is getting more mail than the server allows.',
  address_being_verified: 'The server is still finding out whether the mailbox exists.',

  message_too_large: "The message is larger than the recipient's server accepts.",
  content_refused: 'The server refused the message for its content or format.',
  smtputf8_unsupported: 'An address needs SMTPUTF8 and the server does not offer it.',
  sender_refused: 'The server refused the sender address.',
  mail_loop: 'The server detected a mail loop.',
  delivery_expired: 'The server tried too long to pass the message on.',
  too_many_recipients: 'The server wants fewer recipients at a time.',
  protocol_refused: 'The server reported an SMTP protocol error.',

  blocked: 'The server blocks this sender by policy or reputation.',
  authentication_failed: "The sender's SPF, DKIM, DMARC or TLS did not satisfy the server.",
  reverse_dns_missing:
    'The server found no reverse DNS for the sending address, or a name that does not resolve to the address.',
  hostname_refused: 'The server refused the host name of this installation.',
  greylisted: 'The server defers mail from unknown senders (greylisting).',
  rate_limited: 'The server accepts mail from this sender more slowly than it is sent.',
  policy_deferral: 'The server deferred the message by policy.',

  host_busy: 'The server is busy or short of space.',
  host_refused_service: 'The server refuses all commands of this sender.',
  host_accepts_no_mail: 'The host reports that it is not a mail server.',
  host_not_accepting: 'The server reports that it is out of service or shutting down.',
  routing_trouble: 'The server could not reach the next mail server.',
  temporary_refusal:
    'The server refused temporarily, because of an internal problem or without a clear reason.',
  undetermined: 'The server refused permanently without a clear reason.',

  connection_refused: 'The server refused the connection.',
  connection_timed_out: 'The server did not answer in time.',
  connection_lost: 'The connection to the server was lost.',
  host_unreachable: "The server's address is unreachable.",
  tls_failed: 'A TLS connection to the server could not be established.',
  dane_failed: "The certificate of the recipient's server does not match its TLSA records (DANE).",
  mta_sts_failed:
    "The recipient's domain requires a verified server (MTA-STS), and no server could be verified.",
  requiretls_unsupported:
    'The mail requires TLS on the whole path (REQUIRETLS), and the server does not offer REQUIRETLS.',
  requiretls_failed: 'The mail requires TLS with a verified server, and no server could be verified.',
  protocol_error: 'The server did not speak SMTP.',
  reply_lost_after_message:
    'The connection was lost before the server confirmed; the server may have the message.',
  relay_authentication_failed: 'The relay did not accept the credentials.',
  source_unavailable: 'The selected source address is not on the machine of the worker.',
  no_route: 'No route of the email can be used.',
  interrupted: 'Sending was stopped by a shutdown.',
  dns_unavailable: 'DNS did not answer.',
  private_destination: 'Postrider must not connect to the address of the destination.',
  domain_removed: "The sender's domain was removed before the mail was due.",
  domain_unverified: "The sender's domain was no longer verified when the mail was due.",
  key_revoked: 'The API key that scheduled the email was revoked before the email was due.',
  superseded: 'A newer email with the same collapse key was sent to the recipient instead.',
  flood_collapsed:
    'The guard slowed repeats of this email to the recipient, and a newer email replaced it before it was sent.',
  discarded: 'The operator discarded the queue before the email was sent.',
  hold_discarded: 'The email was held, and discarded before it was sent.',
  approval_rejected: 'The email needed approval, and a member rejected it.',
  approval_expired: 'The email needed approval, and no member approved it in time.',
  sandbox_ended: 'The email was queued in the sandbox, and the sandbox ended before it was sent.',
  suppressed: 'The recipient is on the suppression list.',
  content_gone: 'The content of the email is no longer available.',
  rendering_failed: 'The template could not be rendered within the limits.',
  internal_error: 'An internal error occurred before the message was transferred.',
  lifetime_exceeded: 'The email could not be delivered within its lifetime.',
} as const;

export type OutcomeReason = keyof typeof OUTCOME_REASONS;
