// Made from the OpenAPI document by `npm run types -w sdk`. Changes belong into the API's schemas.

export interface ApiKey {
  /** Id of the API key. Starts with `key_`. */
  id: string;
  name: string;
  /** First characters of the key, to recognize it by. */
  prefix: string;
  /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
  scope: "full" | "read" | "agent" | "send";
  /** The only domain that the key may send from and whose mail it may read. Null means all domains of the organization. */
  domain: string | null;
  created_at: string;
  expires_at: string | null;
  /** Time of the last use of the key, accurate to the minute. Null if the key was never used. */
  last_used_at: string | null;
  revoked_at: string | null;
  /** Id of the user who created the key, directly or with another key. Null if the operator created it. */
  created_by: string | null;
  /** Name of the user in `created_by`. */
  created_by_name: string | null;
  /** Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it. */
  created_by_key: string | null;
  /** Name of the key in `created_by_key`. */
  created_by_key_name: string | null;
  /** Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated. */
  replaced_by: string | null;
  /** Policy of the key. It applies to every way of submitting mail. Null if the key has no policy. */
  policy: {
    /** Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient. */
    recipients: string[] | null;
    /** Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender. */
    from: string[] | null;
    /** Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content. */
    templates: string[] | null;
    /** Whether the key may attach files and submit complete messages, as over SMTP. The default is false. */
    attachments: boolean;
    /** Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key. */
    daily_budget: number | null;
    /** `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`. */
    approval: "required" | "none";
    /** Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`. */
    read: "own" | "organization";
    /** Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false. */
    inbound: boolean;
  } | null;
  /** Number of recipients that the key has used of its daily budget on the current UTC day. Null if the key has no budget. */
  budget_used: number | null;
  /** Usage of the key in the last 30 days. The counts are a few seconds late. */
  last_30_days: {
    /** Number of requests that were answered. */
    requests: number;
    /** Number of these requests that ended with an error. */
    refused: number;
    /** Number of emails that were accepted over HTTP or SMTP. */
    emails: number;
  };
}

export interface ApiKeyUsage {
  /** First UTC day of the period, such as `2026-10-17`. */
  from: string;
  totals: {
    /** Number of requests that were answered. */
    requests: number;
    /** Number of these requests that ended with an error. */
    refused: number;
    /** Number of emails that were accepted over HTTP or SMTP. */
    emails: number;
  };
  /** Usage for each day on which the key was used, oldest first. */
  days: Array<{
    day: string;
    /** Number of requests that were answered. */
    requests: number;
    /** Number of these requests that ended with an error. */
    refused: number;
    /** Number of emails that were accepted over HTTP or SMTP. */
    emails: number;
  }>;
}

export interface Approval {
  /** Id of the email, a UUID. */
  id: string;
  /** State of the approval. `withdrawn`: the email was cancelled, erased or withdrawn before anyone decided. */
  state: "waiting" | "approved" | "rejected" | "expired" | "withdrawn";
  /** Id of the API key that the email was sent with. Starts with `key_`. */
  api_key_id: string;
  api_key_name: string | null;
  subject: string;
  from: {
    email: string;
    name: string | null;
  };
  to: Array<{
    email: string;
    name: string | null;
  }>;
  cc: Array<{
    email: string;
    name: string | null;
  }>;
  bcc: Array<{
    email: string;
    name: string | null;
  }>;
  reply_to: {
    email: string;
    name: string | null;
  } | null;
  /** All addresses that replies go to. `reply_to` is the first of them. */
  reply_to_list: Array<{
    email: string;
    name: string | null;
  }>;
  /** Whether this installation receives the replies. `reply_to` is then an address of the installation. */
  receive_replies: boolean;
  scheduled_at: string | null;
  /** Number of seconds after which Postrider stops trying to deliver the email. Null means one day. */
  expires_in: number | null;
  priority: "high" | "normal" | "low";
  /** Stream of the email. `transactional` if the send did not name one. */
  stream: string;
  /** Whether a pixel that records opens is added to the html. */
  track_opens: boolean;
  /** Which links are replaced by tracked links. `GET /approvals/{id}/message` lists these links. */
  track_clicks: "off" | "html" | "html_and_text";
  /** Whether the email gets `List-Unsubscribe` headers. */
  unsubscribe: boolean;
  /** Group of the email. An unsubscription from the group stops the email. Null if the email has no group. */
  unsubscribe_group: string | null;
  /** Whether the email is sent only over TLS to verified servers that support REQUIRETLS. */
  require_tls: boolean;
  tags: Array<{
    name: string;
    value: string;
  }>;
  /** The sender’s own data. It is not sent to recipients. */
  metadata: Record<string, unknown>;
  /** Id of the template. Starts with `tmpl_`. Null if the email has no template. */
  template_id: string | null;
  /** Language of the translation of the template, such as `pt-BR`. Null for the template itself. */
  locale: string | null;
  /** Version of the template that is sent, even if the template has changed since. Null if the email has no template. */
  template_version: number | null;
  requested_at: string;
  /** Time at which an undecided email is rejected automatically, 7 days after `requested_at`. */
  expires_at: string;
  decided_at: string | null;
  /** Id of the user who approved or rejected the email. Starts with `usr_`. Null if no user has decided. */
  decided_by: string | null;
  /** Email address of the user who approved or rejected the email. Null if no user has decided. */
  decided_by_name: string | null;
  /** Reason of the rejection. Null if the email was not rejected. */
  reason: string | null;
}

export interface ApprovalMessage {
  /** Size of the message in bytes. */
  size: number;
  /** All header fields of the message, in order. When it is sent, `Date` and the reference for bounces are set again, and a DKIM signature is added. */
  headers: Array<{
    /** Name of the header field as written. Empty for a line that is not a field. */
    name: string;
    /** Value of the header field in one line, with encoded words decoded. */
    value: string;
  }>;
  /** All MIME parts at every level, in order, including alternatives that few mail clients show. */
  parts: ApprovalPart[];
  /** Text before, between or after the parts. Most mail clients do not show it. */
  outside: string[];
  /** Original URLs of the links that are replaced by tracked links. */
  tracked_links: string[];
}

export interface ApprovalPart {
  /** Number of the part, from 0, for `GET /approvals/{id}/parts/{number}`. */
  number: number;
  content_type: string;
  /** Content disposition: `attachment`, `inline`, or empty. */
  disposition: string;
  filename: string | null;
  /** Content id of an inline image, which the html refers to as `cid:…`. Null if the part has none. */
  content_id: string | null;
  /** Whether the part is a multipart container and has no content except the parts that follow it. */
  is_container: boolean;
  /** Size of the decoded part in bytes. */
  size: number;
  /** All header fields of the part, in order. */
  headers: Array<{
    /** Name of the header field as written. Empty for a line that is not a field. */
    name: string;
    /** Value of the header field in one line, with encoded words decoded. */
    value: string;
  }>;
  /** The complete decoded text, if the part is text or an included message; html as its source. Null otherwise. */
  text: string | null;
  /** Text of an html part that most mail clients do not show: comments and elements that are hidden by their own style. Style sheets can hide more. */
  hidden_text: string[];
}

export interface Attachment {
  /** Name of the file, without a path. Required with `content`. With `url`, the default is the name that the server gives, or `attachment`. */
  filename?: string | undefined;
  /** Content of the file in base64. Required unless `url` is given. */
  content?: string | undefined;
  /** URL of the file, instead of `content`. Postrider fetches the file before it accepts the email. */
  url?: string | undefined;
  /** MIME type of the file, such as `application/pdf`, or `message/rfc822` for an attached message. */
  content_type?: string | undefined;
  /** Content id of an inline image. The html refers to it as `<img src="cid:…">`. */
  content_id?: string | undefined;
}

export interface Attempt {
  /** `attempt`: an attempt to deliver. `report`: a bounce or complaint that arrived by mail after a server had accepted the message. */
  kind: "attempt" | "report";
  /** Number of the attempt, from 1. Counting restarts at 1 when failed mail is retried. Null for reports. */
  attempt: number | null;
  /** Time at which the attempt ended or the report arrived. */
  created_at: string;
  /** Duration of the attempt in milliseconds. Null for reports. */
  duration_ms: number | null;
  /** Server that wrote the report, as the report states. Null for attempts. */
  reported_by: string | null;
  outcome: "delivered" | "deferred" | "bounced" | "failed" | "rejected";
  /** Reason code of the outcome, from a closed list. Null if there is none. */
  reason: string | null;
  /** Name of the rule that decided the outcome. Null if there is none. */
  rule: string | null;
  /** Who can fix the problem. */
  responsible: "recipient" | "sender" | "domain_owner" | "receiver" | "operator" | null;
  mx_host: string | null;
  tls: string | null;
  /** Certificate of the receiving server. Null if the connection was not encrypted. */
  tls_certificate: {
    /** Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS. */
    verified: boolean;
    /** Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS. */
    policy: "dane" | "mta_sts" | "require_tls" | "provider" | "relay" | "opportunistic";
    /** Issuer of the certificate. Null if unknown. */
    issuer: string | null;
    /** Why the certificate is not verified. Null if it is. */
    problem: string | null;
    /** SHA-256 of the certificate, in hexadecimal. */
    sha256?: string | null | undefined;
  } | null;
  /** Reply of the server, or a description of the problem if no server replied. */
  detail: string | null;
  /** Lines of the SMTP conversation: sent (`>`), received (`<`) and other events (`-`). Shortened, and without the content of the message. */
  conversation: string[];
  next_attempt_at: string | null;
  route: {
    /** Name of the transport. `default` is the transport that the environment variables configure. */
    transport: string;
    kind: "direct" | "relay" | "default";
    /** IP address that the mail was sent from. Null if the route did not choose one. */
    source: string | null;
    /** Number of the rule in the route table at that time, from 1. Null if no rule matched. */
    rule: number | null;
    /** Number of the step in the rule, from 1. 0 is the new transport of a canary. */
    step: number;
    why: string;
    /** Canary that moves this mail from one transport to another. Present only if there was one at that time. */
    canary?: {
      name: string;
      /** `new`: the email used the new transport. `old`: it used the route of the rule. */
      way: "old" | "new";
      /** Percentage of this mail that used the new transport at that time. */
      percent: number;
      /** Whether the email was selected for the new transport, but used the old route because the new transport was unavailable or failed. */
      instead?: boolean | undefined;
    } | undefined;
    /** Explanation in words. */
    message: string;
  } | null;
}

export interface Attention {
  queue: {
    /** Number of emails without a final status, including scheduled ones. */
    queued_emails: number;
    /** Number of deliveries that are due now. Counted up to 10,000. */
    due: number;
    /** Whether `due` reached its maximum of 10,000, so that more deliveries may be due. */
    due_capped: boolean;
    oldest_due_at: string | null;
    /** Number of seconds for which the oldest due delivery has been due. Null if none is due. */
    oldest_due_seconds: number | null;
  };
  /** Warnings, most severe first. */
  items: Array<{
    kind: "sending_host" | "tracking_off" | "domain_unverified" | "domain_failing" | "domain_tracking_host" | "no_verified_domain" | "webhook_disabled" | "webhook_failing" | "sending_limit_near" | "sending_limit_reached" | "nobody_delivers" | "queue_delayed" | "site_waiting" | "mail_held" | "mail_slowed" | "guard_watched" | "warm_up_bent" | "warm_up_done" | "canary_fallen" | "bounce_rate_high" | "complaint_rate_high" | "reports_failing" | "requests_refused";
    severity: "critical" | "warning" | "info";
    /** Id of the domain, webhook or site that the warning is about, or the error code of refused requests. Null for other warnings. */
    id: string | null;
    name: string | null;
    /** Explanation of the warning in words. */
    message: string;
  }>;
}

export interface AuditEntry {
  id: string;
  at: string;
  /** Name of the action, such as `api_key.created`. */
  action: string;
  actor: {
    type: "user" | "api_key" | "operator";
    id: string;
    /** Name of the actor at that time: the email address of a user, the name of an API key, or the user name of an operator on the server. */
    name: string;
  };
  target: {
    id: string | null;
    name: string | null;
  };
  /** Details of the request that matter for the action. Its fields depend on the action. */
  details: Record<string, unknown>;
  /** IP address that the request came from. For an operator’s command, the host name of the machine. */
  address: string;
}

export interface AuthState {
  /** Whether the installation has no user yet. The setup link then creates the first user. */
  setup_required: boolean;
  mode: "sandbox" | "live";
  signed_in: boolean;
}

export interface AutoValidation {
  /** `off`: no validation. `high`: recipients with a risk score above 0.7 are refused. `medium`: recipients with a risk score above 0.3 are refused. */
  auto_validation_threshold: "off" | "high" | "medium";
}

export interface BatchMailbox {
  email: string;
  name?: string | undefined;
}

export interface BatchRecipient {
  to: BatchMailbox | string;
  /** Values for the variables of the template, for this recipient. */
  data?: Record<string, unknown> | undefined;
  /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
  locale?: string | undefined;
}

export interface BatchResult {
  batch_id: string;
  /** Number of recipients in the request. */
  total: number;
  /** Number of accepted emails, one for each accepted recipient. */
  accepted: number;
  rejected: Array<{
    /** Position of the recipient in `recipients`, from 0. */
    index: number;
    error: string;
  }>;
  /** Number of accepted emails that a hold keeps from being sent. Missing if there are none. */
  held?: number | undefined;
  hold?: EmailHold | undefined;
}

export interface BatchStatus {
  batch_id: string;
  /** Number of emails of the batch. */
  total: number;
  /** Number of emails with each status. */
  counts: {
    queued: number;
    delivered: number;
    bounced: number;
    failed: number;
    opened: number;
  };
}

export interface BulkResult {
  /** Number of results without an error. */
  succeeded: number;
  /** Number of results with an error. */
  failed: number;
  /** One result for each id, in the order of the request. */
  results: Array<{
    id: string;
    error: {
      /** Code of the error, as the request for this id alone returns it. */
      code: string;
      message: string;
      details: Array<{
        field: string;
        message: string;
      }>;
    } | null;
  }>;
}

export interface CanaryBoard {
  canaries: CanaryProgress[];
  /** The last 100 steps of all canaries, including finished ones, newest first. */
  steps: CanaryStep[];
}

export interface CanaryCounts {
  /** Number of emails at their first attempt. */
  sent: number;
  /** Number of emails that were deferred at the first attempt, or that used the old route because the new transport was unavailable. */
  deferred: number;
  /** Number of emails that bounced, at once or by a later report. */
  bounced: number;
  complained: number;
}

export interface CanaryProgress {
  name: string;
  to: string;
  percents: number[];
  minutes: number;
  mails: number;
  worse: {
    deferred: number;
    bounced: number;
    complained: number;
  };
  /** Number of the rule in the route table, from 1. */
  rule: number;
  paused_at: string | null;
  /** Progress for each provider that mail of the rule went to. */
  shares: CanaryShare[];
}

/** Progress of a canary at one provider. `old` and `new` count the mail on the old route and the new transport since the step began. */
export interface CanaryShare {
  provider: string;
  /** Percentage of the mail to the provider that uses the new transport, from 0 to 100. */
  percent: number;
  /** Time at which the current step began. Null if it has not begun. */
  since: string | null;
  /** Percentage of the next step. Null at the last step. */
  next_percent: number | null;
  /** Time at which the canary starts again after a fall. Null otherwise. */
  rests_until: string | null;
  /** Number of falls since the canary last reached its last step or was resumed. */
  falls: number;
  paused: boolean;
  /** Progress in words. */
  message: string;
  old: CanaryCounts;
  new: CanaryCounts;
}

export interface CanaryStep {
  id: string;
  at: string;
  canary: string;
  /** Name of the transport that mail is moved to. */
  transport: string;
  /** Provider that the step is about. Null if the step was for all providers. */
  provider: string | null;
  /** Kind of the step. `rise` and `fall` are automatic; the others are actions of operators. */
  kind: "rise" | "fall" | "pause" | "resume" | "back" | "finish";
  from_percent: number | null;
  to_percent: number | null;
  /** Explanation of the step in words. */
  message: string;
  /** Numbers that the step was decided by. Null for steps of operators. */
  numbers: {
    old: CanaryCounts;
    new: CanaryCounts;
    /** Rate that was too high, for a fall. Null otherwise. */
    rate: "deferred" | "bounced" | "complained" | null;
    /** Tolerance that the rate exceeded, for a fall. Null otherwise. */
    worse: number | null;
  } | null;
}

export interface CreatedApiKey {
  /** Id of the API key. Starts with `key_`. */
  id: string;
  name: string;
  /** First characters of the key, to recognize it by. */
  prefix: string;
  /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
  scope: "full" | "read" | "agent" | "send";
  /** The only domain that the key may send from and whose mail it may read. Null means all domains of the organization. */
  domain: string | null;
  created_at: string;
  expires_at: string | null;
  /** Time of the last use of the key, accurate to the minute. Null if the key was never used. */
  last_used_at: string | null;
  revoked_at: string | null;
  /** Id of the user who created the key, directly or with another key. Null if the operator created it. */
  created_by: string | null;
  /** Name of the user in `created_by`. */
  created_by_name: string | null;
  /** Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it. */
  created_by_key: string | null;
  /** Name of the key in `created_by_key`. */
  created_by_key_name: string | null;
  /** Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated. */
  replaced_by: string | null;
  /** Policy of the key. It applies to every way of submitting mail. Null if the key has no policy. */
  policy: {
    /** Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient. */
    recipients: string[] | null;
    /** Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender. */
    from: string[] | null;
    /** Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content. */
    templates: string[] | null;
    /** Whether the key may attach files and submit complete messages, as over SMTP. The default is false. */
    attachments: boolean;
    /** Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key. */
    daily_budget: number | null;
    /** `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`. */
    approval: "required" | "none";
    /** Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`. */
    read: "own" | "organization";
    /** Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false. */
    inbound: boolean;
  } | null;
  /** The secret key for the `Authorization` header. It is shown only in this response. */
  key: string;
}

export interface Deleted {
  id: string;
  /** Always true. */
  deleted: boolean;
}

export interface Deliverability {
  by: "provider" | "domain" | "template" | "tag" | "stream" | "reason";
  range: "24h" | "7d" | "30d";
  interval: "hour" | "day";
  from: string;
  to: string;
  /** Results of all deliveries in the period. */
  totals: {
    /** Number of recipients with a first attempt. */
    sent: number;
    /** Number of recipients whose server accepted the mail. */
    delivered: number;
    /** Number of attempts that were deferred. */
    deferred: number;
    /** Number of recipients that bounced, at once or later. */
    bounced: number;
    /** Number of recipients that failed because the lifetime ended or no server could be tried. */
    failed: number;
    /** Number of recipients who reported the mail as spam, as far as feedback loops report it. */
    complained: number;
    rates: {
      /** Share of the finished deliveries (delivered, bounced or failed), from 0 to 1. Null if there are none. */
      delivered: number | null;
      /** Share of the finished deliveries, from 0 to 1. Null if there are none. */
      bounced: number | null;
      /** Share of all attempts, from 0 to 1. Null if there are none. */
      deferred: number | null;
      /** Share of the delivered mail, from 0 to 1. Providers object from 0.001 on. Null if nothing was delivered. */
      complained: number | null;
    };
    /** Time in seconds from acceptance, or from the scheduled time, to delivery: the median. It is computed from ranges, so it is approximate. Null if nothing was delivered. */
    p50_seconds: number | null;
    /** Time in seconds from acceptance, or from the scheduled time, to delivery: the 95th percentile. It is computed from ranges, so it is approximate. Null if nothing was delivered. */
    p95_seconds: number | null;
  };
  series: Array<{
    /** Start of the hour or day. */
    at: string;
    /** Number of recipients with a first attempt. */
    sent: number;
    /** Number of recipients whose server accepted the mail. */
    delivered: number;
    /** Number of attempts that were deferred. */
    deferred: number;
    /** Number of recipients that bounced, at once or later. */
    bounced: number;
    /** Number of recipients that failed because the lifetime ended or no server could be tried. */
    failed: number;
    /** Number of recipients who reported the mail as spam, as far as feedback loops report it. */
    complained: number;
  }>;
  /** Results by name, the most mail first. */
  groups: Array<{
    /** Name of the group. Empty for names that are not counted separately. */
    name: string;
    /** Name of the template, for `by=template`. Null otherwise. */
    label: string | null;
    /** Number of recipients with a first attempt. */
    sent: number;
    /** Number of recipients whose server accepted the mail. */
    delivered: number;
    /** Number of attempts that were deferred. */
    deferred: number;
    /** Number of recipients that bounced, at once or later. */
    bounced: number;
    /** Number of recipients that failed because the lifetime ended or no server could be tried. */
    failed: number;
    /** Number of recipients who reported the mail as spam, as far as feedback loops report it. */
    complained: number;
    rates: {
      /** Share of the finished deliveries (delivered, bounced or failed), from 0 to 1. Null if there are none. */
      delivered: number | null;
      /** Share of the finished deliveries, from 0 to 1. Null if there are none. */
      bounced: number | null;
      /** Share of all attempts, from 0 to 1. Null if there are none. */
      deferred: number | null;
      /** Share of the delivered mail, from 0 to 1. Providers object from 0.001 on. Null if nothing was delivered. */
      complained: number | null;
    };
    /** Time in seconds from acceptance, or from the scheduled time, to delivery: the median. It is computed from ranges, so it is approximate. Null if nothing was delivered. */
    p50_seconds: number | null;
    /** Time in seconds from acceptance, or from the scheduled time, to delivery: the 95th percentile. It is computed from ranges, so it is approximate. Null if nothing was delivered. */
    p95_seconds: number | null;
    /** Counts over time, one number for each point of `series`. */
    trend: {
      sent: number[];
      delivered: number[];
      deferred: number[];
      bounced: number[];
    };
  }>;
}

export interface DmarcReports {
  domain: string;
  /** First UTC day of the period. */
  from: string;
  /** Last UTC day of the period: today. */
  to: string;
  /** Policy in the DMARC record at the last check. Null if the domain has no DMARC record. */
  policy: "none" | "quarantine" | "reject" | null;
  /** The next step, in words. */
  advice: string;
  /** Whether the DMARC record, at the last check, asks receivers to send reports to this installation. */
  is_published: boolean;
  /** DMARC record to publish: the existing record with the report address of this installation added. */
  record: {
    type: string;
    name: string;
    value: string;
  };
  /** DNS record that the operator of this server has to publish once, so that receivers send reports about other domains to this server. Null if no record is needed. */
  permission: {
    type: string;
    name: string;
    value: string;
  } | null;
  totals: {
    messages: number;
    /** Number of messages that pass DMARC: DKIM or SPF passed for the domain in From. */
    aligned: number;
    /** Number of messages that the receiver put into the spam folder. */
    quarantined: number;
    /** Number of messages that the receiver refused. */
    rejected: number;
  };
  /** Counts for each day of the period, including days without reports. */
  series: Array<{
    date: string;
    messages: number;
    /** Number of messages that pass DMARC: DKIM or SPF passed for the domain in From. */
    aligned: number;
    /** Number of messages that the receiver put into the spam folder. */
    quarantined: number;
    /** Number of messages that the receiver refused. */
    rejected: number;
  }>;
  /** Senders that use the domain in From, by number of messages, highest first. At most 50. */
  senders: Array<{
    /** Registered domain for which DKIM or SPF passed. It identifies the service that sent the mail. Null if nothing passed, and for this installation. */
    name: string | null;
    /** Number of IP addresses that the sender used. */
    addresses: number;
    messages: number;
    /** Number of messages that pass DMARC: DKIM or SPF passed for the domain in From. */
    aligned: number;
    /** Number of messages that the receiver put into the spam folder. */
    quarantined: number;
    /** Number of messages that the receiver refused. */
    rejected: number;
    dkim_aligned: number;
    spf_aligned: number;
    /** Whether the mail came from this installation: the IP address is configured as one of its sending addresses, or receivers found it allowed by the SPF record of its return paths. */
    is_this_installation: boolean;
  }>;
  /** The same mail by IP address. At most 100 entries. */
  sources: Array<{
    /** IP address of the source. Null for the sum of many addresses with little mail each. */
    ip: string | null;
    /** Domains for which DKIM or SPF passed, most frequent first. */
    passed_as: string[];
    messages: number;
    /** Number of messages that pass DMARC: DKIM or SPF passed for the domain in From. */
    aligned: number;
    /** Number of messages that the receiver put into the spam folder. */
    quarantined: number;
    /** Number of messages that the receiver refused. */
    rejected: number;
    dkim_aligned: number;
    spf_aligned: number;
    /** Whether the mail came from this installation: the IP address is configured as one of its sending addresses, or receivers found it allowed by the SPF record of its return paths. */
    is_this_installation: boolean;
  }>;
  /** Organizations that sent reports, by the name that they state, with the number of their reports. At most 50. */
  reporters: Array<{
    name: string;
    reports: number;
  }>;
}

export interface DoctorFinding {
  /** Name of the check, such as `outbound_smtp`. */
  check: string;
  /** `bad`: mail or data is lost. `warn`: some mail or data may be lost. `unknown`: the check could not be completed; `seen` has the reason. `ok`: no problem was found. */
  level: "bad" | "warn" | "unknown" | "ok";
  /** What the check found, in one sentence. */
  seen: string;
  /** Why the finding matters: its consequence for mail or data. */
  why: string;
  /** The DNS record, the setting or the command that fixes the problem. Null if there is nothing to fix. */
  fix: string | null;
}

export interface DoctorReport {
  /** Time of the last run of the checks. Null if they have not run since this API process was started. */
  examined_at: string | null;
  /** Host name of the machine that ran the checks. It is the machine of the API. */
  machine: string;
  /** Version of Postrider that the API runs. */
  version: string;
  findings: DoctorFinding[];
}

export interface Domain {
  /** Id of the domain. Starts with `dom_`. */
  id: string;
  /** Name of the domain in lower case. Internationalized names are in their ASCII form (`xn--…`). */
  domain: string;
  /** Name of the domain as people write it, such as `müller.example`. */
  display_name: string;
  /** Whether mail can be sent from the domain: its DKIM and SPF records were found. */
  is_verified: boolean;
  spf_verified: boolean;
  dkim_verified: boolean;
  dkim_selector: string;
  /** Public DKIM key in base64, as in `p=` of the DKIM record. */
  dkim_public_key: string;
  /** DNS records that are recommended, but not required for verification. */
  recommended_records: Array<{
    type: string;
    name: string;
    value: string;
    /** Effect of the record, in words. */
    purpose: string;
    /** `domain_owner`: publish the record in the DNS of the domain. `operator`: the operator of the installation publishes the record once for all domains. */
    published_by: "domain_owner" | "operator";
  }>;
  /** Time of the verification. Present only if the domain is verified. */
  verified_at?: string | undefined;
  /** Result of the last check for each record. */
  checks: DomainCheck[];
  /** Warning while the DNS records of a verified domain are wrong, with the time at which the domain stops sending. Null otherwise. */
  warning: string | null;
  dkim_rotation: {
    /** `waiting_for_dns`: publish `dns_record`. `switched`: the new key signs mail; keep the old record until `retires_at`. `finished`: the old key is destroyed and its record can be removed. */
    status: "waiting_for_dns" | "switched" | "finished";
    /** DKIM selector of the new key. */
    selector: string;
    previous_selector: string;
    /** DNS record of the new key, to publish. */
    dns_record: {
      type: string;
      name: string;
      value: string;
    };
    previous_dns_record: {
      type: string;
      name: string;
      value: string;
    };
    check: {
      record: "dkim" | "spf" | "dmarc" | "sending_host";
      /** Result of the check. `warn`: worth fixing, but not required. `unknown`: DNS gave no answer, so the domain stays as it was. */
      status: "pass" | "fail" | "warn" | "unknown" | "pending";
      type: string;
      name: string;
      /** Value to publish in DNS. */
      expected: string;
      /** Values that DNS has now for this name and type. */
      found: string[];
      /** Result of the check in words, with the necessary change. */
      message: string;
    } | null;
    /** State of the rotation and the next step, in words. */
    message: string;
    started_at: string;
    /** Time since which DNS has had the new record. Null if it has not been found. */
    seen_at: string | null;
    /** Time from which mail is signed with the new key. Null before the switch. */
    switched_at: string | null;
    /** Time at which the old key is destroyed. Null before the switch. */
    retires_at: string | null;
  } | null;
  tracking: DomainTracking;
  last_checked_at: string | null;
  /** Time of the next automatic check. Null if the domain is only checked on request. */
  next_check_at: string | null;
  created_at: string;
}

export interface DomainCheck {
  record: "dkim" | "spf" | "dmarc" | "sending_host";
  /** Result of the check. `warn`: worth fixing, but not required. `unknown`: DNS gave no answer, so the domain stays as it was. */
  status: "pass" | "fail" | "warn" | "unknown" | "pending";
  type: string;
  name: string;
  /** Value to publish in DNS. */
  expected: string;
  /** Values that DNS has now for this name and type. */
  found: string[];
  /** Result of the check in words, with the necessary change. */
  message: string;
}

export interface DomainTracking {
  /** Null means the setting of the organization. */
  track_opens: boolean | null;
  /** Null means the setting of the organization. */
  track_clicks: "off" | "html" | "html_and_text" | null;
  host: {
    name: string;
    /** Whether the host is in use now for the tracked links and pixels of mail from the domain. */
    in_use: boolean;
    /** Result of the last check of the host’s DNS record and certificate. */
    status: "pass" | "fail" | "warn" | "unknown" | "pending";
    type: string;
    /** Value to publish in DNS. */
    expected: string;
    /** Values that DNS has now for this name and type. */
    found: string[];
    /** Result of the check in words, with the necessary change. */
    message: string;
    checked_at: string | null;
  } | null;
}

/** Expected result of a send. Nothing was sent. */
export interface DryRun {
  dry_run: true;
  /** Whether the send would be accepted. */
  accepted: boolean;
  refusal: {
    /** HTTP status of the response that the send would get. */
    status: number;
    code: string;
    message: string;
    details: Array<{
      field: string;
      message: string;
    }>;
  } | null;
  message: {
    /** Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts. */
    size: {
      message: number;
      html: number;
      text: number;
    };
    dkim: {
      result: "pass" | "fail" | "none";
      domain: string | null;
      selector: string | null;
      reason: string | null;
      /** Whether the domain that was checked is aligned with the domain in From, as DMARC requires. */
      aligned: boolean;
    };
    spf: {
      result: "pass" | "fail" | "none";
      domain: string;
      reason: string | null;
      /** Whether the domain that was checked is aligned with the domain in From, as DMARC requires. */
      aligned: boolean;
    };
    dmarc: {
      /** Policy in the DMARC record of the domain. Null if it has no record. */
      policy: string | null;
      passes: boolean;
    };
    /** Problems in the message that affect spam filters or readers. */
    findings: Array<{
      kind: string;
      severity: "warning" | "info";
      /** Explanation in words. */
      message: string;
    }>;
  } | null;
  recipients: DryRunRecipient[];
}

/** Expected result of a batch. Nothing was sent. `message` is about the first email. */
export interface DryRunBatch {
  dry_run: true;
  /** Number of recipients in the request. */
  total: number;
  /** Number of emails that would be accepted. */
  accepted: number;
  rejected: Array<{
    index: number;
    error: string;
  }>;
  refusal: {
    /** HTTP status of the response that the send would get. */
    status: number;
    code: string;
    message: string;
    details: Array<{
      field: string;
      message: string;
    }>;
  } | null;
  message: {
    /** Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts. */
    size: {
      message: number;
      html: number;
      text: number;
    };
    dkim: {
      result: "pass" | "fail" | "none";
      domain: string | null;
      selector: string | null;
      reason: string | null;
      /** Whether the domain that was checked is aligned with the domain in From, as DMARC requires. */
      aligned: boolean;
    };
    spf: {
      result: "pass" | "fail" | "none";
      domain: string;
      reason: string | null;
      /** Whether the domain that was checked is aligned with the domain in From, as DMARC requires. */
      aligned: boolean;
    };
    dmarc: {
      /** Policy in the DMARC record of the domain. Null if it has no record. */
      policy: string | null;
      passes: boolean;
    };
    /** Problems in the message that affect spam filters or readers. */
    findings: Array<{
      kind: string;
      severity: "warning" | "info";
      /** Explanation in words. */
      message: string;
    }>;
  } | null;
  recipients: DryRunRecipient[];
}

export interface DryRunMixed {
  dry_run: true;
  /** Number of emails in the request. */
  total: number;
  /** Number of emails that would be accepted. */
  accepted: number;
  refusal: {
    /** HTTP status of the response that the send would get. */
    status: number;
    code: string;
    message: string;
    details: Array<{
      field: string;
      message: string;
    }>;
  } | null;
  results: Array<{
    /** Position of the email in `emails`, from 0. */
    index: number;
    /** Whether the email would be accepted. */
    accepted: boolean;
    refusal: {
      /** HTTP status of the response that the send would get. */
      status: number;
      code: string;
      message: string;
      details: Array<{
        field: string;
        message: string;
      }>;
    } | null;
    message: {
      /** Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts. */
      size: {
        message: number;
        html: number;
        text: number;
      };
      dkim: {
        result: "pass" | "fail" | "none";
        domain: string | null;
        selector: string | null;
        reason: string | null;
        /** Whether the domain that was checked is aligned with the domain in From, as DMARC requires. */
        aligned: boolean;
      };
      spf: {
        result: "pass" | "fail" | "none";
        domain: string;
        reason: string | null;
        /** Whether the domain that was checked is aligned with the domain in From, as DMARC requires. */
        aligned: boolean;
      };
      dmarc: {
        /** Policy in the DMARC record of the domain. Null if it has no record. */
        policy: string | null;
        passes: boolean;
      };
      /** Problems in the message that affect spam filters or readers. */
      findings: Array<{
        kind: string;
        severity: "warning" | "info";
        /** Explanation in words. */
        message: string;
      }>;
    } | null;
    recipients: DryRunRecipient[];
  }>;
}

export interface DryRunRecipient {
  email: string;
  /** Expected outcome. `delivered`, `deferred`, `bounced`, `failed`: the expected result of the first attempt. `held`, `waits`: the mail would be accepted, but not attempted for now. `refused`: the mail would not be accepted. */
  outcome: "delivered" | "deferred" | "bounced" | "failed" | "held" | "waits" | "refused";
  /** Reason code of the outcome. Null if the mail is expected to be delivered. */
  reason: string | null;
  /** Explanation in words. */
  message: string;
  /** Earliest time of the first attempt. Null if it is made at once, or if the time is not known. */
  not_before: string | null;
  provider: string | null;
  /** Site that the mail goes to: the mail hosts, or the provider, that share limits. Null if it is not known. */
  site: string | null;
  route: {
    /** Name of the transport. `default` is the transport that the environment variables configure. */
    transport: string;
    /** IP address that the mail is sent from. Null if the route does not choose one. */
    source: string | null;
    /** Number of the rule in the route table, from 1. Null if no rule matches. */
    rule: number | null;
    message: string;
  };
  tls: {
    mode: string;
    /** Origin of the TLS requirement, such as `mta_sts`, `dane` or `opportunistic`. */
    policy: string;
  } | null;
  validation: {
    verdict: "deliverable" | "risky" | "undeliverable";
    risk_score: number;
  } | null;
  /** Duration of the last deliveries that the site accepted at the first attempt, in milliseconds. Null if fewer than 20 such deliveries are known, or if the mail is not expected to be delivered. */
  took: {
    /** Median duration in milliseconds. */
    p50_ms: number;
    /** 90th percentile of the duration in milliseconds. */
    p90_ms: number;
    /** Number of deliveries that were measured. */
    deliveries: number;
  } | null;
}

export interface Email {
  /** Id of the email, a UUID. */
  id: string;
  /** Same as `id`. */
  message_id: string;
  subject: string;
  /** Status of the whole email: `queued` while any recipient has no final status, then the worst outcome of all recipients. */
  status: "queued" | "delivered" | "bounced" | "failed" | "opened";
  /** Refined status. `scheduled`, `awaiting_approval`, `held` and `retrying` have the status `queued`; `withdrawn` and `superseded` have the status `failed`; `partly_delivered` has the status `bounced` or `failed`, and some of the recipients got the email. `complained`: a recipient reported the email as spam. Other states are the same as the status. */
  state: "scheduled" | "awaiting_approval" | "held" | "queued" | "retrying" | "delivered" | "opened" | "partly_delivered" | "bounced" | "failed" | "withdrawn" | "superseded" | "complained";
  /** Number of addresses in `to`, `cc` and `bcc`, each counted once. */
  recipient_count: number;
  /** Number of recipients whose servers accepted the email. */
  delivered_count: number;
  /** Time of the next attempt, if the state is `retrying`. Null otherwise. */
  next_attempt_at: string | null;
  /** The hold that keeps the email from being sent. `GET /holds/{id}` has the details. */
  hold: {
    id: string;
    reason: string;
    /** Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold. */
    placed_by: string;
    placed_at: string;
  } | null;
  /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
  priority: "high" | "normal" | "low";
  created_at: string;
  updated_at: string;
  scheduled_at: string | null;
  from: NamedAddress;
  to: NamedAddress[];
  cc: NamedAddress[];
  bcc: NamedAddress[];
  reply_to: {
    email: string;
    name: string | null;
  } | null;
  /** All addresses that replies go to. `reply_to` is the first of them. */
  reply_to_list: NamedAddress[];
  template_id: string | null;
  /** Language of the translation that was sent, such as `pt-BR`. Null if the template itself was sent, or if there was no template. */
  locale: string | null;
  batch_id: string | null;
  /** Id of the email that this one sends again. Null if it is not a resend. The email may be deleted. */
  resent_from: string | null;
  /** The newest 100 emails as which this one was sent again, oldest first. */
  resends: Resend[];
  /** Id of the API key that the email was sent with. Null if a signed-in person sent it. */
  api_key_id: string | null;
  /** `X-Request-Id` of the request that sent the email. Null if it was submitted over SMTP. */
  request_id: string | null;
  /** Mode in which the email was accepted. Mail that was accepted in the sandbox is never sent to the Internet. */
  mode: "sandbox" | "live" | null;
  /** Whether the email is sent only over TLS to verified servers that support REQUIRETLS. */
  require_tls: boolean;
  /** Stream of the email. `transactional` if the send did not name one. */
  stream: string;
  /** The `collapse_key` of the send. Null if it had none. */
  collapse_key: string | null;
  /** Group of the email. An unsubscription from the group stops the email. Null if the email has no group. */
  unsubscribe_group: string | null;
  tags: Array<{
    name: string;
    value: string;
  }>;
  metadata: Record<string, unknown>;
  recipients: RecipientState[];
  events: EmailEvent[];
}

export interface EmailAttachment {
  filename: string;
  content_type: string;
  /** Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none. */
  content_id: string | null;
  /** Size of the content in bytes. */
  size: number;
  /** Content of the file in base64. */
  content: string;
}

export interface EmailContent {
  subject: string;
  html: string | null;
  text: string | null;
  /** Custom headers that were given with the email. */
  headers: Record<string, string>;
  /** Attachments of the email, without their content. `GET /emails/{id}/attachments/{number}` returns the content. */
  attachments: Array<{
    filename: string;
    content_type: string;
    /** Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none. */
    content_id: string | null;
    /** Size of the content in bytes. */
    size: number;
  }>;
  /** Values that the template was rendered with. Null if the email has no template. */
  template_data: Record<string, unknown> | null;
  /** Whether the email was submitted as a complete message, for example over SMTP. `GET /emails/{id}/raw` then returns its source byte for byte. */
  has_raw: boolean;
}

/** The hold that keeps the email from being sent. `GET /holds/{id}` has the details. */
export interface EmailHold {
  id: string;
  reason: string;
  /** Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold. */
  placed_by: string;
  placed_at: string;
}

export interface EmailItem {
  /** Id of the email, a UUID. */
  id: string;
  /** Same as `id`. */
  message_id: string;
  subject: string;
  /** Status of the whole email: `queued` while any recipient has no final status, then the worst outcome of all recipients. */
  status: "queued" | "delivered" | "bounced" | "failed" | "opened";
  /** Refined status. `scheduled`, `awaiting_approval`, `held` and `retrying` have the status `queued`; `withdrawn` and `superseded` have the status `failed`; `partly_delivered` has the status `bounced` or `failed`, and some of the recipients got the email. `complained`: a recipient reported the email as spam. Other states are the same as the status. */
  state: "scheduled" | "awaiting_approval" | "held" | "queued" | "retrying" | "delivered" | "opened" | "partly_delivered" | "bounced" | "failed" | "withdrawn" | "superseded" | "complained";
  /** Number of addresses in `to`, `cc` and `bcc`, each counted once. */
  recipient_count: number;
  /** Number of recipients whose servers accepted the email. */
  delivered_count: number;
  /** Time of the next attempt, if the state is `retrying`. Null otherwise. */
  next_attempt_at: string | null;
  /** The hold that keeps the email from being sent. `GET /holds/{id}` has the details. */
  hold: {
    id: string;
    reason: string;
    /** Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold. */
    placed_by: string;
    placed_at: string;
  } | null;
  /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
  priority: "high" | "normal" | "low";
  created_at: string;
  updated_at: string;
  from?: NamedAddress | undefined;
  /** Recipients. `from` and `to` are present only with `include=addresses`. */
  to?: NamedAddress[] | undefined;
}

export interface Erasure {
  /** Placeholder that replaces the address from now on. */
  placeholder: string;
  /** Number of emails that this request has erased. */
  emails: number;
  /** Number of emails that were skipped because they are being delivered now. */
  waiting: number;
  /** Whether all data is erased. If false, repeat the request until it is true. */
  complete: boolean;
}

export interface ErrorEnvelope {
  error: {
    code: "VALIDATION_ERROR" | "DOMAIN_NOT_VERIFIED" | "RECIPIENTS_SUPPRESSED" | "RECIPIENTS_REJECTED" | "UNAUTHORIZED" | "TOTP_REQUIRED" | "FORBIDDEN" | "HOST_NOT_ALLOWED" | "SETUP_TOKEN_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "EXPECTATION_FAILED" | "LIMIT_EXCEEDED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UNAVAILABLE";
    /** Explanation of the error in words. */
    message: string;
    /** All problems that were found. Empty if there is nothing to list. */
    details: Array<{
      /** Path of the field, such as `to[0].email`. */
      field: string;
      message: string;
    }>;
  };
}

export interface EmailEvent {
  id: string;
  type: "queued" | "processing" | "held" | "delivered" | "opened" | "clicked" | "bounced" | "deferred" | "failed" | "complained" | "unsubscribed" | "rejected" | "received";
  recipient: string;
  /** Host name of the receiving mail server. Null if no server was reached. */
  mx_host: string | null;
  /** SMTP reply code of the server, such as 250 or 550. Null if there was no reply. */
  smtp_code: number | null;
  /** Text of the server’s SMTP reply. Null if there was no reply. */
  smtp_message: string | null;
  /** Enhanced status code of the server’s reply, such as `5.1.1`. Null if it had none. */
  enhanced_code: string | null;
  /** Reason code of the event, from a closed list: `unknown_recipient`, `greylisted`, … Null if the event has no reason. */
  reason: string | null;
  /** Number of the delivery attempt, from 1. Null if the event is not about an attempt. */
  attempt: number | null;
  /** TLS protocol and cipher of the connection. Null if it was not encrypted. */
  tls: string | null;
  /** Certificate of the receiving server. Null if the connection was not encrypted. */
  tls_certificate: {
    /** Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS. */
    verified: boolean;
    /** Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS. */
    policy: "dane" | "mta_sts" | "require_tls" | "provider" | "relay" | "opportunistic";
    /** Issuer of the certificate. Null if unknown. */
    issuer: string | null;
    /** Why the certificate is not verified. Null if it is. */
    problem: string | null;
    /** SHA-256 of the certificate, in hexadecimal. */
    sha256?: string | null | undefined;
  } | null;
  /** Time of the next attempt, for `deferred`. Null otherwise. */
  next_attempt_at: string | null;
  /** User agent of the program that fetched the pixel or followed the link, for `opened` and `clicked`. Null otherwise. */
  user_agent: string | null;
  /** Whether a machine (prefetch, scanner, bot or preview) and not a person caused the event, for `opened` and `clicked`. `reason` names the kind of machine. Null otherwise. */
  machine: boolean | null;
  /** The link as it was written in the mail, for `clicked`. Null otherwise. */
  url: string | null;
  /** The hold that keeps the email from being sent. `GET /holds/{id}` has the details. */
  hold: {
    id: string;
    reason: string;
    /** Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold. */
    placed_by: string;
    placed_at: string;
  } | null;
  /** Time of the event. */
  created_at: string;
}

export interface Explanation {
  id: string;
  status: "queued" | "delivered" | "bounced" | "failed" | "opened";
  /** Whether the email is sent only over TLS to verified servers that support REQUIRETLS. */
  require_tls: boolean;
  recipients: Array<{
    email: string;
    status: "queued" | "deferred" | "delivered" | "bounced" | "failed" | "opened";
    problem: {
      reason: string;
      /** What the reason code means. */
      meaning: string;
      /** Who can fix the problem. */
      responsible: "recipient" | "sender" | "domain_owner" | "receiver" | "operator";
      /** How to fix the problem. */
      advice: string;
    } | null;
    /** Time of the next attempt. If the mail waits for its site, the expected time. Null if it is not known. */
    next_attempt_at: string | null;
    /** Why the delivery is waiting: the state of its site, or its place in the queue. */
    wait: {
      /** Site that the mail goes to. Null until a worker has looked up the mail hosts of the domain. */
      site: {
        id: string;
        /** Name of the site: the mail hosts, or the provider, that share limits. */
        name: string;
        /** `open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent before the time in `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site. */
        state: "open" | "slow" | "blocked" | "probing" | "paused";
        /** Explanation of the state in words. */
        message: string;
        /** Start of the restriction. Null if there is none. */
        since: string | null;
        /** Time of the next try, if the state is `blocked`. Null otherwise. */
        until: string | null;
        /** Reason code of the restriction, from the closed list of reasons. Null if there is none. */
        reason: string | null;
        /** Server reply that caused the state, without email addresses. Null if there was none. */
        reply: string | null;
        /** Pace of a slow site in messages per minute. Null otherwise. */
        messages_per_minute: number | null;
        /** Maximum number of simultaneous connections, after the site refused further connections. Null if there is no such limit. */
        connections: number | null;
      } | null;
      /** Explanation in words. */
      message: string;
      /** Whether any worker is running. */
      worker_running: boolean;
      /** Expected time of the next attempt. At a slow site it can be later. Null if it is not known. */
      expected_at: string | null;
    } | null;
    /** Hold that keeps the mail from being sent. */
    hold: {
      id: string;
      scope: "all" | "organization" | "domain" | "template" | "tag" | "key" | "provider" | "lane" | "recipient";
      value: string | null;
      reason: string;
      /** Whether an operator placed the hold. */
      by_operator: boolean;
      /** Time at which the hold was placed. */
      since: string;
    } | null;
    /** Whether a worker is delivering the email to this recipient now. */
    in_progress: boolean;
    attempts: Attempt[];
  }>;
}

export interface FeedbackLoop {
  loop: "gmail_postmaster" | "yahoo_cfl" | "microsoft_jmrp" | "microsoft_snds";
  title: string;
  /** Name of the provider, as in `GET /stats/deliverability`. */
  provider: string;
  subject: {
    kind: "domain" | "address";
    /** One of your domains, or for operators an IP address that mail is sent from. */
    value: string;
  };
  /** State of the enrolment. `missing`: not marked as enrolled. `enrolled`: marked as enrolled. `working`: marked as enrolled, and complaints have arrived. */
  state: "working" | "enrolled" | "missing";
  /** Explanation of the state in words. */
  message: string;
  /** URL of the page on which you enrol. */
  url: string;
  /** Steps of the enrolment. */
  steps: string[];
  enrolled_at: string | null;
  enrolled_by: string | null;
  /** Hour of the last complaint that the provider reported in the last 40 days. Null if there was none. */
  last_complaint_at: string | null;
}

export interface FirstSteps {
  /** All steps, in the usual order. */
  steps: Array<{
    /** `first_email`: an email was sent. `api_key`: a key was created or used. `domain`: one of your domains is verified. `dmarc`: a verified domain has a DMARC record. `webhook`: a webhook exists. `live`: mail is sent to the Internet. */
    step: "first_email" | "api_key" | "domain" | "dmarc" | "webhook" | "live";
    done: boolean;
    /** Id of the domain whose DNS records have to be published. Null for other steps. */
    id: string | null;
  }>;
  /** Address at which applications submit mail over SMTP. Null if SMTP submission is switched off. */
  smtp: {
    host: string;
    port: number;
    encryption: "none" | "starttls";
    /** Port with TLS from the first byte. Null if there is none. */
    tls_port: number | null;
    /** Whether SMTP submission requires a password, which is an API key. */
    needs_password: boolean;
  } | null;
}

export interface Guard {
  /** Whether the guard holds mail that servers suddenly refuse, and slows down repeated emails that flood an address. */
  enabled: boolean;
  /** Recipient addresses, and domains with their subdomains, whose mail the guard never slows down, such as mailboxes for alerts. */
  allow: string[];
}

export interface Hold {
  id: string;
  /** Id of the organization whose mail is held. Null for all organizations. */
  organization_id: string | null;
  /** Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address). */
  scope: "all" | "organization" | "domain" | "template" | "tag" | "key" | "provider" | "lane" | "recipient";
  value: string | null;
  /** Whether webhooks are held too, as after a restore. */
  with_webhooks: boolean;
  reason: string;
  state: "in_force" | "releasing" | "released" | "discarding" | "discarded";
  /** Whether an operator placed the hold. Only an operator can then end it. */
  by_operator: boolean;
  /** Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold. */
  placed_by: string;
  placed_at: string;
  decision: {
    kind: "release" | "discard";
    reason: string | null;
    by: string;
    at: string;
  } | null;
  /** Time at which the release or the discarding was complete. Null before that. */
  ended_at: string | null;
  /** Number of held deliveries that have been released so far. */
  released: number;
  /** Number of deliveries that have been discarded so far. */
  discarded: number;
}

export interface HoldDetail {
  id: string;
  /** Id of the organization whose mail is held. Null for all organizations. */
  organization_id: string | null;
  /** Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address). */
  scope: "all" | "organization" | "domain" | "template" | "tag" | "key" | "provider" | "lane" | "recipient";
  value: string | null;
  /** Whether webhooks are held too, as after a restore. */
  with_webhooks: boolean;
  reason: string;
  state: "in_force" | "releasing" | "released" | "discarding" | "discarded";
  /** Whether an operator placed the hold. Only an operator can then end it. */
  by_operator: boolean;
  /** Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold. */
  placed_by: string;
  placed_at: string;
  decision: {
    kind: "release" | "discard";
    reason: string | null;
    by: string;
    at: string;
  } | null;
  /** Time at which the release or the discarding was complete. Null before that. */
  ended_at: string | null;
  /** Number of held deliveries that have been released so far. */
  released: number;
  /** Number of deliveries that have been discarded so far. */
  discarded: number;
  mail: {
    /** Number of deliveries that would be sent if the hold were released now. */
    held: number;
    /** Number of these deliveries whose lifetime ended before the hold. They end as `failed`. */
    expired: number;
    /** Number of deliveries that are due later: scheduled, or between two attempts. */
    later: number;
    /** Time at which the oldest held email was accepted. Null if no mail is held. */
    oldest_at: string | null;
  };
}

export interface InboundRoute {
  /** Id of the route. Starts with `rte_`. */
  id: string;
  address: string;
  description: string | null;
  enabled: boolean;
  created_at: string;
}

export interface IncidentReport {
  /** Number of bounces in the period that match the filters. */
  bounces: number;
  /** Number of recipients that were rejected later because these bounces had suppressed them. */
  rejections: number;
  /** Number of bounced and rejected recipients that would be queued again. */
  requeue: number;
  /** Number of automatic suppressions that would be removed. */
  unsuppress: number;
  reasons: Array<{
    reason: string | null;
    smtp_code: number | null;
    count: number;
  }>;
  /** The newest ten bounces. */
  samples: Array<{
    email_id: string;
    recipient: string;
    at: string;
    reason: string | null;
    smtp_code: number | null;
    smtp_message: string | null;
    mx_host: string | null;
  }>;
}

export interface Invite {
  /** Id of the invite. Starts with `inv_`. */
  id: string;
  email: string;
  /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
  role: "owner" | "member" | "read_only";
  /** Email address of the user who sent the invite. */
  invited_by: string;
  created_at: string;
  expires_at: string;
  /** Whether the link was sent by mail. If false, the owner has to pass the link to the person. */
  mailed: boolean;
}

export interface MadeByMember {
  /** Active API keys that the member created, directly or with one of their keys. */
  api_keys: Array<{
    id: string;
    name: string;
    prefix: string;
    /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
    scope: "full" | "read" | "agent" | "send";
    created_at: string;
    /** Time of the last use of the key, accurate to the minute. Null if the key was never used. */
    last_used_at: string | null;
  }>;
  /** Open invites that the member sent. */
  invites: Array<{
    id: string;
    email: string;
    /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
    role: "owner" | "member" | "read_only";
    expires_at: string;
  }>;
  /** Enabled webhooks that the member created, or whose current URL the member set, directly or with one of their keys. */
  webhooks: Array<{
    /** Id of the webhook. Starts with `whk_`. */
    id: string;
    url: string;
    description: string | null;
    created_at: string;
  }>;
}

export interface Mailbox {
  /** An email address. */
  email: string;
  /** Display name, such as `Ada Lovelace`. */
  name?: string | undefined;
}

/** Email address with an optional display name, as an object or as text: `Ada <ada@example.org>`. */
export type MailboxInput = Mailbox | string;

export interface MarkSandboxMessage {
  is_read: boolean;
}

export interface Me {
  user: {
    /** Id of the user. Starts with `usr_`. */
    id: string;
    email: string;
    name: string | null;
    /** Whether signing in also requires a code from an authenticator app. */
    totp_enabled: boolean;
    /** Number of unused recovery codes. */
    recovery_codes_left: number;
    /** Whether the user has confirmed the email address. */
    email_verified: boolean;
  };
  /** The current organization of this session. */
  organization: {
    id: string;
    name: string;
  };
  /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
  role: "owner" | "member" | "read_only";
  /** Whether you are an operator of the installation: an owner of its first organization, with that organization as the current one. */
  is_operator: boolean;
  /** All organizations of the user, in the order in which the user joined them. */
  organizations: Array<{
    id: string;
    name: string;
    /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
    role: "owner" | "member" | "read_only";
  }>;
}

export interface Member {
  /** Id of the user. Starts with `usr_`. */
  id: string;
  email: string;
  name: string | null;
  /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
  role: "owner" | "member" | "read_only";
  /** Whether signing in also requires a code from an authenticator app. */
  totp_enabled: boolean;
  /** Whether the user has confirmed the email address. */
  email_verified: boolean;
  /** Whether the operator has disabled the user, who then cannot sign in. `npx postrider user enable` lets the user sign in again. */
  disabled: boolean;
  joined_at: string;
  /** Time of the last request of the member in this organization, accurate to five minutes. Null if there was none. */
  last_seen_at: string | null;
}

export interface Membership {
  id: string;
  name: string;
  /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
  role: "owner" | "member" | "read_only";
}

export interface MixedBatchResult {
  batch_id: string;
  /** Number of emails in the request. */
  total: number;
  /** Number of accepted emails. */
  accepted: number;
  /** One result for each email, in the order of `emails`. */
  results: Array<{
    /** Position of the email in `emails`, from 0. */
    index: number;
    /** Id of the email, if it was accepted. */
    message_id?: string | undefined;
    /** Present only if a hold keeps the email, or some of its recipients, from being sent. */
    state?: "held" | undefined;
    hold?: EmailHold | undefined;
    error?: {
      code: "VALIDATION_ERROR" | "DOMAIN_NOT_VERIFIED" | "RECIPIENTS_SUPPRESSED" | "RECIPIENTS_REJECTED" | "UNAUTHORIZED" | "TOTP_REQUIRED" | "FORBIDDEN" | "HOST_NOT_ALLOWED" | "SETUP_TOKEN_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "EXPECTATION_FAILED" | "LIMIT_EXCEEDED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UNAVAILABLE";
      /** Explanation of the error in words. */
      message: string;
      /** All problems that were found. Empty if there is nothing to list. */
      details: Array<{
        /** Path of the field, such as `to[0].email`. */
        field: string;
        message: string;
      }>;
    } | undefined;
  }>;
}

export interface NamedAddress {
  email: string;
  name: string | null;
}

export interface NewDomain {
  /** Id of the domain. Starts with `dom_`. */
  id: string;
  /** Name of the domain in lower case. Internationalized names are in their ASCII form (`xn--…`). */
  domain: string;
  /** Name of the domain as people write it, such as `müller.example`. */
  display_name: string;
  /** Whether mail can be sent from the domain: its DKIM and SPF records were found. */
  is_verified: boolean;
  spf_verified: boolean;
  dkim_verified: boolean;
  dkim_selector: string;
  /** Public DKIM key in base64, as in `p=` of the DKIM record. */
  dkim_public_key: string;
  /** The two DNS records to publish before the domain can be verified. */
  dns_records: Array<{
    type: string;
    name: string;
    value: string;
  }>;
  /** DNS records that are recommended, but not required for verification. */
  recommended_records: Array<{
    type: string;
    name: string;
    value: string;
    /** Effect of the record, in words. */
    purpose: string;
    /** `domain_owner`: publish the record in the DNS of the domain. `operator`: the operator of the installation publishes the record once for all domains. */
    published_by: "domain_owner" | "operator";
  }>;
  created_at: string;
}

export interface NewInvite {
  /** Id of the invite. Starts with `inv_`. */
  id: string;
  email: string;
  /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
  role: "owner" | "member" | "read_only";
  /** Email address of the user who sent the invite. */
  invited_by: string;
  created_at: string;
  expires_at: string;
  /** Whether the link was sent by mail. If false, the owner has to pass the link to the person. */
  mailed: boolean;
  /** The link of the invite if it could not be sent by mail: pass it to the person. It works once and is shown only in this response. Null if the mail was sent. */
  link: string | null;
}

export interface OpenInvite {
  email: string;
  /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
  role: "owner" | "member" | "read_only";
  organization: {
    name: string;
  };
  /** Whether the invited person has an account. If true, the person signs in first; if false, the person chooses a password. */
  has_account: boolean;
  expires_at: string;
}

export interface Organization {
  id: string;
  name: string;
  created_at: string;
  sending_limit: {
    /** Maximum number of recipients per UTC day. Null if there is no limit. */
    daily: number | null;
    /** Number of recipients accepted since midnight UTC. */
    used_today: number;
    /** Number of recipients left today. Null if there is no limit. */
    remaining_today: number | null;
    /** Time at which the count of the day starts again: the next midnight UTC. */
    resets_at: string;
  };
  /** Who can create further organizations in this installation. `owners`: owners and operators. `operator`: only operators. */
  organization_creation: "owners" | "operator";
}

export interface Overview {
  range: "24h" | "7d" | "30d";
  interval: "hour" | "day";
  from: string;
  to: string;
  totals: {
    /** Number of accepted emails. */
    sent: number;
    /** Number of these emails without a final status. */
    queued: number;
    /** Number of delivered emails, including those that were opened. */
    delivered: number;
    bounced: number;
    failed: number;
    opened: number;
    /** Number of emails that a recipient reported as spam. */
    complained: number;
    /** Number of recipients who followed a link. Machines are not counted. */
    clicked: number;
  };
  rates: {
    /** Share of the emails with a final status, from 0 to 1. Null if there are none. */
    delivered: number | null;
    /** Share of the emails with a final status, from 0 to 1. Null if there are none. */
    bounced: number | null;
    /** Share of the emails with a final status, from 0 to 1. Null if there are none. */
    failed: number | null;
    /** Share of the delivered emails, from 0 to 1. Null if there are none. */
    opened: number | null;
    /** Share of the delivered emails, from 0 to 1. Null if there are none. */
    complained: number | null;
    /** Number of recipients who followed a link, divided by the number of delivered emails. Null if no email was delivered. */
    clicked: number | null;
  };
  series: Array<{
    /** Start of the hour or day. */
    at: string;
    /** Number of accepted emails. */
    sent: number;
    /** Number of these emails without a final status. */
    queued: number;
    /** Number of delivered emails, including those that were opened. */
    delivered: number;
    bounced: number;
    failed: number;
    opened: number;
    /** Number of emails that a recipient reported as spam. */
    complained: number;
    /** Number of recipients who followed a link. Machines are not counted. */
    clicked: number;
  }>;
}

export interface Pagination {
  page: number;
  limit: number;
  total_count: number;
  /** Number of pages. 0 if there are no items. */
  total_pages: number;
}

export interface PlacedHold {
  id: string;
  /** Id of the organization whose mail is held. Null for all organizations. */
  organization_id: string | null;
  /** Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address). */
  scope: "all" | "organization" | "domain" | "template" | "tag" | "key" | "provider" | "lane" | "recipient";
  value: string | null;
  /** Whether webhooks are held too, as after a restore. */
  with_webhooks: boolean;
  reason: string;
  state: "in_force" | "releasing" | "released" | "discarding" | "discarded";
  /** Whether an operator placed the hold. Only an operator can then end it. */
  by_operator: boolean;
  /** Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold. */
  placed_by: string;
  placed_at: string;
  decision: {
    kind: "release" | "discard";
    reason: string | null;
    by: string;
    at: string;
  } | null;
  /** Time at which the release or the discarding was complete. Null before that. */
  ended_at: string | null;
  /** Number of held deliveries that have been released so far. */
  released: number;
  /** Number of deliveries that have been discarded so far. */
  discarded: number;
  /** Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again. */
  mail: {
    /** Number of deliveries that would be sent if the hold were released now. */
    held: number;
    /** Number of these deliveries whose lifetime ended before the hold. They end as `failed`. */
    expired: number;
    /** Number of deliveries that are due later: scheduled, or between two attempts. */
    later: number;
    /** Time at which the oldest held email was accepted. Null if no mail is held. */
    oldest_at: string | null;
  } | null;
}

export interface Proof {
  version: 1;
  /** URL of the installation that issued the proof. */
  issuer: string;
  issued_at: string;
  email_id: string;
  algorithm: "ed25519";
  /** Public key of the signature: 32 bytes in base64url. */
  public_key: string;
  entries: Array<{
    /** SHA-256 of the previous hash and this entry. */
    hash: string;
    /** Content of the entry: an `email`, an `event`, an `attempt` or a `report`. */
    entry: Record<string, unknown>;
  }>;
  /** Signature of the number of entries and the last hash: 64 bytes in base64url. */
  signature: string;
}

export interface ReceivedAttachment {
  filename: string;
  /** MIME type as the sender states it. The file is always served as a download. */
  content_type: string;
  /** Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none. */
  content_id: string | null;
  size: number;
  /** Whether the file name is that of a program. */
  dangerous: boolean;
  /** URL of the file. It works without an API key for seven days. */
  download_url: string;
}

export interface ReceivedEmail {
  /** Id of the received mail, a UUID. */
  id: string;
  /** `waiting`: received, but not read yet, which takes moments. `read`: parsed. `unreadable`: the mail could not be parsed and only its source is available. */
  status: "waiting" | "read" | "unreadable";
  from: {
    email: string;
    name: string | null;
  } | null;
  /** Your addresses that the mail was sent to. */
  to: string[];
  subject: string;
  /** Whether a machine wrote the mail, such as an automatic reply, a bounce or a mailing list. Never reply to it automatically. */
  is_automatic: boolean;
  has_attachments: boolean;
  /** Id of the conversation. All mail that belongs together has the same id. */
  conversation_id: string;
  /** Id of your email that the mail replies to. Null if it is not a reply to one. */
  in_reply_to_email_id: string | null;
  route_ids: string[];
  /** Size of the whole message in bytes. */
  size: number;
  received_at: string;
  /** How the mail was matched to your email: `token`, by its unique reply address; `headers`, by the header fields of the reply. Null if it was not matched. */
  matched_by: "token" | "headers" | null;
  message_id: string | null;
  /** Message-ID in the header `In-Reply-To`, as the sender’s program wrote it. Null if the mail has none. */
  in_reply_to: string | null;
  references: string[];
  /** Header `Date`, as the sender’s program wrote it. Null if the mail has none. */
  date: string | null;
  /** Recipients in the header `To`. */
  header_to: Array<{
    email: string;
    name: string | null;
  }>;
  cc: Array<{
    email: string;
    name: string | null;
  }>;
  reply_to: Array<{
    email: string;
    name: string | null;
  }>;
  text: string | null;
  /** Original html from an untrusted sender. Show it only in a sandbox. Null if the mail has no html. */
  html: string | null;
  /** Text without quotes and signature, as far as they can be detected. Null if the mail has no text. */
  stripped_reply: string | null;
  /** Whether content is missing here because the mail is too large. The source is complete. */
  is_truncated: boolean;
  headers: Array<{
    name: string;
    value: string;
  }>;
  attachments: ReceivedAttachment[];
  envelope: {
    /** Envelope sender. Empty for bounces and most automatic replies. */
    mail_from: string;
    /** IP address of the server that delivered the mail. */
    remote_address: string;
    helo: string;
    tls: boolean;
  };
  authentication: {
    spf: {
      result: "pass" | "fail" | "softfail" | "neutral" | "none" | "permerror" | "temperror";
      domain: string | null;
    };
    dkim: {
      /** Result of the best DKIM signature. */
      result: "pass" | "fail" | "none" | "permerror" | "temperror";
      signatures: Array<{
        domain: string;
        selector: string;
        result: "pass" | "fail" | "none" | "permerror" | "temperror";
        reason: string | null;
      }>;
    };
    dmarc: {
      /** Result of DMARC. `pass`: the sender in From is authentic. `none`: the domain has no DMARC record. */
      result: "pass" | "fail" | "none" | "temperror";
      domain: string | null;
      /** Policy of the domain for mail that fails DMARC. Null if the domain has no DMARC record. */
      policy: string | null;
    };
  } | null;
  spam: {
    /** Result of the scanner of this server. `not_checked`: there is no scanner. `unavailable`: the scanner did not respond. */
    result: "not_checked" | "clean" | "found" | "unavailable";
    /** Score of the spam scanner. Null if it gave none. */
    score: number | null;
    /** Names of the scanner’s rules that matched. */
    symbols: string[];
  };
  virus: {
    /** Result of the scanner of this server. `not_checked`: there is no scanner. `unavailable`: the scanner did not respond. */
    result: "not_checked" | "clean" | "found" | "unavailable";
    /** Name of the virus. Null if none was found. */
    name: string | null;
  };
  /** Why the mail is unreadable. Null otherwise. */
  problem: string | null;
  /** Whether the source is still stored. False after the retention period of the content. */
  has_source: boolean;
  /** The newest 100 messages of the conversation, oldest first. */
  conversation: Array<{
    id: string;
    kind: "received" | "sent";
    subject: string;
    from: string | null;
    at: string;
  }>;
}

export interface ReceivedEmailItem {
  /** Id of the received mail, a UUID. */
  id: string;
  /** `waiting`: received, but not read yet, which takes moments. `read`: parsed. `unreadable`: the mail could not be parsed and only its source is available. */
  status: "waiting" | "read" | "unreadable";
  from: {
    email: string;
    name: string | null;
  } | null;
  /** Your addresses that the mail was sent to. */
  to: string[];
  subject: string;
  /** Whether a machine wrote the mail, such as an automatic reply, a bounce or a mailing list. Never reply to it automatically. */
  is_automatic: boolean;
  has_attachments: boolean;
  /** Id of the conversation. All mail that belongs together has the same id. */
  conversation_id: string;
  /** Id of your email that the mail replies to. Null if it is not a reply to one. */
  in_reply_to_email_id: string | null;
  route_ids: string[];
  /** Size of the whole message in bytes. */
  size: number;
  received_at: string;
}

export interface ReceivingDomain {
  domain: string;
  /** Id of the sending domain that is the same or a parent of this name. */
  domain_id: string;
  /** Whether the sending domain is verified now. If it is not, no mail is received. */
  is_verified: boolean;
  mx: {
    type: "MX";
    name: string;
    /** MX record to publish: priority and host name. */
    expected: string;
    status: "pass" | "fail" | "pending";
    /** Mail hosts in the MX record of the domain now. */
    found: string[];
    /** Result of the check in words, with the necessary change. */
    message: string;
    checked_at: string | null;
  };
  created_at: string;
}

export interface RecipientExport {
  email: string;
  /** Whether data is missing because it does not fit into one response. `npx postrider export` prints everything. */
  truncated: boolean;
  emails: Array<Record<string, unknown>>;
  events: Array<Record<string, unknown>>;
  attempts: Array<Record<string, unknown>>;
  suppression: Record<string, unknown> | null;
  /** Unsubscriptions of the address from groups of mail. */
  unsubscriptions: Array<Record<string, unknown>>;
  full_mailbox: Record<string, unknown> | null;
  audit_log: Array<Record<string, unknown>>;
  /** Saved views of members whose name or filters contain the address. */
  saved_views: Array<Record<string, unknown>>;
  /** Refused requests that name the address. */
  request_logs: Array<Record<string, unknown>>;
  sandbox_messages: Array<Record<string, unknown>>;
  /** Received mail from or to the address. */
  received: Array<Record<string, unknown>>;
}

export interface RecipientState {
  email: string;
  kind: "to" | "cc" | "bcc";
  status: "queued" | "deferred" | "delivered" | "bounced" | "failed" | "opened";
  attempts: number;
  updated_at: string;
}

export interface RecipientSuppression {
  /** Recipient of the email, as the email has it. */
  recipient: string;
  suppression: Suppression;
}

export interface RemovedMember {
  id: string;
  /** Always true. */
  deleted: boolean;
  /** Whether the listed keys were revoked, the invites withdrawn and the webhooks disabled. */
  revoked: boolean;
  /** Active API keys that the member created, directly or with one of their keys. */
  api_keys: Array<{
    id: string;
    name: string;
    prefix: string;
    /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
    scope: "full" | "read" | "agent" | "send";
    created_at: string;
    /** Time of the last use of the key, accurate to the minute. Null if the key was never used. */
    last_used_at: string | null;
  }>;
  /** Open invites that the member sent. */
  invites: Array<{
    id: string;
    email: string;
    /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
    role: "owner" | "member" | "read_only";
    expires_at: string;
  }>;
  /** Enabled webhooks that the member created, or whose current URL the member set, directly or with one of their keys. */
  webhooks: Array<{
    /** Id of the webhook. Starts with `whk_`. */
    id: string;
    url: string;
    description: string | null;
    created_at: string;
  }>;
}

export interface RequestLogEntry {
  id: string;
  at: string;
  /** HTTP method, or `RCPT` or `DATA` for mail over SMTP. */
  method: string;
  /** Path of the request without `/api/v1`, parameters, and parts that may be an address. `smtp` for mail that was submitted over SMTP. */
  path: string;
  /** HTTP status or SMTP code of the response. */
  status: number;
  /** Error code of the response. Null if the response repeats an earlier one with the same idempotency key. */
  code: string | null;
  message: string | null;
  /** The first 20 invalid fields. */
  fields: Array<{
    field: string;
    message: string;
  }>;
  /** Recipients of the refused mail. */
  recipients: string[];
  caller: {
    type: "api_key" | "user";
    id: string;
    /** Name of the API key, or email address of the user. */
    name: string | null;
  } | null;
  /** `X-Request-Id` of the response. */
  request_id: string | null;
  /** Time until the response in milliseconds. */
  duration_ms: number;
  /** Number of requests that the entry stands for. Equal refusals within a second are one entry. */
  count: number;
  /** Part of the request body: addresses, subject and ids. Content and data are never stored. */
  excerpt: Record<string, unknown> | null;
}

export interface Resend {
  id: string;
  created_at: string;
}

export interface ResendResults {
  /** Number of results without an error. */
  succeeded: number;
  /** Number of results with an error. */
  failed: number;
  /** One result for each id, in the order of the request. */
  results: Array<{
    /** Id of the new email. Null if there is an error. */
    message_id: string | null;
    id: string;
    error: {
      /** Code of the error, as the request for this id alone returns it. */
      code: string;
      message: string;
      details: Array<{
        field: string;
        message: string;
      }>;
    } | null;
  }>;
}

export interface Retention {
  /** Number of days for which html, text and attachments are kept. 0 keeps them as long as the email. */
  content_days: number;
  /** Number of days for which emails and their events are kept. 0 keeps them forever. */
  email_days: number;
}

export interface RotatedApiKey {
  /** Id of the API key. Starts with `key_`. */
  id: string;
  name: string;
  /** First characters of the key, to recognize it by. */
  prefix: string;
  /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
  scope: "full" | "read" | "agent" | "send";
  /** The only domain that the key may send from and whose mail it may read. Null means all domains of the organization. */
  domain: string | null;
  created_at: string;
  expires_at: string | null;
  /** Time of the last use of the key, accurate to the minute. Null if the key was never used. */
  last_used_at: string | null;
  revoked_at: string | null;
  /** Id of the user who created the key, directly or with another key. Null if the operator created it. */
  created_by: string | null;
  /** Name of the user in `created_by`. */
  created_by_name: string | null;
  /** Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it. */
  created_by_key: string | null;
  /** Name of the key in `created_by_key`. */
  created_by_key_name: string | null;
  /** Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated. */
  replaced_by: string | null;
  /** Policy of the key. It applies to every way of submitting mail. Null if the key has no policy. */
  policy: {
    /** Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient. */
    recipients: string[] | null;
    /** Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender. */
    from: string[] | null;
    /** Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content. */
    templates: string[] | null;
    /** Whether the key may attach files and submit complete messages, as over SMTP. The default is false. */
    attachments: boolean;
    /** Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key. */
    daily_budget: number | null;
    /** `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`. */
    approval: "required" | "none";
    /** Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`. */
    read: "own" | "organization";
    /** Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false. */
    inbound: boolean;
  } | null;
  /** The secret key for the `Authorization` header. It is shown only in this response. */
  key: string;
  /** The old key. Its `expires_at` is the time until which it still works. */
  replaces: {
    /** Id of the API key. Starts with `key_`. */
    id: string;
    name: string;
    /** First characters of the key, to recognize it by. */
    prefix: string;
    /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
    scope: "full" | "read" | "agent" | "send";
    /** The only domain that the key may send from and whose mail it may read. Null means all domains of the organization. */
    domain: string | null;
    created_at: string;
    expires_at: string | null;
    /** Time of the last use of the key, accurate to the minute. Null if the key was never used. */
    last_used_at: string | null;
    revoked_at: string | null;
    /** Id of the user who created the key, directly or with another key. Null if the operator created it. */
    created_by: string | null;
    /** Name of the user in `created_by`. */
    created_by_name: string | null;
    /** Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it. */
    created_by_key: string | null;
    /** Name of the key in `created_by_key`. */
    created_by_key_name: string | null;
    /** Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated. */
    replaced_by: string | null;
    /** Policy of the key. It applies to every way of submitting mail. Null if the key has no policy. */
    policy: {
      /** Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient. */
      recipients: string[] | null;
      /** Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender. */
      from: string[] | null;
      /** Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content. */
      templates: string[] | null;
      /** Whether the key may attach files and submit complete messages, as over SMTP. The default is false. */
      attachments: boolean;
      /** Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key. */
      daily_budget: number | null;
      /** `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`. */
      approval: "required" | "none";
      /** Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`. */
      read: "own" | "organization";
      /** Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false. */
      inbound: boolean;
    } | null;
  };
}

export interface RouteExplanation {
  /** Which route the mail would take and why, in words. */
  message: string;
  mode: "sandbox" | "live";
  /** Provider of the recipient’s mail hosts. Null if it is not known. */
  provider: string | null;
  /** Number of the rule that matches, from 1. Null if no rule matches. */
  rule: number | null;
  /** Rules in order, up to the one that matches. */
  rules: Array<{
    rule: number;
    name: string | null;
    matches: boolean;
    /** Conditions that the mail meets, or the one that it does not meet. */
    why: string;
  }>;
  /** Canary of the rule, with its percentage now. Null if the rule has none. */
  canary: {
    name: string;
    to: string;
    /** Percentage of the mail to the provider that uses the new transport, from 0 to 100. */
    percent: number;
  } | null;
  steps: Array<{
    /** Number of the step, from 1. 0 is the new transport of a canary. */
    step: number;
    /** Whether mail uses the step now. */
    in_use: boolean;
    choices: Array<{
      transport: string;
      source: string | null;
      /** Share of the mail of this step by weight, from 0 to 1. */
      share: number;
      /** Share of all mail of the rule that uses this transport now, from 0 to 1. */
      share_now: number;
      /** State of the transport or address, as for a site. `absent`: no running worker has the address on its machine. `spent`: the address has reached the limit of its warm-up for today. */
      state: "open" | "slow" | "blocked" | "probing" | "paused" | "absent" | "spent";
      message: string;
    }>;
  }>;
}

/** Conditions of the rule. Mail must match every given field, by one of its values. Without fields the rule matches all mail. */
export interface RouteMatch {
  /** Ids of organizations. */
  organizations?: string[] | undefined;
  /** Streams of the email. An email without a stream is in `transactional`. */
  streams?: string[] | undefined;
  /** Domains of the sender. `*.example.com` means every subdomain. */
  sender_domains?: string[] | undefined;
  /** Providers of the recipient’s mail hosts, named as in `GET /sites`. */
  providers?: string[] | undefined;
  /** Domains of the recipient. `*.example.com` means every subdomain. */
  recipient_domains?: string[] | undefined;
  /** Tags of the email, as `name` or `name:value`. */
  tags?: string[] | undefined;
}

export interface RouteRule {
  name: string | null;
  match: RouteMatch;
  steps: Array<{
    choices: Array<{
      transport: string;
      weight: number;
    }>;
  }>;
  canary: {
    name: string;
    to: string;
    percents: number[];
    minutes: number;
    mails: number;
    worse: {
      deferred: number;
      bounced: number;
      complained: number;
    };
  } | null;
}

export interface RouteTable {
  /** Number of changes so far. Send it as `version` when you replace the table. */
  version: number;
  /** The transport `default`, which the environment variables configure. */
  default: {
    kind: "direct" | "relay" | "sandbox";
    /** What happens to mail that no rule matches, in words. */
    message: string;
  };
  /** Names of providers that rules and curves can use. */
  providers: string[];
  /** Defaults for fields that a warm-up or a canary omits. */
  usual: {
    warm_up: {
      curve: number[];
      curves: Record<string, number[]>;
    };
    canary: {
      percents: number[];
      minutes: number;
      mails: number;
      worse: {
        deferred: number;
        bounced: number;
        complained: number;
      };
    };
  };
  transports: Transport[];
  rules: RouteRule[];
}

export interface SandboxCheckedLink {
  url: string;
  /** Text of the link in the html. Null for a link in plain text. */
  text: string | null;
  /** HTTP status of the last response. Null if there was no response. */
  status: number | null;
  /** URL after redirects. Null if the link does not redirect. */
  leads_to: string | null;
  /** What is wrong with the link. Null if the link works. */
  error: string | null;
}

export interface SandboxMessage {
  id: string;
  /** Id of the email that the message is a delivery of. */
  email_id: string;
  /** Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys. */
  account_mail: boolean;
  from: {
    email: string;
    name: string | null;
  };
  /** Recipient of the delivery. It is the envelope recipient, so it can be a bcc address. */
  to: string;
  subject: string;
  /** Size of the whole message in bytes. */
  size: number;
  /** Whether the message was opened in the dashboard or marked as read. */
  is_read: boolean;
  received_at: string;
  /** Envelope sender: the address that a bounce would go to. */
  return_path: string;
  /** Results of DKIM and SPF, as a receiver would find them. */
  authentication: {
    dkim: {
      result: "pass" | "fail" | "none";
      /** Domain of the DKIM signature. Null if the message is not signed. */
      domain: string | null;
      selector: string | null;
      /** Why the check does not pass, in words. Null if it passes. */
      reason: string | null;
    };
    spf: {
      result: "pass" | "fail" | "none";
      /** Domain of the envelope sender. */
      domain: string;
      /** Why the check does not pass, in words. Null if it passes. */
      reason: string | null;
    };
  };
  /** Addresses in the header fields, as a reader sees them. */
  addresses: {
    from: Array<{
      email: string;
      name: string | null;
    }>;
    to: Array<{
      email: string;
      name: string | null;
    }>;
    cc: Array<{
      email: string;
      name: string | null;
    }>;
    reply_to: Array<{
      email: string;
      name: string | null;
    }>;
  };
  /** All header fields in order. Folded lines are joined; otherwise as sent. */
  headers: Array<{
    name: string;
    value: string;
  }>;
  html: string | null;
  text: string | null;
  /** Attachments and inline images of the message. */
  attachments: Array<{
    filename: string | null;
    content_type: string;
    /** Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none. */
    content_id: string | null;
    /** Size of the content in bytes. */
    size: number;
    /** Content of the file in base64. */
    content: string;
  }>;
  /** Links of the message in order, each listed once. At most 100. */
  links: Array<{
    url: string;
    /** Text of the link in the html. Null for a link in plain text. */
    text: string | null;
  }>;
  /** Texts that look like a code to type: digits without the spaces between them, or digits and capital letters. Codes near a word such as “code” come first. At most 20. */
  codes: string[];
}

export interface SandboxMessageChecks {
  /** Sizes in bytes. `message`: the message as sent. `html`, `text` and `attachments`: the decoded parts. */
  size: {
    message: number;
    html: number;
    text: number;
    attachments: number;
  };
  /** Problems in the message that affect spam filters or readers. */
  findings: Array<{
    kind: string;
    severity: "warning" | "info";
    /** Explanation of the problem in words. */
    message: string;
  }>;
  /** Links of the message, each listed once. At most 100. */
  links: Array<{
    url: string;
    /** Text of the link in the html. Null for a link in plain text. */
    text: string | null;
  }>;
  /** Support of mail clients for the html, by the tables of Can I email. Null if there is no html. */
  html: {
    /** Whether the whole html was checked. False if only the first 250,000 characters were. */
    is_complete: boolean;
    /** Features of the html that at least one mail client does not fully support, worst first. */
    features: Array<{
      feature: string;
      /** URL of a page about the feature. */
      about: string;
      /** Number of uses in the html. */
      count: number;
      /** Line of the html with the first use. */
      line: number;
      /** Mail clients that do not support the feature. */
      unsupported: string[];
      /** Mail clients that support the feature in part. */
      partial: string[];
    }>;
    clients: Array<{
      name: string;
      /** Number of features of the message that the client does not support. */
      unsupported: number;
      partial: number;
    }>;
  } | null;
}

export interface SandboxMessageItem {
  id: string;
  /** Id of the email that the message is a delivery of. */
  email_id: string;
  /** Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys. */
  account_mail: boolean;
  from: {
    email: string;
    name: string | null;
  };
  /** Recipient of the delivery. It is the envelope recipient, so it can be a bcc address. */
  to: string;
  subject: string;
  /** Size of the whole message in bytes. */
  size: number;
  /** Whether the message was opened in the dashboard or marked as read. */
  is_read: boolean;
  received_at: string;
}

export interface SearchGroup {
  kind: "suppressions" | "emails" | "request_logs" | "inbound" | "templates" | "domains" | "webhooks";
  /** `complete`: everything was searched. `limited`: only the newest were compared. `timed_out`: this kind could not be searched in time; search again, or use its list. `forbidden`: the key may not list this kind. */
  outcome: "complete" | "limited" | "timed_out" | "forbidden";
  /** Whether there are more than the 5 hits. */
  has_more: boolean;
  hits: SearchHit[];
}

export interface SearchHit {
  id: string;
  /** Path of the request that returns it, without `/api/v1`. */
  path: string;
  /** Subject of an email, suppressed address, name of a template or a domain, URL of a webhook, method and path of a request. */
  title: string;
  /** Address of the person that the hit is about: the recipient who has the words, or the sender of received mail. */
  email: string | null;
  /** Name of that person, if it is known. */
  name: string | null;
  /** State of an email, reason of a suppression, error code of a request, kind of a template, or whether a domain is verified and a webhook is enabled. */
  state: string | null;
  /** Why it matters, in one sentence. */
  message: string | null;
  /** Id of the email, or of the email that caused the suppression. */
  email_id: string | null;
  /** Time at which the email was accepted or received, the request refused, the address suppressed, the template changed, or the domain or webhook created. */
  at: string;
}

export interface SendEmail {
  /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
  to: MailboxInput[] | Mailbox | string;
  /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
  cc?: MailboxInput[] | Mailbox | string | undefined;
  /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
  bcc?: MailboxInput[] | Mailbox | string | undefined;
  /** Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation. */
  subject: string;
  /** Body of the email, at most 2 MiB. */
  html?: string | undefined;
  /** Body of the email, at most 2 MiB. */
  text?: string | undefined;
  /** Id or alias of a saved template, instead of html and text. */
  template_id?: string | undefined;
  /** Values for the variables of the template. */
  template_data?: Record<string, unknown> | undefined;
  /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
  locale?: string | undefined;
  attachments?: Attachment[] | undefined;
  from: MailboxInput;
  /** Addresses that replies go to: one, or a list of up to 10. */
  reply_to?: MailboxInput[] | Mailbox | string | undefined;
  /** Additional email headers by name, at most 50. */
  headers?: Record<string, string> | undefined;
  /** Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them. */
  tags?: Tag[] | undefined;
  /** Your own data as a flat object. Postrider returns it with the email and does not send it to recipients. */
  metadata?: Record<string, string | number | boolean> | undefined;
  /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
  priority?: "high" | "normal" | "low" | undefined;
  /** Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`). */
  stream?: string | undefined;
  /** Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC. */
  scheduled_at?: string | undefined;
  /** Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`. */
  track_opens?: boolean | undefined;
  /** Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`. */
  track_clicks?: true | false | "off" | "html" | "html_and_text" | undefined;
  /** Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false. */
  text_from_html?: boolean | undefined;
  /** Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies. */
  receive_replies?: boolean | undefined;
  /** Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click. */
  unsubscribe?: boolean | undefined;
  /** Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`. */
  unsubscribe_group?: string | undefined;
  /** Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day. */
  expires_in?: number | undefined;
  /** Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`). */
  collapse_key?: string | undefined;
  /** Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS. */
  require_tls?: boolean | undefined;
}

export interface SendResult {
  /** Id of the email, a UUID. */
  message_id: string;
  status: "queued";
  /** Time at which the email was stored. */
  queued_at: string;
  /** Present only if a hold keeps the email, or some of its recipients, from being sent. */
  state?: "held" | undefined;
  hold?: EmailHold | undefined;
}

export interface Session {
  /** Id of the session. Starts with `ses_`. */
  id: string;
  /** Whether this is the session of the request. */
  current: boolean;
  /** Time of the sign-in. */
  created_at: string;
  /** Time of the last request in the session, accurate to five minutes. */
  last_seen_at: string;
  /** Time at which the session ends if it is not used before then. */
  expires_at: string;
  /** IP address that the user signed in from. */
  address: string | null;
  /** User agent of the browser that was used to sign in. */
  user_agent: string | null;
}

export interface Site {
  id: string;
  /** Name of the site: the mail hosts, or the provider, that share limits. */
  name: string;
  /** `open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent before the time in `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site. */
  state: "open" | "slow" | "blocked" | "probing" | "paused";
  /** Explanation of the state in words. */
  message: string;
  /** Start of the restriction. Null if there is none. */
  since: string | null;
  /** Time of the next try, if the state is `blocked`. Null otherwise. */
  until: string | null;
  /** Reason code of the restriction, from the closed list of reasons. Null if there is none. */
  reason: string | null;
  /** Server reply that caused the state, without email addresses. Null if there was none. */
  reply: string | null;
  /** Pace of a slow site in messages per minute. Null otherwise. */
  messages_per_minute: number | null;
  /** Maximum number of simultaneous connections, after the site refused further connections. Null if there is no such limit. */
  connections: number | null;
  provider: string | null;
  /** Number of due deliveries that are waiting for the site. For an organization, at most 10,000 waiting deliveries are examined. */
  due: number;
  /** Number of deliveries that are due later. */
  scheduled: number;
  oldest_due_at: string | null;
  /** Domains of these recipients. The first 20. */
  domains: string[];
  /** Whether you are allowed to pause, resume and try the site. */
  editable: boolean;
}

export interface Stream {
  name: string;
  description: string | null;
  /** Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first. */
  priority: "high" | "normal" | "low";
  /** Maximum number of messages of the stream per clock minute, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit. */
  messages_per_minute: number | null;
  /** Maximum number of messages of the stream per clock hour, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit. */
  messages_per_hour: number | null;
  /** Whether the stream is built in. Built-in streams cannot be removed. */
  built_in: boolean;
  /** Time of creation. For a built-in stream: time of its first change, or null if it was never changed. */
  created_at: string | null;
}

export interface StreamEvent {
  id: string;
  type: "queued" | "processing" | "held" | "delivered" | "opened" | "clicked" | "bounced" | "deferred" | "failed" | "complained" | "unsubscribed" | "rejected" | "received";
  recipient: string;
  /** Host name of the receiving mail server. Null if no server was reached. */
  mx_host: string | null;
  /** SMTP reply code of the server, such as 250 or 550. Null if there was no reply. */
  smtp_code: number | null;
  /** Text of the server’s SMTP reply. Null if there was no reply. */
  smtp_message: string | null;
  /** Enhanced status code of the server’s reply, such as `5.1.1`. Null if it had none. */
  enhanced_code: string | null;
  /** Reason code of the event, from a closed list: `unknown_recipient`, `greylisted`, … Null if the event has no reason. */
  reason: string | null;
  /** Number of the delivery attempt, from 1. Null if the event is not about an attempt. */
  attempt: number | null;
  /** TLS protocol and cipher of the connection. Null if it was not encrypted. */
  tls: string | null;
  /** Certificate of the receiving server. Null if the connection was not encrypted. */
  tls_certificate: {
    /** Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS. */
    verified: boolean;
    /** Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS. */
    policy: "dane" | "mta_sts" | "require_tls" | "provider" | "relay" | "opportunistic";
    /** Issuer of the certificate. Null if unknown. */
    issuer: string | null;
    /** Why the certificate is not verified. Null if it is. */
    problem: string | null;
    /** SHA-256 of the certificate, in hexadecimal. */
    sha256?: string | null | undefined;
  } | null;
  /** Time of the next attempt, for `deferred`. Null otherwise. */
  next_attempt_at: string | null;
  /** User agent of the program that fetched the pixel or followed the link, for `opened` and `clicked`. Null otherwise. */
  user_agent: string | null;
  /** Whether a machine (prefetch, scanner, bot or preview) and not a person caused the event, for `opened` and `clicked`. `reason` names the kind of machine. Null otherwise. */
  machine: boolean | null;
  /** The link as it was written in the mail, for `clicked`. Null otherwise. */
  url: string | null;
  /** The hold that keeps the email from being sent. `GET /holds/{id}` has the details. */
  hold: {
    id: string;
    reason: string;
    /** Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold. */
    placed_by: string;
    placed_at: string;
  } | null;
  /** Time of the event. */
  created_at: string;
  email_id: string;
}

export interface Suppression {
  /** Id of the suppression. Starts with `sup_`. */
  id: string;
  email: string;
  /** Why the address must not receive mail. */
  reason: "hard_bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "manual";
  /** Origin of the suppression. `automatic`: an event of a delivery caused it. */
  source: "automatic" | "manual";
  /** Id of the email that caused an automatic suppression. Null otherwise. */
  email_id: string | null;
  /** Reason code of the event that caused an automatic suppression. Null otherwise. */
  cause: string | null;
  /** Group of mail that the suppression stops. Null means all mail. */
  unsubscribe_group: string | null;
  created_at: string;
}

export interface SuppressionImport {
  /** Id of the import. Starts with `imp_`. */
  id: string;
  /** State of the import. `failed`: an internal error stopped the import. Import the list again. */
  status: "waiting" | "running" | "done" | "failed";
  /** Number of uploaded addresses. */
  total: number;
  /** Number of processed addresses: added, existing and invalid. */
  processed: number;
  /** Number of addresses that were added to the list. */
  added: number;
  /** Number of addresses that were already on the list or that occur twice in the upload. */
  existing: number;
  /** Number of invalid lines, which were skipped. */
  invalid: number;
  /** Problems of the first 100 invalid lines. */
  errors: Array<{
    /** Line of the file, or position in the JSON list, from 1. */
    line: number;
    field: string;
    message: string;
  }>;
  created_at: string;
  finished_at: string | null;
}

export interface Tag {
  name: string;
  value: string;
}

export interface Template {
  id: string;
  name: string;
  alias: string | null;
  kind: "template" | "layout" | "partial";
  subject: string;
  html_body: string;
  text_body: string;
  translations: TemplateTranslation[];
  /** Id of the layout. Null if the template has none. */
  layout: string | null;
  inline_css: boolean;
  /** Partials that the template uses. */
  partials: Array<{
    name: string;
    id: string;
  }>;
  variables: TemplateVariable[] | null;
  variable_schema: Array<Record<string, unknown>>;
  /** Number of the current version. It rises when changed content is saved, a draft is published or an earlier version is restored. */
  version: number;
  is_active: boolean;
  created_at: string;
  updated_at: string;
}

export interface TemplateChecks {
  /** Sizes of html and text in bytes. */
  size: {
    html: number;
    text: number;
  };
  /** Problems in the message that affect spam filters or readers. */
  findings: Array<{
    kind: string;
    severity: "warning" | "info";
    /** Explanation of the problem in words. */
    message: string;
  }>;
  /** Links of the message, each listed once. At most 100. */
  links: Array<{
    url: string;
    /** Text of the link in the html. Null for a link in plain text. */
    text: string | null;
  }>;
  /** Support of mail clients for the html, by the tables of Can I email. Null if there is no html. */
  html: {
    /** Whether the whole html was checked. False if only the first 250,000 characters were. */
    is_complete: boolean;
    /** Features of the html that at least one mail client does not fully support, worst first. */
    features: Array<{
      feature: string;
      /** URL of a page about the feature. */
      about: string;
      /** Number of uses in the html. */
      count: number;
      /** Line of the html with the first use. */
      line: number;
      /** Mail clients that do not support the feature. */
      unsupported: string[];
      /** Mail clients that support the feature in part. */
      partial: string[];
    }>;
    clients: Array<{
      name: string;
      /** Number of features of the message that the client does not support. */
      unsupported: number;
      partial: number;
    }>;
  } | null;
  checked_links: SandboxCheckedLink[] | null;
}

export interface TemplateDetail {
  id: string;
  name: string;
  alias: string | null;
  kind: "template" | "layout" | "partial";
  subject: string;
  html_body: string;
  text_body: string;
  translations: TemplateTranslation[];
  /** Id of the layout. Null if the template has none. */
  layout: string | null;
  inline_css: boolean;
  /** Partials that the template uses. */
  partials: Array<{
    name: string;
    id: string;
  }>;
  variables: TemplateVariable[] | null;
  variable_schema: Array<Record<string, unknown>>;
  /** Number of the current version. It rises when changed content is saved, a draft is published or an earlier version is restored. */
  version: number;
  is_active: boolean;
  created_at: string;
  updated_at: string;
  /** Sample data for previews. Null if there is none. */
  sample_data: Record<string, unknown> | null;
  usage: {
    sends_last_30_days: number;
  };
  draft: {
    subject: string;
    html_body: string;
    text_body: string;
    translations: TemplateTranslation[];
    /** Id of the layout. Null if the template has none. */
    layout: string | null;
    inline_css: boolean;
    /** Partials that the template uses. */
    partials: Array<{
      name: string;
      id: string;
    }>;
    variables: TemplateVariable[] | null;
    variable_schema: Array<Record<string, unknown>>;
    /** Version that was current when the draft was created. */
    based_on: number;
    saved_at: string;
    saved_by: string | null;
  } | null;
  /** When the template or its draft was last changed. Send it with a change to have the change refused if somebody else made one in between. */
  last_changed_at: string;
  /** Templates that use this layout or partial. At most 100. */
  used_by: Array<{
    id: string;
    name: string;
    alias: string | null;
  }>;
}

export interface TemplateDraft {
  subject: string;
  html_body: string;
  text_body: string;
  translations: TemplateTranslation[];
  /** Id of the layout. Null if the template has none. */
  layout: string | null;
  inline_css: boolean;
  /** Partials that the template uses. */
  partials: Array<{
    name: string;
    id: string;
  }>;
  variables: TemplateVariable[] | null;
  variable_schema: Array<Record<string, unknown>>;
  /** Version that was current when the draft was created. */
  based_on: number;
  saved_at: string;
  saved_by: string | null;
}

export interface TemplatePreview {
  subject: string;
  html: string;
  text: string;
  variables: TemplateVariable[];
  warnings: TemplateWarning[];
}

export interface TemplateSend {
  email_id: string;
  to: string[];
  subject: string;
  template_version: number;
  /** Values that the template was rendered with. Null if they are not available, for example while the content store does not answer. */
  template_data: Record<string, unknown> | null;
  created_at: string;
}

export interface TemplateTranslation {
  locale: string;
  subject: string;
  html: string;
  text: string;
}

export interface TemplateVariable {
  /** Path of the variable, such as `user.name` or `items[].price`. */
  name: string;
  type: string;
  /** Whether a send must give the variable. False if it is only used inside a conditional, or has a default. */
  required: boolean;
  /** Places in the template that use the variable. At most 50. */
  places: Array<{
    part: string;
    line: number;
    column: number;
    /** Layout or partial that contains the place. Null for the template itself. */
    source: string | null;
  }>;
}

export interface TemplateVariableRule {
  name: string;
  type: "string" | "number" | "boolean" | "array" | "object" | "date";
  /** Whether a send must give the variable. The default is false. */
  required?: boolean | undefined;
  /** Value for sends that do not give the variable. It must fit the type. */
  default_value?: unknown | undefined;
}

export interface TemplateVersion {
  version: number;
  subject: string;
  html_body: string;
  text_body: string;
  translations: TemplateTranslation[];
  /** Id of the layout. Null if the template has none. */
  layout: string | null;
  inline_css: boolean;
  /** Partials that the template uses. */
  partials: Array<{
    name: string;
    id: string;
  }>;
  variable_schema: Array<Record<string, unknown>>;
  created_at: string;
  /** User who published the version. Null if not recorded. */
  created_by: string | null;
  is_current: boolean;
}

export interface TemplateWarning {
  code: string;
  message: string;
  variable: string | null;
  part: string | null;
  line: number | null;
  column: number | null;
  /** Layout or partial that contains the place. Null for the template itself. */
  source: string | null;
}

export interface ThrowAwayOrganization {
  id: string;
  name: string;
  /** Sending domain of the organization. It is verified, so mail can be sent from it at once. */
  domain: string;
  /** API key of scope `full`. It is shown only in this response. */
  api_key: string;
  expires_at: string;
}

export interface TlsReports {
  domain: string;
  /** First UTC day of the period. */
  from: string;
  /** Last UTC day of the period: today. */
  to: string;
  /** The next step, in words. */
  advice: string;
  /** DNS record that asks senders for TLS reports. */
  record: {
    type: string;
    name: string;
    value: string;
  } | null;
  totals: {
    sessions: number;
    failed: number;
  };
  /** Counts for each day of the period, including days without reports. */
  series: Array<{
    date: string;
    sessions: number;
    failed: number;
  }>;
  /** Causes of failed sessions, most frequent first. At most 100. */
  failures: Array<{
    /** Cause of the failure as RFC 8460 names it, such as `certificate-expired`. `unspecified` if the report has none. */
    failure: string;
    /** Mail host that the sender tried to connect to. Null if the report has none. */
    mx_host: string | null;
    sessions: number;
  }>;
  /** Organizations that sent reports, by the name that they state, with the number of their reports. At most 50. */
  reporters: Array<{
    name: string;
    reports: number;
  }>;
}

export interface Tracking {
  /** Whether html mail gets a pixel that records opens, unless a domain or a request sets another value. */
  track_opens: boolean;
  /** Which links are replaced by tracked links, unless a domain or a request sets another value. */
  track_clicks: "off" | "html" | "html_and_text";
  /** Present only if mail is sent without pixels, tracked links and unsubscribe links: the cause and the fix. */
  problem?: string | undefined;
}

export interface TranslationOfTemplate {
  /** Language as a BCP 47 tag, such as `pt-BR`. */
  locale: string;
  /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
  subject?: string | undefined;
  /** HTML body in this language. */
  html?: string | undefined;
  /** Plain text body in this language. */
  text?: string | undefined;
}

export interface Transport {
  /** Name of the transport: lower-case letters, digits and hyphens. The name identifies the transport; a different name is a different transport. */
  name: string;
  kind: "direct" | "relay";
  /** Addresses that a direct transport sends from. Empty for a relay. */
  sources: TransportSource[];
  /** URL of a relay, without the password. Null for a direct transport. */
  url: string | null;
  has_password: boolean;
  connections: number | null;
  messages_per_minute: number | null;
  health: {
    /** `open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that does not accept mail now is skipped. */
    state: "open" | "slow" | "blocked" | "probing" | "paused";
    /** Explanation of the state in words. */
    message: string;
    since: string | null;
    /** Time of the next try, if the state is `blocked`. Null otherwise. */
    until: string | null;
    reason: string | null;
    /** Server reply that caused the state, without email addresses. Null if there was none. */
    reply: string | null;
  } | null;
}

export interface TransportSource {
  address: string;
  /** Host name for EHLO. Null means the host name of the installation. */
  ehlo_name: string | null;
  weight: number;
  /** Maximum number of connections to one site. Null means as many as the site accepts. */
  connections: number | null;
  warm_up: {
    since: string;
    curve: number[];
    curves: Record<string, number[]>;
    over: "fallback" | "wait";
  } | null;
  /** Number of running workers whose machine has the address. */
  workers: number;
  /** Sites that do not accept all mail from the address now. The first 20. */
  held_up: Array<{
    site: string;
    /** `open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that does not accept mail now is skipped. */
    state: "open" | "slow" | "blocked" | "probing" | "paused";
    message: string;
    until: string | null;
  }>;
}

export interface Undo {
  id: string;
  state: "running" | "done";
  from: string;
  to: string;
  template_id: string | null;
  tag: string | null;
  provider: string | null;
  reply: string | null;
  reason: string;
  /** Who requested the undo: the email address of a user, the name of an API key, or `operator` with the user name on the server. */
  requested_by: string;
  requested_at: string;
  /** Number of recipients that have been queued again so far. */
  requeued: number;
  /** Number of automatic suppressions that have been removed so far. */
  unsuppressed: number;
  /** Number of recipients that the undo does not change, by cause. `not_bounced`: the bounce is no longer the recipient’s last result. `content_gone`: the content of the email is no longer stored. `suppressed`: the address is on the suppression list for another reason. `other_mode`: the email was accepted in the other mode, sandbox or live. */
  left_alone: {
    not_bounced: number;
    content_gone: number;
    suppressed: number;
    other_mode: number;
  };
  ended_at: string | null;
}

export interface ValidationResult {
  /** The address as given in the request. */
  email: string;
  verdict: "deliverable" | "risky" | "undeliverable";
  /** Risk from 0 to 1, with two decimals. From 0.3 the verdict is risky, from 0.7 undeliverable. */
  risk_score: number;
  checks: {
    syntax: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
      /** Well-known domain that this domain can be mistaken for. */
      similar_domain?: string | undefined;
    };
    mx: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
      /** MX records of the domain, preferred host first. */
      records: Array<{
        priority: number;
        exchange: string;
      }>;
    };
    dns: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
      addresses: string[];
    };
    disposable: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
    };
    role: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
    };
    typo: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
      suggestions: Array<{
        suggested: string;
      }>;
    };
    free_provider: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
      provider_type: "free" | "isp" | "relay" | "education" | "government" | "corporate" | "disposable" | "unknown";
    };
    random: {
      status: "pass" | "fail" | "warn" | "unknown";
      /** Reason code of the result. */
      reason: string;
      /** Explanation of the result in words. */
      message: string;
      /** Cross-entropy of the local part under a model of names and words, in bits per character. Null if it was not computed. */
      entropy_bits_per_char: number | null;
    };
  };
  /** Complete addresses that were probably meant. */
  suggestions: string[];
  /** Signals that make up the score. */
  signals: Array<{
    signal: "malformed_address" | "quoted_local_part" | "address_literal" | "smtputf8_required" | "mixed_scripts" | "lookalike_domain" | "mapped_domain" | "domain_not_found" | "null_mx" | "special_use_domain" | "no_mail_host" | "unroutable_mx" | "implicit_mx" | "dns_unknown" | "disposable_domain" | "suspected_disposable" | "relay_domain" | "role_address" | "unread_address" | "known_typo" | "unknown_tld" | "likely_typo" | "random_local_part" | "very_random_local_part" | "hard_bounced" | "suppressed";
    /** Check that the signal comes from. `history` is past mail of your organization. */
    check: string;
    /** `floor`: a minimum for the score. `soft`: adds to the score. */
    kind: "floor" | "soft";
    weight: number;
  }>;
  /** Normalized address. It is the same for all spellings of a mailbox. Null if the address is invalid. */
  normalized: string | null;
  /** Part of the address after the + and before the @. Null if it has none. */
  subaddress: string | null;
  /** Version of the built-in lists. */
  list_version: string;
  timestamp: string;
}

export interface ValidationSettings {
  /** Domains that are never disposable for this organization, including their subdomains. */
  disposable_allow: string[];
  /** Domains that are always disposable for this organization, including their subdomains. */
  disposable_deny: string[];
}

export interface View {
  id: string;
  /** The list whose filters the view contains. */
  list: "emails" | "request_logs" | "approvals" | "holds" | "templates" | "suppressions" | "inbound" | "sandbox_messages" | "sites" | "audit_log";
  name: string;
  /** Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON. */
  query: Record<string, string>;
  /** Whether all members of the organization see the view. Otherwise only its creator sees it. */
  shared: boolean;
  /** Whether you may change and delete the view: your own views, and shared views that you created. Owners may change all shared views. */
  editable: boolean;
  /** Id of the user or the API key that created the view. */
  created_by: string;
  /** Name of the user or the API key. Null if it does not exist any more. */
  created_by_name: string | null;
  created_at: string;
}

export interface WarmUpProgress {
  transport: string;
  address: string;
  /** Provider that the progress is about. Null if the address has sent nothing yet. */
  provider: string | null;
  since: string;
  over: "fallback" | "wait";
  /** Current step of the curve, from 1. */
  step: number;
  curve: number[];
  /** Maximum number of emails today. Null when the warm-up is complete. */
  allowed: number | null;
  /** Number of emails sent today. */
  used: number;
  /** Progress in words. */
  message: string;
  days: Array<{
    day: string;
    allowed: number | null;
    used: number;
    delivered: number;
    /** Number of emails that were refused or deferred because of the sender. */
    objected: number;
    complained: number;
  }>;
}

export interface Webhook {
  /** Id of the webhook. Starts with `whk_`. */
  id: string;
  url: string;
  description: string | null;
  /** Types of events that are sent. Null means all types of the format, except those about suppressions, warnings and canaries. */
  event_types: string[] | null;
  /** Streams whose events are sent. Null means all mail. */
  streams: string[] | null;
  format: "postrider" | "resend" | "sendgrid" | "postmark";
  enabled: boolean;
  /** Why the webhook is disabled. `manual`: you disabled it. `gone`: the endpoint responded with 410. `failing`: all requests failed for 5 days. Null if it is enabled. */
  disabled_reason: "manual" | "gone" | "failing" | null;
  disabled_at: string | null;
  /** Time since which all requests have failed. Null if the last request succeeded. */
  failing_since: string | null;
  /** Error of the last failed request. Null if none has failed. */
  last_error: string | null;
  last_error_at: string | null;
  /** Time until which requests are also signed with the previous secret, after a rotation. Null otherwise. */
  previous_secret_expires_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookDelivery {
  /** Id of the event. Every attempt sends it as `webhook-id`. */
  id: string;
  type: string;
  /** Id of the email that the event is about. Null for tests and events that are not about an email. */
  email_id: string | null;
  /** Recipient that the event is about. Null if the event is not about mail, or if the mail was deleted. */
  recipient: string | null;
  /** Subject of the mail. Null if the event is not about mail, or if the mail was deleted. */
  subject: string | null;
  status: "pending" | "delivered" | "failed";
  /** Time of the next attempt, while the delivery is pending. Null otherwise. */
  next_attempt_at: string | null;
  /** Attempts to deliver the event, oldest first. */
  attempts: Array<{
    at: string;
    /** HTTP status of the response. Null if there was no response. */
    status: number | null;
    /** Duration of the request in milliseconds. */
    latency_ms: number;
    /** First 1 KB of the response body. Null if there was no response. */
    response: string | null;
    /** First 1 KB of the response headers, without cookies. Null if there was no response. */
    response_headers: Record<string, string> | null;
    /** Why the attempt failed. Null if it succeeded. */
    error: string | null;
    next_attempt_at: string | null;
  }>;
  /** Time of the event. */
  created_at: string;
}

export interface WebhookDeliveryWithRequest {
  /** Id of the event. Every attempt sends it as `webhook-id`. */
  id: string;
  type: string;
  /** Id of the email that the event is about. Null for tests and events that are not about an email. */
  email_id: string | null;
  /** Recipient that the event is about. Null if the event is not about mail, or if the mail was deleted. */
  recipient: string | null;
  /** Subject of the mail. Null if the event is not about mail, or if the mail was deleted. */
  subject: string | null;
  status: "pending" | "delivered" | "failed";
  /** Time of the next attempt, while the delivery is pending. Null otherwise. */
  next_attempt_at: string | null;
  /** Attempts to deliver the event, oldest first. */
  attempts: Array<{
    at: string;
    /** HTTP status of the response. Null if there was no response. */
    status: number | null;
    /** Duration of the request in milliseconds. */
    latency_ms: number;
    /** First 1 KB of the response body. Null if there was no response. */
    response: string | null;
    /** First 1 KB of the response headers, without cookies. Null if there was no response. */
    response_headers: Record<string, string> | null;
    /** Why the attempt failed. Null if it succeeded. */
    error: string | null;
    next_attempt_at: string | null;
  }>;
  /** Time of the event. */
  created_at: string;
  /** The request, with the current URL and format of the webhook. Null if the email of the event was deleted, or if the format has no type for the event. */
  request: {
    method: "POST";
    url: string;
    /** Headers of the request, without the timestamp and the signatures, which are new for every attempt. */
    headers: Record<string, string>;
    /** Body of the request, exactly as it is sent. */
    body: string;
  } | null;
}

export interface WebhookPreview {
  /** Headers of the request, without the timestamp and the signatures, which the sender of the request adds. */
  headers: Record<string, string>;
  /** Body of the request, exactly as it is sent. */
  body: string;
}

export interface WebhookStats {
  /** Number of events that the statistics cover. */
  events: number;
  /** Time of the oldest of these events. Null if there are none. */
  since: string | null;
  delivered: number;
  pending: number;
  failed: number;
  /** Number of requests to the endpoint for these events, including retries. */
  calls: number;
  /** Number of these requests that succeeded. */
  calls_succeeded: number;
  /** Share of the requests that succeeded, from 0 to 1. Null if there were none. */
  success_rate: number | null;
  /** Median response time in milliseconds. Null if there were no responses. */
  latency_p50_ms: number | null;
  /** 95th percentile of the response time in milliseconds. Null if there were no responses. */
  latency_p95_ms: number | null;
  /** Time of the next attempt for a pending event. Null if none is pending. */
  next_attempt_at: string | null;
}

export interface WebhookWithSecret {
  /** Id of the webhook. Starts with `whk_`. */
  id: string;
  url: string;
  description: string | null;
  /** Types of events that are sent. Null means all types of the format, except those about suppressions, warnings and canaries. */
  event_types: string[] | null;
  /** Streams whose events are sent. Null means all mail. */
  streams: string[] | null;
  format: "postrider" | "resend" | "sendgrid" | "postmark";
  enabled: boolean;
  /** Why the webhook is disabled. `manual`: you disabled it. `gone`: the endpoint responded with 410. `failing`: all requests failed for 5 days. Null if it is enabled. */
  disabled_reason: "manual" | "gone" | "failing" | null;
  disabled_at: string | null;
  /** Time since which all requests have failed. Null if the last request succeeded. */
  failing_since: string | null;
  /** Error of the last failed request. Null if none has failed. */
  last_error: string | null;
  last_error_at: string | null;
  /** Time until which requests are also signed with the previous secret, after a rotation. Null otherwise. */
  previous_secret_expires_at: string | null;
  created_at: string;
  updated_at: string;
  /** Signing secret. Starts with `whsec_`. It is shown only in this response. */
  secret: string;
}

export interface Worker {
  id: number;
  /** Host name of the machine. Only operators see it. */
  host: string | null;
  /** Process id of the worker. Only operators see it. */
  pid: number | null;
  started_at: string;
  heartbeat_at: string;
  /** Number of seconds since the last heartbeat. */
  heartbeat_age_seconds: number;
  /** Whether the last heartbeat is less than 15 seconds old. */
  alive: boolean;
}

export interface Operations {
  /** Revoke an API key */
  "DELETE /api-keys/{id}": {
    params: {
      id: string;
    };
    query: {
      /** What happens to mail of the key that is queued or scheduled. `leave`: queued mail is sent, and mail that is due later fails with `key_revoked`. `hold`: no mail of the key is sent until its hold (scope `key`) is released or discarded. `withdraw`: the mail is never sent and every recipient ends as `failed`; the response then takes more than a second. While a worker of an earlier release is running, as during an upgrade, the mail stays held (`state` is `in_force`): repeat the request after the upgrade. */
      mail?: "leave" | "hold" | "withdraw" | undefined;
    };
    body: undefined;
    response: {
      data: {
        id: string;
        /** Always true. */
        deleted: boolean;
        /** Hold on the mail of the key, with the amount of mail. Null with `mail=leave`. */
        hold: {
          id: string;
          /** Id of the organization whose mail is held. Null for all organizations. */
          organization_id: string | null;
          /** Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address). */
          scope: "all" | "organization" | "domain" | "template" | "tag" | "key" | "provider" | "lane" | "recipient";
          value: string | null;
          /** Whether webhooks are held too, as after a restore. */
          with_webhooks: boolean;
          reason: string;
          state: "in_force" | "releasing" | "released" | "discarding" | "discarded";
          /** Whether an operator placed the hold. Only an operator can then end it. */
          by_operator: boolean;
          /** Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold. */
          placed_by: string;
          placed_at: string;
          decision: {
            kind: "release" | "discard";
            reason: string | null;
            by: string;
            at: string;
          } | null;
          /** Time at which the release or the discarding was complete. Null before that. */
          ended_at: string | null;
          /** Number of held deliveries that have been released so far. */
          released: number;
          /** Number of deliveries that have been discarded so far. */
          discarded: number;
          /** Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again. */
          mail: {
            /** Number of deliveries that would be sent if the hold were released now. */
            held: number;
            /** Number of these deliveries whose lifetime ended before the hold. They end as `failed`. */
            expired: number;
            /** Number of deliveries that are due later: scheduled, or between two attempts. */
            later: number;
            /** Time at which the oldest held email was accepted. Null if no mail is held. */
            oldest_at: string | null;
          } | null;
        } | null;
      };
    };
  };
  /** End one of your sessions */
  "DELETE /auth/sessions/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Turn off the second factor */
  "DELETE /auth/totp": {
    params: undefined;
    query: undefined;
    body: {
      /** The six digits that the authenticator app shows, or a recovery code. */
      code: string;
    };
    response: {
      data: {
        /** Always false. */
        totp_enabled: boolean;
      };
    };
  };
  /** Delete a sending domain */
  "DELETE /domains/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Cancel a DKIM rotation */
  "DELETE /domains/{id}/dkim/rotate": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Domain;
    };
  };
  /** Stop receiving mail at a domain and delete its routes */
  "DELETE /inbound/domains/{domain}": {
    params: {
      domain: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Delete a route */
  "DELETE /inbound/routes/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Delete a received mail with all of its content */
  "DELETE /inbound/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Withdraw an invite */
  "DELETE /members/invites/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Remove a member */
  "DELETE /members/{id}": {
    params: {
      id: string;
    };
    query: {
      /** Whether to revoke the keys, withdraw the invites and disable the webhooks that the member created. */
      revoke?: boolean | undefined;
    };
    body: undefined;
    response: {
      data: RemovedMember;
    };
  };
  /** Delete all captured messages of the organization */
  "DELETE /sandbox/messages": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: {
        /** Number of messages that were deleted. */
        deleted: number;
      };
    };
  };
  /** Delete a captured message */
  "DELETE /sandbox/messages/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Delete the test organization of the calling API key */
  "DELETE /sandbox/organization": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Remove a stream */
  "DELETE /streams/{name}": {
    params: {
      name: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: {
        name: string;
        deleted: true;
      };
    };
  };
  /** Remove an address from the suppression list */
  "DELETE /suppressions/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Delete a template */
  "DELETE /templates/{id}": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Discard the draft of a template */
  "DELETE /templates/{id}/draft": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: {
      /** `last_changed_at` of the template as you read it. If the template or its draft was changed since, the request is refused with 409 and changes nothing. */
      last_changed_at?: string | undefined;
    };
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Delete a saved view */
  "DELETE /views/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** Delete a webhook with the log of its deliveries */
  "DELETE /webhooks/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Deleted;
    };
  };
  /** List API keys, newest first, including revoked ones */
  "GET /api-keys": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
    };
    body: undefined;
    response: {
      data: ApiKey[];
      pagination: Pagination;
    };
  };
  /** Get the calling API key */
  "GET /api-keys/current": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: ApiKey;
    };
  };
  /** Get the daily usage of an API key */
  "GET /api-keys/{id}/usage": {
    params: {
      id: string;
    };
    query: {
      /** Number of days to cover. The last day is the current UTC day. */
      days?: number | undefined;
    };
    body: undefined;
    response: {
      data: ApiKeyUsage;
    };
  };
  /** List emails that wait for approval, or that were decided */
  "GET /approvals": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** `waiting`: emails that wait for approval, oldest first. `decided`: emails that were decided, newest first. */
      state?: "waiting" | "decided" | undefined;
    };
    body: undefined;
    response: {
      data: Approval[];
      pagination: Pagination;
    };
  };
  /** Get an approval */
  "GET /approvals/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Approval;
    };
  };
  /** Get the complete message that an approval would send */
  "GET /approvals/{id}/message": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: ApprovalMessage;
    };
  };
  /** Get one part of a message that waits for approval */
  "GET /approvals/{id}/parts/{number}": {
    params: {
      id: string;
      number: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: EmailAttachment;
    };
  };
  /** Get the source of a message that waits for approval */
  "GET /approvals/{id}/raw": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: string;
  };
  /** List audit log entries, newest first */
  "GET /audit-log": {
    params: undefined;
    query: {
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | undefined;
      /** Only entries with this action, such as `api_key.created`, or with all actions of a kind, such as `api_key`. */
      action?: string | undefined;
      /** Only actions of this user or API key, by its id. */
      actor_id?: string | undefined;
    };
    body: undefined;
    response: {
      data: AuditEntry[];
      pagination: {
        limit: number;
        /** Value of `cursor` for the next page. Null on the last page. */
        next_cursor: string | null;
      };
    };
  };
  /** Get the signed-in user, the current organization and the role */
  "GET /auth/me": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Me;
    };
  };
  /** List your sessions, most recently used first */
  "GET /auth/sessions": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Session[];
    };
  };
  /** Get the settings of the sign-in page */
  "GET /auth/state": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: AuthState;
    };
  };
  /** Get the last report of the doctor */
  "GET /doctor": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: DoctorReport;
    };
  };
  /** List all sending domains, newest first */
  "GET /domains": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Domain[];
    };
  };
  /** Export the DNS records of all domains */
  "GET /domains/export": {
    params: undefined;
    query: {
      /** Format of the file. `zone`: a zone file (RFC 1035). `terraform`: a `.tf.json` file with the local value `postrider_dns_records`. `octodns`: YAML, one document for each zone. */
      format?: "zone" | "terraform" | "octodns" | undefined;
      /** Name of the zone. Only records at or below this name are exported. By default, the zone of each record is its registered domain. */
      zone?: string | undefined;
    };
    body: undefined;
    response: string;
  };
  /** Get a sending domain with the results of its last check */
  "GET /domains/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Domain;
    };
  };
  /** Summarize the DMARC reports about a domain */
  "GET /domains/{id}/reports/dmarc": {
    params: {
      id: string;
    };
    query: {
      /** Number of UTC days to cover, including today. */
      days?: number | undefined;
    };
    body: undefined;
    response: {
      data: DmarcReports;
    };
  };
  /** Summarize the TLS reports about a domain */
  "GET /domains/{id}/reports/tls": {
    params: {
      id: string;
    };
    query: {
      /** Number of UTC days to cover, including today. */
      days?: number | undefined;
    };
    body: undefined;
    response: {
      data: TlsReports;
    };
  };
  /** Check DNS now and update the domain */
  "GET /domains/{id}/verify": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Domain;
    };
  };
  /** List emails */
  "GET /emails": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** Only emails with this status: `queued`, `delivered`, `bounced`, `failed`, `opened`. Several statuses are separated by commas: `delivered,opened` lists all delivered emails. */
      status?: string | undefined;
      /** Only emails in this state. These states refine a status; use `status` for the others. */
      state?: "scheduled" | "awaiting_approval" | "held" | "retrying" | "partly_delivered" | "withdrawn" | "superseded" | "complained" | undefined;
      /** Only emails that were accepted at or after this time. A date means the beginning of that UTC day. */
      from_date?: string | undefined;
      /** Only emails that were accepted at or before this time. A date means the end of that UTC day. */
      to_date?: string | undefined;
      /** Only emails to this address, or to any address at a domain: `@example.org`. */
      to?: string | undefined;
      /** Only emails from this address, or from any address at a domain: `@example.org`. */
      from?: string | undefined;
      /** Only emails with this text in the subject. Case is ignored. */
      subject?: string | undefined;
      /** Only emails of this batch. */
      batch_id?: string | undefined;
      /** Only emails that were sent with this API key. The key may be revoked. */
      api_key_id?: string | undefined;
      /** Words to search for. An email matches if it has all of them. In the subject and in the names and addresses of recipients, a word of three characters or more matches the beginning of a word, and one of six or more matches any part, in any spelling: `mueller` matches Müller, and the other way round. A word also matches a whole tag, stream, metadata value, sender, API key id, template id or alias, a part of the name of a template, or the beginning of the email id (eight characters or more). */
      search?: string | undefined;
      /** `addresses` adds the fields `from` and `to` to each email of the list. */
      include?: "addresses" | undefined;
      /** Only emails of this stream, such as `bulk`. */
      stream?: string | undefined;
      /** Only emails with this tag: `name` or `name:value`. */
      tag?: string | undefined;
    };
    body: undefined;
    response: {
      data: EmailItem[];
      pagination: Pagination;
    };
  };
  /** Count the emails of a batch by status */
  "GET /emails/batch/{batch_id}": {
    params: {
      batch_id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: BatchStatus;
    };
  };
  /** Get an email and its events */
  "GET /emails/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Email;
    };
  };
  /** Get one attachment of an email */
  "GET /emails/{id}/attachments/{number}": {
    params: {
      id: string;
      number: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: EmailAttachment;
    };
  };
  /** Get the content of an email */
  "GET /emails/{id}/content": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: EmailContent;
    };
  };
  /** Preview the webhook request for an event */
  "GET /emails/{id}/events/{event_id}/webhook": {
    params: {
      id: string;
      event_id: string;
    };
    query: {
      /** Format of the request. */
      format?: "postrider" | "resend" | "sendgrid" | "postmark" | undefined;
    };
    body: undefined;
    response: {
      data: WebhookPreview;
    };
  };
  /** Explain why an email did or did not arrive */
  "GET /emails/{id}/explain": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Explanation;
    };
  };
  /** Get a signed proof of the delivery of an email */
  "GET /emails/{id}/proof": {
    params: {
      id: string;
    };
    query: {
      /** Only entries of this recipient. */
      recipient?: string | undefined;
    };
    body: undefined;
    response: {
      data: Proof;
    };
  };
  /** Get the source of an email that was submitted as a complete message */
  "GET /emails/{id}/raw": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: string;
  };
  /** List the suppressed recipients of an email */
  "GET /emails/{id}/suppressions": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: RecipientSuppression[];
    };
  };
  /** List events, newest first */
  "GET /events": {
    params: undefined;
    query: {
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | undefined;
      /** Only events of this type. */
      type?: "queued" | "processing" | "held" | "delivered" | "opened" | "clicked" | "bounced" | "deferred" | "failed" | "complained" | "unsubscribed" | "rejected" | "received" | undefined;
      /** Only events of mail to this address. */
      recipient?: string | undefined;
      /** Only events of mail that was sent with this API key. The key may be revoked. */
      api_key_id?: string | undefined;
      /** Only events at or after this time. A date means the beginning of that UTC day. */
      from_date?: string | undefined;
      /** Only events at or before this time. A date means the end of that UTC day. */
      to_date?: string | undefined;
    };
    body: undefined;
    response: {
      data: StreamEvent[];
      pagination: {
        limit: number;
        /** Value of `cursor` for the next page. Null on the last page. */
        next_cursor: string | null;
      };
    };
  };
  /** Follow which types of events happen, as server-sent events */
  "GET /events/changes": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: string;
  };
  /** Follow events as server-sent events */
  "GET /events/stream": {
    params: undefined;
    query: {
      /** Only events of this type. */
      type?: "queued" | "processing" | "held" | "delivered" | "opened" | "clicked" | "bounced" | "deferred" | "failed" | "complained" | "unsubscribed" | "rejected" | "received" | undefined;
      /** Only events of mail to this address. */
      recipient?: string | undefined;
    };
    body: undefined;
    response: string;
  };
  /** List the feedback loops of providers, with the state of your enrolment */
  "GET /feedback-loops": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: FeedbackLoop[];
    };
  };
  /** Get the state of the setup, and the address for SMTP submission */
  "GET /first-steps": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: FirstSteps;
    };
  };
  /** List holds, active ones first */
  "GET /holds": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** `organization`: holds on mail of your organization. `installation`: holds that operators placed; for operators. */
      view?: "organization" | "installation" | undefined;
    };
    body: undefined;
    response: {
      data: Hold[];
      pagination: Pagination;
    };
  };
  /** Get a hold and the amount of held mail */
  "GET /holds/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: HoldDetail;
    };
  };
  /** List received mail, newest first */
  "GET /inbound": {
    params: undefined;
    query: {
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | undefined;
      /** Only mail that was received by this route, by its id. */
      route?: string | undefined;
      /** Only mail from this address. */
      from?: string | undefined;
      /** Only mail to this address of yours. */
      to?: string | undefined;
      /** Only mail of this conversation, by the `conversation_id` of a mail. */
      conversation?: string | undefined;
      /** Only mail with this text in the subject, or in the name or address of the sender. */
      search?: string | undefined;
    };
    body: undefined;
    response: {
      data: ReceivedEmailItem[];
      pagination: {
        limit: number;
        /** Value of `cursor` for the next page. Null on the last page. */
        next_cursor: string | null;
      };
    };
  };
  /** List the domains that you receive mail at */
  "GET /inbound/domains": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: ReceivingDomain[];
    };
  };
  /** Check the MX record of a receiving domain now */
  "GET /inbound/domains/{domain}/verify": {
    params: {
      domain: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: ReceivingDomain;
    };
  };
  /** List the addresses that you receive mail at */
  "GET /inbound/routes": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: InboundRoute[];
    };
  };
  /** Get a route */
  "GET /inbound/routes/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: InboundRoute;
    };
  };
  /** Get a received mail */
  "GET /inbound/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: ReceivedEmail;
    };
  };
  /** Get one attachment of a received mail */
  "GET /inbound/{id}/attachments/{number}": {
    params: {
      id: string;
      number: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: EmailAttachment;
    };
  };
  /** Get the source of a received mail */
  "GET /inbound/{id}/raw": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: string;
  };
  /** Get the organization and role of an invite */
  "GET /invites/{token}": {
    params: {
      token: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: OpenInvite;
    };
  };
  /** List the members */
  "GET /members": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Member[];
    };
  };
  /** List open invites */
  "GET /members/invites": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Invite[];
    };
  };
  /** List the keys, invites and webhooks that a member created */
  "GET /members/{id}/made": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: MadeByMember;
    };
  };
  /** Get your organization, its sending limit and the used part of the limit */
  "GET /organization": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Organization;
    };
  };
  /** List refused requests, newest first */
  "GET /request-logs": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** Only requests with this HTTP status or SMTP code of the response. */
      status?: number | undefined;
      /** Only requests with this error code of the response. */
      code?: "VALIDATION_ERROR" | "DOMAIN_NOT_VERIFIED" | "RECIPIENTS_SUPPRESSED" | "RECIPIENTS_REJECTED" | "UNAUTHORIZED" | "TOTP_REQUIRED" | "FORBIDDEN" | "HOST_NOT_ALLOWED" | "SETUP_TOKEN_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "EXPECTATION_FAILED" | "LIMIT_EXCEEDED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UNAVAILABLE" | undefined;
      /** Only requests whose path contains this text. */
      path?: string | undefined;
      /** Only requests with this API key, by its id. */
      key_id?: string | undefined;
      /** Only refused mail to this address. */
      recipient?: string | undefined;
      /** Only requests with this `X-Request-Id`. */
      request_id?: string | undefined;
      /** Only requests at or after this time. A date means the beginning of that UTC day. */
      from_date?: string | undefined;
      /** Only requests at or before this time. A date means the end of that UTC day. */
      to_date?: string | undefined;
    };
    body: undefined;
    response: {
      data: RequestLogEntry[];
      pagination: Pagination;
    };
  };
  /** Get a refused request */
  "GET /request-logs/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: RequestLogEntry;
    };
  };
  /** Get the route table */
  "GET /routes": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: RouteTable;
    };
  };
  /** Get the progress of canaries */
  "GET /routes/canaries": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: CanaryBoard;
    };
  };
  /** Explain how a mail would be routed */
  "GET /routes/explain": {
    params: undefined;
    query: {
      /** Address or domain of the recipient. */
      to: string;
      /** Address or domain of the sender. */
      from?: string | undefined;
      /** Id of the sending organization. The default is your own. */
      organization?: string | undefined;
      /** Stream of the mail. */
      stream?: string | undefined;
      /** Tag of the mail, as `name:value`. */
      tag?: string | undefined;
      /** Provider of the recipient, instead of the one that DNS shows. */
      provider?: string | undefined;
    };
    body: undefined;
    response: {
      data: RouteExplanation;
    };
  };
  /** Get the progress of the warm-up of addresses */
  "GET /routes/warm-up": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: WarmUpProgress[];
    };
  };
  /** List captured messages, newest first */
  "GET /sandbox/messages": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** Only messages to this address. Case is ignored. */
      to?: string | undefined;
      /** Only messages that contain all these words, at most ten, in the subject, the addresses or the body (the first 128 KB of the message). Case is ignored. */
      q?: string | undefined;
      /** Only unread messages. */
      unread?: boolean | undefined;
    };
    body: undefined;
    response: {
      data: SandboxMessageItem[];
      pagination: Pagination;
    };
  };
  /** Get the newest captured message that matches, or wait for one */
  "GET /sandbox/messages/latest": {
    params: undefined;
    query: {
      /** Only messages to this address. Case is ignored. */
      to?: string | undefined;
      /** Only messages with this text in the subject. Case is ignored. */
      subject?: string | undefined;
      /** Only messages that arrived at this time or later. */
      since?: string | undefined;
      /** Maximum number of seconds to wait for a message. */
      wait?: number | undefined;
    };
    body: undefined;
    response: {
      data: {
        id: string;
        /** Id of the email that the message is a delivery of. */
        email_id: string;
        /** Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys. */
        account_mail: boolean;
        from: {
          email: string;
          name: string | null;
        };
        /** Recipient of the delivery. It is the envelope recipient, so it can be a bcc address. */
        to: string;
        subject: string;
        /** Size of the whole message in bytes. */
        size: number;
        /** Whether the message was opened in the dashboard or marked as read. */
        is_read: boolean;
        received_at: string;
        /** Envelope sender: the address that a bounce would go to. */
        return_path: string;
        /** Results of DKIM and SPF, as a receiver would find them. */
        authentication: {
          dkim: {
            result: "pass" | "fail" | "none";
            /** Domain of the DKIM signature. Null if the message is not signed. */
            domain: string | null;
            selector: string | null;
            /** Why the check does not pass, in words. Null if it passes. */
            reason: string | null;
          };
          spf: {
            result: "pass" | "fail" | "none";
            /** Domain of the envelope sender. */
            domain: string;
            /** Why the check does not pass, in words. Null if it passes. */
            reason: string | null;
          };
        };
        /** Addresses in the header fields, as a reader sees them. */
        addresses: {
          from: Array<{
            email: string;
            name: string | null;
          }>;
          to: Array<{
            email: string;
            name: string | null;
          }>;
          cc: Array<{
            email: string;
            name: string | null;
          }>;
          reply_to: Array<{
            email: string;
            name: string | null;
          }>;
        };
        /** All header fields in order. Folded lines are joined; otherwise as sent. */
        headers: Array<{
          name: string;
          value: string;
        }>;
        html: string | null;
        text: string | null;
        /** Attachments and inline images of the message. */
        attachments: Array<{
          filename: string | null;
          content_type: string;
          /** Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none. */
          content_id: string | null;
          /** Size of the content in bytes. */
          size: number;
          /** Content of the file in base64. */
          content: string;
        }>;
        /** Links of the message in order, each listed once. At most 100. */
        links: Array<{
          url: string;
          /** Text of the link in the html. Null for a link in plain text. */
          text: string | null;
        }>;
        /** Texts that look like a code to type: digits without the spaces between them, or digits and capital letters. Codes near a word such as “code” come first. At most 20. */
        codes: string[];
      } | null;
    };
  };
  /** Get a captured message, parsed */
  "GET /sandbox/messages/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: SandboxMessage;
    };
  };
  /** Check a captured message */
  "GET /sandbox/messages/{id}/checks": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: SandboxMessageChecks;
    };
  };
  /** Get the source of a captured message */
  "GET /sandbox/messages/{id}/raw": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: string;
  };
  /** Search everything */
  "GET /search": {
    params: undefined;
    query: {
      /** Words to search for: names, parts of names, addresses, subjects and ids. A hit has all of them, in any spelling: `mueller` finds Müller. Words of one or two characters are ignored beside longer ones. */
      q: string;
      /** Only these kinds, separated by commas: `suppressions`, `emails`, `request_logs`, `inbound`, `templates`, `domains`, `webhooks`. All kinds by default. */
      kinds?: string | undefined;
    };
    body: undefined;
    response: {
      data: SearchGroup[];
    };
  };
  /** Get the auto-validation setting */
  "GET /settings/auto-validation": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: AutoValidation;
    };
  };
  /** Get the settings of the guard */
  "GET /settings/guard": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Guard;
    };
  };
  /** Get the retention periods of your mail */
  "GET /settings/retention": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Retention;
    };
  };
  /** Get the tracking setting */
  "GET /settings/tracking": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Tracking;
    };
  };
  /** Get your allow and deny lists of disposable domains */
  "GET /settings/validation": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: ValidationSettings;
    };
  };
  /** List the sites that mail waits for */
  "GET /sites": {
    params: undefined;
    query: {
      /** `organization`: the sites that mail of your organization is waiting for. `installation`: all sites with queued mail or a restriction, counting the mail of all organizations; for operators. */
      view?: "organization" | "installation" | undefined;
    };
    body: undefined;
    response: {
      data: Site[];
    };
  };
  /** Get a site */
  "GET /sites/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Site;
    };
  };
  /** Get statistics of your mail over time */
  "GET /stats": {
    params: undefined;
    query: {
      /** Period of the statistics. `24h` has a point for each hour; the others have a point for each UTC day. */
      range?: "24h" | "7d" | "30d" | undefined;
      /** Only mail of this stream. Mail that names no stream is in `transactional`. */
      stream?: string | undefined;
    };
    body: undefined;
    response: {
      data: Overview;
    };
  };
  /** Get current warnings and the state of the queue */
  "GET /stats/attention": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Attention;
    };
  };
  /** Get delivery results by provider, domain, template, stream, tag or reason */
  "GET /stats/deliverability": {
    params: undefined;
    query: {
      /** Period of the statistics. `24h` has a point for each hour; the others have a point for each UTC day. */
      range?: "24h" | "7d" | "30d" | undefined;
      /** How to group the results. `provider`: provider of the recipient, or its mail hosts if the provider has no name. `domain`: domain of the sender. `template`: template of the email. `stream`: stream of the email. `tag`: tag of the email. `reason`: reason code of deferred, bounced or failed deliveries. */
      by?: "provider" | "domain" | "template" | "tag" | "stream" | "reason" | undefined;
    };
    body: undefined;
    response: {
      data: Deliverability;
    };
  };
  /** List the workers that deliver mail, with their last heartbeat */
  "GET /stats/workers": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Worker[];
    };
  };
  /** List streams */
  "GET /streams": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Stream[];
    };
  };
  /** Get a stream */
  "GET /streams/{name}": {
    params: {
      name: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Stream;
    };
  };
  /** List suppressed addresses, newest first */
  "GET /suppressions": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** Only this address, in any spelling. It can be an erased address. */
      email?: string | undefined;
      /** Only addresses that begin or end with this text, such as `jane.d`, `@example.org` or `example.org`. At most 1,000 are found and counted. */
      search?: string | undefined;
      /** Only suppressions with this reason. */
      reason?: "hard_bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "manual" | undefined;
    };
    body: undefined;
    response: {
      data: Suppression[];
      pagination: Pagination;
    };
  };
  /** Download the suppression list as CSV */
  "GET /suppressions/export": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: string;
  };
  /** Get the progress of an import of suppressions */
  "GET /suppressions/imports/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: SuppressionImport;
    };
  };
  /** List templates */
  "GET /templates": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** Only active templates (`true`), or only deleted ones (`false`). */
      is_active?: boolean | undefined;
      /** Only templates of this kind. */
      kind?: "template" | "layout" | "partial" | undefined;
      /** Only templates with this text in the name, alias or subject. */
      search?: string | undefined;
    };
    body: undefined;
    response: {
      data: Template[];
      pagination: Pagination;
    };
  };
  /** Get a template, its variables and the number of its sends */
  "GET /templates/{id}": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: TemplateDetail;
    };
  };
  /** List the newest emails sent with a template, with their data */
  "GET /templates/{id}/sends": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: TemplateSend[];
    };
  };
  /** List the versions of a template, newest first */
  "GET /templates/{id}/versions": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
    };
    body: undefined;
    response: {
      data: TemplateVersion[];
      pagination: Pagination;
    };
  };
  /** List undos, newest first */
  "GET /undos": {
    params: undefined;
    query: {
      /** Page number, from 1. */
      page?: number | undefined;
      /** Items per page, at most 100. */
      limit?: number | undefined;
    };
    body: undefined;
    response: {
      data: Undo[];
      pagination: Pagination;
    };
  };
  /** Get the progress of an undo */
  "GET /undos/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Undo;
    };
  };
  /** List saved views */
  "GET /views": {
    params: undefined;
    query: {
      /** The list whose filters the view contains. */
      list?: "emails" | "request_logs" | "approvals" | "holds" | "templates" | "suppressions" | "inbound" | "sandbox_messages" | "sites" | "audit_log" | undefined;
    };
    body: undefined;
    response: {
      data: View[];
    };
  };
  /** List all webhooks, newest first */
  "GET /webhooks": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: Webhook[];
    };
  };
  /** Get a webhook */
  "GET /webhooks/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Webhook;
    };
  };
  /** List the deliveries to a webhook in the last 30 days, newest first */
  "GET /webhooks/{id}/deliveries": {
    params: {
      id: string;
    };
    query: {
      /** Items per page, at most 100. */
      limit?: number | undefined;
      /** The `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | undefined;
      /** Only deliveries with this status. */
      status?: "pending" | "delivered" | "failed" | undefined;
    };
    body: undefined;
    response: {
      data: WebhookDelivery[];
      pagination: {
        limit: number;
        /** Value of `cursor` for the next page. Null on the last page. */
        next_cursor: string | null;
      };
    };
  };
  /** Get a delivery with its request */
  "GET /webhooks/{id}/deliveries/{delivery_id}": {
    params: {
      id: string;
      delivery_id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: WebhookDeliveryWithRequest;
    };
  };
  /** Get the statistics of a webhook */
  "GET /webhooks/{id}/stats": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: WebhookStats;
    };
  };
  /** Change the policy of an API key */
  "PATCH /api-keys/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy. */
      policy: {
        /** Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient. */
        recipients?: string[] | null | undefined;
        /** Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender. */
        from?: string[] | null | undefined;
        /** Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content. */
        templates?: string[] | null | undefined;
        /** Whether the key may attach files and submit complete messages, as over SMTP. The default is false. */
        attachments?: boolean | undefined;
        /** Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key. */
        daily_budget?: number | null | undefined;
        /** `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`. */
        approval?: "required" | "none" | undefined;
        /** Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`. */
        read?: "own" | "organization" | undefined;
        /** Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false. */
        inbound?: boolean | undefined;
      } | null;
    };
    response: {
      data: ApiKey;
    };
  };
  /** Change your name */
  "PATCH /auth/me": {
    params: undefined;
    query: undefined;
    body: {
      name: string | null;
    };
    response: {
      data: Me;
    };
  };
  /** Reschedule a scheduled email */
  "PATCH /emails/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC. */
      scheduled_at: string;
    };
    response: {
      data: Email;
    };
  };
  /** Change a route */
  "PATCH /inbound/routes/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Description of the route for your own use. */
      description?: string | null | undefined;
      /** Whether the route accepts mail. If false, mail to the address is refused. */
      enabled?: boolean | undefined;
    };
    response: {
      data: InboundRoute;
    };
  };
  /** Change the role of a member */
  "PATCH /members/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
      role: "owner" | "member" | "read_only";
    };
    response: {
      data: Member;
    };
  };
  /** Rename your organization */
  "PATCH /organization": {
    params: undefined;
    query: undefined;
    body: {
      /** 1 to 200 characters. */
      name: string;
    };
    response: {
      data: Organization;
    };
  };
  /** Mark all captured messages as read or unread */
  "PATCH /sandbox/messages": {
    params: undefined;
    query: undefined;
    body: {
      is_read: boolean;
    };
    response: {
      data: {
        /** Number of messages that were changed. */
        changed: number;
      };
    };
  };
  /** Mark a captured message as read or unread */
  "PATCH /sandbox/messages/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      is_read: boolean;
    };
    response: {
      data: MarkSandboxMessage;
    };
  };
  /** Change a stream */
  "PATCH /streams/{name}": {
    params: {
      name: string;
    };
    query: undefined;
    body: {
      /** Description of the stream for your own use. */
      description?: string | null | undefined;
      /** Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first. */
      priority?: "high" | "normal" | "low" | undefined;
      /** Maximum number of messages of the stream per clock minute, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit. */
      messages_per_minute?: number | null | undefined;
      /** Maximum number of messages of the stream per clock hour, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit. */
      messages_per_hour?: number | null | undefined;
    };
    response: {
      data: Stream;
    };
  };
  /** Change a saved view */
  "PATCH /views/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Name of the view: 1 to 60 characters. Unique among the shared views of a list, and among your own. */
      name?: string | undefined;
      /** Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON. */
      query?: Record<string, string> | undefined;
      /** Whether all members of the organization see the view. Otherwise only its creator sees it. */
      shared?: boolean | undefined;
    };
    response: {
      data: View;
    };
  };
  /** Change a webhook, enable or disable it */
  "PATCH /webhooks/{id}": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** URL that events are sent to. It must use https and have a public address. In the sandbox, http and this machine are allowed too. */
      url?: string | undefined;
      /** Description of the webhook for your own use. */
      description?: string | null | undefined;
      /** Types of events to send. Null or omitted means all types of the format, except those about suppressions, warnings and canaries, which must be named. */
      event_types?: Array<"email.queued" | "email.processing" | "email.held" | "email.delivered" | "email.opened" | "email.clicked" | "email.bounced" | "email.deferred" | "email.failed" | "email.complained" | "email.unsubscribed" | "email.rejected" | "email.received" | "domain.verified" | "domain.failing" | "domain.recovered" | "domain.unverified" | "suppression.added" | "suppression.removed" | "attention.raised" | "attention.cleared" | "canary.stepped"> | null | undefined;
      /** Send only events of mail in these streams. Null or omitted means all mail. */
      streams?: string[] | null | undefined;
      /** Format of the events. `postrider` (the default): the format that this reference describes. The other values: the format of that service, for code that was written for it. */
      format?: "postrider" | "resend" | "sendgrid" | "postmark" | undefined;
      /** Whether events are sent. Events that happen while it is false are not sent later. */
      enabled?: boolean | undefined;
    };
    response: {
      data: Webhook;
    };
  };
  /** Create an API key */
  "POST /api-keys": {
    params: undefined;
    query: undefined;
    body: {
      /** 1 to 200 characters. */
      name: string;
      /** `send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do. */
      scope?: "full" | "read" | "agent" | "send" | undefined;
      /** One of your sending domains. The key can only send from this domain and only read its mail. Null means all domains. */
      domain?: string | null | undefined;
      /** Time at which the key stops working, as an ISO 8601 date or time in the future. A date without a time means the end of that UTC day. Null means that the key does not expire. */
      expires_at?: string | null | undefined;
      /** Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy. */
      policy?: {
        /** Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient. */
        recipients?: string[] | null | undefined;
        /** Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender. */
        from?: string[] | null | undefined;
        /** Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content. */
        templates?: string[] | null | undefined;
        /** Whether the key may attach files and submit complete messages, as over SMTP. The default is false. */
        attachments?: boolean | undefined;
        /** Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key. */
        daily_budget?: number | null | undefined;
        /** `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`. */
        approval?: "required" | "none" | undefined;
        /** Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`. */
        read?: "own" | "organization" | undefined;
        /** Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false. */
        inbound?: boolean | undefined;
      } | null | undefined;
    };
    response: {
      data: CreatedApiKey;
    };
  };
  /** Rotate an API key */
  "POST /api-keys/{id}/rotate": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Time until which the old key works beside the new key, as an ISO 8601 date or time in the future. The default is 24 hours from now. */
      old_works_until?: string | undefined;
      /** Time at which the new key expires, as an ISO 8601 date or time in the future. Null means never. The default is the expiry of the old key before the rotation. */
      expires_at?: string | null | undefined;
    };
    response: {
      data: RotatedApiKey;
    };
  };
  /** Approve an email and send it */
  "POST /approvals/{id}/approve": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Approval;
    };
  };
  /** Reject an email so that it is never sent */
  "POST /approvals/{id}/reject": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Why the email must not be sent. The reason is stored with the approval. */
      reason: string;
    };
    response: {
      data: Approval;
    };
  };
  /** Confirm your address with the link from the mail */
  "POST /auth/email/confirm": {
    params: undefined;
    query: undefined;
    body: {
      token: string;
    };
    response: {
      data: Me;
    };
  };
  /** Request a link that confirms your address */
  "POST /auth/email/confirmation": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: {
        /** Whether the mail with the link was sent. False if this installation cannot send mail. */
        mailed: boolean;
      };
    };
  };
  /** Switch the session to another organization */
  "POST /auth/organization": {
    params: undefined;
    query: undefined;
    body: {
      organization_id: string;
    };
    response: {
      data: Me;
    };
  };
  /** Change your password */
  "POST /auth/password": {
    params: undefined;
    query: undefined;
    body: {
      current: string;
      /** At least 10 characters. Common passwords and the email address are refused. */
      new: string;
    };
    response: {
      data: {
        /** Always true. */
        changed: boolean;
      };
    };
  };
  /** Request a link to set a new password */
  "POST /auth/password-reset": {
    params: undefined;
    query: undefined;
    body: {
      email: string;
    };
    response: {
      data: {
        /** Always true. */
        accepted: boolean;
      };
    };
  };
  /** Set a new password with the link from the mail */
  "POST /auth/password-reset/confirm": {
    params: undefined;
    query: undefined;
    body: {
      token: string;
      /** At least 10 characters. Common passwords and the email address are refused. */
      password: string;
    };
    response: {
      data: {
        /** Always true. */
        changed: boolean;
      };
    };
  };
  /** Sign in */
  "POST /auth/sign-in": {
    params: undefined;
    query: undefined;
    body: {
      email: string;
      password: string;
      /** The six digits that the authenticator app shows, or a recovery code. */
      code?: string | undefined;
    };
    response: {
      data: Me;
    };
  };
  /** Sign out */
  "POST /auth/sign-out": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: {
        /** Always true. */
        signed_out: boolean;
      };
    };
  };
  /** End all sessions of the user, including this one */
  "POST /auth/sign-out-everywhere": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: {
        /** Always true. */
        signed_out: boolean;
      };
    };
  };
  /** Create the first user, who owns the first organization */
  "POST /auth/sign-up": {
    params: undefined;
    query: undefined;
    body: {
      email: string;
      /** At least 10 characters. Common passwords and the email address are refused. */
      password: string;
      name?: string | null | undefined;
      /** Token of the setup link, which is always required: the part after `#setup=` in the link that `npm start` prints. */
      setup_token?: string | undefined;
    };
    response: {
      data: Me;
    };
  };
  /** Start setting up a second factor */
  "POST /auth/totp": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: {
        /** The secret, for typing into an authenticator app. */
        secret: string;
        /** The secret as an `otpauth://totp/…` URI, to show as a QR code. */
        uri: string;
      };
    };
  };
  /** Confirm the second factor with a code */
  "POST /auth/totp/confirm": {
    params: undefined;
    query: undefined;
    body: {
      /** The six digits that the authenticator app shows, or a recovery code. */
      code: string;
    };
    response: {
      data: {
        /** Always true. */
        totp_enabled: boolean;
        /** Recovery codes. Each can be used once instead of a code from the app. They are shown only in this response. */
        recovery_codes: string[];
      };
    };
  };
  /** Run the checks of the doctor */
  "POST /doctor": {
    params: undefined;
    query: undefined;
    body: undefined;
    response: {
      data: DoctorReport;
    };
  };
  /** Register a sending domain */
  "POST /domains": {
    params: undefined;
    query: undefined;
    body: {
      /** Domain to send from, such as `example.org` or `mail.example.org`. You need access to its DNS. */
      domain: string;
    };
    response: {
      data: NewDomain;
    };
  };
  /** Rotate the DKIM key of a domain */
  "POST /domains/{id}/dkim/rotate": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Domain;
    };
  };
  /** Send one template to many recipients */
  "POST /emails/batch": {
    params: undefined;
    query: undefined;
    body: {
      /** Id or alias of the template. */
      template_id: string;
      /** Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation. */
      subject?: string | undefined;
      /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
      locale?: string | undefined;
      attachments?: Attachment[] | undefined;
      recipients: BatchRecipient[];
      from: MailboxInput;
      /** Addresses that replies go to: one, or a list of up to 10. */
      reply_to?: MailboxInput[] | Mailbox | string | undefined;
      /** Additional email headers by name, at most 50. */
      headers?: Record<string, string> | undefined;
      /** Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them. */
      tags?: Tag[] | undefined;
      /** Your own data as a flat object. Postrider returns it with the email and does not send it to recipients. */
      metadata?: Record<string, string | number | boolean> | undefined;
      /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
      priority?: "high" | "normal" | "low" | undefined;
      /** Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`). */
      stream?: string | undefined;
      /** Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC. */
      scheduled_at?: string | undefined;
      /** Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_opens?: boolean | undefined;
      /** Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_clicks?: true | false | "off" | "html" | "html_and_text" | undefined;
      /** Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false. */
      text_from_html?: boolean | undefined;
      /** Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies. */
      receive_replies?: boolean | undefined;
      /** Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click. */
      unsubscribe?: boolean | undefined;
      /** Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`. */
      unsubscribe_group?: string | undefined;
      /** Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day. */
      expires_in?: number | undefined;
      /** Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`). */
      collapse_key?: string | undefined;
      /** Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS. */
      require_tls?: boolean | undefined;
    };
    response: {
      data: BatchResult;
    };
  };
  /** Preview the result of a batch */
  "POST /emails/batch/dry-run": {
    params: undefined;
    query: {
      /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
      check_links?: boolean | undefined;
    };
    body: {
      /** Id or alias of the template. */
      template_id: string;
      /** Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation. */
      subject?: string | undefined;
      /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
      locale?: string | undefined;
      attachments?: Attachment[] | undefined;
      recipients: BatchRecipient[];
      from: MailboxInput;
      /** Addresses that replies go to: one, or a list of up to 10. */
      reply_to?: MailboxInput[] | Mailbox | string | undefined;
      /** Additional email headers by name, at most 50. */
      headers?: Record<string, string> | undefined;
      /** Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them. */
      tags?: Tag[] | undefined;
      /** Your own data as a flat object. Postrider returns it with the email and does not send it to recipients. */
      metadata?: Record<string, string | number | boolean> | undefined;
      /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
      priority?: "high" | "normal" | "low" | undefined;
      /** Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`). */
      stream?: string | undefined;
      /** Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC. */
      scheduled_at?: string | undefined;
      /** Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_opens?: boolean | undefined;
      /** Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_clicks?: true | false | "off" | "html" | "html_and_text" | undefined;
      /** Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false. */
      text_from_html?: boolean | undefined;
      /** Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies. */
      receive_replies?: boolean | undefined;
      /** Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click. */
      unsubscribe?: boolean | undefined;
      /** Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`. */
      unsubscribe_group?: string | undefined;
      /** Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day. */
      expires_in?: number | undefined;
      /** Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`). */
      collapse_key?: string | undefined;
      /** Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS. */
      require_tls?: boolean | undefined;
    };
    response: {
      data: DryRunBatch;
    };
  };
  /** Send several different emails */
  "POST /emails/batch/mixed": {
    params: undefined;
    query: undefined;
    body: {
      /** The emails. Each has the fields of the body of `POST /emails/send`. */
      emails: SendEmail[];
      /** Whether all emails are refused if one is refused. By default only the invalid emails are refused. */
      all_or_none?: boolean | undefined;
    };
    response: {
      data: MixedBatchResult;
    };
  };
  /** Preview the results of several different emails */
  "POST /emails/batch/mixed/dry-run": {
    params: undefined;
    query: {
      /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
      check_links?: boolean | undefined;
    };
    body: {
      /** The emails. Each has the fields of the body of `POST /emails/send`. */
      emails: SendEmail[];
      /** Whether all emails are refused if one is refused. By default only the invalid emails are refused. */
      all_or_none?: boolean | undefined;
    };
    response: {
      data: DryRunMixed;
    };
  };
  /** Cancel several scheduled emails */
  "POST /emails/cancel": {
    params: undefined;
    query: undefined;
    body: {
      /** Ids of the emails. At most 100; an id that is named twice counts once. */
      ids: string[];
    };
    response: {
      data: BulkResult;
    };
  };
  /** Send several emails again */
  "POST /emails/resend": {
    params: undefined;
    query: undefined;
    body: {
      /** Ids of the emails. At most 100; an id that is named twice counts once. */
      ids: string[];
    };
    response: {
      data: ResendResults;
    };
  };
  /** Retry several emails now */
  "POST /emails/retry": {
    params: undefined;
    query: undefined;
    body: {
      /** Ids of the emails. At most 100; an id that is named twice counts once. */
      ids: string[];
    };
    response: {
      data: BulkResult;
    };
  };
  /** Send an email */
  "POST /emails/send": {
    params: undefined;
    query: undefined;
    body: {
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      to: MailboxInput[] | Mailbox | string;
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      cc?: MailboxInput[] | Mailbox | string | undefined;
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      bcc?: MailboxInput[] | Mailbox | string | undefined;
      /** Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation. */
      subject: string;
      /** Body of the email, at most 2 MiB. */
      html?: string | undefined;
      /** Body of the email, at most 2 MiB. */
      text?: string | undefined;
      /** Id or alias of a saved template, instead of html and text. */
      template_id?: string | undefined;
      /** Values for the variables of the template. */
      template_data?: Record<string, unknown> | undefined;
      /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
      locale?: string | undefined;
      attachments?: Attachment[] | undefined;
      from: MailboxInput;
      /** Addresses that replies go to: one, or a list of up to 10. */
      reply_to?: MailboxInput[] | Mailbox | string | undefined;
      /** Additional email headers by name, at most 50. */
      headers?: Record<string, string> | undefined;
      /** Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them. */
      tags?: Tag[] | undefined;
      /** Your own data as a flat object. Postrider returns it with the email and does not send it to recipients. */
      metadata?: Record<string, string | number | boolean> | undefined;
      /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
      priority?: "high" | "normal" | "low" | undefined;
      /** Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`). */
      stream?: string | undefined;
      /** Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC. */
      scheduled_at?: string | undefined;
      /** Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_opens?: boolean | undefined;
      /** Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_clicks?: true | false | "off" | "html" | "html_and_text" | undefined;
      /** Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false. */
      text_from_html?: boolean | undefined;
      /** Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies. */
      receive_replies?: boolean | undefined;
      /** Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click. */
      unsubscribe?: boolean | undefined;
      /** Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`. */
      unsubscribe_group?: string | undefined;
      /** Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day. */
      expires_in?: number | undefined;
      /** Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`). */
      collapse_key?: string | undefined;
      /** Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS. */
      require_tls?: boolean | undefined;
    };
    response: {
      data: SendResult;
    };
  };
  /** Preview the result of a send */
  "POST /emails/send/dry-run": {
    params: undefined;
    query: {
      /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
      check_links?: boolean | undefined;
    };
    body: {
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      to: MailboxInput[] | Mailbox | string;
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      cc?: MailboxInput[] | Mailbox | string | undefined;
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      bcc?: MailboxInput[] | Mailbox | string | undefined;
      /** Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation. */
      subject: string;
      /** Body of the email, at most 2 MiB. */
      html?: string | undefined;
      /** Body of the email, at most 2 MiB. */
      text?: string | undefined;
      /** Id or alias of a saved template, instead of html and text. */
      template_id?: string | undefined;
      /** Values for the variables of the template. */
      template_data?: Record<string, unknown> | undefined;
      /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
      locale?: string | undefined;
      attachments?: Attachment[] | undefined;
      from: MailboxInput;
      /** Addresses that replies go to: one, or a list of up to 10. */
      reply_to?: MailboxInput[] | Mailbox | string | undefined;
      /** Additional email headers by name, at most 50. */
      headers?: Record<string, string> | undefined;
      /** Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them. */
      tags?: Tag[] | undefined;
      /** Your own data as a flat object. Postrider returns it with the email and does not send it to recipients. */
      metadata?: Record<string, string | number | boolean> | undefined;
      /** Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`. */
      priority?: "high" | "normal" | "low" | undefined;
      /** Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`). */
      stream?: string | undefined;
      /** Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC. */
      scheduled_at?: string | undefined;
      /** Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_opens?: boolean | undefined;
      /** Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`. */
      track_clicks?: true | false | "off" | "html" | "html_and_text" | undefined;
      /** Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false. */
      text_from_html?: boolean | undefined;
      /** Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies. */
      receive_replies?: boolean | undefined;
      /** Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click. */
      unsubscribe?: boolean | undefined;
      /** Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`. */
      unsubscribe_group?: string | undefined;
      /** Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day. */
      expires_in?: number | undefined;
      /** Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`). */
      collapse_key?: string | undefined;
      /** Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS. */
      require_tls?: boolean | undefined;
    };
    response: {
      data: DryRun;
    };
  };
  /** Validate an address */
  "POST /emails/validate": {
    params: undefined;
    query: undefined;
    body: {
      /** Address to check. */
      email: string;
    };
    response: {
      data: ValidationResult;
    };
  };
  /** Validate up to 100 addresses */
  "POST /emails/validate/batch": {
    params: undefined;
    query: undefined;
    body: {
      /** Addresses to check. Duplicates are allowed. */
      emails: string[];
    };
    response: {
      data: ValidationResult[];
    };
  };
  /** Cancel a scheduled email */
  "POST /emails/{id}/cancel": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Email;
    };
  };
  /** Send an email again as a new email */
  "POST /emails/{id}/resend": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Recipients of the new email, all of them recipients of this email. The default is all recipients. If none of them is in `to`, those in `cc` become `to`. */
      recipients?: string[] | undefined;
    };
    response: {
      data: SendResult;
    };
  };
  /** Retry an email now */
  "POST /emails/{id}/retry": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Email;
    };
  };
  /** Hold mail */
  "POST /holds": {
    params: undefined;
    query: undefined;
    body: {
      /** Which mail to hold: all mail of the organization, mail from one of its sending domains, mail with a template or a tag, or mail that was sent with an API key. Operators can also hold `all` mail of the installation, or mail to a `provider`. */
      scope: "all" | "organization" | "domain" | "template" | "tag" | "key" | "provider";
      /** Value for the scope: the domain, the id or alias of the template, the tag (`name` or `name:value`), the id of the key, or the provider or site. Omit it for `all` and `organization`. */
      value?: string | undefined;
      /** Whether the tag may be one that no mail has yet. By default an unused tag is refused, because it is probably misspelt. */
      ahead?: boolean | undefined;
      /** Why the mail is held. Emails that the hold covers show this reason. */
      reason: string;
    };
    response: {
      data: PlacedHold;
    };
  };
  /** Discard the mail of several holds so that it is never sent */
  "POST /holds/discard": {
    params: undefined;
    query: undefined;
    body: {
      /** Ids of the holds. At most 100; an id that is named twice counts once. */
      ids: string[];
      /** Why the mail must not be sent. The reason is stored with the hold. */
      reason: string;
    };
    response: {
      data: BulkResult;
    };
  };
  /** Release several holds and send their mail */
  "POST /holds/release": {
    params: undefined;
    query: undefined;
    body: {
      /** Ids of the holds. At most 100; an id that is named twice counts once. */
      ids: string[];
    };
    response: {
      data: BulkResult;
    };
  };
  /** Discard the mail of a hold so that it is never sent */
  "POST /holds/{id}/discard": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Why the mail must not be sent. The reason is stored with the hold. */
      reason: string;
    };
    response: {
      data: Hold;
    };
  };
  /** Release a hold and send its mail */
  "POST /holds/{id}/release": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Hold;
    };
  };
  /** Receive mail at a domain */
  "POST /inbound/domains": {
    params: undefined;
    query: undefined;
    body: {
      /** One of your verified domains, or a name below one. */
      domain: string;
    };
    response: {
      data: ReceivingDomain;
    };
  };
  /** Receive mail at an address */
  "POST /inbound/routes": {
    params: undefined;
    query: undefined;
    body: {
      /** Address to receive mail at, such as `support@example.org`. It also receives mail to `support+note@example.org`. `*@example.org` stands for all addresses without their own route. */
      address: string;
      /** Description of the route for your own use. */
      description?: string | null | undefined;
      /** Whether the route accepts mail. If false, mail to the address is refused. */
      enabled?: boolean | undefined;
    };
    response: {
      data: InboundRoute;
    };
  };
  /** Reply to a received mail */
  "POST /inbound/{id}/reply": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Body of the email, at most 2 MiB. */
      text?: string | undefined;
      /** Body of the email, at most 2 MiB. */
      html?: string | undefined;
      from?: MailboxInput | undefined;
      /** One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses. */
      cc?: MailboxInput[] | Mailbox | string | undefined;
      /** Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation. */
      subject?: string | undefined;
      attachments?: Attachment[] | undefined;
      /** Whether this installation receives the replies, as in a send. The default is true, so that replies belong to the same conversation. */
      receive_replies?: boolean | undefined;
    };
    response: {
      data: SendResult;
    };
  };
  /** Accept an invite and join the organization */
  "POST /invites/{token}/accept": {
    params: {
      token: string;
    };
    query: undefined;
    body: {
      name?: string | null | undefined;
      /** At least 10 characters. Common passwords and the email address are refused. */
      password?: string | undefined;
    };
    response: {
      data: Me;
    };
  };
  /** Invite a person by mail */
  "POST /members/invites": {
    params: undefined;
    query: undefined;
    body: {
      email: string;
      /** `owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read. */
      role: "owner" | "member" | "read_only";
    };
    response: {
      data: NewInvite;
    };
  };
  /** Create another organization with you as its owner */
  "POST /organizations": {
    params: undefined;
    query: undefined;
    body: {
      /** 1 to 200 characters. */
      name: string;
    };
    response: {
      data: Membership;
    };
  };
  /** Erase the data about an address */
  "POST /recipients/erase": {
    params: undefined;
    query: undefined;
    body: {
      email: string;
    };
    response: {
      data: Erasure;
    };
  };
  /** Export the data about an address */
  "POST /recipients/export": {
    params: undefined;
    query: undefined;
    body: {
      email: string;
    };
    response: {
      data: RecipientExport;
    };
  };
  /** Roll a canary back */
  "POST /routes/canaries/{name}/back": {
    params: {
      name: string;
    };
    query: {
      /** Only mail to this provider. The default is all providers. */
      provider?: string | undefined;
    };
    body: undefined;
    response: {
      data: CanaryBoard;
    };
  };
  /** Finish a canary */
  "POST /routes/canaries/{name}/finish": {
    params: {
      name: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: CanaryBoard;
    };
  };
  /** Pause a canary */
  "POST /routes/canaries/{name}/pause": {
    params: {
      name: string;
    };
    query: {
      /** Only mail to this provider. The default is all providers. */
      provider?: string | undefined;
    };
    body: undefined;
    response: {
      data: CanaryBoard;
    };
  };
  /** Resume a canary */
  "POST /routes/canaries/{name}/resume": {
    params: {
      name: string;
    };
    query: {
      /** Only mail to this provider. The default is all providers. */
      provider?: string | undefined;
    };
    body: undefined;
    response: {
      data: CanaryBoard;
    };
  };
  /** Send sample DMARC and TLS reports about a domain */
  "POST /sandbox/domains/{id}/reports": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: {
        /** Number of reports that the inbound server accepted. */
        sent: number;
      };
    };
  };
  /** Simulate an action of the recipient of a captured message */
  "POST /sandbox/messages/{id}/actions": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** `open`: load the pixel. `click`: follow a link. `unsubscribe`: use the unsubscribe button of the mail program. `complain`: report the message as spam. `bounce`: send a bounce, as a server that has accepted the message and then finds no mailbox. `reply`: reply to the Reply-To address or the sender, if this installation receives mail there. */
      action: "open" | "click" | "unsubscribe" | "bounce" | "complain" | "reply";
      /** Link to click, from `links` of the message. The default is the first link. */
      link?: string | undefined;
      /** Text above the quoted message, for `reply`. The default is `Thank you.` */
      text?: string | undefined;
    };
    response: {
      data: {
        action: "open" | "click" | "unsubscribe" | "bounce" | "complain" | "reply";
        /** URL that the link leads to. Null if the action is not a click. */
        leads_to: string | null;
      };
    };
  };
  /** Check the links of a captured message */
  "POST /sandbox/messages/{id}/links/check": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: SandboxCheckedLink[];
    };
  };
  /** Create an organization for one run of your tests */
  "POST /sandbox/organizations": {
    params: undefined;
    query: undefined;
    body: {
      /** 1 to 200 characters. */
      name?: string | undefined;
      /** Number of minutes until the organization is deleted. */
      minutes?: number | undefined;
    };
    response: {
      data: ThrowAwayOrganization;
    };
  };
  /** Pause a site */
  "POST /sites/{id}/pause": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Site;
    };
  };
  /** Resume a site */
  "POST /sites/{id}/resume": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Site;
    };
  };
  /** Try a site now */
  "POST /sites/{id}/try-now": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Site;
    };
  };
  /** Create a stream */
  "POST /streams": {
    params: undefined;
    query: undefined;
    body: {
      /** Name of the stream: at most 32 lower-case letters, digits and hyphens. It cannot be changed. */
      name: string;
      /** Description of the stream for your own use. */
      description?: string | null | undefined;
      /** Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first. */
      priority?: "high" | "normal" | "low" | undefined;
      /** Maximum number of messages of the stream per clock minute, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit. */
      messages_per_minute?: number | null | undefined;
      /** Maximum number of messages of the stream per clock hour, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit. */
      messages_per_hour?: number | null | undefined;
    };
    response: {
      data: Stream;
    };
  };
  /** Suppress an address */
  "POST /suppressions": {
    params: undefined;
    query: undefined;
    body: {
      /** Address that must not receive mail. */
      email: string;
      /** Why the address must not receive mail. */
      reason: "hard_bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "manual";
      /** Group of mail to stop, for the reason `unsubscribe`. By default all mail is stopped. */
      unsubscribe_group?: string | undefined;
    };
    response: {
      data: Suppression;
    };
  };
  /** Remove several addresses from the suppression list */
  "POST /suppressions/delete": {
    params: undefined;
    query: undefined;
    body: {
      /** Ids of the suppressions. At most 100; an id that is named twice counts once. */
      ids: string[];
    };
    response: {
      data: BulkResult;
    };
  };
  /** Suppress up to 100,000 addresses */
  "POST /suppressions/import": {
    params: undefined;
    query: {
      /** Reason for addresses without their own. By default new addresses get `manual` and existing addresses keep their reason. */
      reason?: "hard_bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "manual" | undefined;
    };
    body: {
      suppressions: Array<{
        email: string;
        /** Why the address must not receive mail. */
        reason?: "hard_bounce" | "soft_bounce" | "complaint" | "unsubscribe" | "manual" | undefined;
        /** Group of mail to stop, for the reason `unsubscribe`. By default all mail is stopped. */
        unsubscribe_group?: string | undefined;
      }>;
    } | string;
    response: {
      data: SuppressionImport;
    };
  };
  /** Create a template */
  "POST /templates": {
    params: undefined;
    query: undefined;
    body: {
      name: string;
      /** Name that can be used instead of the id, such as `receipt`. It is unique among the active templates of an organization. `null` removes it. */
      alias?: string | null | undefined;
      /** `template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed. */
      kind?: "template" | "layout" | "partial" | undefined;
      /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
      subject?: string | undefined;
      /** Id or alias of the layout that surrounds html and text. `null` means no layout. */
      layout?: string | null | undefined;
      /** Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets. */
      inline_css?: boolean | undefined;
      /** HTML body. The values of variables are escaped. */
      html?: string | undefined;
      /** Plain text body. */
      text?: string | undefined;
      /** Translations, for sends with a `locale`. The list replaces all existing translations. */
      translations?: TranslationOfTemplate[] | undefined;
      /** Rules for variables: types, defaults and required variables. They are applied when the template is sent. */
      variable_schema?: TemplateVariableRule[] | undefined;
      /** Sample data for previews without `data`. It is not part of a version and never used in mail. */
      sample_data?: Record<string, unknown> | null | undefined;
    };
    response: {
      data: Template;
    };
  };
  /** Check a template against mail clients and spam filters */
  "POST /templates/check": {
    params: undefined;
    query: undefined;
    body: {
      /** `template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed. */
      kind?: "template" | "layout" | "partial" | undefined;
      /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
      subject?: string | undefined;
      /** Id or alias of the layout that surrounds html and text. `null` means no layout. */
      layout?: string | null | undefined;
      /** Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets. */
      inline_css?: boolean | undefined;
      /** HTML body. The values of variables are escaped. */
      html?: string | undefined;
      /** Plain text body. */
      text?: string | undefined;
      /** Translations, for sends with a `locale`. The list replaces all existing translations. */
      translations?: TranslationOfTemplate[] | undefined;
      /** Rules for variables: types, defaults and required variables. They are applied when the template is sent. */
      variable_schema?: TemplateVariableRule[] | undefined;
      /** Language as a BCP 47 tag, such as `pt-BR`. */
      locale?: string | undefined;
      /** Values for the variables of the template. */
      data?: Record<string, unknown> | undefined;
      /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
      check_links?: boolean | undefined;
    };
    response: {
      data: TemplateChecks;
    };
  };
  /** Check a template without saving it */
  "POST /templates/validate": {
    params: undefined;
    query: undefined;
    body: {
      /** `template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed. */
      kind?: "template" | "layout" | "partial" | undefined;
      /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
      subject?: string | undefined;
      /** Id or alias of the layout that surrounds html and text. `null` means no layout. */
      layout?: string | null | undefined;
      /** Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets. */
      inline_css?: boolean | undefined;
      /** HTML body. The values of variables are escaped. */
      html?: string | undefined;
      /** Plain text body. */
      text?: string | undefined;
      /** Translations, for sends with a `locale`. The list replaces all existing translations. */
      translations?: TranslationOfTemplate[] | undefined;
      /** Rules for variables: types, defaults and required variables. They are applied when the template is sent. */
      variable_schema?: TemplateVariableRule[] | undefined;
      /** Language as a BCP 47 tag, such as `pt-BR`. */
      locale?: string | undefined;
      /** Values for the variables of the template. */
      data?: Record<string, unknown> | undefined;
    };
    response: {
      data: TemplatePreview;
    };
  };
  /** Render a template without sending it */
  "POST /templates/{id}/preview": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: undefined;
    body: {
      /** Language as a BCP 47 tag, such as `pt-BR`. */
      locale?: string | undefined;
      /** Whether to use the draft of the template, if it has one, instead of the published version. */
      draft?: boolean | undefined;
      /** Values for the variables. The default is the sample data of the template. */
      data?: Record<string, unknown> | undefined;
      /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
      subject?: string | undefined;
      /** Id or alias of the layout that surrounds html and text. `null` means no layout. */
      layout?: string | null | undefined;
      /** Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets. */
      inline_css?: boolean | undefined;
      /** Replaces the saved body in the preview. The template does not change. */
      html?: string | undefined;
      /** Replaces the saved body in the preview. The template does not change. */
      text?: string | undefined;
      /** Translations, for sends with a `locale`. The list replaces all existing translations. */
      translations?: TranslationOfTemplate[] | undefined;
      /** Rules for variables: types, defaults and required variables. They are applied when the template is sent. */
      variable_schema?: TemplateVariableRule[] | undefined;
    };
    response: {
      data: TemplatePreview;
    };
  };
  /** Publish the draft of a template */
  "POST /templates/{id}/publish": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: {
      /** `last_changed_at` of the template as you read it. If the template or its draft was changed since, the request is refused with 409 and changes nothing. */
      last_changed_at?: string | undefined;
    };
    body: undefined;
    response: {
      data: Template;
    };
  };
  /** Send a test of a template to one address */
  "POST /templates/{id}/test": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: undefined;
    body: {
      to: MailboxInput;
      from: MailboxInput;
      /** Values for the variables of the template. */
      data?: Record<string, unknown> | undefined;
      /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
      locale?: string | undefined;
      /** Whether to send the draft of the template, if it has one, instead of the published version. */
      draft?: boolean | undefined;
    };
    response: {
      data: SendResult;
    };
  };
  /** Preview the result of a template test */
  "POST /templates/{id}/test/dry-run": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: {
      /** Whether to request the links of the message too, to find broken links. This takes several seconds. */
      check_links?: boolean | undefined;
    };
    body: {
      to: MailboxInput;
      from: MailboxInput;
      /** Values for the variables of the template. */
      data?: Record<string, unknown> | undefined;
      /** Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself. */
      locale?: string | undefined;
      /** Whether to send the draft of the template, if it has one, instead of the published version. */
      draft?: boolean | undefined;
    };
    response: {
      data: DryRun;
    };
  };
  /** Restore an earlier version of a template */
  "POST /templates/{id}/versions/{version}/restore": {
    params: {
      /** Id or alias of the template. */
      id: string;
      version: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: Template;
    };
  };
  /** Undo an incident */
  "POST /undos": {
    params: undefined;
    query: undefined;
    body: {
      /** Start of the period: only bounces at or after this time. */
      from: string;
      /** End of the period: only bounces before this time. At most 7 days after `from`. Future bounces are not included. */
      to: string;
      /** Only bounces of mail with this template, by its id or alias. */
      template_id?: string | undefined;
      /** Only bounces of mail with this tag: `name` or `name:value`. */
      tag?: string | undefined;
      /** Only bounces of recipients at this provider or site, named as in `GET /sites`. */
      provider?: string | undefined;
      /** Only bounces whose SMTP reply contains this text. Case is ignored. */
      reply?: string | undefined;
      /** Why the incident is undone. The reason is stored with the undo. */
      reason: string;
    };
    response: {
      data: Undo;
    };
  };
  /** Preview an undo */
  "POST /undos/preview": {
    params: undefined;
    query: undefined;
    body: {
      /** Start of the period: only bounces at or after this time. */
      from: string;
      /** End of the period: only bounces before this time. At most 7 days after `from`. Future bounces are not included. */
      to: string;
      /** Only bounces of mail with this template, by its id or alias. */
      template_id?: string | undefined;
      /** Only bounces of mail with this tag: `name` or `name:value`. */
      tag?: string | undefined;
      /** Only bounces of recipients at this provider or site, named as in `GET /sites`. */
      provider?: string | undefined;
      /** Only bounces whose SMTP reply contains this text. Case is ignored. */
      reply?: string | undefined;
    };
    response: {
      data: IncidentReport;
    };
  };
  /** Save a view */
  "POST /views": {
    params: undefined;
    query: undefined;
    body: {
      /** The list whose filters the view contains. */
      list: "emails" | "request_logs" | "approvals" | "holds" | "templates" | "suppressions" | "inbound" | "sandbox_messages" | "sites" | "audit_log";
      /** Name of the view: 1 to 60 characters. Unique among the shared views of a list, and among your own. */
      name: string;
      /** Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON. */
      query: Record<string, string>;
      /** Whether all members of the organization see the view. Otherwise only its creator sees it. */
      shared?: boolean | undefined;
    };
    response: {
      data: View;
    };
  };
  /** Create a webhook that sends events to a URL */
  "POST /webhooks": {
    params: undefined;
    query: undefined;
    body: {
      /** URL that events are sent to. It must use https and have a public address. In the sandbox, http and this machine are allowed too. */
      url: string;
      /** Description of the webhook for your own use. */
      description?: string | null | undefined;
      /** Types of events to send. Null or omitted means all types of the format, except those about suppressions, warnings and canaries, which must be named. */
      event_types?: Array<"email.queued" | "email.processing" | "email.held" | "email.delivered" | "email.opened" | "email.clicked" | "email.bounced" | "email.deferred" | "email.failed" | "email.complained" | "email.unsubscribed" | "email.rejected" | "email.received" | "domain.verified" | "domain.failing" | "domain.recovered" | "domain.unverified" | "suppression.added" | "suppression.removed" | "attention.raised" | "attention.cleared" | "canary.stepped"> | null | undefined;
      /** Send only events of mail in these streams. Null or omitted means all mail. */
      streams?: string[] | null | undefined;
      /** Format of the events. `postrider` (the default): the format that this reference describes. The other values: the format of that service, for code that was written for it. */
      format?: "postrider" | "resend" | "sendgrid" | "postmark" | undefined;
      /** Whether events are sent. Events that happen while it is false are not sent later. */
      enabled?: boolean | undefined;
    };
    response: {
      data: WebhookWithSecret;
    };
  };
  /** Resend a delivery with the same webhook-id */
  "POST /webhooks/{id}/deliveries/{delivery_id}/replay": {
    params: {
      id: string;
      delivery_id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: WebhookDelivery;
    };
  };
  /** Resend the failed deliveries of a period, or all deliveries */
  "POST /webhooks/{id}/replay": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Only events at or after this time, an ISO 8601 date and time. Events are kept for at most 30 days. */
      since: string;
      /** Only events at or before this time, an ISO 8601 date and time. The default is now. */
      until?: string | undefined;
      /** `failed` (the default): only deliveries that failed. `all`: also deliveries that succeeded. */
      status?: "failed" | "all" | undefined;
    };
    response: {
      data: {
        /** Number of deliveries that are sent again. */
        replayed: number;
        /** Value of `since` for the next request, if more than 100,000 deliveries remain. Null otherwise. */
        next_since: string | null;
      };
    };
  };
  /** Create a new signing secret for a webhook */
  "POST /webhooks/{id}/rotate-secret": {
    params: {
      id: string;
    };
    query: undefined;
    body: undefined;
    response: {
      data: WebhookWithSecret;
    };
  };
  /** Send a test event to a webhook */
  "POST /webhooks/{id}/test": {
    params: {
      id: string;
    };
    query: {
      /** Type of the event. The default is `webhook.test`. */
      type?: "email.queued" | "email.processing" | "email.held" | "email.delivered" | "email.opened" | "email.clicked" | "email.bounced" | "email.deferred" | "email.failed" | "email.complained" | "email.unsubscribed" | "email.rejected" | "email.received" | "domain.verified" | "domain.failing" | "domain.recovered" | "domain.unverified" | "suppression.added" | "suppression.removed" | "attention.raised" | "attention.cleared" | "canary.stepped" | undefined;
    };
    body: undefined;
    response: {
      data: WebhookDelivery;
    };
  };
  /** Change the tracking settings of a sending domain */
  "PUT /domains/{id}/tracking": {
    params: {
      id: string;
    };
    query: undefined;
    body: {
      /** Whether mail from this domain gets a pixel that records opens. Null means the setting of the organization. */
      track_opens?: boolean | null | undefined;
      /** Which links of mail from this domain are tracked. Null means the setting of the organization. */
      track_clicks?: true | false | "off" | "html" | "html_and_text" | null | undefined;
      /** Host name for the tracked links and pixels of the domain’s mail. It must be below the domain, such as `links.example.org`. Null means the address of the installation. */
      host?: string | null | undefined;
    };
    response: {
      data: Domain;
    };
  };
  /** Mark a domain or address as enrolled, or as not enrolled */
  "PUT /feedback-loops/{loop}/{subject}": {
    params: {
      /** Name of the feedback loop. */
      loop: "gmail_postmaster" | "yahoo_cfl" | "microsoft_jmrp" | "microsoft_snds";
      /** Domain or IP address that is enrolled. */
      subject: string;
    };
    query: undefined;
    body: {
      /** Whether you have enrolled the domain or address with the provider. Postrider cannot find this out itself. */
      enrolled: boolean;
    };
    response: {
      data: FeedbackLoop;
    };
  };
  /** Replace the route table */
  "PUT /routes": {
    params: undefined;
    query: undefined;
    body: {
      /** The `version` of the route table that the change is based on. */
      version: number;
      transports: Array<{
        /** Name of the transport: lower-case letters, digits and hyphens. The name identifies the transport; a different name is a different transport. */
        name: string;
        /** `direct`: mail goes to the recipients’ mail hosts, from the addresses in `sources`. `relay`: mail goes to the server at `url`, which delivers it. */
        kind: "direct" | "relay";
        sources?: Array<{
          address: string;
          ehlo_name?: string | null | undefined;
          /** Share in proportion to the weights of the other entries in the list. 0 means never used. */
          weight?: number | undefined;
          /** Maximum number of connections to one site, over all workers together. Null means as many as the site accepts. */
          connections?: number | null | undefined;
          /** Warm-up of a new sending address: a daily limit that rises one step for each day without problems. Deferrals and complaints stop the rise or lower the limit. */
          warm_up?: {
            /** First UTC day of the warm-up. Mail sent before this day does not count. */
            since: string;
            /** Maximum number of emails per day for each step. After the last step there is no limit. */
            curve?: number[] | undefined;
            /** Curves for providers, named as in `GET /sites`. For these providers they replace `curve`. */
            curves?: Record<string, number[]> | undefined;
            /** Handling of mail above the daily limit. `fallback`: use the next choice or step of the rule. `wait`: queue the mail until the next day. */
            over?: "fallback" | "wait" | undefined;
          } | null | undefined;
        }> | undefined;
        url?: string | undefined;
        /** Password for the relay. It is stored encrypted and never shown. If omitted, the stored password for this URL stays. */
        password?: string | undefined;
        /** Maximum number of connections to the relay, over all workers together. The default is 20. Only for relays. */
        connections?: number | undefined;
        /** Maximum number of messages per minute, over all workers together. Null means no limit. */
        messages_per_minute?: number | null | undefined;
      }>;
      /** Rules in order. The first rule that matches applies. */
      rules: Array<{
        name?: string | null | undefined;
        match?: RouteMatch | undefined;
        /** Steps in the order of preference. A later step is used while the earlier ones accept no mail. */
        steps: Array<{
          choices: Array<{
            /** Name of a transport, or `default`. */
            transport: string;
            /** Share in proportion to the weights of the other entries in the list. 0 means never used. */
            weight?: number | undefined;
          }>;
        }>;
        /** Moves mail of the rule to another transport step by step, for each provider separately. The percentage rises while the results are no worse than on the old route, and falls to 0 when they are worse. */
        canary?: {
          /** Name of the canary: lower-case letters, digits and hyphens. It identifies the canary; a canary with a different name starts from the beginning. */
          name: string;
          /** Name of the transport that mail is moved to, or `default`. The steps of the rule are the old route. */
          to: string;
          /** Percentages of a provider’s mail that use the new transport, step by step. The default is 1, 5, 10, 25, 50, 100. */
          percents?: number[] | undefined;
          /** Minimum duration of a step in minutes. The default is 60. */
          minutes?: number | undefined;
          /** Minimum number of emails that a step sends through the new transport. The default is 100. */
          mails?: number | undefined;
          /** By how much a rate on the new transport may exceed that on the old route in the same period. */
          worse?: {
            /** Tolerance as a share of the sent mail, from 0 to 1. The default is 0.05. */
            deferred?: number | undefined;
            /** Tolerance as a share of the sent mail, from 0 to 1. The default is 0.02. */
            bounced?: number | undefined;
            /** Tolerance as a share of the sent mail, from 0 to 1. The default is 0.001. */
            complained?: number | undefined;
          } | undefined;
        } | null | undefined;
      }>;
    };
    response: {
      data: RouteTable;
    };
  };
  /** Change the auto-validation setting */
  "PUT /settings/auto-validation": {
    params: undefined;
    query: undefined;
    body: {
      /** `off`: no validation. `high`: recipients with a risk score above 0.7 are refused. `medium`: recipients with a risk score above 0.3 are refused. */
      threshold: "off" | "high" | "medium";
    };
    response: {
      data: AutoValidation;
    };
  };
  /** Turn the guard on or off, or replace its allow-list */
  "PUT /settings/guard": {
    params: undefined;
    query: undefined;
    body: {
      /** Whether the guard holds mail that servers suddenly refuse, and slows down repeated emails that flood an address. */
      enabled?: boolean | undefined;
      /** Recipient addresses, and domains with their subdomains, whose mail the guard never slows down, such as mailboxes for alerts. */
      allow?: string[] | undefined;
    };
    response: {
      data: Guard;
    };
  };
  /** Change the retention periods of your mail */
  "PUT /settings/retention": {
    params: undefined;
    query: undefined;
    body: {
      /** Number of days for which html, text and attachments are kept. 0 keeps them as long as the email. */
      content_days?: number | undefined;
      /** Number of days for which emails and their events are kept. 0 keeps them forever. */
      email_days?: number | undefined;
    };
    response: {
      data: Retention;
    };
  };
  /** Change the tracking setting */
  "PUT /settings/tracking": {
    params: undefined;
    query: undefined;
    body: {
      /** Whether html mail gets a pixel that records opens, unless a domain or a request sets another value. */
      track_opens: boolean;
      /** Which links are replaced by tracked links. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. If omitted, the setting does not change. */
      track_clicks?: true | false | "off" | "html" | "html_and_text" | undefined;
    };
    response: {
      data: Tracking;
    };
  };
  /** Replace your allow and deny lists of disposable domains */
  "PUT /settings/validation": {
    params: undefined;
    query: undefined;
    body: {
      disposable_allow?: string[] | undefined;
      disposable_deny?: string[] | undefined;
    };
    response: {
      data: ValidationSettings;
    };
  };
  /** Change a template */
  "PUT /templates/{id}": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: {
      /** `last_changed_at` of the template as you read it. If the template or its draft was changed since, the request is refused with 409 and changes nothing. */
      last_changed_at?: string | undefined;
    };
    body: {
      name?: string | undefined;
      /** Name that can be used instead of the id, such as `receipt`. It is unique among the active templates of an organization. `null` removes it. */
      alias?: string | null | undefined;
      /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
      subject?: string | undefined;
      /** Id or alias of the layout that surrounds html and text. `null` means no layout. */
      layout?: string | null | undefined;
      /** Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets. */
      inline_css?: boolean | undefined;
      /** HTML body. The values of variables are escaped. */
      html?: string | undefined;
      /** Plain text body. */
      text?: string | undefined;
      /** Translations, for sends with a `locale`. The list replaces all existing translations. */
      translations?: TranslationOfTemplate[] | undefined;
      /** Rules for variables: types, defaults and required variables. They are applied when the template is sent. */
      variable_schema?: TemplateVariableRule[] | undefined;
      /** Sample data for previews without `data`. It is not part of a version and never used in mail. */
      sample_data?: Record<string, unknown> | null | undefined;
    };
    response: {
      data: Template;
    };
  };
  /** Save a draft of a template */
  "PUT /templates/{id}/draft": {
    params: {
      /** Id or alias of the template. */
      id: string;
    };
    query: {
      /** `last_changed_at` of the template as you read it. If the template or its draft was changed since, the request is refused with 409 and changes nothing. */
      last_changed_at?: string | undefined;
    };
    body: {
      /** Subject in one line, required for templates. It can contain variables: `Hello {{name}}`. */
      subject?: string | undefined;
      /** Id or alias of the layout that surrounds html and text. `null` means no layout. */
      layout?: string | null | undefined;
      /** Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets. */
      inline_css?: boolean | undefined;
      /** HTML body. The values of variables are escaped. */
      html?: string | undefined;
      /** Plain text body. */
      text?: string | undefined;
      /** Translations, for sends with a `locale`. The list replaces all existing translations. */
      translations?: TranslationOfTemplate[] | undefined;
      /** Rules for variables: types, defaults and required variables. They are applied when the template is sent. */
      variable_schema?: TemplateVariableRule[] | undefined;
    };
    response: {
      data: TemplateDraft;
    };
  };
}

/** Those that take an `Idempotency-Key`. */
export type KeyedOperation = "POST /emails/batch" | "POST /emails/batch/mixed" | "POST /emails/resend" | "POST /emails/send" | "POST /emails/{id}/resend" | "POST /inbound/{id}/reply";
