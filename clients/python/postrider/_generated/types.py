# Made from the OpenAPI document by `npx tsx clients/python/scripts/generate.ts`. Do not edit.
"""What the API takes and gives, as it names it."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class ApiKey(TypedDict):
    id: str
    """Id of the API key. Starts with `key_`."""
    name: str
    prefix: str
    """First characters of the key, to recognize it by."""
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    domain: Union[str, None]
    """The only domain that the key may send from and whose mail it may read. Null means all domains of the organization."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """Time of the last use of the key, accurate to the minute. Null if the key was never used."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """Id of the user who created the key, directly or with another key. Null if the operator created it."""
    created_by_name: Union[str, None]
    """Name of the user in `created_by`."""
    created_by_key: Union[str, None]
    """Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it."""
    created_by_key_name: Union[str, None]
    """Name of the key in `created_by_key`."""
    replaced_by: Union[str, None]
    """Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated."""
    policy: Union[ApiKeyPolicy, None]
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""
    budget_used: Union[int, None]
    """Number of recipients that the key has used of its daily budget on the current UTC day. Null if the key has no budget."""
    last_30_days: ApiKeyLast30Days
    """Usage of the key in the last 30 days. The counts are a few seconds late."""


class ApiKeyLast30Days(TypedDict):
    """Usage of the key in the last 30 days. The counts are a few seconds late."""
    requests: int
    """Number of requests that were answered."""
    refused: int
    """Number of these requests that ended with an error."""
    emails: int
    """Number of emails that were accepted over HTTP or SMTP."""


_ApiKeyPolicyRequired = TypedDict(
    "_ApiKeyPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.
        "from": "Union[List[str], None]",
        # Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit complete messages, as over SMTP. The default is false.
        "attachments": "bool",
        # Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.
        "approval": "Literal[\"required\", \"none\"]",
        # Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.
        "inbound": "bool",
    },
)


class ApiKeyPolicy(_ApiKeyPolicyRequired):
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""


_ApiKeyUsageRequired = TypedDict(
    "_ApiKeyUsageRequired",
    {
        # First UTC day of the period, such as `2026-10-17`.
        "from": "str",
        "totals": "ApiKeyUsageTotals",
        # Usage for each day on which the key was used, oldest first.
        "days": "List[ApiKeyUsageDaysItem]",
    },
)


class ApiKeyUsage(_ApiKeyUsageRequired):
    """Its fields are above."""


class ApiKeyUsageDaysItem(TypedDict):
    day: str
    requests: int
    """Number of requests that were answered."""
    refused: int
    """Number of these requests that ended with an error."""
    emails: int
    """Number of emails that were accepted over HTTP or SMTP."""


class ApiKeyUsageTotals(TypedDict):
    requests: int
    """Number of requests that were answered."""
    refused: int
    """Number of these requests that ended with an error."""
    emails: int
    """Number of emails that were accepted over HTTP or SMTP."""


class _ApiKeysCreateBodyRequired(TypedDict):
    name: str
    """1 to 200 characters."""


class ApiKeysCreateBody(_ApiKeysCreateBodyRequired, total=False):
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    domain: Union[str, None]
    """One of your sending domains. The key can only send from this domain and only read its mail. Null means all domains."""
    expires_at: Union[str, None]
    """Time at which the key stops working, as an ISO 8601 date or time in the future. A date without a time means the end of that UTC day. Null means that the key does not expire."""
    policy: Union[ApiKeysCreateBodyPolicy, None]
    """Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy."""


_ApiKeysCreateBodyPolicyOptional = TypedDict(
    "_ApiKeysCreateBodyPolicyOptional",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.
        "from": "Union[List[str], None]",
        # Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit complete messages, as over SMTP. The default is false.
        "attachments": "bool",
        # Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.
        "approval": "Literal[\"required\", \"none\"]",
        # Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.
        "inbound": "bool",
    },
    total=False,
)


class ApiKeysCreateBodyPolicy(_ApiKeysCreateBodyPolicyOptional):
    """Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy."""


class ApiKeysListPage(TypedDict):
    """A page of results"""
    data: List[ApiKey]
    pagination: Pagination


class ApiKeysRevokeData(TypedDict):
    id: str
    deleted: bool
    """Always true."""
    hold: Union[ApiKeysRevokeDataHold, None]
    """Hold on the mail of the key, with the amount of mail. Null with `mail=leave`."""


class ApiKeysRevokeDataHold(TypedDict):
    """Hold on the mail of the key, with the amount of mail. Null with `mail=leave`."""
    id: str
    organization_id: Union[str, None]
    """Id of the organization whose mail is held. Null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address)."""
    value: Union[str, None]
    with_webhooks: bool
    """Whether webhooks are held too, as after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """Whether an operator placed the hold. Only an operator can then end it."""
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold."""
    placed_at: str
    decision: Union[ApiKeysRevokeDataHoldDecision, None]
    ended_at: Union[str, None]
    """Time at which the release or the discarding was complete. Null before that."""
    released: int
    """Number of held deliveries that have been released so far."""
    discarded: int
    """Number of deliveries that have been discarded so far."""
    mail: Union[ApiKeysRevokeDataHoldMail, None]
    """Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again."""


class ApiKeysRevokeDataHoldDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class ApiKeysRevokeDataHoldMail(TypedDict):
    """Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again."""
    held: int
    """Number of deliveries that would be sent if the hold were released now."""
    expired: int
    """Number of these deliveries whose lifetime ended before the hold. They end as `failed`."""
    later: int
    """Number of deliveries that are due later: scheduled, or between two attempts."""
    oldest_at: Union[str, None]
    """Time at which the oldest held email was accepted. Null if no mail is held."""


class ApiKeysRotateBody(TypedDict, total=False):
    old_works_until: str
    """Time until which the old key works beside the new key, as an ISO 8601 date or time in the future. The default is 24 hours from now."""
    expires_at: Union[str, None]
    """Time at which the new key expires, as an ISO 8601 date or time in the future. Null means never. The default is the expiry of the old key before the rotation."""


class ApiKeysUpdateBody(TypedDict):
    policy: Union[ApiKeysUpdateBodyPolicy, None]
    """Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy."""


_ApiKeysUpdateBodyPolicyOptional = TypedDict(
    "_ApiKeysUpdateBodyPolicyOptional",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.
        "from": "Union[List[str], None]",
        # Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit complete messages, as over SMTP. The default is false.
        "attachments": "bool",
        # Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.
        "approval": "Literal[\"required\", \"none\"]",
        # Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.
        "inbound": "bool",
    },
    total=False,
)


class ApiKeysUpdateBodyPolicy(_ApiKeysUpdateBodyPolicyOptional):
    """Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy."""


_ApprovalRequired = TypedDict(
    "_ApprovalRequired",
    {
        # Id of the email, a UUID.
        "id": "str",
        # State of the approval. `withdrawn`: the email was cancelled, erased or withdrawn before anyone decided.
        "state": "Literal[\"waiting\", \"approved\", \"rejected\", \"expired\", \"withdrawn\"]",
        # Id of the API key that the email was sent with. Starts with `key_`.
        "api_key_id": "str",
        "api_key_name": "Union[str, None]",
        "subject": "str",
        "from": "ApprovalFrom",
        "to": "List[ApprovalToItem]",
        "cc": "List[ApprovalCcItem]",
        "bcc": "List[ApprovalBccItem]",
        "reply_to": "Union[ApprovalReplyTo, None]",
        # All addresses that replies go to. `reply_to` is the first of them.
        "reply_to_list": "List[ApprovalReplyToListItem]",
        # Whether this installation receives the replies. `reply_to` is then an address of the installation.
        "receive_replies": "bool",
        "scheduled_at": "Union[str, None]",
        # Number of seconds after which Postrider stops trying to deliver the email. Null means one day.
        "expires_in": "Union[int, None]",
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # Stream of the email. `transactional` if the send did not name one.
        "stream": "str",
        # Whether a pixel that records opens is added to the html.
        "track_opens": "bool",
        # Which links are replaced by tracked links. `GET /approvals/{id}/message` lists these links.
        "track_clicks": "Literal[\"off\", \"html\", \"html_and_text\"]",
        # Whether the email gets `List-Unsubscribe` headers.
        "unsubscribe": "bool",
        # Group of the email. An unsubscription from the group stops the email. Null if the email has no group.
        "unsubscribe_group": "Union[str, None]",
        # Whether the email is sent only over TLS to verified servers that support REQUIRETLS.
        "require_tls": "bool",
        "tags": "List[ApprovalTagsItem]",
        # The sender’s own data. It is not sent to recipients.
        "metadata": "Dict[str, Any]",
        # Id of the template. Starts with `tmpl_`. Null if the email has no template.
        "template_id": "Union[str, None]",
        # Language of the translation of the template, such as `pt-BR`. Null for the template itself.
        "locale": "Union[str, None]",
        # Version of the template that is sent, even if the template has changed since. Null if the email has no template.
        "template_version": "Union[int, None]",
        "requested_at": "str",
        # Time at which an undecided email is rejected automatically, 7 days after `requested_at`.
        "expires_at": "str",
        "decided_at": "Union[str, None]",
        # Id of the user who approved or rejected the email. Starts with `usr_`. Null if no user has decided.
        "decided_by": "Union[str, None]",
        # Email address of the user who approved or rejected the email. Null if no user has decided.
        "decided_by_name": "Union[str, None]",
        # Reason of the rejection. Null if the email was not rejected.
        "reason": "Union[str, None]",
    },
)


class Approval(_ApprovalRequired):
    """Its fields are above."""


class ApprovalBccItem(TypedDict):
    email: str
    name: Union[str, None]


class ApprovalCcItem(TypedDict):
    email: str
    name: Union[str, None]


class ApprovalFrom(TypedDict):
    email: str
    name: Union[str, None]


class ApprovalMessage(TypedDict):
    size: int
    """Size of the message in bytes."""
    headers: List[ApprovalMessageHeadersItem]
    """All header fields of the message, in order. When it is sent, `Date` and the reference for bounces are set again, and a DKIM signature is added."""
    parts: List[ApprovalPart]
    """All MIME parts at every level, in order, including alternatives that few mail clients show."""
    outside: List[str]
    """Text before, between or after the parts. Most mail clients do not show it."""
    tracked_links: List[str]
    """Original URLs of the links that are replaced by tracked links."""


class ApprovalMessageHeadersItem(TypedDict):
    name: str
    """Name of the header field as written. Empty for a line that is not a field."""
    value: str
    """Value of the header field in one line, with encoded words decoded."""


class ApprovalPart(TypedDict):
    number: int
    """Number of the part, from 0, for `GET /approvals/{id}/parts/{number}`."""
    content_type: str
    disposition: str
    """Content disposition: `attachment`, `inline`, or empty."""
    filename: Union[str, None]
    content_id: Union[str, None]
    """Content id of an inline image, which the html refers to as `cid:…`. Null if the part has none."""
    is_container: bool
    """Whether the part is a multipart container and has no content except the parts that follow it."""
    size: int
    """Size of the decoded part in bytes."""
    headers: List[ApprovalPartHeadersItem]
    """All header fields of the part, in order."""
    text: Union[str, None]
    """The complete decoded text, if the part is text or an included message; html as its source. Null otherwise."""
    hidden_text: List[str]
    """Text of an html part that most mail clients do not show: comments and elements that are hidden by their own style. Style sheets can hide more."""


class ApprovalPartHeadersItem(TypedDict):
    name: str
    """Name of the header field as written. Empty for a line that is not a field."""
    value: str
    """Value of the header field in one line, with encoded words decoded."""


class ApprovalReplyTo(TypedDict):
    email: str
    name: Union[str, None]


class ApprovalReplyToListItem(TypedDict):
    email: str
    name: Union[str, None]


class ApprovalTagsItem(TypedDict):
    name: str
    value: str


class ApprovalToItem(TypedDict):
    email: str
    name: Union[str, None]


class ApprovalsListPage(TypedDict):
    """A page of results"""
    data: List[Approval]
    pagination: Pagination


class Attachment(TypedDict, total=False):
    filename: str
    """Name of the file, without a path. Required with `content`. With `url`, the default is the name that the server gives, or `attachment`."""
    content: str
    """Content of the file in base64. Required unless `url` is given."""
    url: str
    """URL of the file, instead of `content`. Postrider fetches the file before it accepts the email."""
    content_type: str
    """MIME type of the file, such as `application/pdf`, or `message/rfc822` for an attached message."""
    content_id: str
    """Content id of an inline image. The html refers to it as `<img src="cid:…">`."""


class Attempt(TypedDict):
    kind: Literal["attempt", "report"]
    """`attempt`: an attempt to deliver. `report`: a bounce or complaint that arrived by mail after a server had accepted the message."""
    attempt: Union[int, None]
    """Number of the attempt, from 1. Counting restarts at 1 when failed mail is retried. Null for reports."""
    created_at: str
    """Time at which the attempt ended or the report arrived."""
    duration_ms: Union[int, None]
    """Duration of the attempt in milliseconds. Null for reports."""
    reported_by: Union[str, None]
    """Server that wrote the report, as the report states. Null for attempts."""
    outcome: Literal["delivered", "deferred", "bounced", "failed", "rejected"]
    reason: Union[str, None]
    """Reason code of the outcome, from a closed list. Null if there is none."""
    rule: Union[str, None]
    """Name of the rule that decided the outcome. Null if there is none."""
    responsible: Union[Literal["recipient", "sender", "domain_owner", "receiver", "operator"], None]
    """Who can fix the problem."""
    mx_host: Union[str, None]
    tls: Union[str, None]
    tls_certificate: Union[AttemptTlsCertificate, None]
    """Certificate of the receiving server. Null if the connection was not encrypted."""
    detail: Union[str, None]
    """Reply of the server, or a description of the problem if no server replied."""
    conversation: List[str]
    """Lines of the SMTP conversation: sent (`>`), received (`<`) and other events (`-`). Shortened, and without the content of the message."""
    next_attempt_at: Union[str, None]
    route: Union[AttemptRoute, None]


class _AttemptRouteRequired(TypedDict):
    transport: str
    """Name of the transport. `default` is the transport that the environment variables configure."""
    kind: Literal["direct", "relay", "default"]
    source: Union[str, None]
    """IP address that the mail was sent from. Null if the route did not choose one."""
    rule: Union[int, None]
    """Number of the rule in the route table at that time, from 1. Null if no rule matched."""
    step: int
    """Number of the step in the rule, from 1. 0 is the new transport of a canary."""
    why: str
    message: str
    """Explanation in words."""


class AttemptRoute(_AttemptRouteRequired, total=False):
    canary: AttemptRouteCanary
    """Canary that moves this mail from one transport to another. Present only if there was one at that time."""


class _AttemptRouteCanaryRequired(TypedDict):
    name: str
    way: Literal["old", "new"]
    """`new`: the email used the new transport. `old`: it used the route of the rule."""
    percent: float
    """Percentage of this mail that used the new transport at that time."""


class AttemptRouteCanary(_AttemptRouteCanaryRequired, total=False):
    """Canary that moves this mail from one transport to another. Present only if there was one at that time."""
    instead: bool
    """Whether the email was selected for the new transport, but used the old route because the new transport was unavailable or failed."""


class _AttemptTlsCertificateRequired(TypedDict):
    verified: bool
    """Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS."""
    policy: Literal["dane", "mta_sts", "require_tls", "provider", "relay", "opportunistic"]
    """Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS."""
    issuer: Union[str, None]
    """Issuer of the certificate. Null if unknown."""
    problem: Union[str, None]
    """Why the certificate is not verified. Null if it is."""


class AttemptTlsCertificate(_AttemptTlsCertificateRequired, total=False):
    """Certificate of the receiving server. Null if the connection was not encrypted."""
    sha256: Union[str, None]
    """SHA-256 of the certificate, in hexadecimal."""


class Attention(TypedDict):
    queue: AttentionQueue
    items: List[AttentionItemsItem]
    """Warnings, most severe first."""


class AttentionItemsItem(TypedDict):
    kind: Literal["sending_host", "tracking_off", "domain_unverified", "domain_failing", "domain_tracking_host", "no_verified_domain", "webhook_disabled", "webhook_failing", "sending_limit_near", "sending_limit_reached", "nobody_delivers", "queue_delayed", "site_waiting", "mail_held", "mail_slowed", "guard_watched", "warm_up_bent", "warm_up_done", "canary_fallen", "bounce_rate_high", "complaint_rate_high", "reports_failing", "requests_refused"]
    severity: Literal["critical", "warning", "info"]
    id: Union[str, None]
    """Id of the domain, webhook or site that the warning is about, or the error code of refused requests. Null for other warnings."""
    name: Union[str, None]
    message: str
    """Explanation of the warning in words."""


class AttentionQueue(TypedDict):
    queued_emails: int
    """Number of emails without a final status, including scheduled ones."""
    due: int
    """Number of deliveries that are due now. Counted up to 10,000."""
    due_capped: bool
    """Whether `due` reached its maximum of 10,000, so that more deliveries may be due."""
    oldest_due_at: Union[str, None]
    oldest_due_seconds: Union[int, None]
    """Number of seconds for which the oldest due delivery has been due. Null if none is due."""


class AuditEntry(TypedDict):
    id: str
    at: str
    action: str
    """Name of the action, such as `api_key.created`."""
    actor: AuditEntryActor
    target: AuditEntryTarget
    details: Dict[str, Any]
    """Details of the request that matter for the action. Its fields depend on the action."""
    address: str
    """IP address that the request came from. For an operator’s command, the host name of the machine."""


class AuditEntryActor(TypedDict):
    type: Literal["user", "api_key", "operator"]
    id: str
    name: str
    """Name of the actor at that time: the email address of a user, the name of an API key, or the user name of an operator on the server."""


class AuditEntryTarget(TypedDict):
    id: Union[str, None]
    name: Union[str, None]


class AuthState(TypedDict):
    setup_required: bool
    """Whether the installation has no user yet. The setup link then creates the first user."""
    mode: Literal["sandbox", "live"]
    signed_in: bool


class AutoValidation(TypedDict):
    auto_validation_threshold: Literal["off", "high", "medium"]
    """`off`: no validation. `high`: recipients with a risk score above 0.7 are refused. `medium`: recipients with a risk score above 0.3 are refused."""


class _BatchMailboxRequired(TypedDict):
    email: str


class BatchMailbox(_BatchMailboxRequired, total=False):
    name: str


class _BatchRecipientRequired(TypedDict):
    to: Union[BatchMailbox, str]


class BatchRecipient(_BatchRecipientRequired, total=False):
    data: Dict[str, Any]
    """Values for the variables of the template, for this recipient."""
    locale: str
    """Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself."""


class _BatchResultRequired(TypedDict):
    batch_id: str
    total: int
    """Number of recipients in the request."""
    accepted: int
    """Number of accepted emails, one for each accepted recipient."""
    rejected: List[BatchResultRejectedItem]


class BatchResult(_BatchResultRequired, total=False):
    held: int
    """Number of accepted emails that a hold keeps from being sent. Missing if there are none."""
    hold: EmailHold


class BatchResultRejectedItem(TypedDict):
    index: int
    """Position of the recipient in `recipients`, from 0."""
    error: str


class BatchStatus(TypedDict):
    batch_id: str
    total: int
    """Number of emails of the batch."""
    counts: BatchStatusCounts
    """Number of emails with each status."""


class BatchStatusCounts(TypedDict):
    """Number of emails with each status."""
    queued: int
    delivered: int
    bounced: int
    failed: int
    opened: int


class BulkResult(TypedDict):
    succeeded: int
    """Number of results without an error."""
    failed: int
    """Number of results with an error."""
    results: List[BulkResultResultsItem]
    """One result for each id, in the order of the request."""


class BulkResultResultsItem(TypedDict):
    id: str
    error: Union[BulkResultResultsItemError, None]


class BulkResultResultsItemError(TypedDict):
    code: str
    """Code of the error, as the request for this id alone returns it."""
    message: str
    details: List[BulkResultResultsItemErrorDetailsItem]


class BulkResultResultsItemErrorDetailsItem(TypedDict):
    field: str
    message: str


class CanaryBoard(TypedDict):
    canaries: List[CanaryProgress]
    steps: List[CanaryStep]
    """The last 100 steps of all canaries, including finished ones, newest first."""


class CanaryCounts(TypedDict):
    sent: int
    """Number of emails at their first attempt."""
    deferred: int
    """Number of emails that were deferred at the first attempt, or that used the old route because the new transport was unavailable."""
    bounced: int
    """Number of emails that bounced, at once or by a later report."""
    complained: int


class CanaryProgress(TypedDict):
    name: str
    to: str
    percents: List[float]
    minutes: float
    mails: int
    worse: CanaryProgressWorse
    rule: int
    """Number of the rule in the route table, from 1."""
    paused_at: Union[str, None]
    shares: List[CanaryShare]
    """Progress for each provider that mail of the rule went to."""


class CanaryProgressWorse(TypedDict):
    deferred: float
    bounced: float
    complained: float


class CanaryShare(TypedDict):
    """Progress of a canary at one provider. `old` and `new` count the mail on the old route and the new transport since the step began."""
    provider: str
    percent: float
    """Percentage of the mail to the provider that uses the new transport, from 0 to 100."""
    since: Union[str, None]
    """Time at which the current step began. Null if it has not begun."""
    next_percent: Union[float, None]
    """Percentage of the next step. Null at the last step."""
    rests_until: Union[str, None]
    """Time at which the canary starts again after a fall. Null otherwise."""
    falls: int
    """Number of falls since the canary last reached its last step or was resumed."""
    paused: bool
    message: str
    """Progress in words."""
    old: CanaryCounts
    new: CanaryCounts


class CanaryStep(TypedDict):
    id: str
    at: str
    canary: str
    transport: str
    """Name of the transport that mail is moved to."""
    provider: Union[str, None]
    """Provider that the step is about. Null if the step was for all providers."""
    kind: Literal["rise", "fall", "pause", "resume", "back", "finish"]
    """Kind of the step. `rise` and `fall` are automatic; the others are actions of operators."""
    from_percent: Union[float, None]
    to_percent: Union[float, None]
    message: str
    """Explanation of the step in words."""
    numbers: Union[CanaryStepNumbers, None]
    """Numbers that the step was decided by. Null for steps of operators."""


class CanaryStepNumbers(TypedDict):
    """Numbers that the step was decided by. Null for steps of operators."""
    old: CanaryCounts
    new: CanaryCounts
    rate: Union[Literal["deferred", "bounced", "complained"], None]
    """Rate that was too high, for a fall. Null otherwise."""
    worse: Union[float, None]
    """Tolerance that the rate exceeded, for a fall. Null otherwise."""


class CreatedApiKey(TypedDict):
    id: str
    """Id of the API key. Starts with `key_`."""
    name: str
    prefix: str
    """First characters of the key, to recognize it by."""
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    domain: Union[str, None]
    """The only domain that the key may send from and whose mail it may read. Null means all domains of the organization."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """Time of the last use of the key, accurate to the minute. Null if the key was never used."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """Id of the user who created the key, directly or with another key. Null if the operator created it."""
    created_by_name: Union[str, None]
    """Name of the user in `created_by`."""
    created_by_key: Union[str, None]
    """Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it."""
    created_by_key_name: Union[str, None]
    """Name of the key in `created_by_key`."""
    replaced_by: Union[str, None]
    """Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated."""
    policy: Union[CreatedApiKeyPolicy, None]
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""
    key: str
    """The secret key for the `Authorization` header. It is shown only in this response."""


_CreatedApiKeyPolicyRequired = TypedDict(
    "_CreatedApiKeyPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.
        "from": "Union[List[str], None]",
        # Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit complete messages, as over SMTP. The default is false.
        "attachments": "bool",
        # Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.
        "approval": "Literal[\"required\", \"none\"]",
        # Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.
        "inbound": "bool",
    },
)


class CreatedApiKeyPolicy(_CreatedApiKeyPolicyRequired):
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""


class Deleted(TypedDict):
    id: str
    deleted: bool
    """Always true."""


_DeliverabilityRequired = TypedDict(
    "_DeliverabilityRequired",
    {
        "by": "Literal[\"provider\", \"domain\", \"template\", \"tag\", \"stream\", \"reason\"]",
        "range": "Literal[\"24h\", \"7d\", \"30d\"]",
        "interval": "Literal[\"hour\", \"day\"]",
        "from": "str",
        "to": "str",
        # Results of all deliveries in the period.
        "totals": "DeliverabilityTotals",
        "series": "List[DeliverabilitySeriesItem]",
        # Results by name, the most mail first.
        "groups": "List[DeliverabilityGroupsItem]",
    },
)


class Deliverability(_DeliverabilityRequired):
    """Its fields are above."""


class DeliverabilityGroupsItem(TypedDict):
    name: str
    """Name of the group. Empty for names that are not counted separately."""
    label: Union[str, None]
    """Name of the template, for `by=template`. Null otherwise."""
    sent: int
    """Number of recipients with a first attempt."""
    delivered: int
    """Number of recipients whose server accepted the mail."""
    deferred: int
    """Number of attempts that were deferred."""
    bounced: int
    """Number of recipients that bounced, at once or later."""
    failed: int
    """Number of recipients that failed because the lifetime ended or no server could be tried."""
    complained: int
    """Number of recipients who reported the mail as spam, as far as feedback loops report it."""
    rates: DeliverabilityGroupsItemRates
    p50_seconds: Union[float, None]
    """Time in seconds from acceptance, or from the scheduled time, to delivery: the median. It is computed from ranges, so it is approximate. Null if nothing was delivered."""
    p95_seconds: Union[float, None]
    """Time in seconds from acceptance, or from the scheduled time, to delivery: the 95th percentile. It is computed from ranges, so it is approximate. Null if nothing was delivered."""
    trend: DeliverabilityGroupsItemTrend
    """Counts over time, one number for each point of `series`."""


class DeliverabilityGroupsItemRates(TypedDict):
    delivered: Union[float, None]
    """Share of the finished deliveries (delivered, bounced or failed), from 0 to 1. Null if there are none."""
    bounced: Union[float, None]
    """Share of the finished deliveries, from 0 to 1. Null if there are none."""
    deferred: Union[float, None]
    """Share of all attempts, from 0 to 1. Null if there are none."""
    complained: Union[float, None]
    """Share of the delivered mail, from 0 to 1. Providers object from 0.001 on. Null if nothing was delivered."""


class DeliverabilityGroupsItemTrend(TypedDict):
    """Counts over time, one number for each point of `series`."""
    sent: List[int]
    delivered: List[int]
    deferred: List[int]
    bounced: List[int]


class DeliverabilitySeriesItem(TypedDict):
    at: str
    """Start of the hour or day."""
    sent: int
    """Number of recipients with a first attempt."""
    delivered: int
    """Number of recipients whose server accepted the mail."""
    deferred: int
    """Number of attempts that were deferred."""
    bounced: int
    """Number of recipients that bounced, at once or later."""
    failed: int
    """Number of recipients that failed because the lifetime ended or no server could be tried."""
    complained: int
    """Number of recipients who reported the mail as spam, as far as feedback loops report it."""


class DeliverabilityTotals(TypedDict):
    """Results of all deliveries in the period."""
    sent: int
    """Number of recipients with a first attempt."""
    delivered: int
    """Number of recipients whose server accepted the mail."""
    deferred: int
    """Number of attempts that were deferred."""
    bounced: int
    """Number of recipients that bounced, at once or later."""
    failed: int
    """Number of recipients that failed because the lifetime ended or no server could be tried."""
    complained: int
    """Number of recipients who reported the mail as spam, as far as feedback loops report it."""
    rates: DeliverabilityTotalsRates
    p50_seconds: Union[float, None]
    """Time in seconds from acceptance, or from the scheduled time, to delivery: the median. It is computed from ranges, so it is approximate. Null if nothing was delivered."""
    p95_seconds: Union[float, None]
    """Time in seconds from acceptance, or from the scheduled time, to delivery: the 95th percentile. It is computed from ranges, so it is approximate. Null if nothing was delivered."""


class DeliverabilityTotalsRates(TypedDict):
    delivered: Union[float, None]
    """Share of the finished deliveries (delivered, bounced or failed), from 0 to 1. Null if there are none."""
    bounced: Union[float, None]
    """Share of the finished deliveries, from 0 to 1. Null if there are none."""
    deferred: Union[float, None]
    """Share of all attempts, from 0 to 1. Null if there are none."""
    complained: Union[float, None]
    """Share of the delivered mail, from 0 to 1. Providers object from 0.001 on. Null if nothing was delivered."""


_DmarcReportsRequired = TypedDict(
    "_DmarcReportsRequired",
    {
        "domain": "str",
        # First UTC day of the period.
        "from": "str",
        # Last UTC day of the period: today.
        "to": "str",
        # Policy in the DMARC record at the last check. Null if the domain has no DMARC record.
        "policy": "Union[Literal[\"none\", \"quarantine\", \"reject\"], None]",
        # The next step, in words.
        "advice": "str",
        # Whether the DMARC record, at the last check, asks receivers to send reports to this installation.
        "is_published": "bool",
        # DMARC record to publish: the existing record with the report address of this installation added.
        "record": "DmarcReportsRecord",
        # DNS record that the operator of this server has to publish once, so that receivers send reports about other domains to this server. Null if no record is needed.
        "permission": "Union[DmarcReportsPermission, None]",
        "totals": "DmarcReportsTotals",
        # Counts for each day of the period, including days without reports.
        "series": "List[DmarcReportsSeriesItem]",
        # Senders that use the domain in From, by number of messages, highest first. At most 50.
        "senders": "List[DmarcReportsSendersItem]",
        # The same mail by IP address. At most 100 entries.
        "sources": "List[DmarcReportsSourcesItem]",
        # Organizations that sent reports, by the name that they state, with the number of their reports. At most 50.
        "reporters": "List[DmarcReportsReportersItem]",
    },
)


class DmarcReports(_DmarcReportsRequired):
    """Its fields are above."""


class DmarcReportsPermission(TypedDict):
    """DNS record that the operator of this server has to publish once, so that receivers send reports about other domains to this server. Null if no record is needed."""
    type: str
    name: str
    value: str


class DmarcReportsRecord(TypedDict):
    """DMARC record to publish: the existing record with the report address of this installation added."""
    type: str
    name: str
    value: str


class DmarcReportsReportersItem(TypedDict):
    name: str
    reports: int


class DmarcReportsSendersItem(TypedDict):
    name: Union[str, None]
    """Registered domain for which DKIM or SPF passed. It identifies the service that sent the mail. Null if nothing passed, and for this installation."""
    addresses: int
    """Number of IP addresses that the sender used."""
    messages: int
    aligned: int
    """Number of messages that pass DMARC: DKIM or SPF passed for the domain in From."""
    quarantined: int
    """Number of messages that the receiver put into the spam folder."""
    rejected: int
    """Number of messages that the receiver refused."""
    dkim_aligned: int
    spf_aligned: int
    is_this_installation: bool
    """Whether the mail came from this installation: the IP address is configured as one of its sending addresses, or receivers found it allowed by the SPF record of its return paths."""


class DmarcReportsSeriesItem(TypedDict):
    date: str
    messages: int
    aligned: int
    """Number of messages that pass DMARC: DKIM or SPF passed for the domain in From."""
    quarantined: int
    """Number of messages that the receiver put into the spam folder."""
    rejected: int
    """Number of messages that the receiver refused."""


class DmarcReportsSourcesItem(TypedDict):
    ip: Union[str, None]
    """IP address of the source. Null for the sum of many addresses with little mail each."""
    passed_as: List[str]
    """Domains for which DKIM or SPF passed, most frequent first."""
    messages: int
    aligned: int
    """Number of messages that pass DMARC: DKIM or SPF passed for the domain in From."""
    quarantined: int
    """Number of messages that the receiver put into the spam folder."""
    rejected: int
    """Number of messages that the receiver refused."""
    dkim_aligned: int
    spf_aligned: int
    is_this_installation: bool
    """Whether the mail came from this installation: the IP address is configured as one of its sending addresses, or receivers found it allowed by the SPF record of its return paths."""


class DmarcReportsTotals(TypedDict):
    messages: int
    aligned: int
    """Number of messages that pass DMARC: DKIM or SPF passed for the domain in From."""
    quarantined: int
    """Number of messages that the receiver put into the spam folder."""
    rejected: int
    """Number of messages that the receiver refused."""


class DoctorFinding(TypedDict):
    check: str
    """Name of the check, such as `outbound_smtp`."""
    level: Literal["bad", "warn", "unknown", "ok"]
    """`bad`: mail or data is lost. `warn`: some mail or data may be lost. `unknown`: the check could not be completed; `seen` has the reason. `ok`: no problem was found."""
    seen: str
    """What the check found, in one sentence."""
    why: str
    """Why the finding matters: its consequence for mail or data."""
    fix: Union[str, None]
    """The DNS record, the setting or the command that fixes the problem. Null if there is nothing to fix."""


class DoctorReport(TypedDict):
    examined_at: Union[str, None]
    """Time of the last run of the checks. Null if they have not run since this API process was started."""
    machine: str
    """Host name of the machine that ran the checks. It is the machine of the API."""
    version: str
    """Version of Postrider that the API runs."""
    findings: List[DoctorFinding]


class _DomainRequired(TypedDict):
    id: str
    """Id of the domain. Starts with `dom_`."""
    domain: str
    """Name of the domain in lower case. Internationalized names are in their ASCII form (`xn--…`)."""
    display_name: str
    """Name of the domain as people write it, such as `müller.example`."""
    is_verified: bool
    """Whether mail can be sent from the domain: its DKIM and SPF records were found."""
    spf_verified: bool
    dkim_verified: bool
    dkim_selector: str
    dkim_public_key: str
    """Public DKIM key in base64, as in `p=` of the DKIM record."""
    recommended_records: List[DomainRecommendedRecordsItem]
    """DNS records that are recommended, but not required for verification."""
    checks: List[DomainCheck]
    """Result of the last check for each record."""
    warning: Union[str, None]
    """Warning while the DNS records of a verified domain are wrong, with the time at which the domain stops sending. Null otherwise."""
    dkim_rotation: Union[DomainDkimRotation, None]
    tracking: DomainTracking
    last_checked_at: Union[str, None]
    next_check_at: Union[str, None]
    """Time of the next automatic check. Null if the domain is only checked on request."""
    created_at: str


class Domain(_DomainRequired, total=False):
    verified_at: str
    """Time of the verification. Present only if the domain is verified."""


class DomainCheck(TypedDict):
    record: Literal["dkim", "spf", "dmarc", "sending_host"]
    status: Literal["pass", "fail", "warn", "unknown", "pending"]
    """Result of the check. `warn`: worth fixing, but not required. `unknown`: DNS gave no answer, so the domain stays as it was."""
    type: str
    name: str
    expected: str
    """Value to publish in DNS."""
    found: List[str]
    """Values that DNS has now for this name and type."""
    message: str
    """Result of the check in words, with the necessary change."""


class DomainDkimRotation(TypedDict):
    status: Literal["waiting_for_dns", "switched", "finished"]
    """`waiting_for_dns`: publish `dns_record`. `switched`: the new key signs mail; keep the old record until `retires_at`. `finished`: the old key is destroyed and its record can be removed."""
    selector: str
    """DKIM selector of the new key."""
    previous_selector: str
    dns_record: DomainDkimRotationDnsRecord
    """DNS record of the new key, to publish."""
    previous_dns_record: DomainDkimRotationPreviousDnsRecord
    check: Union[DomainDkimRotationCheck, None]
    message: str
    """State of the rotation and the next step, in words."""
    started_at: str
    seen_at: Union[str, None]
    """Time since which DNS has had the new record. Null if it has not been found."""
    switched_at: Union[str, None]
    """Time from which mail is signed with the new key. Null before the switch."""
    retires_at: Union[str, None]
    """Time at which the old key is destroyed. Null before the switch."""


class DomainDkimRotationCheck(TypedDict):
    record: Literal["dkim", "spf", "dmarc", "sending_host"]
    status: Literal["pass", "fail", "warn", "unknown", "pending"]
    """Result of the check. `warn`: worth fixing, but not required. `unknown`: DNS gave no answer, so the domain stays as it was."""
    type: str
    name: str
    expected: str
    """Value to publish in DNS."""
    found: List[str]
    """Values that DNS has now for this name and type."""
    message: str
    """Result of the check in words, with the necessary change."""


class DomainDkimRotationDnsRecord(TypedDict):
    """DNS record of the new key, to publish."""
    type: str
    name: str
    value: str


class DomainDkimRotationPreviousDnsRecord(TypedDict):
    type: str
    name: str
    value: str


class DomainRecommendedRecordsItem(TypedDict):
    type: str
    name: str
    value: str
    purpose: str
    """Effect of the record, in words."""
    published_by: Literal["domain_owner", "operator"]
    """`domain_owner`: publish the record in the DNS of the domain. `operator`: the operator of the installation publishes the record once for all domains."""


class DomainTracking(TypedDict):
    track_opens: Union[bool, None]
    """Null means the setting of the organization."""
    track_clicks: Union[Literal["off", "html", "html_and_text"], None]
    """Null means the setting of the organization."""
    host: Union[DomainTrackingHost, None]


class DomainTrackingHost(TypedDict):
    name: str
    in_use: bool
    """Whether the host is in use now for the tracked links and pixels of mail from the domain."""
    status: Literal["pass", "fail", "warn", "unknown", "pending"]
    """Result of the last check of the host’s DNS record and certificate."""
    type: str
    expected: str
    """Value to publish in DNS."""
    found: List[str]
    """Values that DNS has now for this name and type."""
    message: str
    """Result of the check in words, with the necessary change."""
    checked_at: Union[str, None]


class DomainsSetTrackingBody(TypedDict, total=False):
    track_opens: Union[bool, None]
    """Whether mail from this domain gets a pixel that records opens. Null means the setting of the organization."""
    track_clicks: Union[Literal[True, False, "off", "html", "html_and_text"], None]
    """Which links of mail from this domain are tracked. Null means the setting of the organization."""
    host: Union[str, None]
    """Host name for the tracked links and pixels of the domain’s mail. It must be below the domain, such as `links.example.org`. Null means the address of the installation."""


class DryRun(TypedDict):
    """Expected result of a send. Nothing was sent."""
    dry_run: Literal[True]
    accepted: bool
    """Whether the send would be accepted."""
    refusal: Union[DryRunRefusal, None]
    message: Union[DryRunMessage, None]
    recipients: List[DryRunRecipient]


class DryRunBatch(TypedDict):
    """Expected result of a batch. Nothing was sent. `message` is about the first email."""
    dry_run: Literal[True]
    total: int
    """Number of recipients in the request."""
    accepted: int
    """Number of emails that would be accepted."""
    rejected: List[DryRunBatchRejectedItem]
    refusal: Union[DryRunBatchRefusal, None]
    message: Union[DryRunBatchMessage, None]
    recipients: List[DryRunRecipient]


class DryRunBatchMessage(TypedDict):
    size: DryRunBatchMessageSize
    """Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts."""
    dkim: DryRunBatchMessageDkim
    spf: DryRunBatchMessageSpf
    dmarc: DryRunBatchMessageDmarc
    findings: List[DryRunBatchMessageFindingsItem]
    """Problems in the message that affect spam filters or readers."""


class DryRunBatchMessageDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    selector: Union[str, None]
    reason: Union[str, None]
    aligned: bool
    """Whether the domain that was checked is aligned with the domain in From, as DMARC requires."""


class DryRunBatchMessageDmarc(TypedDict):
    policy: Union[str, None]
    """Policy in the DMARC record of the domain. Null if it has no record."""
    passes: bool


class DryRunBatchMessageFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """Explanation in words."""


class DryRunBatchMessageSize(TypedDict):
    """Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts."""
    message: int
    html: int
    text: int


class DryRunBatchMessageSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    reason: Union[str, None]
    aligned: bool
    """Whether the domain that was checked is aligned with the domain in From, as DMARC requires."""


class DryRunBatchRefusal(TypedDict):
    status: int
    """HTTP status of the response that the send would get."""
    code: str
    message: str
    details: List[DryRunBatchRefusalDetailsItem]


class DryRunBatchRefusalDetailsItem(TypedDict):
    field: str
    message: str


class DryRunBatchRejectedItem(TypedDict):
    index: int
    error: str


class DryRunMessage(TypedDict):
    size: DryRunMessageSize
    """Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts."""
    dkim: DryRunMessageDkim
    spf: DryRunMessageSpf
    dmarc: DryRunMessageDmarc
    findings: List[DryRunMessageFindingsItem]
    """Problems in the message that affect spam filters or readers."""


class DryRunMessageDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    selector: Union[str, None]
    reason: Union[str, None]
    aligned: bool
    """Whether the domain that was checked is aligned with the domain in From, as DMARC requires."""


class DryRunMessageDmarc(TypedDict):
    policy: Union[str, None]
    """Policy in the DMARC record of the domain. Null if it has no record."""
    passes: bool


class DryRunMessageFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """Explanation in words."""


class DryRunMessageSize(TypedDict):
    """Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts."""
    message: int
    html: int
    text: int


class DryRunMessageSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    reason: Union[str, None]
    aligned: bool
    """Whether the domain that was checked is aligned with the domain in From, as DMARC requires."""


class DryRunMixed(TypedDict):
    dry_run: Literal[True]
    total: int
    """Number of emails in the request."""
    accepted: int
    """Number of emails that would be accepted."""
    refusal: Union[DryRunMixedRefusal, None]
    results: List[DryRunMixedResultsItem]


class DryRunMixedRefusal(TypedDict):
    status: int
    """HTTP status of the response that the send would get."""
    code: str
    message: str
    details: List[DryRunMixedRefusalDetailsItem]


class DryRunMixedRefusalDetailsItem(TypedDict):
    field: str
    message: str


class DryRunMixedResultsItem(TypedDict):
    index: int
    """Position of the email in `emails`, from 0."""
    accepted: bool
    """Whether the email would be accepted."""
    refusal: Union[DryRunMixedResultsItemRefusal, None]
    message: Union[DryRunMixedResultsItemMessage, None]
    recipients: List[DryRunRecipient]


class DryRunMixedResultsItemMessage(TypedDict):
    size: DryRunMixedResultsItemMessageSize
    """Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts."""
    dkim: DryRunMixedResultsItemMessageDkim
    spf: DryRunMixedResultsItemMessageSpf
    dmarc: DryRunMixedResultsItemMessageDmarc
    findings: List[DryRunMixedResultsItemMessageFindingsItem]
    """Problems in the message that affect spam filters or readers."""


class DryRunMixedResultsItemMessageDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    selector: Union[str, None]
    reason: Union[str, None]
    aligned: bool
    """Whether the domain that was checked is aligned with the domain in From, as DMARC requires."""


class DryRunMixedResultsItemMessageDmarc(TypedDict):
    policy: Union[str, None]
    """Policy in the DMARC record of the domain. Null if it has no record."""
    passes: bool


class DryRunMixedResultsItemMessageFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """Explanation in words."""


class DryRunMixedResultsItemMessageSize(TypedDict):
    """Sizes in bytes. `message`: the signed message as it is sent. `html` and `text`: the decoded parts."""
    message: int
    html: int
    text: int


class DryRunMixedResultsItemMessageSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    reason: Union[str, None]
    aligned: bool
    """Whether the domain that was checked is aligned with the domain in From, as DMARC requires."""


class DryRunMixedResultsItemRefusal(TypedDict):
    status: int
    """HTTP status of the response that the send would get."""
    code: str
    message: str
    details: List[DryRunMixedResultsItemRefusalDetailsItem]


class DryRunMixedResultsItemRefusalDetailsItem(TypedDict):
    field: str
    message: str


class DryRunRecipient(TypedDict):
    email: str
    outcome: Literal["delivered", "deferred", "bounced", "failed", "held", "waits", "refused"]
    """Expected outcome. `delivered`, `deferred`, `bounced`, `failed`: the expected result of the first attempt. `held`, `waits`: the mail would be accepted, but not attempted for now. `refused`: the mail would not be accepted."""
    reason: Union[str, None]
    """Reason code of the outcome. Null if the mail is expected to be delivered."""
    message: str
    """Explanation in words."""
    not_before: Union[str, None]
    """Earliest time of the first attempt. Null if it is made at once, or if the time is not known."""
    provider: Union[str, None]
    site: Union[str, None]
    """Site that the mail goes to: the mail hosts, or the provider, that share limits. Null if it is not known."""
    route: DryRunRecipientRoute
    tls: Union[DryRunRecipientTls, None]
    validation: Union[DryRunRecipientValidation, None]
    took: Union[DryRunRecipientTook, None]
    """Duration of the last deliveries that the site accepted at the first attempt, in milliseconds. Null if fewer than 20 such deliveries are known, or if the mail is not expected to be delivered."""


class DryRunRecipientRoute(TypedDict):
    transport: str
    """Name of the transport. `default` is the transport that the environment variables configure."""
    source: Union[str, None]
    """IP address that the mail is sent from. Null if the route does not choose one."""
    rule: Union[int, None]
    """Number of the rule in the route table, from 1. Null if no rule matches."""
    message: str


class DryRunRecipientTls(TypedDict):
    mode: str
    policy: str
    """Origin of the TLS requirement, such as `mta_sts`, `dane` or `opportunistic`."""


class DryRunRecipientTook(TypedDict):
    """Duration of the last deliveries that the site accepted at the first attempt, in milliseconds. Null if fewer than 20 such deliveries are known, or if the mail is not expected to be delivered."""
    p50_ms: int
    """Median duration in milliseconds."""
    p90_ms: int
    """90th percentile of the duration in milliseconds."""
    deliveries: int
    """Number of deliveries that were measured."""


class DryRunRecipientValidation(TypedDict):
    verdict: Literal["deliverable", "risky", "undeliverable"]
    risk_score: float


class DryRunRefusal(TypedDict):
    status: int
    """HTTP status of the response that the send would get."""
    code: str
    message: str
    details: List[DryRunRefusalDetailsItem]


class DryRunRefusalDetailsItem(TypedDict):
    field: str
    message: str


_EmailRequired = TypedDict(
    "_EmailRequired",
    {
        # Id of the email, a UUID.
        "id": "str",
        # Same as `id`.
        "message_id": "str",
        "subject": "str",
        # Status of the whole email: `queued` while any recipient has no final status, then the worst outcome of all recipients.
        "status": "Literal[\"queued\", \"delivered\", \"bounced\", \"failed\", \"opened\"]",
        # Refined status. `scheduled`, `awaiting_approval`, `held` and `retrying` have the status `queued`; `withdrawn` and `superseded` have the status `failed`; `partly_delivered` has the status `bounced` or `failed`, and some of the recipients got the email. `complained`: a recipient reported the email as spam. Other states are the same as the status.
        "state": "Literal[\"scheduled\", \"awaiting_approval\", \"held\", \"queued\", \"retrying\", \"delivered\", \"opened\", \"partly_delivered\", \"bounced\", \"failed\", \"withdrawn\", \"superseded\", \"complained\"]",
        # Number of addresses in `to`, `cc` and `bcc`, each counted once.
        "recipient_count": "int",
        # Number of recipients whose servers accepted the email.
        "delivered_count": "int",
        # Time of the next attempt, if the state is `retrying`. Null otherwise.
        "next_attempt_at": "Union[str, None]",
        # The hold that keeps the email from being sent. `GET /holds/{id}` has the details.
        "hold": "Union[EmailHold, None]",
        # Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        "created_at": "str",
        "updated_at": "str",
        "scheduled_at": "Union[str, None]",
        "from": "NamedAddress",
        "to": "List[NamedAddress]",
        "cc": "List[NamedAddress]",
        "bcc": "List[NamedAddress]",
        "reply_to": "Union[EmailReplyTo, None]",
        # All addresses that replies go to. `reply_to` is the first of them.
        "reply_to_list": "List[NamedAddress]",
        "template_id": "Union[str, None]",
        # Language of the translation that was sent, such as `pt-BR`. Null if the template itself was sent, or if there was no template.
        "locale": "Union[str, None]",
        "batch_id": "Union[str, None]",
        # Id of the email that this one sends again. Null if it is not a resend. The email may be deleted.
        "resent_from": "Union[str, None]",
        # The newest 100 emails as which this one was sent again, oldest first.
        "resends": "List[Resend]",
        # Id of the API key that the email was sent with. Null if a signed-in person sent it.
        "api_key_id": "Union[str, None]",
        # `X-Request-Id` of the request that sent the email. Null if it was submitted over SMTP.
        "request_id": "Union[str, None]",
        # Mode in which the email was accepted. Mail that was accepted in the sandbox is never sent to the Internet.
        "mode": "Union[Literal[\"sandbox\", \"live\"], None]",
        # Whether the email is sent only over TLS to verified servers that support REQUIRETLS.
        "require_tls": "bool",
        # Stream of the email. `transactional` if the send did not name one.
        "stream": "str",
        # The `collapse_key` of the send. Null if it had none.
        "collapse_key": "Union[str, None]",
        # Group of the email. An unsubscription from the group stops the email. Null if the email has no group.
        "unsubscribe_group": "Union[str, None]",
        "tags": "List[EmailTagsItem]",
        "metadata": "Dict[str, Any]",
        "recipients": "List[RecipientState]",
        "events": "List[EmailEvent]",
    },
)


class Email(_EmailRequired):
    """Its fields are above."""


class EmailAttachment(TypedDict):
    filename: str
    content_type: str
    content_id: Union[str, None]
    """Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none."""
    size: int
    """Size of the content in bytes."""
    content: str
    """Content of the file in base64."""


class EmailContent(TypedDict):
    subject: str
    html: Union[str, None]
    text: Union[str, None]
    headers: Dict[str, str]
    """Custom headers that were given with the email."""
    attachments: List[EmailContentAttachmentsItem]
    """Attachments of the email, without their content. `GET /emails/{id}/attachments/{number}` returns the content."""
    template_data: Union[Dict[str, Any], None]
    """Values that the template was rendered with. Null if the email has no template."""
    has_raw: bool
    """Whether the email was submitted as a complete message, for example over SMTP. `GET /emails/{id}/raw` then returns its source byte for byte."""


class EmailContentAttachmentsItem(TypedDict):
    filename: str
    content_type: str
    content_id: Union[str, None]
    """Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none."""
    size: int
    """Size of the content in bytes."""


class EmailEvent(TypedDict):
    id: str
    type: Literal["queued", "processing", "held", "delivered", "opened", "clicked", "bounced", "deferred", "failed", "complained", "unsubscribed", "rejected", "received"]
    recipient: str
    mx_host: Union[str, None]
    """Host name of the receiving mail server. Null if no server was reached."""
    smtp_code: Union[int, None]
    """SMTP reply code of the server, such as 250 or 550. Null if there was no reply."""
    smtp_message: Union[str, None]
    """Text of the server’s SMTP reply. Null if there was no reply."""
    enhanced_code: Union[str, None]
    """Enhanced status code of the server’s reply, such as `5.1.1`. Null if it had none."""
    reason: Union[str, None]
    """Reason code of the event, from a closed list: `unknown_recipient`, `greylisted`, … Null if the event has no reason."""
    attempt: Union[int, None]
    """Number of the delivery attempt, from 1. Null if the event is not about an attempt."""
    tls: Union[str, None]
    """TLS protocol and cipher of the connection. Null if it was not encrypted."""
    tls_certificate: Union[EmailEventTlsCertificate, None]
    """Certificate of the receiving server. Null if the connection was not encrypted."""
    next_attempt_at: Union[str, None]
    """Time of the next attempt, for `deferred`. Null otherwise."""
    user_agent: Union[str, None]
    """User agent of the program that fetched the pixel or followed the link, for `opened` and `clicked`. Null otherwise."""
    machine: Union[bool, None]
    """Whether a machine (prefetch, scanner, bot or preview) and not a person caused the event, for `opened` and `clicked`. `reason` names the kind of machine. Null otherwise."""
    url: Union[str, None]
    """The link as it was written in the mail, for `clicked`. Null otherwise."""
    hold: Union[EmailEventHold, None]
    """The hold that keeps the email from being sent. `GET /holds/{id}` has the details."""
    created_at: str
    """Time of the event."""


class EmailEventHold(TypedDict):
    """The hold that keeps the email from being sent. `GET /holds/{id}` has the details."""
    id: str
    reason: str
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold."""
    placed_at: str


class _EmailEventTlsCertificateRequired(TypedDict):
    verified: bool
    """Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS."""
    policy: Literal["dane", "mta_sts", "require_tls", "provider", "relay", "opportunistic"]
    """Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS."""
    issuer: Union[str, None]
    """Issuer of the certificate. Null if unknown."""
    problem: Union[str, None]
    """Why the certificate is not verified. Null if it is."""


class EmailEventTlsCertificate(_EmailEventTlsCertificateRequired, total=False):
    """Certificate of the receiving server. Null if the connection was not encrypted."""
    sha256: Union[str, None]
    """SHA-256 of the certificate, in hexadecimal."""


class EmailHold(TypedDict):
    """The hold that keeps the email from being sent. `GET /holds/{id}` has the details."""
    id: str
    reason: str
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold."""
    placed_at: str


_EmailItemRequired = TypedDict(
    "_EmailItemRequired",
    {
        # Id of the email, a UUID.
        "id": "str",
        # Same as `id`.
        "message_id": "str",
        "subject": "str",
        # Status of the whole email: `queued` while any recipient has no final status, then the worst outcome of all recipients.
        "status": "Literal[\"queued\", \"delivered\", \"bounced\", \"failed\", \"opened\"]",
        # Refined status. `scheduled`, `awaiting_approval`, `held` and `retrying` have the status `queued`; `withdrawn` and `superseded` have the status `failed`; `partly_delivered` has the status `bounced` or `failed`, and some of the recipients got the email. `complained`: a recipient reported the email as spam. Other states are the same as the status.
        "state": "Literal[\"scheduled\", \"awaiting_approval\", \"held\", \"queued\", \"retrying\", \"delivered\", \"opened\", \"partly_delivered\", \"bounced\", \"failed\", \"withdrawn\", \"superseded\", \"complained\"]",
        # Number of addresses in `to`, `cc` and `bcc`, each counted once.
        "recipient_count": "int",
        # Number of recipients whose servers accepted the email.
        "delivered_count": "int",
        # Time of the next attempt, if the state is `retrying`. Null otherwise.
        "next_attempt_at": "Union[str, None]",
        # The hold that keeps the email from being sent. `GET /holds/{id}` has the details.
        "hold": "Union[EmailItemHold, None]",
        # Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        "created_at": "str",
        "updated_at": "str",
    },
)

_EmailItemOptional = TypedDict(
    "_EmailItemOptional",
    {
        "from": "NamedAddress",
        # Recipients. `from` and `to` are present only with `include=addresses`.
        "to": "List[NamedAddress]",
    },
    total=False,
)


class EmailItem(_EmailItemRequired, _EmailItemOptional):
    """Its fields are above."""


class EmailItemHold(TypedDict):
    """The hold that keeps the email from being sent. `GET /holds/{id}` has the details."""
    id: str
    reason: str
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold."""
    placed_at: str


class EmailReplyTo(TypedDict):
    email: str
    name: Union[str, None]


class EmailTagsItem(TypedDict):
    name: str
    value: str


class EmailsListPage(TypedDict):
    """A page of results"""
    data: List[EmailItem]
    pagination: Pagination


class EmailsResendBody(TypedDict, total=False):
    recipients: List[str]
    """Recipients of the new email, all of them recipients of this email. The default is all recipients. If none of them is in `to`, those in `cc` become `to`."""


_EmailsSendBatchBodyRequired = TypedDict(
    "_EmailsSendBatchBodyRequired",
    {
        # Id or alias of the template.
        "template_id": "str",
        "recipients": "List[BatchRecipient]",
        "from": "MailboxInput",
    },
)

_EmailsSendBatchBodyOptional = TypedDict(
    "_EmailsSendBatchBodyOptional",
    {
        # Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation.
        "subject": "str",
        # Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself.
        "locale": "str",
        "attachments": "List[Attachment]",
        # Addresses that replies go to: one, or a list of up to 10.
        "reply_to": "Union[List[MailboxInput], Mailbox, str]",
        # Additional email headers by name, at most 50.
        "headers": "Dict[str, str]",
        # Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them.
        "tags": "List[Tag]",
        # Your own data as a flat object. Postrider returns it with the email and does not send it to recipients.
        "metadata": "Dict[str, Union[str, float, bool]]",
        # Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`).
        "stream": "str",
        # Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC.
        "scheduled_at": "str",
        # Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`.
        "track_opens": "bool",
        # Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`.
        "track_clicks": "Literal[True, False, \"off\", \"html\", \"html_and_text\"]",
        # Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false.
        "text_from_html": "bool",
        # Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies.
        "receive_replies": "bool",
        # Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click.
        "unsubscribe": "bool",
        # Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`.
        "unsubscribe_group": "str",
        # Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day.
        "expires_in": "int",
        # Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`).
        "collapse_key": "str",
        # Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS.
        "require_tls": "bool",
    },
    total=False,
)


class EmailsSendBatchBody(_EmailsSendBatchBodyRequired, _EmailsSendBatchBodyOptional):
    """Its fields are above."""


_EmailsSendBodyRequired = TypedDict(
    "_EmailsSendBodyRequired",
    {
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "to": "Union[List[MailboxInput], Mailbox, str]",
        # Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation.
        "subject": "str",
        "from": "MailboxInput",
    },
)

_EmailsSendBodyOptional = TypedDict(
    "_EmailsSendBodyOptional",
    {
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "cc": "Union[List[MailboxInput], Mailbox, str]",
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "bcc": "Union[List[MailboxInput], Mailbox, str]",
        # Body of the email, at most 2 MiB.
        "html": "str",
        # Body of the email, at most 2 MiB.
        "text": "str",
        # Id or alias of a saved template, instead of html and text.
        "template_id": "str",
        # Values for the variables of the template.
        "template_data": "Dict[str, Any]",
        # Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself.
        "locale": "str",
        "attachments": "List[Attachment]",
        # Addresses that replies go to: one, or a list of up to 10.
        "reply_to": "Union[List[MailboxInput], Mailbox, str]",
        # Additional email headers by name, at most 50.
        "headers": "Dict[str, str]",
        # Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them.
        "tags": "List[Tag]",
        # Your own data as a flat object. Postrider returns it with the email and does not send it to recipients.
        "metadata": "Dict[str, Union[str, float, bool]]",
        # Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`).
        "stream": "str",
        # Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC.
        "scheduled_at": "str",
        # Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`.
        "track_opens": "bool",
        # Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`.
        "track_clicks": "Literal[True, False, \"off\", \"html\", \"html_and_text\"]",
        # Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false.
        "text_from_html": "bool",
        # Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies.
        "receive_replies": "bool",
        # Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click.
        "unsubscribe": "bool",
        # Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`.
        "unsubscribe_group": "str",
        # Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day.
        "expires_in": "int",
        # Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`).
        "collapse_key": "str",
        # Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS.
        "require_tls": "bool",
    },
    total=False,
)


class EmailsSendBody(_EmailsSendBodyRequired, _EmailsSendBodyOptional):
    """Its fields are above."""


class _EmailsSendMixedBatchBodyRequired(TypedDict):
    emails: List[SendEmail]
    """The emails. Each has the fields of the body of `POST /emails/send`."""


class EmailsSendMixedBatchBody(_EmailsSendMixedBatchBodyRequired, total=False):
    all_or_none: bool
    """Whether all emails are refused if one is refused. By default only the invalid emails are refused."""


class Erasure(TypedDict):
    placeholder: str
    """Placeholder that replaces the address from now on."""
    emails: int
    """Number of emails that this request has erased."""
    waiting: int
    """Number of emails that were skipped because they are being delivered now."""
    complete: bool
    """Whether all data is erased. If false, repeat the request until it is true."""


class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError


class ErrorEnvelopeError(TypedDict):
    code: Literal["VALIDATION_ERROR", "DOMAIN_NOT_VERIFIED", "RECIPIENTS_SUPPRESSED", "RECIPIENTS_REJECTED", "UNAUTHORIZED", "TOTP_REQUIRED", "FORBIDDEN", "HOST_NOT_ALLOWED", "SETUP_TOKEN_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "LIMIT_EXCEEDED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str
    """Explanation of the error in words."""
    details: List[ErrorEnvelopeErrorDetailsItem]
    """All problems that were found. Empty if there is nothing to list."""


class ErrorEnvelopeErrorDetailsItem(TypedDict):
    field: str
    """Path of the field, such as `to[0].email`."""
    message: str


class EventsListPage(TypedDict):
    """A page of results"""
    data: List[StreamEvent]
    pagination: EventsListPagePagination


class EventsListPagePagination(TypedDict):
    limit: int
    next_cursor: Union[str, None]
    """Value of `cursor` for the next page. Null on the last page."""


class Explanation(TypedDict):
    id: str
    status: Literal["queued", "delivered", "bounced", "failed", "opened"]
    require_tls: bool
    """Whether the email is sent only over TLS to verified servers that support REQUIRETLS."""
    recipients: List[ExplanationRecipientsItem]


class ExplanationRecipientsItem(TypedDict):
    email: str
    status: Literal["queued", "deferred", "delivered", "bounced", "failed", "opened"]
    problem: Union[ExplanationRecipientsItemProblem, None]
    next_attempt_at: Union[str, None]
    """Time of the next attempt. If the mail waits for its site, the expected time. Null if it is not known."""
    wait: Union[ExplanationRecipientsItemWait, None]
    """Why the delivery is waiting: the state of its site, or its place in the queue."""
    hold: Union[ExplanationRecipientsItemHold, None]
    """Hold that keeps the mail from being sent."""
    in_progress: bool
    """Whether a worker is delivering the email to this recipient now."""
    attempts: List[Attempt]


class ExplanationRecipientsItemHold(TypedDict):
    """Hold that keeps the mail from being sent."""
    id: str
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    value: Union[str, None]
    reason: str
    by_operator: bool
    """Whether an operator placed the hold."""
    since: str
    """Time at which the hold was placed."""


class ExplanationRecipientsItemProblem(TypedDict):
    reason: str
    meaning: str
    """What the reason code means."""
    responsible: Literal["recipient", "sender", "domain_owner", "receiver", "operator"]
    """Who can fix the problem."""
    advice: str
    """How to fix the problem."""


class ExplanationRecipientsItemWait(TypedDict):
    """Why the delivery is waiting: the state of its site, or its place in the queue."""
    site: Union[ExplanationRecipientsItemWaitSite, None]
    """Site that the mail goes to. Null until a worker has looked up the mail hosts of the domain."""
    message: str
    """Explanation in words."""
    worker_running: bool
    """Whether any worker is running."""
    expected_at: Union[str, None]
    """Expected time of the next attempt. At a slow site it can be later. Null if it is not known."""


class ExplanationRecipientsItemWaitSite(TypedDict):
    """Site that the mail goes to. Null until a worker has looked up the mail hosts of the domain."""
    id: str
    name: str
    """Name of the site: the mail hosts, or the provider, that share limits."""
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent before the time in `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site."""
    message: str
    """Explanation of the state in words."""
    since: Union[str, None]
    """Start of the restriction. Null if there is none."""
    until: Union[str, None]
    """Time of the next try, if the state is `blocked`. Null otherwise."""
    reason: Union[str, None]
    """Reason code of the restriction, from the closed list of reasons. Null if there is none."""
    reply: Union[str, None]
    """Server reply that caused the state, without email addresses. Null if there was none."""
    messages_per_minute: Union[float, None]
    """Pace of a slow site in messages per minute. Null otherwise."""
    connections: Union[int, None]
    """Maximum number of simultaneous connections, after the site refused further connections. Null if there is no such limit."""


class FeedbackLoop(TypedDict):
    loop: Literal["gmail_postmaster", "yahoo_cfl", "microsoft_jmrp", "microsoft_snds"]
    title: str
    provider: str
    """Name of the provider, as in `GET /stats/deliverability`."""
    subject: FeedbackLoopSubject
    state: Literal["working", "enrolled", "missing"]
    """State of the enrolment. `missing`: not marked as enrolled. `enrolled`: marked as enrolled. `working`: marked as enrolled, and complaints have arrived."""
    message: str
    """Explanation of the state in words."""
    url: str
    """URL of the page on which you enrol."""
    steps: List[str]
    """Steps of the enrolment."""
    enrolled_at: Union[str, None]
    enrolled_by: Union[str, None]
    last_complaint_at: Union[str, None]
    """Hour of the last complaint that the provider reported in the last 40 days. Null if there was none."""


class FeedbackLoopSubject(TypedDict):
    kind: Literal["domain", "address"]
    value: str
    """One of your domains, or for operators an IP address that mail is sent from."""


class FeedbackLoopsUpdateBody(TypedDict):
    enrolled: bool
    """Whether you have enrolled the domain or address with the provider. Postrider cannot find this out itself."""


class FirstSteps(TypedDict):
    steps: List[FirstStepsStepsItem]
    """All steps, in the usual order."""
    smtp: Union[FirstStepsSmtp, None]
    """Address at which applications submit mail over SMTP. Null if SMTP submission is switched off."""


class FirstStepsSmtp(TypedDict):
    """Address at which applications submit mail over SMTP. Null if SMTP submission is switched off."""
    host: str
    port: int
    encryption: Literal["none", "starttls"]
    tls_port: Union[int, None]
    """Port with TLS from the first byte. Null if there is none."""
    needs_password: bool
    """Whether SMTP submission requires a password, which is an API key."""


class FirstStepsStepsItem(TypedDict):
    step: Literal["first_email", "api_key", "domain", "dmarc", "webhook", "live"]
    """`first_email`: an email was sent. `api_key`: a key was created or used. `domain`: one of your domains is verified. `dmarc`: a verified domain has a DMARC record. `webhook`: a webhook exists. `live`: mail is sent to the Internet."""
    done: bool
    id: Union[str, None]
    """Id of the domain whose DNS records have to be published. Null for other steps."""


class Guard(TypedDict):
    enabled: bool
    """Whether the guard holds mail that servers suddenly refuse, and slows down repeated emails that flood an address."""
    allow: List[str]
    """Recipient addresses, and domains with their subdomains, whose mail the guard never slows down, such as mailboxes for alerts."""


class Hold(TypedDict):
    id: str
    organization_id: Union[str, None]
    """Id of the organization whose mail is held. Null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address)."""
    value: Union[str, None]
    with_webhooks: bool
    """Whether webhooks are held too, as after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """Whether an operator placed the hold. Only an operator can then end it."""
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold."""
    placed_at: str
    decision: Union[HoldDecision, None]
    ended_at: Union[str, None]
    """Time at which the release or the discarding was complete. Null before that."""
    released: int
    """Number of held deliveries that have been released so far."""
    discarded: int
    """Number of deliveries that have been discarded so far."""


class HoldDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class HoldDetail(TypedDict):
    id: str
    organization_id: Union[str, None]
    """Id of the organization whose mail is held. Null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address)."""
    value: Union[str, None]
    with_webhooks: bool
    """Whether webhooks are held too, as after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """Whether an operator placed the hold. Only an operator can then end it."""
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold."""
    placed_at: str
    decision: Union[HoldDetailDecision, None]
    ended_at: Union[str, None]
    """Time at which the release or the discarding was complete. Null before that."""
    released: int
    """Number of held deliveries that have been released so far."""
    discarded: int
    """Number of deliveries that have been discarded so far."""
    mail: HoldDetailMail


class HoldDetailDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class HoldDetailMail(TypedDict):
    held: int
    """Number of deliveries that would be sent if the hold were released now."""
    expired: int
    """Number of these deliveries whose lifetime ended before the hold. They end as `failed`."""
    later: int
    """Number of deliveries that are due later: scheduled, or between two attempts."""
    oldest_at: Union[str, None]
    """Time at which the oldest held email was accepted. Null if no mail is held."""


class _HoldsCreateBodyRequired(TypedDict):
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider"]
    """Which mail to hold: all mail of the organization, mail from one of its sending domains, mail with a template or a tag, or mail that was sent with an API key. Operators can also hold `all` mail of the installation, or mail to a `provider`."""
    reason: str
    """Why the mail is held. Emails that the hold covers show this reason."""


class HoldsCreateBody(_HoldsCreateBodyRequired, total=False):
    value: str
    """Value for the scope: the domain, the id or alias of the template, the tag (`name` or `name:value`), the id of the key, or the provider or site. Omit it for `all` and `organization`."""
    ahead: bool
    """Whether the tag may be one that no mail has yet. By default an unused tag is refused, because it is probably misspelt."""


class HoldsDiscardBody(TypedDict):
    reason: str
    """Why the mail must not be sent. The reason is stored with the hold."""


class HoldsDiscardManyBody(TypedDict):
    ids: List[str]
    """Ids of the holds. At most 100; an id that is named twice counts once."""
    reason: str
    """Why the mail must not be sent. The reason is stored with the hold."""


class HoldsListPage(TypedDict):
    """A page of results"""
    data: List[Hold]
    pagination: Pagination


class _InboundCreateRouteBodyRequired(TypedDict):
    address: str
    """Address to receive mail at, such as `support@example.org`. It also receives mail to `support+note@example.org`. `*@example.org` stands for all addresses without their own route."""


class InboundCreateRouteBody(_InboundCreateRouteBodyRequired, total=False):
    description: Union[str, None]
    """Description of the route for your own use."""
    enabled: bool
    """Whether the route accepts mail. If false, mail to the address is refused."""


class InboundListPage(TypedDict):
    """A page of results"""
    data: List[ReceivedEmailItem]
    pagination: InboundListPagePagination


class InboundListPagePagination(TypedDict):
    limit: int
    next_cursor: Union[str, None]
    """Value of `cursor` for the next page. Null on the last page."""


_InboundReplyBodyOptional = TypedDict(
    "_InboundReplyBodyOptional",
    {
        # Body of the email, at most 2 MiB.
        "text": "str",
        # Body of the email, at most 2 MiB.
        "html": "str",
        "from": "MailboxInput",
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "cc": "Union[List[MailboxInput], Mailbox, str]",
        # Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation.
        "subject": "str",
        "attachments": "List[Attachment]",
        # Whether this installation receives the replies, as in a send. The default is true, so that replies belong to the same conversation.
        "receive_replies": "bool",
    },
    total=False,
)


class InboundReplyBody(_InboundReplyBodyOptional):
    """Its fields are above."""


class InboundRoute(TypedDict):
    id: str
    """Id of the route. Starts with `rte_`."""
    address: str
    description: Union[str, None]
    enabled: bool
    created_at: str


class InboundUpdateRouteBody(TypedDict, total=False):
    description: Union[str, None]
    """Description of the route for your own use."""
    enabled: bool
    """Whether the route accepts mail. If false, mail to the address is refused."""


class IncidentReport(TypedDict):
    bounces: int
    """Number of bounces in the period that match the filters."""
    rejections: int
    """Number of recipients that were rejected later because these bounces had suppressed them."""
    requeue: int
    """Number of bounced and rejected recipients that would be queued again."""
    unsuppress: int
    """Number of automatic suppressions that would be removed."""
    reasons: List[IncidentReportReasonsItem]
    samples: List[IncidentReportSamplesItem]
    """The newest ten bounces."""


class IncidentReportReasonsItem(TypedDict):
    reason: Union[str, None]
    smtp_code: Union[int, None]
    count: int


class IncidentReportSamplesItem(TypedDict):
    email_id: str
    recipient: str
    at: str
    reason: Union[str, None]
    smtp_code: Union[int, None]
    smtp_message: Union[str, None]
    mx_host: Union[str, None]


class Invite(TypedDict):
    id: str
    """Id of the invite. Starts with `inv_`."""
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    invited_by: str
    """Email address of the user who sent the invite."""
    created_at: str
    expires_at: str
    mailed: bool
    """Whether the link was sent by mail. If false, the owner has to pass the link to the person."""


class MadeByMember(TypedDict):
    api_keys: List[MadeByMemberApiKeysItem]
    """Active API keys that the member created, directly or with one of their keys."""
    invites: List[MadeByMemberInvitesItem]
    """Open invites that the member sent."""
    webhooks: List[MadeByMemberWebhooksItem]
    """Enabled webhooks that the member created, or whose current URL the member set, directly or with one of their keys."""


class MadeByMemberApiKeysItem(TypedDict):
    id: str
    name: str
    prefix: str
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    created_at: str
    last_used_at: Union[str, None]
    """Time of the last use of the key, accurate to the minute. Null if the key was never used."""


class MadeByMemberInvitesItem(TypedDict):
    id: str
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    expires_at: str


class MadeByMemberWebhooksItem(TypedDict):
    id: str
    """Id of the webhook. Starts with `whk_`."""
    url: str
    description: Union[str, None]
    created_at: str


class _MailboxRequired(TypedDict):
    email: str
    """An email address."""


class Mailbox(_MailboxRequired, total=False):
    name: str
    """Display name, such as `Ada Lovelace`."""


class MarkSandboxMessage(TypedDict):
    is_read: bool


class Me(TypedDict):
    user: MeUser
    organization: MeOrganization
    """The current organization of this session."""
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    is_operator: bool
    """Whether you are an operator of the installation: an owner of its first organization, with that organization as the current one."""
    organizations: List[MeOrganizationsItem]
    """All organizations of the user, in the order in which the user joined them."""


class MeOrganization(TypedDict):
    """The current organization of this session."""
    id: str
    name: str


class MeOrganizationsItem(TypedDict):
    id: str
    name: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""


class MeUser(TypedDict):
    id: str
    """Id of the user. Starts with `usr_`."""
    email: str
    name: Union[str, None]
    totp_enabled: bool
    """Whether signing in also requires a code from an authenticator app."""
    recovery_codes_left: int
    """Number of unused recovery codes."""
    email_verified: bool
    """Whether the user has confirmed the email address."""


class Member(TypedDict):
    id: str
    """Id of the user. Starts with `usr_`."""
    email: str
    name: Union[str, None]
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    totp_enabled: bool
    """Whether signing in also requires a code from an authenticator app."""
    email_verified: bool
    """Whether the user has confirmed the email address."""
    disabled: bool
    """Whether the operator has disabled the user, who then cannot sign in. `npx postrider user enable` lets the user sign in again."""
    joined_at: str
    last_seen_at: Union[str, None]
    """Time of the last request of the member in this organization, accurate to five minutes. Null if there was none."""


class Membership(TypedDict):
    id: str
    name: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""


class MixedBatchResult(TypedDict):
    batch_id: str
    total: int
    """Number of emails in the request."""
    accepted: int
    """Number of accepted emails."""
    results: List[MixedBatchResultResultsItem]
    """One result for each email, in the order of `emails`."""


class _MixedBatchResultResultsItemRequired(TypedDict):
    index: int
    """Position of the email in `emails`, from 0."""


class MixedBatchResultResultsItem(_MixedBatchResultResultsItemRequired, total=False):
    message_id: str
    """Id of the email, if it was accepted."""
    state: Literal["held"]
    """Present only if a hold keeps the email, or some of its recipients, from being sent."""
    hold: EmailHold
    error: MixedBatchResultResultsItemError


class MixedBatchResultResultsItemError(TypedDict):
    code: Literal["VALIDATION_ERROR", "DOMAIN_NOT_VERIFIED", "RECIPIENTS_SUPPRESSED", "RECIPIENTS_REJECTED", "UNAUTHORIZED", "TOTP_REQUIRED", "FORBIDDEN", "HOST_NOT_ALLOWED", "SETUP_TOKEN_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "LIMIT_EXCEEDED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str
    """Explanation of the error in words."""
    details: List[MixedBatchResultResultsItemErrorDetailsItem]
    """All problems that were found. Empty if there is nothing to list."""


class MixedBatchResultResultsItemErrorDetailsItem(TypedDict):
    field: str
    """Path of the field, such as `to[0].email`."""
    message: str


class NamedAddress(TypedDict):
    email: str
    name: Union[str, None]


class NewDomain(TypedDict):
    id: str
    """Id of the domain. Starts with `dom_`."""
    domain: str
    """Name of the domain in lower case. Internationalized names are in their ASCII form (`xn--…`)."""
    display_name: str
    """Name of the domain as people write it, such as `müller.example`."""
    is_verified: bool
    """Whether mail can be sent from the domain: its DKIM and SPF records were found."""
    spf_verified: bool
    dkim_verified: bool
    dkim_selector: str
    dkim_public_key: str
    """Public DKIM key in base64, as in `p=` of the DKIM record."""
    dns_records: List[NewDomainDnsRecordsItem]
    """The two DNS records to publish before the domain can be verified."""
    recommended_records: List[NewDomainRecommendedRecordsItem]
    """DNS records that are recommended, but not required for verification."""
    created_at: str


class NewDomainDnsRecordsItem(TypedDict):
    type: str
    name: str
    value: str


class NewDomainRecommendedRecordsItem(TypedDict):
    type: str
    name: str
    value: str
    purpose: str
    """Effect of the record, in words."""
    published_by: Literal["domain_owner", "operator"]
    """`domain_owner`: publish the record in the DNS of the domain. `operator`: the operator of the installation publishes the record once for all domains."""


class NewInvite(TypedDict):
    id: str
    """Id of the invite. Starts with `inv_`."""
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    invited_by: str
    """Email address of the user who sent the invite."""
    created_at: str
    expires_at: str
    mailed: bool
    """Whether the link was sent by mail. If false, the owner has to pass the link to the person."""
    link: Union[str, None]
    """The link of the invite if it could not be sent by mail: pass it to the person. It works once and is shown only in this response. Null if the mail was sent."""


class OpenInvite(TypedDict):
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    organization: OpenInviteOrganization
    has_account: bool
    """Whether the invited person has an account. If true, the person signs in first; if false, the person chooses a password."""
    expires_at: str


class OpenInviteOrganization(TypedDict):
    name: str


class Organization(TypedDict):
    id: str
    name: str
    created_at: str
    sending_limit: OrganizationSendingLimit
    organization_creation: Literal["owners", "operator"]
    """Who can create further organizations in this installation. `owners`: owners and operators. `operator`: only operators."""


class OrganizationSendingLimit(TypedDict):
    daily: Union[int, None]
    """Maximum number of recipients per UTC day. Null if there is no limit."""
    used_today: int
    """Number of recipients accepted since midnight UTC."""
    remaining_today: Union[int, None]
    """Number of recipients left today. Null if there is no limit."""
    resets_at: str
    """Time at which the count of the day starts again: the next midnight UTC."""


_OverviewRequired = TypedDict(
    "_OverviewRequired",
    {
        "range": "Literal[\"24h\", \"7d\", \"30d\"]",
        "interval": "Literal[\"hour\", \"day\"]",
        "from": "str",
        "to": "str",
        "totals": "OverviewTotals",
        "rates": "OverviewRates",
        "series": "List[OverviewSeriesItem]",
    },
)


class Overview(_OverviewRequired):
    """Its fields are above."""


class OverviewRates(TypedDict):
    delivered: Union[float, None]
    """Share of the emails with a final status, from 0 to 1. Null if there are none."""
    bounced: Union[float, None]
    """Share of the emails with a final status, from 0 to 1. Null if there are none."""
    failed: Union[float, None]
    """Share of the emails with a final status, from 0 to 1. Null if there are none."""
    opened: Union[float, None]
    """Share of the delivered emails, from 0 to 1. Null if there are none."""
    complained: Union[float, None]
    """Share of the delivered emails, from 0 to 1. Null if there are none."""
    clicked: Union[float, None]
    """Number of recipients who followed a link, divided by the number of delivered emails. Null if no email was delivered."""


class OverviewSeriesItem(TypedDict):
    at: str
    """Start of the hour or day."""
    sent: int
    """Number of accepted emails."""
    queued: int
    """Number of these emails without a final status."""
    delivered: int
    """Number of delivered emails, including those that were opened."""
    bounced: int
    failed: int
    opened: int
    complained: int
    """Number of emails that a recipient reported as spam."""
    clicked: int
    """Number of recipients who followed a link. Machines are not counted."""


class OverviewTotals(TypedDict):
    sent: int
    """Number of accepted emails."""
    queued: int
    """Number of these emails without a final status."""
    delivered: int
    """Number of delivered emails, including those that were opened."""
    bounced: int
    failed: int
    opened: int
    complained: int
    """Number of emails that a recipient reported as spam."""
    clicked: int
    """Number of recipients who followed a link. Machines are not counted."""


class Pagination(TypedDict):
    page: int
    limit: int
    total_count: int
    total_pages: int
    """Number of pages. 0 if there are no items."""


class PlacedHold(TypedDict):
    id: str
    organization_id: Union[str, None]
    """Id of the organization whose mail is held. Null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address)."""
    value: Union[str, None]
    with_webhooks: bool
    """Whether webhooks are held too, as after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """Whether an operator placed the hold. Only an operator can then end it."""
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold."""
    placed_at: str
    decision: Union[PlacedHoldDecision, None]
    ended_at: Union[str, None]
    """Time at which the release or the discarding was complete. Null before that."""
    released: int
    """Number of held deliveries that have been released so far."""
    discarded: int
    """Number of deliveries that have been discarded so far."""
    mail: Union[PlacedHoldMail, None]
    """Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again."""


class PlacedHoldDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class PlacedHoldMail(TypedDict):
    """Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again."""
    held: int
    """Number of deliveries that would be sent if the hold were released now."""
    expired: int
    """Number of these deliveries whose lifetime ended before the hold. They end as `failed`."""
    later: int
    """Number of deliveries that are due later: scheduled, or between two attempts."""
    oldest_at: Union[str, None]
    """Time at which the oldest held email was accepted. Null if no mail is held."""


class Proof(TypedDict):
    version: Literal[1]
    issuer: str
    """URL of the installation that issued the proof."""
    issued_at: str
    email_id: str
    algorithm: Literal["ed25519"]
    public_key: str
    """Public key of the signature: 32 bytes in base64url."""
    entries: List[ProofEntriesItem]
    signature: str
    """Signature of the number of entries and the last hash: 64 bytes in base64url."""


class ProofEntriesItem(TypedDict):
    hash: str
    """SHA-256 of the previous hash and this entry."""
    entry: Dict[str, Any]
    """Content of the entry: an `email`, an `event`, an `attempt` or a `report`."""


class ReceivedAttachment(TypedDict):
    filename: str
    content_type: str
    """MIME type as the sender states it. The file is always served as a download."""
    content_id: Union[str, None]
    """Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none."""
    size: int
    dangerous: bool
    """Whether the file name is that of a program."""
    download_url: str
    """URL of the file. It works without an API key for seven days."""


_ReceivedEmailRequired = TypedDict(
    "_ReceivedEmailRequired",
    {
        # Id of the received mail, a UUID.
        "id": "str",
        # `waiting`: received, but not read yet, which takes moments. `read`: parsed. `unreadable`: the mail could not be parsed and only its source is available.
        "status": "Literal[\"waiting\", \"read\", \"unreadable\"]",
        "from": "Union[ReceivedEmailFrom, None]",
        # Your addresses that the mail was sent to.
        "to": "List[str]",
        "subject": "str",
        # Whether a machine wrote the mail, such as an automatic reply, a bounce or a mailing list. Never reply to it automatically.
        "is_automatic": "bool",
        "has_attachments": "bool",
        # Id of the conversation. All mail that belongs together has the same id.
        "conversation_id": "str",
        # Id of your email that the mail replies to. Null if it is not a reply to one.
        "in_reply_to_email_id": "Union[str, None]",
        "route_ids": "List[str]",
        # Size of the whole message in bytes.
        "size": "int",
        "received_at": "str",
        # How the mail was matched to your email: `token`, by its unique reply address; `headers`, by the header fields of the reply. Null if it was not matched.
        "matched_by": "Union[Literal[\"token\", \"headers\"], None]",
        "message_id": "Union[str, None]",
        # Message-ID in the header `In-Reply-To`, as the sender’s program wrote it. Null if the mail has none.
        "in_reply_to": "Union[str, None]",
        "references": "List[str]",
        # Header `Date`, as the sender’s program wrote it. Null if the mail has none.
        "date": "Union[str, None]",
        # Recipients in the header `To`.
        "header_to": "List[ReceivedEmailHeaderToItem]",
        "cc": "List[ReceivedEmailCcItem]",
        "reply_to": "List[ReceivedEmailReplyToItem]",
        "text": "Union[str, None]",
        # Original html from an untrusted sender. Show it only in a sandbox. Null if the mail has no html.
        "html": "Union[str, None]",
        # Text without quotes and signature, as far as they can be detected. Null if the mail has no text.
        "stripped_reply": "Union[str, None]",
        # Whether content is missing here because the mail is too large. The source is complete.
        "is_truncated": "bool",
        "headers": "List[ReceivedEmailHeadersItem]",
        "attachments": "List[ReceivedAttachment]",
        "envelope": "ReceivedEmailEnvelope",
        "authentication": "Union[ReceivedEmailAuthentication, None]",
        "spam": "ReceivedEmailSpam",
        "virus": "ReceivedEmailVirus",
        # Why the mail is unreadable. Null otherwise.
        "problem": "Union[str, None]",
        # Whether the source is still stored. False after the retention period of the content.
        "has_source": "bool",
        # The newest 100 messages of the conversation, oldest first.
        "conversation": "List[ReceivedEmailConversationItem]",
    },
)


class ReceivedEmail(_ReceivedEmailRequired):
    """Its fields are above."""


class ReceivedEmailAuthentication(TypedDict):
    spf: ReceivedEmailAuthenticationSpf
    dkim: ReceivedEmailAuthenticationDkim
    dmarc: ReceivedEmailAuthenticationDmarc


class ReceivedEmailAuthenticationDkim(TypedDict):
    result: Literal["pass", "fail", "none", "permerror", "temperror"]
    """Result of the best DKIM signature."""
    signatures: List[ReceivedEmailAuthenticationDkimSignaturesItem]


class ReceivedEmailAuthenticationDkimSignaturesItem(TypedDict):
    domain: str
    selector: str
    result: Literal["pass", "fail", "none", "permerror", "temperror"]
    reason: Union[str, None]


class ReceivedEmailAuthenticationDmarc(TypedDict):
    result: Literal["pass", "fail", "none", "temperror"]
    """Result of DMARC. `pass`: the sender in From is authentic. `none`: the domain has no DMARC record."""
    domain: Union[str, None]
    policy: Union[str, None]
    """Policy of the domain for mail that fails DMARC. Null if the domain has no DMARC record."""


class ReceivedEmailAuthenticationSpf(TypedDict):
    result: Literal["pass", "fail", "softfail", "neutral", "none", "permerror", "temperror"]
    domain: Union[str, None]


class ReceivedEmailCcItem(TypedDict):
    email: str
    name: Union[str, None]


_ReceivedEmailConversationItemRequired = TypedDict(
    "_ReceivedEmailConversationItemRequired",
    {
        "id": "str",
        "kind": "Literal[\"received\", \"sent\"]",
        "subject": "str",
        "from": "Union[str, None]",
        "at": "str",
    },
)


class ReceivedEmailConversationItem(_ReceivedEmailConversationItemRequired):
    """Its fields are above."""


class ReceivedEmailEnvelope(TypedDict):
    mail_from: str
    """Envelope sender. Empty for bounces and most automatic replies."""
    remote_address: str
    """IP address of the server that delivered the mail."""
    helo: str
    tls: bool


class ReceivedEmailFrom(TypedDict):
    email: str
    name: Union[str, None]


class ReceivedEmailHeaderToItem(TypedDict):
    email: str
    name: Union[str, None]


class ReceivedEmailHeadersItem(TypedDict):
    name: str
    value: str


_ReceivedEmailItemRequired = TypedDict(
    "_ReceivedEmailItemRequired",
    {
        # Id of the received mail, a UUID.
        "id": "str",
        # `waiting`: received, but not read yet, which takes moments. `read`: parsed. `unreadable`: the mail could not be parsed and only its source is available.
        "status": "Literal[\"waiting\", \"read\", \"unreadable\"]",
        "from": "Union[ReceivedEmailItemFrom, None]",
        # Your addresses that the mail was sent to.
        "to": "List[str]",
        "subject": "str",
        # Whether a machine wrote the mail, such as an automatic reply, a bounce or a mailing list. Never reply to it automatically.
        "is_automatic": "bool",
        "has_attachments": "bool",
        # Id of the conversation. All mail that belongs together has the same id.
        "conversation_id": "str",
        # Id of your email that the mail replies to. Null if it is not a reply to one.
        "in_reply_to_email_id": "Union[str, None]",
        "route_ids": "List[str]",
        # Size of the whole message in bytes.
        "size": "int",
        "received_at": "str",
    },
)


class ReceivedEmailItem(_ReceivedEmailItemRequired):
    """Its fields are above."""


class ReceivedEmailItemFrom(TypedDict):
    email: str
    name: Union[str, None]


class ReceivedEmailReplyToItem(TypedDict):
    email: str
    name: Union[str, None]


class ReceivedEmailSpam(TypedDict):
    result: Literal["not_checked", "clean", "found", "unavailable"]
    """Result of the scanner of this server. `not_checked`: there is no scanner. `unavailable`: the scanner did not respond."""
    score: Union[float, None]
    """Score of the spam scanner. Null if it gave none."""
    symbols: List[str]
    """Names of the scanner’s rules that matched."""


class ReceivedEmailVirus(TypedDict):
    result: Literal["not_checked", "clean", "found", "unavailable"]
    """Result of the scanner of this server. `not_checked`: there is no scanner. `unavailable`: the scanner did not respond."""
    name: Union[str, None]
    """Name of the virus. Null if none was found."""


class ReceivingDomain(TypedDict):
    domain: str
    domain_id: str
    """Id of the sending domain that is the same or a parent of this name."""
    is_verified: bool
    """Whether the sending domain is verified now. If it is not, no mail is received."""
    mx: ReceivingDomainMx
    created_at: str


class ReceivingDomainMx(TypedDict):
    type: Literal["MX"]
    name: str
    expected: str
    """MX record to publish: priority and host name."""
    status: Literal["pass", "fail", "pending"]
    found: List[str]
    """Mail hosts in the MX record of the domain now."""
    message: str
    """Result of the check in words, with the necessary change."""
    checked_at: Union[str, None]


class RecipientExport(TypedDict):
    email: str
    truncated: bool
    """Whether data is missing because it does not fit into one response. `npx postrider export` prints everything."""
    emails: List[Dict[str, Any]]
    events: List[Dict[str, Any]]
    attempts: List[Dict[str, Any]]
    suppression: Union[Dict[str, Any], None]
    unsubscriptions: List[Dict[str, Any]]
    """Unsubscriptions of the address from groups of mail."""
    full_mailbox: Union[Dict[str, Any], None]
    audit_log: List[Dict[str, Any]]
    saved_views: List[Dict[str, Any]]
    """Saved views of members whose name or filters contain the address."""
    request_logs: List[Dict[str, Any]]
    """Refused requests that name the address."""
    sandbox_messages: List[Dict[str, Any]]
    received: List[Dict[str, Any]]
    """Received mail from or to the address."""


class RecipientState(TypedDict):
    email: str
    kind: Literal["to", "cc", "bcc"]
    status: Literal["queued", "deferred", "delivered", "bounced", "failed", "opened"]
    attempts: int
    updated_at: str


class RecipientSuppression(TypedDict):
    recipient: str
    """Recipient of the email, as the email has it."""
    suppression: Suppression


class RemovedMember(TypedDict):
    id: str
    deleted: bool
    """Always true."""
    revoked: bool
    """Whether the listed keys were revoked, the invites withdrawn and the webhooks disabled."""
    api_keys: List[RemovedMemberApiKeysItem]
    """Active API keys that the member created, directly or with one of their keys."""
    invites: List[RemovedMemberInvitesItem]
    """Open invites that the member sent."""
    webhooks: List[RemovedMemberWebhooksItem]
    """Enabled webhooks that the member created, or whose current URL the member set, directly or with one of their keys."""


class RemovedMemberApiKeysItem(TypedDict):
    id: str
    name: str
    prefix: str
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    created_at: str
    last_used_at: Union[str, None]
    """Time of the last use of the key, accurate to the minute. Null if the key was never used."""


class RemovedMemberInvitesItem(TypedDict):
    id: str
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read."""
    expires_at: str


class RemovedMemberWebhooksItem(TypedDict):
    id: str
    """Id of the webhook. Starts with `whk_`."""
    url: str
    description: Union[str, None]
    created_at: str


class RequestLogEntry(TypedDict):
    id: str
    at: str
    method: str
    """HTTP method, or `RCPT` or `DATA` for mail over SMTP."""
    path: str
    """Path of the request without `/api/v1`, parameters, and parts that may be an address. `smtp` for mail that was submitted over SMTP."""
    status: int
    """HTTP status or SMTP code of the response."""
    code: Union[str, None]
    """Error code of the response. Null if the response repeats an earlier one with the same idempotency key."""
    message: Union[str, None]
    fields: List[RequestLogEntryFieldsItem]
    """The first 20 invalid fields."""
    recipients: List[str]
    """Recipients of the refused mail."""
    caller: Union[RequestLogEntryCaller, None]
    request_id: Union[str, None]
    """`X-Request-Id` of the response."""
    duration_ms: int
    """Time until the response in milliseconds."""
    count: int
    """Number of requests that the entry stands for. Equal refusals within a second are one entry."""
    excerpt: Union[Dict[str, Any], None]
    """Part of the request body: addresses, subject and ids. Content and data are never stored."""


class RequestLogEntryCaller(TypedDict):
    type: Literal["api_key", "user"]
    id: str
    name: Union[str, None]
    """Name of the API key, or email address of the user."""


class RequestLogEntryFieldsItem(TypedDict):
    field: str
    message: str


class RequestLogsListPage(TypedDict):
    """A page of results"""
    data: List[RequestLogEntry]
    pagination: Pagination


class Resend(TypedDict):
    id: str
    created_at: str


class ResendResults(TypedDict):
    succeeded: int
    """Number of results without an error."""
    failed: int
    """Number of results with an error."""
    results: List[ResendResultsResultsItem]
    """One result for each id, in the order of the request."""


class ResendResultsResultsItem(TypedDict):
    message_id: Union[str, None]
    """Id of the new email. Null if there is an error."""
    id: str
    error: Union[ResendResultsResultsItemError, None]


class ResendResultsResultsItemError(TypedDict):
    code: str
    """Code of the error, as the request for this id alone returns it."""
    message: str
    details: List[ResendResultsResultsItemErrorDetailsItem]


class ResendResultsResultsItemErrorDetailsItem(TypedDict):
    field: str
    message: str


class Retention(TypedDict):
    content_days: int
    """Number of days for which html, text and attachments are kept. 0 keeps them as long as the email."""
    email_days: int
    """Number of days for which emails and their events are kept. 0 keeps them forever."""


class RotatedApiKey(TypedDict):
    id: str
    """Id of the API key. Starts with `key_`."""
    name: str
    prefix: str
    """First characters of the key, to recognize it by."""
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    domain: Union[str, None]
    """The only domain that the key may send from and whose mail it may read. Null means all domains of the organization."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """Time of the last use of the key, accurate to the minute. Null if the key was never used."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """Id of the user who created the key, directly or with another key. Null if the operator created it."""
    created_by_name: Union[str, None]
    """Name of the user in `created_by`."""
    created_by_key: Union[str, None]
    """Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it."""
    created_by_key_name: Union[str, None]
    """Name of the key in `created_by_key`."""
    replaced_by: Union[str, None]
    """Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated."""
    policy: Union[RotatedApiKeyPolicy, None]
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""
    key: str
    """The secret key for the `Authorization` header. It is shown only in this response."""
    replaces: RotatedApiKeyReplaces
    """The old key. Its `expires_at` is the time until which it still works."""


_RotatedApiKeyPolicyRequired = TypedDict(
    "_RotatedApiKeyPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.
        "from": "Union[List[str], None]",
        # Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit complete messages, as over SMTP. The default is false.
        "attachments": "bool",
        # Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.
        "approval": "Literal[\"required\", \"none\"]",
        # Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.
        "inbound": "bool",
    },
)


class RotatedApiKeyPolicy(_RotatedApiKeyPolicyRequired):
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""


class RotatedApiKeyReplaces(TypedDict):
    """The old key. Its `expires_at` is the time until which it still works."""
    id: str
    """Id of the API key. Starts with `key_`."""
    name: str
    prefix: str
    """First characters of the key, to recognize it by."""
    scope: Literal["full", "read", "agent", "send"]
    """`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do."""
    domain: Union[str, None]
    """The only domain that the key may send from and whose mail it may read. Null means all domains of the organization."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """Time of the last use of the key, accurate to the minute. Null if the key was never used."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """Id of the user who created the key, directly or with another key. Null if the operator created it."""
    created_by_name: Union[str, None]
    """Name of the user in `created_by`."""
    created_by_key: Union[str, None]
    """Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it."""
    created_by_key_name: Union[str, None]
    """Name of the key in `created_by_key`."""
    replaced_by: Union[str, None]
    """Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated."""
    policy: Union[RotatedApiKeyReplacesPolicy, None]
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""


_RotatedApiKeyReplacesPolicyRequired = TypedDict(
    "_RotatedApiKeyReplacesPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.
        "from": "Union[List[str], None]",
        # Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit complete messages, as over SMTP. The default is false.
        "attachments": "bool",
        # Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.
        "approval": "Literal[\"required\", \"none\"]",
        # Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.
        "inbound": "bool",
    },
)


class RotatedApiKeyReplacesPolicy(_RotatedApiKeyReplacesPolicyRequired):
    """Policy of the key. It applies to every way of submitting mail. Null if the key has no policy."""


class RouteExplanation(TypedDict):
    message: str
    """Which route the mail would take and why, in words."""
    mode: Literal["sandbox", "live"]
    provider: Union[str, None]
    """Provider of the recipient’s mail hosts. Null if it is not known."""
    rule: Union[int, None]
    """Number of the rule that matches, from 1. Null if no rule matches."""
    rules: List[RouteExplanationRulesItem]
    """Rules in order, up to the one that matches."""
    canary: Union[RouteExplanationCanary, None]
    """Canary of the rule, with its percentage now. Null if the rule has none."""
    steps: List[RouteExplanationStepsItem]


class RouteExplanationCanary(TypedDict):
    """Canary of the rule, with its percentage now. Null if the rule has none."""
    name: str
    to: str
    percent: float
    """Percentage of the mail to the provider that uses the new transport, from 0 to 100."""


class RouteExplanationRulesItem(TypedDict):
    rule: int
    name: Union[str, None]
    matches: bool
    why: str
    """Conditions that the mail meets, or the one that it does not meet."""


class RouteExplanationStepsItem(TypedDict):
    step: int
    """Number of the step, from 1. 0 is the new transport of a canary."""
    in_use: bool
    """Whether mail uses the step now."""
    choices: List[RouteExplanationStepsItemChoicesItem]


class RouteExplanationStepsItemChoicesItem(TypedDict):
    transport: str
    source: Union[str, None]
    share: float
    """Share of the mail of this step by weight, from 0 to 1."""
    share_now: float
    """Share of all mail of the rule that uses this transport now, from 0 to 1."""
    state: Literal["open", "slow", "blocked", "probing", "paused", "absent", "spent"]
    """State of the transport or address, as for a site. `absent`: no running worker has the address on its machine. `spent`: the address has reached the limit of its warm-up for today."""
    message: str


class RouteMatch(TypedDict, total=False):
    """Conditions of the rule. Mail must match every given field, by one of its values. Without fields the rule matches all mail."""
    organizations: List[str]
    """Ids of organizations."""
    streams: List[str]
    """Streams of the email. An email without a stream is in `transactional`."""
    sender_domains: List[str]
    """Domains of the sender. `*.example.com` means every subdomain."""
    providers: List[str]
    """Providers of the recipient’s mail hosts, named as in `GET /sites`."""
    recipient_domains: List[str]
    """Domains of the recipient. `*.example.com` means every subdomain."""
    tags: List[str]
    """Tags of the email, as `name` or `name:value`."""


class RouteRule(TypedDict):
    name: Union[str, None]
    match: RouteMatch
    steps: List[RouteRuleStepsItem]
    canary: Union[RouteRuleCanary, None]


class RouteRuleCanary(TypedDict):
    name: str
    to: str
    percents: List[float]
    minutes: float
    mails: int
    worse: RouteRuleCanaryWorse


class RouteRuleCanaryWorse(TypedDict):
    deferred: float
    bounced: float
    complained: float


class RouteRuleStepsItem(TypedDict):
    choices: List[RouteRuleStepsItemChoicesItem]


class RouteRuleStepsItemChoicesItem(TypedDict):
    transport: str
    weight: int


class RouteTable(TypedDict):
    version: int
    """Number of changes so far. Send it as `version` when you replace the table."""
    default: RouteTableDefault
    """The transport `default`, which the environment variables configure."""
    providers: List[str]
    """Names of providers that rules and curves can use."""
    usual: RouteTableUsual
    """Defaults for fields that a warm-up or a canary omits."""
    transports: List[Transport]
    rules: List[RouteRule]


class RouteTableDefault(TypedDict):
    """The transport `default`, which the environment variables configure."""
    kind: Literal["direct", "relay", "sandbox"]
    message: str
    """What happens to mail that no rule matches, in words."""


class RouteTableUsual(TypedDict):
    """Defaults for fields that a warm-up or a canary omits."""
    warm_up: RouteTableUsualWarmUp
    canary: RouteTableUsualCanary


class RouteTableUsualCanary(TypedDict):
    percents: List[float]
    minutes: float
    mails: int
    worse: RouteTableUsualCanaryWorse


class RouteTableUsualCanaryWorse(TypedDict):
    deferred: float
    bounced: float
    complained: float


class RouteTableUsualWarmUp(TypedDict):
    curve: List[int]
    curves: Dict[str, List[int]]


class _SandboxActBodyRequired(TypedDict):
    action: Literal["open", "click", "unsubscribe", "bounce", "complain", "reply"]
    """`open`: load the pixel. `click`: follow a link. `unsubscribe`: use the unsubscribe button of the mail program. `complain`: report the message as spam. `bounce`: send a bounce, as a server that has accepted the message and then finds no mailbox. `reply`: reply to the Reply-To address or the sender, if this installation receives mail there."""


class SandboxActBody(_SandboxActBodyRequired, total=False):
    link: str
    """Link to click, from `links` of the message. The default is the first link."""
    text: str
    """Text above the quoted message, for `reply`. The default is `Thank you.`"""


class SandboxActData(TypedDict):
    action: Literal["open", "click", "unsubscribe", "bounce", "complain", "reply"]
    leads_to: Union[str, None]
    """URL that the link leads to. Null if the action is not a click."""


class SandboxCheckedLink(TypedDict):
    url: str
    text: Union[str, None]
    """Text of the link in the html. Null for a link in plain text."""
    status: Union[int, None]
    """HTTP status of the last response. Null if there was no response."""
    leads_to: Union[str, None]
    """URL after redirects. Null if the link does not redirect."""
    error: Union[str, None]
    """What is wrong with the link. Null if the link works."""


class SandboxClearData(TypedDict):
    deleted: int
    """Number of messages that were deleted."""


class SandboxCreateOrganizationBody(TypedDict, total=False):
    name: str
    """1 to 200 characters."""
    minutes: int
    """Number of minutes until the organization is deleted."""


_SandboxLatestDataRequired = TypedDict(
    "_SandboxLatestDataRequired",
    {
        "id": "str",
        # Id of the email that the message is a delivery of.
        "email_id": "str",
        # Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys.
        "account_mail": "bool",
        "from": "SandboxLatestDataFrom",
        # Recipient of the delivery. It is the envelope recipient, so it can be a bcc address.
        "to": "str",
        "subject": "str",
        # Size of the whole message in bytes.
        "size": "int",
        # Whether the message was opened in the dashboard or marked as read.
        "is_read": "bool",
        "received_at": "str",
        # Envelope sender: the address that a bounce would go to.
        "return_path": "str",
        # Results of DKIM and SPF, as a receiver would find them.
        "authentication": "SandboxLatestDataAuthentication",
        # Addresses in the header fields, as a reader sees them.
        "addresses": "SandboxLatestDataAddresses",
        # All header fields in order. Folded lines are joined; otherwise as sent.
        "headers": "List[SandboxLatestDataHeadersItem]",
        "html": "Union[str, None]",
        "text": "Union[str, None]",
        # Attachments and inline images of the message.
        "attachments": "List[SandboxLatestDataAttachmentsItem]",
        # Links of the message in order, each listed once. At most 100.
        "links": "List[SandboxLatestDataLinksItem]",
        # Texts that look like a code to type: digits without the spaces between them, or digits and capital letters. Codes near a word such as “code” come first. At most 20.
        "codes": "List[str]",
    },
)


class SandboxLatestData(_SandboxLatestDataRequired):
    """Its fields are above."""


_SandboxLatestDataAddressesRequired = TypedDict(
    "_SandboxLatestDataAddressesRequired",
    {
        "from": "List[SandboxLatestDataAddressesFromItem]",
        "to": "List[SandboxLatestDataAddressesToItem]",
        "cc": "List[SandboxLatestDataAddressesCcItem]",
        "reply_to": "List[SandboxLatestDataAddressesReplyToItem]",
    },
)


class SandboxLatestDataAddresses(_SandboxLatestDataAddressesRequired):
    """Addresses in the header fields, as a reader sees them."""


class SandboxLatestDataAddressesCcItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxLatestDataAddressesFromItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxLatestDataAddressesReplyToItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxLatestDataAddressesToItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxLatestDataAttachmentsItem(TypedDict):
    filename: Union[str, None]
    content_type: str
    content_id: Union[str, None]
    """Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none."""
    size: int
    """Size of the content in bytes."""
    content: str
    """Content of the file in base64."""


class SandboxLatestDataAuthentication(TypedDict):
    """Results of DKIM and SPF, as a receiver would find them."""
    dkim: SandboxLatestDataAuthenticationDkim
    spf: SandboxLatestDataAuthenticationSpf


class SandboxLatestDataAuthenticationDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    """Domain of the DKIM signature. Null if the message is not signed."""
    selector: Union[str, None]
    reason: Union[str, None]
    """Why the check does not pass, in words. Null if it passes."""


class SandboxLatestDataAuthenticationSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    """Domain of the envelope sender."""
    reason: Union[str, None]
    """Why the check does not pass, in words. Null if it passes."""


class SandboxLatestDataFrom(TypedDict):
    email: str
    name: Union[str, None]


class SandboxLatestDataHeadersItem(TypedDict):
    name: str
    value: str


class SandboxLatestDataLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """Text of the link in the html. Null for a link in plain text."""


class SandboxListPage(TypedDict):
    """A page of results"""
    data: List[SandboxMessageItem]
    pagination: Pagination


class SandboxMarkAllData(TypedDict):
    changed: int
    """Number of messages that were changed."""


_SandboxMessageRequired = TypedDict(
    "_SandboxMessageRequired",
    {
        "id": "str",
        # Id of the email that the message is a delivery of.
        "email_id": "str",
        # Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys.
        "account_mail": "bool",
        "from": "SandboxMessageFrom",
        # Recipient of the delivery. It is the envelope recipient, so it can be a bcc address.
        "to": "str",
        "subject": "str",
        # Size of the whole message in bytes.
        "size": "int",
        # Whether the message was opened in the dashboard or marked as read.
        "is_read": "bool",
        "received_at": "str",
        # Envelope sender: the address that a bounce would go to.
        "return_path": "str",
        # Results of DKIM and SPF, as a receiver would find them.
        "authentication": "SandboxMessageAuthentication",
        # Addresses in the header fields, as a reader sees them.
        "addresses": "SandboxMessageAddresses",
        # All header fields in order. Folded lines are joined; otherwise as sent.
        "headers": "List[SandboxMessageHeadersItem]",
        "html": "Union[str, None]",
        "text": "Union[str, None]",
        # Attachments and inline images of the message.
        "attachments": "List[SandboxMessageAttachmentsItem]",
        # Links of the message in order, each listed once. At most 100.
        "links": "List[SandboxMessageLinksItem]",
        # Texts that look like a code to type: digits without the spaces between them, or digits and capital letters. Codes near a word such as “code” come first. At most 20.
        "codes": "List[str]",
    },
)


class SandboxMessage(_SandboxMessageRequired):
    """Its fields are above."""


_SandboxMessageAddressesRequired = TypedDict(
    "_SandboxMessageAddressesRequired",
    {
        "from": "List[SandboxMessageAddressesFromItem]",
        "to": "List[SandboxMessageAddressesToItem]",
        "cc": "List[SandboxMessageAddressesCcItem]",
        "reply_to": "List[SandboxMessageAddressesReplyToItem]",
    },
)


class SandboxMessageAddresses(_SandboxMessageAddressesRequired):
    """Addresses in the header fields, as a reader sees them."""


class SandboxMessageAddressesCcItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxMessageAddressesFromItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxMessageAddressesReplyToItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxMessageAddressesToItem(TypedDict):
    email: str
    name: Union[str, None]


class SandboxMessageAttachmentsItem(TypedDict):
    filename: Union[str, None]
    content_type: str
    content_id: Union[str, None]
    """Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none."""
    size: int
    """Size of the content in bytes."""
    content: str
    """Content of the file in base64."""


class SandboxMessageAuthentication(TypedDict):
    """Results of DKIM and SPF, as a receiver would find them."""
    dkim: SandboxMessageAuthenticationDkim
    spf: SandboxMessageAuthenticationSpf


class SandboxMessageAuthenticationDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    """Domain of the DKIM signature. Null if the message is not signed."""
    selector: Union[str, None]
    reason: Union[str, None]
    """Why the check does not pass, in words. Null if it passes."""


class SandboxMessageAuthenticationSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    """Domain of the envelope sender."""
    reason: Union[str, None]
    """Why the check does not pass, in words. Null if it passes."""


class SandboxMessageChecks(TypedDict):
    size: SandboxMessageChecksSize
    """Sizes in bytes. `message`: the message as sent. `html`, `text` and `attachments`: the decoded parts."""
    findings: List[SandboxMessageChecksFindingsItem]
    """Problems in the message that affect spam filters or readers."""
    links: List[SandboxMessageChecksLinksItem]
    """Links of the message, each listed once. At most 100."""
    html: Union[SandboxMessageChecksHtml, None]
    """Support of mail clients for the html, by the tables of Can I email. Null if there is no html."""


class SandboxMessageChecksFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """Explanation of the problem in words."""


class SandboxMessageChecksHtml(TypedDict):
    """Support of mail clients for the html, by the tables of Can I email. Null if there is no html."""
    is_complete: bool
    """Whether the whole html was checked. False if only the first 250,000 characters were."""
    features: List[SandboxMessageChecksHtmlFeaturesItem]
    """Features of the html that at least one mail client does not fully support, worst first."""
    clients: List[SandboxMessageChecksHtmlClientsItem]


class SandboxMessageChecksHtmlClientsItem(TypedDict):
    name: str
    unsupported: int
    """Number of features of the message that the client does not support."""
    partial: int


class SandboxMessageChecksHtmlFeaturesItem(TypedDict):
    feature: str
    about: str
    """URL of a page about the feature."""
    count: int
    """Number of uses in the html."""
    line: int
    """Line of the html with the first use."""
    unsupported: List[str]
    """Mail clients that do not support the feature."""
    partial: List[str]
    """Mail clients that support the feature in part."""


class SandboxMessageChecksLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """Text of the link in the html. Null for a link in plain text."""


class SandboxMessageChecksSize(TypedDict):
    """Sizes in bytes. `message`: the message as sent. `html`, `text` and `attachments`: the decoded parts."""
    message: int
    html: int
    text: int
    attachments: int


class SandboxMessageFrom(TypedDict):
    email: str
    name: Union[str, None]


class SandboxMessageHeadersItem(TypedDict):
    name: str
    value: str


_SandboxMessageItemRequired = TypedDict(
    "_SandboxMessageItemRequired",
    {
        "id": "str",
        # Id of the email that the message is a delivery of.
        "email_id": "str",
        # Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys.
        "account_mail": "bool",
        "from": "SandboxMessageItemFrom",
        # Recipient of the delivery. It is the envelope recipient, so it can be a bcc address.
        "to": "str",
        "subject": "str",
        # Size of the whole message in bytes.
        "size": "int",
        # Whether the message was opened in the dashboard or marked as read.
        "is_read": "bool",
        "received_at": "str",
    },
)


class SandboxMessageItem(_SandboxMessageItemRequired):
    """Its fields are above."""


class SandboxMessageItemFrom(TypedDict):
    email: str
    name: Union[str, None]


class SandboxMessageLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """Text of the link in the html. Null for a link in plain text."""


class SandboxSampleReportsData(TypedDict):
    sent: int
    """Number of reports that the inbound server accepted."""


class SearchGroup(TypedDict):
    kind: Literal["suppressions", "emails", "request_logs", "inbound", "templates", "domains", "webhooks"]
    outcome: Literal["complete", "limited", "timed_out", "forbidden"]
    """`complete`: everything was searched. `limited`: only the newest were compared. `timed_out`: this kind could not be searched in time; search again, or use its list. `forbidden`: the key may not list this kind."""
    has_more: bool
    """Whether there are more than the 5 hits."""
    hits: List[SearchHit]


class SearchHit(TypedDict):
    id: str
    path: str
    """Path of the request that returns it, without `/api/v1`."""
    title: str
    """Subject of an email, suppressed address, name of a template or a domain, URL of a webhook, method and path of a request."""
    email: Union[str, None]
    """Address of the person that the hit is about: the recipient who has the words, or the sender of received mail."""
    name: Union[str, None]
    """Name of that person, if it is known."""
    state: Union[str, None]
    """State of an email, reason of a suppression, error code of a request, kind of a template, or whether a domain is verified and a webhook is enabled."""
    message: Union[str, None]
    """Why it matters, in one sentence."""
    email_id: Union[str, None]
    """Id of the email, or of the email that caused the suppression."""
    at: str
    """Time at which the email was accepted or received, the request refused, the address suppressed, the template changed, or the domain or webhook created."""


_SendEmailRequired = TypedDict(
    "_SendEmailRequired",
    {
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "to": "Union[List[MailboxInput], Mailbox, str]",
        # Subject of the email, in one line. With a template it can contain variables such as `{{name}}`, and replaces the subject of the template but not that of a translation.
        "subject": "str",
        "from": "MailboxInput",
    },
)

_SendEmailOptional = TypedDict(
    "_SendEmailOptional",
    {
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "cc": "Union[List[MailboxInput], Mailbox, str]",
        # One address, or a list of up to 50. to, cc and bcc together have at most 50 addresses.
        "bcc": "Union[List[MailboxInput], Mailbox, str]",
        # Body of the email, at most 2 MiB.
        "html": "str",
        # Body of the email, at most 2 MiB.
        "text": "str",
        # Id or alias of a saved template, instead of html and text.
        "template_id": "str",
        # Values for the variables of the template.
        "template_data": "Dict[str, Any]",
        # Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself.
        "locale": "str",
        "attachments": "List[Attachment]",
        # Addresses that replies go to: one, or a list of up to 10.
        "reply_to": "Union[List[MailboxInput], Mailbox, str]",
        # Additional email headers by name, at most 50.
        "headers": "Dict[str, str]",
        # Up to 10 tags, each with a name and a value. Lists, holds, statistics and the route table can refer to them.
        "tags": "List[Tag]",
        # Your own data as a flat object. Postrider returns it with the email and does not send it to recipients.
        "metadata": "Dict[str, Union[str, float, bool]]",
        # Priority within the organization: mail with a higher priority is sent first. The default is that of the stream: `normal`, or `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # Stream of the email: `transactional` (the default), `bulk`, or one of your own (see `/streams`).
        "stream": "str",
        # Time to send the email, as an ISO 8601 date and time. Without an offset it is UTC.
        "scheduled_at": "str",
        # Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else of `/settings/tracking`.
        "track_opens": "bool",
        # Which links are replaced by tracked links, which record clicks. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. The default is the setting of the domain, or else of `/settings/tracking`.
        "track_clicks": "Literal[True, False, \"off\", \"html\", \"html_and_text\"]",
        # Whether mail with html and without text gets a text part that is generated from the html. The default is true with a template, otherwise false.
        "text_from_html": "bool",
        # Whether this installation receives the replies. The Reply-To of the email is then a unique address of this server, or of a receiving domain below the sender’s domain. `GET /inbound` lists the replies.
        "receive_replies": "bool",
        # Whether the email gets the headers `List-Unsubscribe` and `List-Unsubscribe-Post`, so that recipients can unsubscribe with one click.
        "unsubscribe": "bool",
        # Group that recipients can unsubscribe from, such as `product-news`. An unsubscription only stops mail of the same group. Implies `unsubscribe`, unless that is `false`. The default for mail with `unsubscribe` is the name of its stream, or `default` in the stream `transactional`.
        "unsubscribe_group": "str",
        # Number of seconds after which Postrider stops trying to deliver the email. The default is 86400, one day.
        "expires_in": "int",
        # Key for mail of which only the newest matters, such as sign-in codes. Older emails with the same key, from the same domain to the same recipient, are withdrawn if they were not sent yet (`superseded`).
        "collapse_key": "str",
        # Whether the email is sent only over TLS to a verified server that supports REQUIRETLS (RFC 8689), and therefore demands the same of the next server. Otherwise the email bounces. Few servers support REQUIRETLS.
        "require_tls": "bool",
    },
    total=False,
)


class SendEmail(_SendEmailRequired, _SendEmailOptional):
    """Its fields are above."""


class _SendResultRequired(TypedDict):
    message_id: str
    """Id of the email, a UUID."""
    status: Literal["queued"]
    queued_at: str
    """Time at which the email was stored."""


class SendResult(_SendResultRequired, total=False):
    state: Literal["held"]
    """Present only if a hold keeps the email, or some of its recipients, from being sent."""
    hold: EmailHold


class Session(TypedDict):
    id: str
    """Id of the session. Starts with `ses_`."""
    current: bool
    """Whether this is the session of the request."""
    created_at: str
    """Time of the sign-in."""
    last_seen_at: str
    """Time of the last request in the session, accurate to five minutes."""
    expires_at: str
    """Time at which the session ends if it is not used before then."""
    address: Union[str, None]
    """IP address that the user signed in from."""
    user_agent: Union[str, None]
    """User agent of the browser that was used to sign in."""


class SettingsUpdateAutoValidationBody(TypedDict):
    threshold: Literal["off", "high", "medium"]
    """`off`: no validation. `high`: recipients with a risk score above 0.7 are refused. `medium`: recipients with a risk score above 0.3 are refused."""


class SettingsUpdateGuardBody(TypedDict, total=False):
    enabled: bool
    """Whether the guard holds mail that servers suddenly refuse, and slows down repeated emails that flood an address."""
    allow: List[str]
    """Recipient addresses, and domains with their subdomains, whose mail the guard never slows down, such as mailboxes for alerts."""


class SettingsUpdateRetentionBody(TypedDict, total=False):
    content_days: int
    """Number of days for which html, text and attachments are kept. 0 keeps them as long as the email."""
    email_days: int
    """Number of days for which emails and their events are kept. 0 keeps them forever."""


class _SettingsUpdateTrackingBodyRequired(TypedDict):
    track_opens: bool
    """Whether html mail gets a pixel that records opens, unless a domain or a request sets another value."""


class SettingsUpdateTrackingBody(_SettingsUpdateTrackingBodyRequired, total=False):
    track_clicks: Literal[True, False, "off", "html", "html_and_text"]
    """Which links are replaced by tracked links. `html` or `true`: links in html. `html_and_text`: links in html and in text. `off` or `false`: none. If omitted, the setting does not change."""


class SettingsUpdateValidationBody(TypedDict, total=False):
    disposable_allow: List[str]
    disposable_deny: List[str]


class Site(TypedDict):
    id: str
    name: str
    """Name of the site: the mail hosts, or the provider, that share limits."""
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent before the time in `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site."""
    message: str
    """Explanation of the state in words."""
    since: Union[str, None]
    """Start of the restriction. Null if there is none."""
    until: Union[str, None]
    """Time of the next try, if the state is `blocked`. Null otherwise."""
    reason: Union[str, None]
    """Reason code of the restriction, from the closed list of reasons. Null if there is none."""
    reply: Union[str, None]
    """Server reply that caused the state, without email addresses. Null if there was none."""
    messages_per_minute: Union[float, None]
    """Pace of a slow site in messages per minute. Null otherwise."""
    connections: Union[int, None]
    """Maximum number of simultaneous connections, after the site refused further connections. Null if there is no such limit."""
    provider: Union[str, None]
    due: int
    """Number of due deliveries that are waiting for the site. For an organization, at most 10,000 waiting deliveries are examined."""
    scheduled: int
    """Number of deliveries that are due later."""
    oldest_due_at: Union[str, None]
    domains: List[str]
    """Domains of these recipients. The first 20."""
    editable: bool
    """Whether you are allowed to pause, resume and try the site."""


class Stream(TypedDict):
    name: str
    description: Union[str, None]
    priority: Literal["high", "normal", "low"]
    """Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first."""
    messages_per_minute: Union[int, None]
    """Maximum number of messages of the stream per clock minute, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit."""
    messages_per_hour: Union[int, None]
    """Maximum number of messages of the stream per clock hour, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit."""
    built_in: bool
    """Whether the stream is built in. Built-in streams cannot be removed."""
    created_at: Union[str, None]
    """Time of creation. For a built-in stream: time of its first change, or null if it was never changed."""


class StreamEvent(TypedDict):
    id: str
    type: Literal["queued", "processing", "held", "delivered", "opened", "clicked", "bounced", "deferred", "failed", "complained", "unsubscribed", "rejected", "received"]
    recipient: str
    mx_host: Union[str, None]
    """Host name of the receiving mail server. Null if no server was reached."""
    smtp_code: Union[int, None]
    """SMTP reply code of the server, such as 250 or 550. Null if there was no reply."""
    smtp_message: Union[str, None]
    """Text of the server’s SMTP reply. Null if there was no reply."""
    enhanced_code: Union[str, None]
    """Enhanced status code of the server’s reply, such as `5.1.1`. Null if it had none."""
    reason: Union[str, None]
    """Reason code of the event, from a closed list: `unknown_recipient`, `greylisted`, … Null if the event has no reason."""
    attempt: Union[int, None]
    """Number of the delivery attempt, from 1. Null if the event is not about an attempt."""
    tls: Union[str, None]
    """TLS protocol and cipher of the connection. Null if it was not encrypted."""
    tls_certificate: Union[StreamEventTlsCertificate, None]
    """Certificate of the receiving server. Null if the connection was not encrypted."""
    next_attempt_at: Union[str, None]
    """Time of the next attempt, for `deferred`. Null otherwise."""
    user_agent: Union[str, None]
    """User agent of the program that fetched the pixel or followed the link, for `opened` and `clicked`. Null otherwise."""
    machine: Union[bool, None]
    """Whether a machine (prefetch, scanner, bot or preview) and not a person caused the event, for `opened` and `clicked`. `reason` names the kind of machine. Null otherwise."""
    url: Union[str, None]
    """The link as it was written in the mail, for `clicked`. Null otherwise."""
    hold: Union[StreamEventHold, None]
    """The hold that keeps the email from being sent. `GET /holds/{id}` has the details."""
    created_at: str
    """Time of the event."""
    email_id: str


class StreamEventHold(TypedDict):
    """The hold that keeps the email from being sent. `GET /holds/{id}` has the details."""
    id: str
    reason: str
    placed_by: str
    """Who placed the hold: the email address of a user, the name of an API key, an operator, or `guard` for an automatic hold."""
    placed_at: str


class _StreamEventTlsCertificateRequired(TypedDict):
    verified: bool
    """Whether the certificate is valid, comes from a trusted authority and has the name of the host. With the policy `dane`: whether it matches the TLSA records in DNS."""
    policy: Literal["dane", "mta_sts", "require_tls", "provider", "relay", "opportunistic"]
    """Origin of the TLS requirement. `dane`: TLSA records of the mail host. `mta_sts`: the policy of the recipient’s domain. `require_tls`: the option of the email. `provider`: rules of the provider. `relay`: your relay. `opportunistic`: no requirement; the server offered TLS."""
    issuer: Union[str, None]
    """Issuer of the certificate. Null if unknown."""
    problem: Union[str, None]
    """Why the certificate is not verified. Null if it is."""


class StreamEventTlsCertificate(_StreamEventTlsCertificateRequired, total=False):
    """Certificate of the receiving server. Null if the connection was not encrypted."""
    sha256: Union[str, None]
    """SHA-256 of the certificate, in hexadecimal."""


class _StreamsCreateBodyRequired(TypedDict):
    name: str
    """Name of the stream: at most 32 lower-case letters, digits and hyphens. It cannot be changed."""


class StreamsCreateBody(_StreamsCreateBodyRequired, total=False):
    description: Union[str, None]
    """Description of the stream for your own use."""
    priority: Literal["high", "normal", "low"]
    """Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first."""
    messages_per_minute: Union[int, None]
    """Maximum number of messages of the stream per clock minute, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit."""
    messages_per_hour: Union[int, None]
    """Maximum number of messages of the stream per clock hour, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit."""


class StreamsDeleteData(TypedDict):
    name: str
    deleted: Literal[True]


class StreamsUpdateBody(TypedDict, total=False):
    description: Union[str, None]
    """Description of the stream for your own use."""
    priority: Literal["high", "normal", "low"]
    """Priority of mail in the stream that does not set its own. Within an organization, mail with a higher priority is sent first."""
    messages_per_minute: Union[int, None]
    """Maximum number of messages of the stream per clock minute, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit."""
    messages_per_hour: Union[int, None]
    """Maximum number of messages of the stream per clock hour, from all workers together. Each recipient counts. Excess mail is queued. Null means no limit."""


class Suppression(TypedDict):
    id: str
    """Id of the suppression. Starts with `sup_`."""
    email: str
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]
    """Why the address must not receive mail."""
    source: Literal["automatic", "manual"]
    """Origin of the suppression. `automatic`: an event of a delivery caused it."""
    email_id: Union[str, None]
    """Id of the email that caused an automatic suppression. Null otherwise."""
    cause: Union[str, None]
    """Reason code of the event that caused an automatic suppression. Null otherwise."""
    unsubscribe_group: Union[str, None]
    """Group of mail that the suppression stops. Null means all mail."""
    created_at: str


class SuppressionImport(TypedDict):
    id: str
    """Id of the import. Starts with `imp_`."""
    status: Literal["waiting", "running", "done", "failed"]
    """State of the import. `failed`: an internal error stopped the import. Import the list again."""
    total: int
    """Number of uploaded addresses."""
    processed: int
    """Number of processed addresses: added, existing and invalid."""
    added: int
    """Number of addresses that were added to the list."""
    existing: int
    """Number of addresses that were already on the list or that occur twice in the upload."""
    invalid: int
    """Number of invalid lines, which were skipped."""
    errors: List[SuppressionImportErrorsItem]
    """Problems of the first 100 invalid lines."""
    created_at: str
    finished_at: Union[str, None]


class SuppressionImportErrorsItem(TypedDict):
    line: int
    """Line of the file, or position in the JSON list, from 1."""
    field: str
    message: str


class _SuppressionsCreateBodyRequired(TypedDict):
    email: str
    """Address that must not receive mail."""
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]
    """Why the address must not receive mail."""


class SuppressionsCreateBody(_SuppressionsCreateBodyRequired, total=False):
    unsubscribe_group: str
    """Group of mail to stop, for the reason `unsubscribe`. By default all mail is stopped."""


class SuppressionsImportListBody(TypedDict):
    suppressions: List[SuppressionsImportListBodySuppressionsItem]


class _SuppressionsImportListBodySuppressionsItemRequired(TypedDict):
    email: str


class SuppressionsImportListBodySuppressionsItem(_SuppressionsImportListBodySuppressionsItemRequired, total=False):
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]
    """Why the address must not receive mail."""
    unsubscribe_group: str
    """Group of mail to stop, for the reason `unsubscribe`. By default all mail is stopped."""


class SuppressionsListPage(TypedDict):
    """A page of results"""
    data: List[Suppression]
    pagination: Pagination


class Tag(TypedDict):
    name: str
    value: str


class Template(TypedDict):
    id: str
    name: str
    alias: Union[str, None]
    kind: Literal["template", "layout", "partial"]
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """Id of the layout. Null if the template has none."""
    inline_css: bool
    partials: List[TemplatePartialsItem]
    """Partials that the template uses."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    version: int
    """Number of the current version. It rises when changed content is saved, a draft is published or an earlier version is restored."""
    is_active: bool
    created_at: str
    updated_at: str


class TemplateChecks(TypedDict):
    size: TemplateChecksSize
    """Sizes of html and text in bytes."""
    findings: List[TemplateChecksFindingsItem]
    """Problems in the message that affect spam filters or readers."""
    links: List[TemplateChecksLinksItem]
    """Links of the message, each listed once. At most 100."""
    html: Union[TemplateChecksHtml, None]
    """Support of mail clients for the html, by the tables of Can I email. Null if there is no html."""
    checked_links: Union[List[SandboxCheckedLink], None]


class TemplateChecksFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """Explanation of the problem in words."""


class TemplateChecksHtml(TypedDict):
    """Support of mail clients for the html, by the tables of Can I email. Null if there is no html."""
    is_complete: bool
    """Whether the whole html was checked. False if only the first 250,000 characters were."""
    features: List[TemplateChecksHtmlFeaturesItem]
    """Features of the html that at least one mail client does not fully support, worst first."""
    clients: List[TemplateChecksHtmlClientsItem]


class TemplateChecksHtmlClientsItem(TypedDict):
    name: str
    unsupported: int
    """Number of features of the message that the client does not support."""
    partial: int


class TemplateChecksHtmlFeaturesItem(TypedDict):
    feature: str
    about: str
    """URL of a page about the feature."""
    count: int
    """Number of uses in the html."""
    line: int
    """Line of the html with the first use."""
    unsupported: List[str]
    """Mail clients that do not support the feature."""
    partial: List[str]
    """Mail clients that support the feature in part."""


class TemplateChecksLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """Text of the link in the html. Null for a link in plain text."""


class TemplateChecksSize(TypedDict):
    """Sizes of html and text in bytes."""
    html: int
    text: int


class TemplateDetail(TypedDict):
    id: str
    name: str
    alias: Union[str, None]
    kind: Literal["template", "layout", "partial"]
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """Id of the layout. Null if the template has none."""
    inline_css: bool
    partials: List[TemplateDetailPartialsItem]
    """Partials that the template uses."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    version: int
    """Number of the current version. It rises when changed content is saved, a draft is published or an earlier version is restored."""
    is_active: bool
    created_at: str
    updated_at: str
    sample_data: Union[Dict[str, Any], None]
    """Sample data for previews. Null if there is none."""
    usage: TemplateDetailUsage
    draft: Union[TemplateDetailDraft, None]
    last_changed_at: str
    """When the template or its draft was last changed. Send it with a change to have the change refused if somebody else made one in between."""
    used_by: List[TemplateDetailUsedByItem]
    """Templates that use this layout or partial. At most 100."""


class TemplateDetailDraft(TypedDict):
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """Id of the layout. Null if the template has none."""
    inline_css: bool
    partials: List[TemplateDetailDraftPartialsItem]
    """Partials that the template uses."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    based_on: int
    """Version that was current when the draft was created."""
    saved_at: str
    saved_by: Union[str, None]


class TemplateDetailDraftPartialsItem(TypedDict):
    name: str
    id: str


class TemplateDetailPartialsItem(TypedDict):
    name: str
    id: str


class TemplateDetailUsage(TypedDict):
    sends_last_30_days: int


class TemplateDetailUsedByItem(TypedDict):
    id: str
    name: str
    alias: Union[str, None]


class TemplateDraft(TypedDict):
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """Id of the layout. Null if the template has none."""
    inline_css: bool
    partials: List[TemplateDraftPartialsItem]
    """Partials that the template uses."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    based_on: int
    """Version that was current when the draft was created."""
    saved_at: str
    saved_by: Union[str, None]


class TemplateDraftPartialsItem(TypedDict):
    name: str
    id: str


class TemplatePartialsItem(TypedDict):
    name: str
    id: str


class TemplatePreview(TypedDict):
    subject: str
    html: str
    text: str
    variables: List[TemplateVariable]
    warnings: List[TemplateWarning]


class TemplateSend(TypedDict):
    email_id: str
    to: List[str]
    subject: str
    template_version: int
    template_data: Union[Dict[str, Any], None]
    """Values that the template was rendered with. Null if they are not available, for example while the content store does not answer."""
    created_at: str


class TemplateTranslation(TypedDict):
    locale: str
    subject: str
    html: str
    text: str


class TemplateVariable(TypedDict):
    name: str
    """Path of the variable, such as `user.name` or `items[].price`."""
    type: str
    required: bool
    """Whether a send must give the variable. False if it is only used inside a conditional, or has a default."""
    places: List[TemplateVariablePlacesItem]
    """Places in the template that use the variable. At most 50."""


class TemplateVariablePlacesItem(TypedDict):
    part: str
    line: int
    column: int
    source: Union[str, None]
    """Layout or partial that contains the place. Null for the template itself."""


class _TemplateVariableRuleRequired(TypedDict):
    name: str
    type: Literal["string", "number", "boolean", "array", "object", "date"]


class TemplateVariableRule(_TemplateVariableRuleRequired, total=False):
    required: bool
    """Whether a send must give the variable. The default is false."""
    default_value: Any
    """Value for sends that do not give the variable. It must fit the type."""


class TemplateVersion(TypedDict):
    version: int
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """Id of the layout. Null if the template has none."""
    inline_css: bool
    partials: List[TemplateVersionPartialsItem]
    """Partials that the template uses."""
    variable_schema: List[Dict[str, Any]]
    created_at: str
    created_by: Union[str, None]
    """User who published the version. Null if not recorded."""
    is_current: bool


class TemplateVersionPartialsItem(TypedDict):
    name: str
    id: str


class TemplateWarning(TypedDict):
    code: str
    message: str
    variable: Union[str, None]
    part: Union[str, None]
    line: Union[int, None]
    column: Union[int, None]
    source: Union[str, None]
    """Layout or partial that contains the place. Null for the template itself."""


class TemplatesCheckBody(TypedDict, total=False):
    kind: Literal["template", "layout", "partial"]
    """`template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed."""
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """Id or alias of the layout that surrounds html and text. `null` means no layout."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets."""
    html: str
    """HTML body. The values of variables are escaped."""
    text: str
    """Plain text body."""
    translations: List[TranslationOfTemplate]
    """Translations, for sends with a `locale`. The list replaces all existing translations."""
    variable_schema: List[TemplateVariableRule]
    """Rules for variables: types, defaults and required variables. They are applied when the template is sent."""
    locale: str
    """Language as a BCP 47 tag, such as `pt-BR`."""
    data: Dict[str, Any]
    """Values for the variables of the template."""
    check_links: bool
    """Whether to request the links of the message too, to find broken links. This takes several seconds."""


class _TemplatesCreateBodyRequired(TypedDict):
    name: str


class TemplatesCreateBody(_TemplatesCreateBodyRequired, total=False):
    alias: Union[str, None]
    """Name that can be used instead of the id, such as `receipt`. It is unique among the active templates of an organization. `null` removes it."""
    kind: Literal["template", "layout", "partial"]
    """`template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed."""
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """Id or alias of the layout that surrounds html and text. `null` means no layout."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets."""
    html: str
    """HTML body. The values of variables are escaped."""
    text: str
    """Plain text body."""
    translations: List[TranslationOfTemplate]
    """Translations, for sends with a `locale`. The list replaces all existing translations."""
    variable_schema: List[TemplateVariableRule]
    """Rules for variables: types, defaults and required variables. They are applied when the template is sent."""
    sample_data: Union[Dict[str, Any], None]
    """Sample data for previews without `data`. It is not part of a version and never used in mail."""


class TemplatesListPage(TypedDict):
    """A page of results"""
    data: List[Template]
    pagination: Pagination


class TemplatesPreviewBody(TypedDict, total=False):
    locale: str
    """Language as a BCP 47 tag, such as `pt-BR`."""
    draft: bool
    """Whether to use the draft of the template, if it has one, instead of the published version."""
    data: Dict[str, Any]
    """Values for the variables. The default is the sample data of the template."""
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """Id or alias of the layout that surrounds html and text. `null` means no layout."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets."""
    html: str
    """Replaces the saved body in the preview. The template does not change."""
    text: str
    """Replaces the saved body in the preview. The template does not change."""
    translations: List[TranslationOfTemplate]
    """Translations, for sends with a `locale`. The list replaces all existing translations."""
    variable_schema: List[TemplateVariableRule]
    """Rules for variables: types, defaults and required variables. They are applied when the template is sent."""


class TemplatesSaveDraftBody(TypedDict, total=False):
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """Id or alias of the layout that surrounds html and text. `null` means no layout."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets."""
    html: str
    """HTML body. The values of variables are escaped."""
    text: str
    """Plain text body."""
    translations: List[TranslationOfTemplate]
    """Translations, for sends with a `locale`. The list replaces all existing translations."""
    variable_schema: List[TemplateVariableRule]
    """Rules for variables: types, defaults and required variables. They are applied when the template is sent."""


_TemplatesSendTestBodyRequired = TypedDict(
    "_TemplatesSendTestBodyRequired",
    {
        "to": "MailboxInput",
        "from": "MailboxInput",
    },
)

_TemplatesSendTestBodyOptional = TypedDict(
    "_TemplatesSendTestBodyOptional",
    {
        # Values for the variables of the template.
        "data": "Dict[str, Any]",
        # Language of the email as a BCP 47 tag, such as `pt-BR`. Postrider sends the nearest translation of the template (`pt-BR`, then `pt`) with its subject. Without a matching translation it sends the template itself.
        "locale": "str",
        # Whether to send the draft of the template, if it has one, instead of the published version.
        "draft": "bool",
    },
    total=False,
)


class TemplatesSendTestBody(_TemplatesSendTestBodyRequired, _TemplatesSendTestBodyOptional):
    """Its fields are above."""


class TemplatesUpdateBody(TypedDict, total=False):
    name: str
    alias: Union[str, None]
    """Name that can be used instead of the id, such as `receipt`. It is unique among the active templates of an organization. `null` removes it."""
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """Id or alias of the layout that surrounds html and text. `null` means no layout."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets."""
    html: str
    """HTML body. The values of variables are escaped."""
    text: str
    """Plain text body."""
    translations: List[TranslationOfTemplate]
    """Translations, for sends with a `locale`. The list replaces all existing translations."""
    variable_schema: List[TemplateVariableRule]
    """Rules for variables: types, defaults and required variables. They are applied when the template is sent."""
    sample_data: Union[Dict[str, Any], None]
    """Sample data for previews without `data`. It is not part of a version and never used in mail."""


class TemplatesValidateBody(TypedDict, total=False):
    kind: Literal["template", "layout", "partial"]
    """`template`: can be sent. `layout`: surrounds templates, which replace its `{{{content}}}`. `partial`: is included in other templates as `{{> alias}}`. Layouts and partials have no subject and cannot be sent. The kind cannot be changed."""
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """Id or alias of the layout that surrounds html and text. `null` means no layout."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail clients that ignore style sheets."""
    html: str
    """HTML body. The values of variables are escaped."""
    text: str
    """Plain text body."""
    translations: List[TranslationOfTemplate]
    """Translations, for sends with a `locale`. The list replaces all existing translations."""
    variable_schema: List[TemplateVariableRule]
    """Rules for variables: types, defaults and required variables. They are applied when the template is sent."""
    locale: str
    """Language as a BCP 47 tag, such as `pt-BR`."""
    data: Dict[str, Any]
    """Values for the variables of the template."""


class TemplatesVersionsPage(TypedDict):
    """A page of results"""
    data: List[TemplateVersion]
    pagination: Pagination


class ThrowAwayOrganization(TypedDict):
    id: str
    name: str
    domain: str
    """Sending domain of the organization. It is verified, so mail can be sent from it at once."""
    api_key: str
    """API key of scope `full`. It is shown only in this response."""
    expires_at: str


_TlsReportsRequired = TypedDict(
    "_TlsReportsRequired",
    {
        "domain": "str",
        # First UTC day of the period.
        "from": "str",
        # Last UTC day of the period: today.
        "to": "str",
        # The next step, in words.
        "advice": "str",
        # DNS record that asks senders for TLS reports.
        "record": "Union[TlsReportsRecord, None]",
        "totals": "TlsReportsTotals",
        # Counts for each day of the period, including days without reports.
        "series": "List[TlsReportsSeriesItem]",
        # Causes of failed sessions, most frequent first. At most 100.
        "failures": "List[TlsReportsFailuresItem]",
        # Organizations that sent reports, by the name that they state, with the number of their reports. At most 50.
        "reporters": "List[TlsReportsReportersItem]",
    },
)


class TlsReports(_TlsReportsRequired):
    """Its fields are above."""


class TlsReportsFailuresItem(TypedDict):
    failure: str
    """Cause of the failure as RFC 8460 names it, such as `certificate-expired`. `unspecified` if the report has none."""
    mx_host: Union[str, None]
    """Mail host that the sender tried to connect to. Null if the report has none."""
    sessions: int


class TlsReportsRecord(TypedDict):
    """DNS record that asks senders for TLS reports."""
    type: str
    name: str
    value: str


class TlsReportsReportersItem(TypedDict):
    name: str
    reports: int


class TlsReportsSeriesItem(TypedDict):
    date: str
    sessions: int
    failed: int


class TlsReportsTotals(TypedDict):
    sessions: int
    failed: int


class _TrackingRequired(TypedDict):
    track_opens: bool
    """Whether html mail gets a pixel that records opens, unless a domain or a request sets another value."""
    track_clicks: Literal["off", "html", "html_and_text"]
    """Which links are replaced by tracked links, unless a domain or a request sets another value."""


class Tracking(_TrackingRequired, total=False):
    problem: str
    """Present only if mail is sent without pixels, tracked links and unsubscribe links: the cause and the fix."""


class _TranslationOfTemplateRequired(TypedDict):
    locale: str
    """Language as a BCP 47 tag, such as `pt-BR`."""


class TranslationOfTemplate(_TranslationOfTemplateRequired, total=False):
    subject: str
    """Subject in one line, required for templates. It can contain variables: `Hello {{name}}`."""
    html: str
    """HTML body in this language."""
    text: str
    """Plain text body in this language."""


class Transport(TypedDict):
    name: str
    """Name of the transport: lower-case letters, digits and hyphens. The name identifies the transport; a different name is a different transport."""
    kind: Literal["direct", "relay"]
    sources: List[TransportSource]
    """Addresses that a direct transport sends from. Empty for a relay."""
    url: Union[str, None]
    """URL of a relay, without the password. Null for a direct transport."""
    has_password: bool
    connections: Union[int, None]
    messages_per_minute: Union[int, None]
    health: Union[TransportHealth, None]


class TransportHealth(TypedDict):
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that does not accept mail now is skipped."""
    message: str
    """Explanation of the state in words."""
    since: Union[str, None]
    until: Union[str, None]
    """Time of the next try, if the state is `blocked`. Null otherwise."""
    reason: Union[str, None]
    reply: Union[str, None]
    """Server reply that caused the state, without email addresses. Null if there was none."""


class TransportSource(TypedDict):
    address: str
    ehlo_name: Union[str, None]
    """Host name for EHLO. Null means the host name of the installation."""
    weight: int
    connections: Union[int, None]
    """Maximum number of connections to one site. Null means as many as the site accepts."""
    warm_up: Union[TransportSourceWarmUp, None]
    workers: int
    """Number of running workers whose machine has the address."""
    held_up: List[TransportSourceHeldUpItem]
    """Sites that do not accept all mail from the address now. The first 20."""


class TransportSourceHeldUpItem(TypedDict):
    site: str
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that does not accept mail now is skipped."""
    message: str
    until: Union[str, None]


class TransportSourceWarmUp(TypedDict):
    since: str
    curve: List[int]
    curves: Dict[str, List[int]]
    over: Literal["fallback", "wait"]


_UndoRequired = TypedDict(
    "_UndoRequired",
    {
        "id": "str",
        "state": "Literal[\"running\", \"done\"]",
        "from": "str",
        "to": "str",
        "template_id": "Union[str, None]",
        "tag": "Union[str, None]",
        "provider": "Union[str, None]",
        "reply": "Union[str, None]",
        "reason": "str",
        # Who requested the undo: the email address of a user, the name of an API key, or `operator` with the user name on the server.
        "requested_by": "str",
        "requested_at": "str",
        # Number of recipients that have been queued again so far.
        "requeued": "int",
        # Number of automatic suppressions that have been removed so far.
        "unsuppressed": "int",
        # Number of recipients that the undo does not change, by cause. `not_bounced`: the bounce is no longer the recipient’s last result. `content_gone`: the content of the email is no longer stored. `suppressed`: the address is on the suppression list for another reason. `other_mode`: the email was accepted in the other mode, sandbox or live.
        "left_alone": "UndoLeftAlone",
        "ended_at": "Union[str, None]",
    },
)


class Undo(_UndoRequired):
    """Its fields are above."""


class UndoLeftAlone(TypedDict):
    """Number of recipients that the undo does not change, by cause. `not_bounced`: the bounce is no longer the recipient’s last result. `content_gone`: the content of the email is no longer stored. `suppressed`: the address is on the suppression list for another reason. `other_mode`: the email was accepted in the other mode, sandbox or live."""
    not_bounced: int
    content_gone: int
    suppressed: int
    other_mode: int


_UndosCreateBodyRequired = TypedDict(
    "_UndosCreateBodyRequired",
    {
        # Start of the period: only bounces at or after this time.
        "from": "str",
        # End of the period: only bounces before this time. At most 7 days after `from`. Future bounces are not included.
        "to": "str",
        # Why the incident is undone. The reason is stored with the undo.
        "reason": "str",
    },
)

_UndosCreateBodyOptional = TypedDict(
    "_UndosCreateBodyOptional",
    {
        # Only bounces of mail with this template, by its id or alias.
        "template_id": "str",
        # Only bounces of mail with this tag: `name` or `name:value`.
        "tag": "str",
        # Only bounces of recipients at this provider or site, named as in `GET /sites`.
        "provider": "str",
        # Only bounces whose SMTP reply contains this text. Case is ignored.
        "reply": "str",
    },
    total=False,
)


class UndosCreateBody(_UndosCreateBodyRequired, _UndosCreateBodyOptional):
    """Its fields are above."""


class UndosListPage(TypedDict):
    """A page of results"""
    data: List[Undo]
    pagination: Pagination


_UndosPreviewBodyRequired = TypedDict(
    "_UndosPreviewBodyRequired",
    {
        # Start of the period: only bounces at or after this time.
        "from": "str",
        # End of the period: only bounces before this time. At most 7 days after `from`. Future bounces are not included.
        "to": "str",
    },
)

_UndosPreviewBodyOptional = TypedDict(
    "_UndosPreviewBodyOptional",
    {
        # Only bounces of mail with this template, by its id or alias.
        "template_id": "str",
        # Only bounces of mail with this tag: `name` or `name:value`.
        "tag": "str",
        # Only bounces of recipients at this provider or site, named as in `GET /sites`.
        "provider": "str",
        # Only bounces whose SMTP reply contains this text. Case is ignored.
        "reply": "str",
    },
    total=False,
)


class UndosPreviewBody(_UndosPreviewBodyRequired, _UndosPreviewBodyOptional):
    """Its fields are above."""


class ValidationResult(TypedDict):
    email: str
    """The address as given in the request."""
    verdict: Literal["deliverable", "risky", "undeliverable"]
    risk_score: float
    """Risk from 0 to 1, with two decimals. From 0.3 the verdict is risky, from 0.7 undeliverable."""
    checks: ValidationResultChecks
    suggestions: List[str]
    """Complete addresses that were probably meant."""
    signals: List[ValidationResultSignalsItem]
    """Signals that make up the score."""
    normalized: Union[str, None]
    """Normalized address. It is the same for all spellings of a mailbox. Null if the address is invalid."""
    subaddress: Union[str, None]
    """Part of the address after the + and before the @. Null if it has none."""
    list_version: str
    """Version of the built-in lists."""
    timestamp: str


class ValidationResultChecks(TypedDict):
    syntax: ValidationResultChecksSyntax
    mx: ValidationResultChecksMx
    dns: ValidationResultChecksDns
    disposable: ValidationResultChecksDisposable
    role: ValidationResultChecksRole
    typo: ValidationResultChecksTypo
    free_provider: ValidationResultChecksFreeProvider
    random: ValidationResultChecksRandom


class ValidationResultChecksDisposable(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""


class ValidationResultChecksDns(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""
    addresses: List[str]


class ValidationResultChecksFreeProvider(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""
    provider_type: Literal["free", "isp", "relay", "education", "government", "corporate", "disposable", "unknown"]


class ValidationResultChecksMx(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""
    records: List[ValidationResultChecksMxRecordsItem]
    """MX records of the domain, preferred host first."""


class ValidationResultChecksMxRecordsItem(TypedDict):
    priority: int
    exchange: str


class ValidationResultChecksRandom(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""
    entropy_bits_per_char: Union[float, None]
    """Cross-entropy of the local part under a model of names and words, in bits per character. Null if it was not computed."""


class ValidationResultChecksRole(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""


class _ValidationResultChecksSyntaxRequired(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""


class ValidationResultChecksSyntax(_ValidationResultChecksSyntaxRequired, total=False):
    similar_domain: str
    """Well-known domain that this domain can be mistaken for."""


class ValidationResultChecksTypo(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """Reason code of the result."""
    message: str
    """Explanation of the result in words."""
    suggestions: List[ValidationResultChecksTypoSuggestionsItem]


class ValidationResultChecksTypoSuggestionsItem(TypedDict):
    suggested: str


class ValidationResultSignalsItem(TypedDict):
    signal: Literal["malformed_address", "quoted_local_part", "address_literal", "smtputf8_required", "mixed_scripts", "lookalike_domain", "mapped_domain", "domain_not_found", "null_mx", "special_use_domain", "no_mail_host", "unroutable_mx", "implicit_mx", "dns_unknown", "disposable_domain", "suspected_disposable", "relay_domain", "role_address", "unread_address", "known_typo", "unknown_tld", "likely_typo", "random_local_part", "very_random_local_part", "hard_bounced", "suppressed"]
    check: str
    """Check that the signal comes from. `history` is past mail of your organization."""
    kind: Literal["floor", "soft"]
    """`floor`: a minimum for the score. `soft`: adds to the score."""
    weight: float


class ValidationSettings(TypedDict):
    disposable_allow: List[str]
    """Domains that are never disposable for this organization, including their subdomains."""
    disposable_deny: List[str]
    """Domains that are always disposable for this organization, including their subdomains."""


class View(TypedDict):
    id: str
    list: Literal["emails", "request_logs", "approvals", "holds", "templates", "suppressions", "inbound", "sandbox_messages", "sites", "audit_log"]
    """The list whose filters the view contains."""
    name: str
    query: Dict[str, str]
    """Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON."""
    shared: bool
    """Whether all members of the organization see the view. Otherwise only its creator sees it."""
    editable: bool
    """Whether you may change and delete the view: your own views, and shared views that you created. Owners may change all shared views."""
    created_by: str
    """Id of the user or the API key that created the view."""
    created_by_name: Union[str, None]
    """Name of the user or the API key. Null if it does not exist any more."""
    created_at: str


class _ViewsCreateBodyRequired(TypedDict):
    list: Literal["emails", "request_logs", "approvals", "holds", "templates", "suppressions", "inbound", "sandbox_messages", "sites", "audit_log"]
    """The list whose filters the view contains."""
    name: str
    """Name of the view: 1 to 60 characters. Unique among the shared views of a list, and among your own."""
    query: Dict[str, str]
    """Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON."""


class ViewsCreateBody(_ViewsCreateBodyRequired, total=False):
    shared: bool
    """Whether all members of the organization see the view. Otherwise only its creator sees it."""


class ViewsUpdateBody(TypedDict, total=False):
    name: str
    """Name of the view: 1 to 60 characters. Unique among the shared views of a list, and among your own."""
    query: Dict[str, str]
    """Filters with their values, named as in the address of the page in the dashboard: `period` and `status` of the list of emails, for example. At most 2 KB of JSON."""
    shared: bool
    """Whether all members of the organization see the view. Otherwise only its creator sees it."""


class WarmUpProgress(TypedDict):
    transport: str
    address: str
    provider: Union[str, None]
    """Provider that the progress is about. Null if the address has sent nothing yet."""
    since: str
    over: Literal["fallback", "wait"]
    step: int
    """Current step of the curve, from 1."""
    curve: List[int]
    allowed: Union[int, None]
    """Maximum number of emails today. Null when the warm-up is complete."""
    used: int
    """Number of emails sent today."""
    message: str
    """Progress in words."""
    days: List[WarmUpProgressDaysItem]


class WarmUpProgressDaysItem(TypedDict):
    day: str
    allowed: Union[int, None]
    used: int
    delivered: int
    objected: int
    """Number of emails that were refused or deferred because of the sender."""
    complained: int


class Webhook(TypedDict):
    id: str
    """Id of the webhook. Starts with `whk_`."""
    url: str
    description: Union[str, None]
    event_types: Union[List[str], None]
    """Types of events that are sent. Null means all types of the format, except those about suppressions, warnings and canaries."""
    streams: Union[List[str], None]
    """Streams whose events are sent. Null means all mail."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    enabled: bool
    disabled_reason: Union[Literal["manual", "gone", "failing"], None]
    """Why the webhook is disabled. `manual`: you disabled it. `gone`: the endpoint responded with 410. `failing`: all requests failed for 5 days. Null if it is enabled."""
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    """Time since which all requests have failed. Null if the last request succeeded."""
    last_error: Union[str, None]
    """Error of the last failed request. Null if none has failed."""
    last_error_at: Union[str, None]
    previous_secret_expires_at: Union[str, None]
    """Time until which requests are also signed with the previous secret, after a rotation. Null otherwise."""
    created_at: str
    updated_at: str


class WebhookDelivery(TypedDict):
    id: str
    """Id of the event. Every attempt sends it as `webhook-id`."""
    type: str
    email_id: Union[str, None]
    """Id of the email that the event is about. Null for tests and events that are not about an email."""
    recipient: Union[str, None]
    """Recipient that the event is about. Null if the event is not about mail, or if the mail was deleted."""
    subject: Union[str, None]
    """Subject of the mail. Null if the event is not about mail, or if the mail was deleted."""
    status: Literal["pending", "delivered", "failed"]
    next_attempt_at: Union[str, None]
    """Time of the next attempt, while the delivery is pending. Null otherwise."""
    attempts: List[WebhookDeliveryAttemptsItem]
    """Attempts to deliver the event, oldest first."""
    created_at: str
    """Time of the event."""


class WebhookDeliveryAttemptsItem(TypedDict):
    at: str
    status: Union[int, None]
    """HTTP status of the response. Null if there was no response."""
    latency_ms: int
    """Duration of the request in milliseconds."""
    response: Union[str, None]
    """First 1 KB of the response body. Null if there was no response."""
    response_headers: Union[Dict[str, str], None]
    """First 1 KB of the response headers, without cookies. Null if there was no response."""
    error: Union[str, None]
    """Why the attempt failed. Null if it succeeded."""
    next_attempt_at: Union[str, None]


class WebhookDeliveryWithRequest(TypedDict):
    id: str
    """Id of the event. Every attempt sends it as `webhook-id`."""
    type: str
    email_id: Union[str, None]
    """Id of the email that the event is about. Null for tests and events that are not about an email."""
    recipient: Union[str, None]
    """Recipient that the event is about. Null if the event is not about mail, or if the mail was deleted."""
    subject: Union[str, None]
    """Subject of the mail. Null if the event is not about mail, or if the mail was deleted."""
    status: Literal["pending", "delivered", "failed"]
    next_attempt_at: Union[str, None]
    """Time of the next attempt, while the delivery is pending. Null otherwise."""
    attempts: List[WebhookDeliveryWithRequestAttemptsItem]
    """Attempts to deliver the event, oldest first."""
    created_at: str
    """Time of the event."""
    request: Union[WebhookDeliveryWithRequestRequest, None]
    """The request, with the current URL and format of the webhook. Null if the email of the event was deleted, or if the format has no type for the event."""


class WebhookDeliveryWithRequestAttemptsItem(TypedDict):
    at: str
    status: Union[int, None]
    """HTTP status of the response. Null if there was no response."""
    latency_ms: int
    """Duration of the request in milliseconds."""
    response: Union[str, None]
    """First 1 KB of the response body. Null if there was no response."""
    response_headers: Union[Dict[str, str], None]
    """First 1 KB of the response headers, without cookies. Null if there was no response."""
    error: Union[str, None]
    """Why the attempt failed. Null if it succeeded."""
    next_attempt_at: Union[str, None]


class WebhookDeliveryWithRequestRequest(TypedDict):
    """The request, with the current URL and format of the webhook. Null if the email of the event was deleted, or if the format has no type for the event."""
    method: Literal["POST"]
    url: str
    headers: Dict[str, str]
    """Headers of the request, without the timestamp and the signatures, which are new for every attempt."""
    body: str
    """Body of the request, exactly as it is sent."""


class WebhookPreview(TypedDict):
    headers: Dict[str, str]
    """Headers of the request, without the timestamp and the signatures, which the sender of the request adds."""
    body: str
    """Body of the request, exactly as it is sent."""


class WebhookStats(TypedDict):
    events: int
    """Number of events that the statistics cover."""
    since: Union[str, None]
    """Time of the oldest of these events. Null if there are none."""
    delivered: int
    pending: int
    failed: int
    calls: int
    """Number of requests to the endpoint for these events, including retries."""
    calls_succeeded: int
    """Number of these requests that succeeded."""
    success_rate: Union[float, None]
    """Share of the requests that succeeded, from 0 to 1. Null if there were none."""
    latency_p50_ms: Union[int, None]
    """Median response time in milliseconds. Null if there were no responses."""
    latency_p95_ms: Union[int, None]
    """95th percentile of the response time in milliseconds. Null if there were no responses."""
    next_attempt_at: Union[str, None]
    """Time of the next attempt for a pending event. Null if none is pending."""


class WebhookWithSecret(TypedDict):
    id: str
    """Id of the webhook. Starts with `whk_`."""
    url: str
    description: Union[str, None]
    event_types: Union[List[str], None]
    """Types of events that are sent. Null means all types of the format, except those about suppressions, warnings and canaries."""
    streams: Union[List[str], None]
    """Streams whose events are sent. Null means all mail."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    enabled: bool
    disabled_reason: Union[Literal["manual", "gone", "failing"], None]
    """Why the webhook is disabled. `manual`: you disabled it. `gone`: the endpoint responded with 410. `failing`: all requests failed for 5 days. Null if it is enabled."""
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    """Time since which all requests have failed. Null if the last request succeeded."""
    last_error: Union[str, None]
    """Error of the last failed request. Null if none has failed."""
    last_error_at: Union[str, None]
    previous_secret_expires_at: Union[str, None]
    """Time until which requests are also signed with the previous secret, after a rotation. Null otherwise."""
    created_at: str
    updated_at: str
    secret: str
    """Signing secret. Starts with `whsec_`. It is shown only in this response."""


class _WebhooksCreateBodyRequired(TypedDict):
    url: str
    """URL that events are sent to. It must use https and have a public address. In the sandbox, http and this machine are allowed too."""


class WebhooksCreateBody(_WebhooksCreateBodyRequired, total=False):
    description: Union[str, None]
    """Description of the webhook for your own use."""
    event_types: Union[List[Literal["email.queued", "email.processing", "email.held", "email.delivered", "email.opened", "email.clicked", "email.bounced", "email.deferred", "email.failed", "email.complained", "email.unsubscribed", "email.rejected", "email.received", "domain.verified", "domain.failing", "domain.recovered", "domain.unverified", "suppression.added", "suppression.removed", "attention.raised", "attention.cleared", "canary.stepped"]], None]
    """Types of events to send. Null or omitted means all types of the format, except those about suppressions, warnings and canaries, which must be named."""
    streams: Union[List[str], None]
    """Send only events of mail in these streams. Null or omitted means all mail."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    """Format of the events. `postrider` (the default): the format that this reference describes. The other values: the format of that service, for code that was written for it."""
    enabled: bool
    """Whether events are sent. Events that happen while it is false are not sent later."""


class WebhooksDeliveriesPage(TypedDict):
    """A page of results"""
    data: List[WebhookDelivery]
    pagination: WebhooksDeliveriesPagePagination


class WebhooksDeliveriesPagePagination(TypedDict):
    limit: int
    next_cursor: Union[str, None]
    """Value of `cursor` for the next page. Null on the last page."""


class _WebhooksReplayRangeBodyRequired(TypedDict):
    since: str
    """Only events at or after this time, an ISO 8601 date and time. Events are kept for at most 30 days."""


class WebhooksReplayRangeBody(_WebhooksReplayRangeBodyRequired, total=False):
    until: str
    """Only events at or before this time, an ISO 8601 date and time. The default is now."""
    status: Literal["failed", "all"]
    """`failed` (the default): only deliveries that failed. `all`: also deliveries that succeeded."""


class WebhooksReplayRangeData(TypedDict):
    replayed: int
    """Number of deliveries that are sent again."""
    next_since: Union[str, None]
    """Value of `since` for the next request, if more than 100,000 deliveries remain. Null otherwise."""


class WebhooksUpdateBody(TypedDict, total=False):
    url: str
    """URL that events are sent to. It must use https and have a public address. In the sandbox, http and this machine are allowed too."""
    description: Union[str, None]
    """Description of the webhook for your own use."""
    event_types: Union[List[Literal["email.queued", "email.processing", "email.held", "email.delivered", "email.opened", "email.clicked", "email.bounced", "email.deferred", "email.failed", "email.complained", "email.unsubscribed", "email.rejected", "email.received", "domain.verified", "domain.failing", "domain.recovered", "domain.unverified", "suppression.added", "suppression.removed", "attention.raised", "attention.cleared", "canary.stepped"]], None]
    """Types of events to send. Null or omitted means all types of the format, except those about suppressions, warnings and canaries, which must be named."""
    streams: Union[List[str], None]
    """Send only events of mail in these streams. Null or omitted means all mail."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    """Format of the events. `postrider` (the default): the format that this reference describes. The other values: the format of that service, for code that was written for it."""
    enabled: bool
    """Whether events are sent. Events that happen while it is false are not sent later."""


class Worker(TypedDict):
    id: int
    host: Union[str, None]
    """Host name of the machine. Only operators see it."""
    pid: Union[int, None]
    """Process id of the worker. Only operators see it."""
    started_at: str
    heartbeat_at: str
    heartbeat_age_seconds: float
    """Number of seconds since the last heartbeat."""
    alive: bool
    """Whether the last heartbeat is less than 15 seconds old."""


MailboxInput = Union["Mailbox", str]
