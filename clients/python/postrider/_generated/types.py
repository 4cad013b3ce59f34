# Made from the OpenAPI document by `npx tsx clients/python/scripts/generate.ts`. Do not edit.
"""What the API takes and gives, as it names it."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class ApiKey(TypedDict):
    id: str
    """Starts with `key_`."""
    name: str
    prefix: str
    """The first characters of the key, for recognition."""
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    domain: Union[str, None]
    """The only domain this key may send from, and whose mail it may read."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """To the minute."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """The user who created the key, directly or with another key; null for the operator."""
    created_by_name: Union[str, None]
    """The name of that user."""
    replaced_by: Union[str, None]
    """The key that replaced this key; this key also works until `expires_at`."""
    policy: Union[ApiKeyPolicy, None]
    """The policy of the key, for every way of submitting mail."""
    budget_used: Union[int, None]
    """Used part of the daily budget, for the current UTC day; null without a budget."""
    last_30_days: ApiKeyLast30Days
    """Usage of the key, with a delay of seconds."""


class ApiKeyLast30Days(TypedDict):
    """Usage of the key, with a delay of seconds."""
    requests: int
    """Requests that were answered."""
    refused: int
    """The number of these requests that ended with an error."""
    emails: int
    """Emails that were accepted, over HTTP or SMTP."""


_ApiKeyPolicyRequired = TypedDict(
    "_ApiKeyPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.
        "from": "Union[List[str], None]",
        # Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit whole messages, as SMTP does. False if left out.
        "attachments": "bool",
        # Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none` if left out.
        "approval": "Literal[\"required\", \"none\"]",
        # What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.
        "inbound": "bool",
    },
)


class ApiKeyPolicy(_ApiKeyPolicyRequired):
    """The policy of the key, for every way of submitting mail."""


_ApiKeyUsageRequired = TypedDict(
    "_ApiKeyUsageRequired",
    {
        # The first day.
        "from": "str",
        "totals": "ApiKeyUsageTotals",
        # Days on which the key was used, the earliest first.
        "days": "List[ApiKeyUsageDaysItem]",
    },
)


class ApiKeyUsage(_ApiKeyUsageRequired):
    """Its fields are above."""


class ApiKeyUsageDaysItem(TypedDict):
    day: str
    requests: int
    """Requests that were answered."""
    refused: int
    """The number of these requests that ended with an error."""
    emails: int
    """Emails that were accepted, over HTTP or SMTP."""


class ApiKeyUsageTotals(TypedDict):
    requests: int
    """Requests that were answered."""
    refused: int
    """The number of these requests that ended with an error."""
    emails: int
    """Emails that were accepted, over HTTP or SMTP."""


class _ApiKeysCreateBodyRequired(TypedDict):
    name: str
    """1 to 200 characters."""


class ApiKeysCreateBody(_ApiKeysCreateBodyRequired, total=False):
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    domain: Union[str, None]
    """One of your sending domains: the key sends from it only, and reads its mail only."""
    expires_at: Union[str, None]
    """ISO 8601, in the future. A date without a time means the end of that day, in UTC."""
    policy: Union[ApiKeysCreateBodyPolicy, None]
    """The policy, for keys of scope `send` or `agent`."""


_ApiKeysCreateBodyPolicyOptional = TypedDict(
    "_ApiKeysCreateBodyPolicyOptional",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.
        "from": "Union[List[str], None]",
        # Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit whole messages, as SMTP does. False if left out.
        "attachments": "bool",
        # Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none` if left out.
        "approval": "Literal[\"required\", \"none\"]",
        # What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.
        "inbound": "bool",
    },
    total=False,
)


class ApiKeysCreateBodyPolicy(_ApiKeysCreateBodyPolicyOptional):
    """The policy, for keys of scope `send` or `agent`."""


class ApiKeysListPage(TypedDict):
    """A page of results"""
    data: List[ApiKey]
    pagination: Pagination


class ApiKeysRevokeData(TypedDict):
    id: str
    deleted: bool
    """Always true."""
    hold: Union[ApiKeysRevokeDataHold, None]
    """The hold on its mail, with how much of it there was; null with `mail=leave`."""


class ApiKeysRevokeDataHold(TypedDict):
    """The hold on its mail, with how much of it there was; null with `mail=leave`."""
    id: str
    organization_id: Union[str, None]
    """The organization whose mail is held; null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """As it was placed; `lane` (a template version, or a sender’s domain, in a stream to a provider) and `recipient` (one address) are placed by the guard."""
    value: Union[str, None]
    with_webhooks: bool
    """Webhooks wait, too, as they do after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """An operator placed it, and only an operator can end it."""
    placed_by: str
    """A user’s address, the name of an API key, or `operator` and a user’s name on the server."""
    placed_at: str
    decision: Union[ApiKeysRevokeDataHoldDecision, None]
    ended_at: Union[str, None]
    """When all of that was done."""
    released: int
    """Deliveries that were parked, and let go so far."""
    discarded: int
    """Deliveries that were discarded so far."""
    mail: Union[ApiKeysRevokeDataHoldMail, None]
    """How much it covers now. Null where counting took too long; `GET /holds/:id` counts again."""


class ApiKeysRevokeDataHoldDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class ApiKeysRevokeDataHoldMail(TypedDict):
    """How much it covers now. Null where counting took too long; `GET /holds/:id` counts again."""
    held: int
    """Deliveries that would be sent if it were released now."""
    expired: int
    """Of these, the ones whose lifetime was over before the hold. They end as failed."""
    later: int
    """Deliveries that are due later: scheduled, or between two attempts."""
    oldest_at: Union[str, None]
    """When the oldest of those held was accepted."""


class ApiKeysRotateBody(TypedDict, total=False):
    old_works_until: str
    """Until when the old key works beside the new one: ISO 8601, in the future. 24 hours from now if left out."""
    expires_at: Union[str, None]
    """When the new key ends; when the old one would have, if left out."""


class ApiKeysUpdateBody(TypedDict):
    policy: Union[ApiKeysUpdateBodyPolicy, None]
    """The policy, for keys of scope `send` or `agent`."""


_ApiKeysUpdateBodyPolicyOptional = TypedDict(
    "_ApiKeysUpdateBodyPolicyOptional",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.
        "from": "Union[List[str], None]",
        # Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit whole messages, as SMTP does. False if left out.
        "attachments": "bool",
        # Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none` if left out.
        "approval": "Literal[\"required\", \"none\"]",
        # What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.
        "inbound": "bool",
    },
    total=False,
)


class ApiKeysUpdateBodyPolicy(_ApiKeysUpdateBodyPolicyOptional):
    """The policy, for keys of scope `send` or `agent`."""


_ApprovalRequired = TypedDict(
    "_ApprovalRequired",
    {
        # The email’s.
        "id": "str",
        # `withdrawn`: it was cancelled, erased or taken back before anybody decided.
        "state": "Literal[\"waiting\", \"approved\", \"rejected\", \"expired\", \"withdrawn\"]",
        # The key it was sent with. Starts with `key_`.
        "api_key_id": "str",
        "api_key_name": "Union[str, None]",
        "subject": "str",
        "from": "ApprovalFrom",
        "to": "List[ApprovalToItem]",
        "cc": "List[ApprovalCcItem]",
        "bcc": "List[ApprovalBccItem]",
        "reply_to": "Union[ApprovalReplyTo, None]",
        # Everybody who gets the answers; `reply_to` is the first of them.
        "reply_to_list": "List[ApprovalReplyToListItem]",
        # Answers are received by this installation: `reply_to` is an address of its own.
        "receive_replies": "bool",
        "scheduled_at": "Union[str, None]",
        # Seconds until delivery is given up; null: a day.
        "expires_in": "Union[int, None]",
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # `transactional` where it named none.
        "stream": "str",
        # A pixel is added to its html.
        "track_opens": "bool",
        # Which links are replaced by tracked ones; `GET /approvals/{id}/message` has them.
        "track_clicks": "Literal[\"off\", \"html\", \"html_and_text\"]",
        # It gets `List-Unsubscribe` headers.
        "unsubscribe": "bool",
        # What its recipients can unsubscribe from; null where they cannot.
        "unsubscribe_group": "Union[str, None]",
        # Whether it is sent only as `require_tls` demands.
        "require_tls": "bool",
        "tags": "List[ApprovalTagsItem]",
        # Of the sender; it does not leave with the message.
        "metadata": "Dict[str, Any]",
        # Starts with `tmpl_`.
        "template_id": "Union[str, None]",
        # The translation of the template; null for the template itself.
        "locale": "Union[str, None]",
        # What is sent is this version, however the template is changed since.
        "template_version": "Union[int, None]",
        "requested_at": "str",
        # 7 days later: an undecided email is then rejected automatically.
        "expires_at": "str",
        "decided_at": "Union[str, None]",
        # The user who decided. Starts with `usr_`.
        "decided_by": "Union[str, None]",
        # Their address.
        "decided_by_name": "Union[str, None]",
        # Why it was rejected.
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
    """Bytes of the message."""
    headers: List[ApprovalMessageHeadersItem]
    """Every header field that leaves, in order. `Date` and the reference for bounces are set anew when it is sent; a signature (DKIM) is added."""
    parts: List[ApprovalPart]
    """Every MIME part, however deep, in order: alternatives that few mail clients show, too."""
    outside: List[str]
    """Text that stands before, between or behind the parts. Most mail clients do not show it."""
    tracked_links: List[str]
    """The links that are replaced by tracked ones, as they were written."""


class ApprovalMessageHeadersItem(TypedDict):
    name: str
    """As it is written; empty for a line that is no field."""
    value: str
    """In one line, with encoded words decoded."""


class ApprovalPart(TypedDict):
    number: int
    """To download it by: `GET /approvals/{id}/parts/{number}`."""
    content_type: str
    disposition: str
    """`attachment`, `inline`, or empty."""
    filename: Union[str, None]
    content_id: Union[str, None]
    """What html refers to as cid:…"""
    is_container: bool
    """It holds nothing but the parts that follow it."""
    size: int
    """Bytes, decoded."""
    headers: List[ApprovalPartHeadersItem]
    """Every field of the header of the part, in order."""
    text: Union[str, None]
    """All of it, decoded, where it is text or an included message; html as its source."""
    hidden_text: List[str]
    """Of html: text that most mail clients do not show, in comments and in elements that hide themselves. Style sheets can hide more."""


class ApprovalPartHeadersItem(TypedDict):
    name: str
    """As it is written; empty for a line that is no field."""
    value: str
    """In one line, with encoded words decoded."""


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
    """With `url` it is by default what the server calls it."""
    content: str
    """The file, in base64; or give its `url`."""
    url: str
    """Where the file is, instead of `content`. It is fetched before the email is accepted."""
    content_type: str
    """Such as `application/pdf`, or `message/rfc822` for an attached message."""
    content_id: str
    """For an inline image: `<img src="cid:...">`."""


class Attempt(TypedDict):
    kind: Literal["attempt", "report"]
    """`report`: what came back by mail after a server had taken the message."""
    attempt: Union[int, None]
    """From 1; from 1 again after a retry of failed mail. Null for reports."""
    created_at: str
    """When it ended, or when the report came."""
    duration_ms: Union[int, None]
    """Null for reports."""
    reported_by: Union[str, None]
    """The server that says it wrote the report. Null for attempts."""
    outcome: Literal["delivered", "deferred", "bounced", "failed", "rejected"]
    reason: Union[str, None]
    """Why, from a closed list."""
    rule: Union[str, None]
    """The rule that decided."""
    responsible: Union[Literal["recipient", "sender", "domain_owner", "receiver", "operator"], None]
    """Who can fix it."""
    mx_host: Union[str, None]
    tls: Union[str, None]
    tls_certificate: Union[AttemptTlsCertificate, None]
    """Of the server; null without TLS."""
    detail: Union[str, None]
    """The server's reply, or our description where no server answered."""
    conversation: List[str]
    """What was sent (`>`), what was answered (`<`) and what else happened (`-`), trimmed, without content."""
    next_attempt_at: Union[str, None]
    route: Union[AttemptRoute, None]


class _AttemptRouteRequired(TypedDict):
    transport: str
    """Its name; `default` is the transport of the environment variables. Choose another name."""
    kind: Literal["direct", "relay", "default"]
    source: Union[str, None]
    """The address it was sent from, where one was chosen."""
    rule: Union[int, None]
    """Counting from 1, by the table of that time."""
    step: int
    """0 is where a canary moves mail to."""
    why: str
    message: str
    """A sentence for people."""


class AttemptRoute(_AttemptRouteRequired, total=False):
    canary: AttemptRouteCanary
    """Present while the operator moves such mail from one transport to another."""


class _AttemptRouteCanaryRequired(TypedDict):
    name: str
    way: Literal["old", "new"]
    percent: float
    """The share of such mail that used the new transport at that time."""


class AttemptRouteCanary(_AttemptRouteCanaryRequired, total=False):
    """Present while the operator moves such mail from one transport to another."""
    instead: bool
    """The email was meant for the new transport, which was unavailable or failed."""


class _AttemptTlsCertificateRequired(TypedDict):
    verified: bool
    """Valid, from a trusted authority, and for the name of the host; with `dane`, the one that DNS vouches for."""
    policy: Literal["dane", "mta_sts", "require_tls", "provider", "relay", "opportunistic"]
    """The origin of the TLS requirement: the mail host by its TLSA records (DANE) or the recipient's domain (MTA-STS), whose certificate must be verified, the provider's own rules, your relay, or nothing but the server's offer."""
    issuer: Union[str, None]
    """Who issued it."""
    problem: Union[str, None]
    """Why it is not verified."""


class AttemptTlsCertificate(_AttemptTlsCertificateRequired, total=False):
    """Of the server; null without TLS."""
    sha256: Union[str, None]
    """SHA-256 of the certificate, in hexadecimal."""


class Attention(TypedDict):
    queue: AttentionQueue
    items: List[AttentionItemsItem]
    """The most severe first."""


class AttentionItemsItem(TypedDict):
    kind: Literal["sending_host", "tracking_off", "domain_unverified", "domain_failing", "domain_tracking_host", "no_verified_domain", "webhook_disabled", "webhook_failing", "sending_limit_near", "sending_limit_reached", "nobody_delivers", "queue_delayed", "site_waiting", "mail_held", "mail_slowed", "guard_watched", "warm_up_bent", "warm_up_done", "canary_fallen", "bounce_rate_high", "complaint_rate_high", "reports_failing", "requests_refused"]
    severity: Literal["critical", "warning", "info"]
    id: Union[str, None]
    """Of the domain, webhook or site; the code of refused requests."""
    name: Union[str, None]
    message: str
    """A sentence for people."""


class AttentionQueue(TypedDict):
    queued_emails: int
    """Without a final status, including scheduled ones."""
    due: int
    """Deliveries that could begin now; counted up to 10,000."""
    due_capped: bool
    oldest_due_at: Union[str, None]
    oldest_due_seconds: Union[int, None]


class AuditEntry(TypedDict):
    id: str
    at: str
    action: str
    """Such as `api_key.created`."""
    actor: AuditEntryActor
    target: AuditEntryTarget
    details: Dict[str, Any]
    """What was requested, where that is relevant."""
    address: str
    """The network address it came from; of an operator, the name of the machine."""


class AuditEntryActor(TypedDict):
    type: Literal["user", "api_key", "operator"]
    id: str
    name: str
    """As it was then: an address, the name of a key, or an operator’s user name on the server."""


class AuditEntryTarget(TypedDict):
    id: Union[str, None]
    name: Union[str, None]


class AuthState(TypedDict):
    setup_required: bool
    """There is no user yet. The first one is created with the setup link."""
    mode: Literal["sandbox", "live"]
    signed_in: bool


class AutoValidation(TypedDict):
    auto_validation_threshold: Literal["off", "high", "medium"]
    """`off`: no validation. `high`: recipients above 0.7 are refused. `medium`: those above 0.3."""


class _BatchMailboxRequired(TypedDict):
    email: str


class BatchMailbox(_BatchMailboxRequired, total=False):
    name: str


class _BatchRecipientRequired(TypedDict):
    to: Union[BatchMailbox, str]


class BatchRecipient(_BatchRecipientRequired, total=False):
    data: Dict[str, Any]
    """Values for the variables of the template."""
    locale: str
    """The language, by its BCP 47 name. The template is sent in the nearest translation that it has (`pt-BR`, then `pt`), with the subject of that; without one, as it was written."""


class _BatchResultRequired(TypedDict):
    batch_id: str
    total: int
    accepted: int
    rejected: List[BatchResultRejectedItem]


class BatchResult(_BatchResultRequired, total=False):
    held: int
    """How many of the accepted emails a hold keeps from being sent; missing if none."""
    hold: EmailHold


class BatchResultRejectedItem(TypedDict):
    index: int
    """The position in `recipients`, from 0."""
    error: str


class BatchStatus(TypedDict):
    batch_id: str
    total: int
    counts: BatchStatusCounts


class BatchStatusCounts(TypedDict):
    queued: int
    delivered: int
    bounced: int
    failed: int
    opened: int


class CanaryBoard(TypedDict):
    canaries: List[CanaryProgress]
    steps: List[CanaryStep]
    """The last 100 of all canaries, the newest first; those that are over, too."""


class CanaryCounts(TypedDict):
    sent: int
    """Mails at their first attempt."""
    deferred: int
    """Put off at the first attempt, or sent the old way because the new one could not be taken."""
    bounced: int
    """At once, or by a report that came later."""
    complained: int


class CanaryProgress(TypedDict):
    name: str
    to: str
    percents: List[float]
    minutes: float
    mails: int
    worse: CanaryProgressWorse
    rule: int
    """Counting from 1."""
    paused_at: Union[str, None]
    shares: List[CanaryShare]
    """Of each provider that mail of the rule went to."""


class CanaryProgressWorse(TypedDict):
    deferred: float
    bounced: float
    complained: float


class CanaryShare(TypedDict):
    """`old` and `new`: what became of mail on both ways since this step began."""
    provider: str
    percent: float
    """Of the mail to the provider; from 0 to 100."""
    since: Union[str, None]
    """Null where it has not begun."""
    next_percent: Union[float, None]
    """Null at the last step."""
    rests_until: Union[str, None]
    """After a fall: when it begins anew."""
    falls: int
    """Since it last reached the end, or was resumed."""
    paused: bool
    message: str
    """In a sentence."""
    old: CanaryCounts
    new: CanaryCounts


class CanaryStep(TypedDict):
    id: str
    at: str
    canary: str
    transport: str
    """Where mail is moved to."""
    provider: Union[str, None]
    """Null where it was a step of all of them."""
    kind: Literal["rise", "fall", "pause", "resume", "back", "finish"]
    """`rise` and `fall` are automatic steps, the others are steps of operators."""
    from_percent: Union[float, None]
    to_percent: Union[float, None]
    message: str
    """A sentence for people."""
    numbers: Union[CanaryStepNumbers, None]
    """What it was decided by; null where people did it."""


class CanaryStepNumbers(TypedDict):
    """What it was decided by; null where people did it."""
    old: CanaryCounts
    new: CanaryCounts
    rate: Union[Literal["deferred", "bounced", "complained"], None]
    """Of a fall: the one that was too large."""
    worse: Union[float, None]
    """How much larger it might have been."""


class CreatedApiKey(TypedDict):
    id: str
    """Starts with `key_`."""
    name: str
    prefix: str
    """The first characters of the key, for recognition."""
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    domain: Union[str, None]
    """The only domain this key may send from, and whose mail it may read."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """To the minute."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """The user who created the key, directly or with another key; null for the operator."""
    created_by_name: Union[str, None]
    """The name of that user."""
    replaced_by: Union[str, None]
    """The key that replaced this key; this key also works until `expires_at`."""
    policy: Union[CreatedApiKeyPolicy, None]
    """The policy of the key, for every way of submitting mail."""
    key: str
    """The key itself. It is never shown again."""


_CreatedApiKeyPolicyRequired = TypedDict(
    "_CreatedApiKeyPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.
        "from": "Union[List[str], None]",
        # Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit whole messages, as SMTP does. False if left out.
        "attachments": "bool",
        # Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none` if left out.
        "approval": "Literal[\"required\", \"none\"]",
        # What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.
        "inbound": "bool",
    },
)


class CreatedApiKeyPolicy(_CreatedApiKeyPolicyRequired):
    """The policy of the key, for every way of submitting mail."""


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
        # Of all deliveries.
        "totals": "DeliverabilityTotals",
        "series": "List[DeliverabilitySeriesItem]",
        # The most first.
        "groups": "List[DeliverabilityGroupsItem]",
    },
)


class Deliverability(_DeliverabilityRequired):
    """Its fields are above."""


class DeliverabilityGroupsItem(TypedDict):
    name: str
    """Empty for names that are not counted separately."""
    label: Union[str, None]
    """The name of the template."""
    sent: int
    """Recipients that were tried for the first time."""
    delivered: int
    """Accepted by the receiving server."""
    deferred: int
    """Attempts that were put off."""
    bounced: int
    """Permanently refused, at once or later."""
    failed: int
    """Given up, because the lifetime ended or no server could be tried."""
    complained: int
    """Reported as spam, as far as feedback loops report it."""
    rates: DeliverabilityGroupsItemRates
    p50_seconds: Union[float, None]
    """From being accepted, or from the time it was scheduled for, to delivered: the median. From counts in classes, so it is close and not exact."""
    p95_seconds: Union[float, None]
    """From being accepted, or from the time it was scheduled for, to delivered: the 95th percentile. From counts in classes, so it is close and not exact."""
    trend: DeliverabilityGroupsItemTrend
    """One number for each point of `series`."""


class DeliverabilityGroupsItemRates(TypedDict):
    delivered: Union[float, None]
    """Share of what was decided, from 0 to 1."""
    bounced: Union[float, None]
    """Share of what was decided."""
    deferred: Union[float, None]
    """Share of all attempts."""
    complained: Union[float, None]
    """Share of what was delivered. Providers object from 0.001 on."""


class DeliverabilityGroupsItemTrend(TypedDict):
    """One number for each point of `series`."""
    sent: List[int]
    delivered: List[int]
    deferred: List[int]
    bounced: List[int]


class DeliverabilitySeriesItem(TypedDict):
    at: str
    """The beginning of the period."""
    sent: int
    """Recipients that were tried for the first time."""
    delivered: int
    """Accepted by the receiving server."""
    deferred: int
    """Attempts that were put off."""
    bounced: int
    """Permanently refused, at once or later."""
    failed: int
    """Given up, because the lifetime ended or no server could be tried."""
    complained: int
    """Reported as spam, as far as feedback loops report it."""


class DeliverabilityTotals(TypedDict):
    """Of all deliveries."""
    sent: int
    """Recipients that were tried for the first time."""
    delivered: int
    """Accepted by the receiving server."""
    deferred: int
    """Attempts that were put off."""
    bounced: int
    """Permanently refused, at once or later."""
    failed: int
    """Given up, because the lifetime ended or no server could be tried."""
    complained: int
    """Reported as spam, as far as feedback loops report it."""
    rates: DeliverabilityTotalsRates
    p50_seconds: Union[float, None]
    """From being accepted, or from the time it was scheduled for, to delivered: the median. From counts in classes, so it is close and not exact."""
    p95_seconds: Union[float, None]
    """From being accepted, or from the time it was scheduled for, to delivered: the 95th percentile. From counts in classes, so it is close and not exact."""


class DeliverabilityTotalsRates(TypedDict):
    delivered: Union[float, None]
    """Share of what was decided, from 0 to 1."""
    bounced: Union[float, None]
    """Share of what was decided."""
    deferred: Union[float, None]
    """Share of all attempts."""
    complained: Union[float, None]
    """Share of what was delivered. Providers object from 0.001 on."""


_DmarcReportsRequired = TypedDict(
    "_DmarcReportsRequired",
    {
        "domain": "str",
        # The first day.
        "from": "str",
        # Today.
        "to": "str",
        # The policy in the record, as of the last check. Null: the domain has no DMARC record.
        "policy": "Union[Literal[\"none\", \"quarantine\", \"reject\"], None]",
        # What to do next, in one sentence.
        "advice": "str",
        # The DMARC record asks for reports to be sent here, as of the last check.
        "is_published": "bool",
        # The DMARC record to publish: the one that is there, with the address that takes reports added.
        "record": "DmarcReportsRecord",
        # The record that the operator of this server must publish once, so that receivers send reports about other domains to this server. Null if no record is needed.
        "permission": "Union[DmarcReportsPermission, None]",
        "totals": "DmarcReportsTotals",
        # Day by day, also those that nobody reported about.
        "series": "List[DmarcReportsSeriesItem]",
        # Who sends in the name of the domain, the most mail first; 50 at most.
        "senders": "List[DmarcReportsSendersItem]",
        # The same by address; 100 at most.
        "sources": "List[DmarcReportsSourcesItem]",
        # Names of the reporting organizations, as they state them; 50 at most.
        "reporters": "List[DmarcReportsReportersItem]",
    },
)


class DmarcReports(_DmarcReportsRequired):
    """Its fields are above."""


class DmarcReportsPermission(TypedDict):
    """The record that the operator of this server must publish once, so that receivers send reports about other domains to this server. Null if no record is needed."""
    type: str
    name: str
    value: str


class DmarcReportsRecord(TypedDict):
    """The DMARC record to publish: the one that is there, with the address that takes reports added."""
    type: str
    name: str
    value: str


class DmarcReportsReportersItem(TypedDict):
    name: str
    reports: int


class DmarcReportsSendersItem(TypedDict):
    name: Union[str, None]
    """The registered domain that the mail passed as, which tells the service that sent it. Null where nothing passed, and for this installation."""
    addresses: int
    """How many it sent from."""
    messages: int
    aligned: int
    """DKIM or SPF passed for the domain in From: DMARC passes."""
    quarantined: int
    """Put into the spam folder."""
    rejected: int
    """Refused."""
    dkim_aligned: int
    spf_aligned: int
    is_this_installation: bool
    """The address is configured as one that this installation sends from, or a receiver found it allowed by the SPF record of its return paths."""


class DmarcReportsSeriesItem(TypedDict):
    date: str
    messages: int
    aligned: int
    """DKIM or SPF passed for the domain in From: DMARC passes."""
    quarantined: int
    """Put into the spam folder."""
    rejected: int
    """Refused."""


class DmarcReportsSourcesItem(TypedDict):
    ip: Union[str, None]
    """Null: many addresses with little mail each."""
    passed_as: List[str]
    """Domains whose DKIM or SPF passed, the most frequent first."""
    messages: int
    aligned: int
    """DKIM or SPF passed for the domain in From: DMARC passes."""
    quarantined: int
    """Put into the spam folder."""
    rejected: int
    """Refused."""
    dkim_aligned: int
    spf_aligned: int
    is_this_installation: bool
    """The address is configured as one that this installation sends from, or a receiver found it allowed by the SPF record of its return paths."""


class DmarcReportsTotals(TypedDict):
    messages: int
    aligned: int
    """DKIM or SPF passed for the domain in From: DMARC passes."""
    quarantined: int
    """Put into the spam folder."""
    rejected: int
    """Refused."""


class DoctorFinding(TypedDict):
    check: str
    """Name of the check."""
    level: Literal["bad", "warn", "unknown", "ok"]
    """`bad`: mail or data is lost. `warn`: some mail or data may be lost. `unknown`: the check could not be completed; `seen` has the reason. `ok`: no problem was found."""
    seen: str
    """The finding."""
    why: str
    """The consequence of the finding."""
    fix: Union[str, None]
    """The record, the setting or the command that fixes it."""


class DoctorReport(TypedDict):
    examined_at: Union[str, None]
    """Null before the first examination since this API was started."""
    machine: str
    """The machine that examined: the one that the API runs on."""
    version: str
    """The version of Postrider that the API runs."""
    findings: List[DoctorFinding]


class _DomainRequired(TypedDict):
    id: str
    """Starts with `dom_`."""
    domain: str
    """Lower case; internationalized names in their xn-- form."""
    display_name: str
    """As people write it: `müller.example`."""
    is_verified: bool
    """Mail may be sent from it: both records were found."""
    spf_verified: bool
    dkim_verified: bool
    dkim_selector: str
    dkim_public_key: str
    """The `p=` of the DKIM record."""
    recommended_records: List[DomainRecommendedRecordsItem]
    """Recommended, but not required for verification."""
    checks: List[DomainCheck]
    """What the last check found, record by record."""
    warning: Union[str, None]
    """Set while the records of a verified domain are wrong, with the time it stops."""
    dkim_rotation: Union[DomainDkimRotation, None]
    tracking: DomainTracking
    last_checked_at: Union[str, None]
    next_check_at: Union[str, None]
    """Null: only on request."""
    created_at: str


class Domain(_DomainRequired, total=False):
    verified_at: str
    """Only of verified domains."""


class DomainCheck(TypedDict):
    record: Literal["dkim", "spf", "dmarc", "sending_host"]
    status: Literal["pass", "fail", "warn", "unknown", "pending"]
    """`unknown`: DNS gave no answer, which changes nothing. `warn`: worth fixing, but not required."""
    type: str
    name: str
    expected: str
    """The value to publish."""
    found: List[str]
    """What is there now."""
    message: str
    """What to change."""


class DomainDkimRotation(TypedDict):
    status: Literal["waiting_for_dns", "switched", "finished"]
    """`waiting_for_dns`: publish `dns_record`. `switched`: the new key signs, the old record stays until `retires_at`. `finished`: the old key is destroyed and its record can be removed."""
    selector: str
    """Of the new key."""
    previous_selector: str
    dns_record: DomainDkimRotationDnsRecord
    """Of the new key."""
    previous_dns_record: DomainDkimRotationPreviousDnsRecord
    check: Union[DomainDkimRotationCheck, None]
    message: str
    """What to do next."""
    started_at: str
    seen_at: Union[str, None]
    """Since when the new record has been found."""
    switched_at: Union[str, None]
    """Mail from then on is signed with the new key."""
    retires_at: Union[str, None]
    """When the old key is destroyed."""


class DomainDkimRotationCheck(TypedDict):
    record: Literal["dkim", "spf", "dmarc", "sending_host"]
    status: Literal["pass", "fail", "warn", "unknown", "pending"]
    """`unknown`: DNS gave no answer, which changes nothing. `warn`: worth fixing, but not required."""
    type: str
    name: str
    expected: str
    """The value to publish."""
    found: List[str]
    """What is there now."""
    message: str
    """What to change."""


class DomainDkimRotationDnsRecord(TypedDict):
    """Of the new key."""
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


class DomainTracking(TypedDict):
    track_opens: Union[bool, None]
    """Null: as the organization has set it."""
    track_clicks: Union[Literal["off", "html", "html_and_text"], None]
    """Null: as the organization has set it."""
    host: Union[DomainTrackingHost, None]


class DomainTrackingHost(TypedDict):
    name: str
    in_use: bool
    """Links and pixels of mail from the domain are on it now."""
    status: Literal["pass", "fail", "warn", "unknown", "pending"]
    """Of the last check of its record and of its certificate."""
    type: str
    expected: str
    """The value to publish."""
    found: List[str]
    """What is there now."""
    message: str
    """What to change."""
    checked_at: Union[str, None]


class DomainsSetTrackingBody(TypedDict, total=False):
    track_opens: Union[bool, None]
    """Of mail from this domain. Null: as the organization has set it."""
    track_clicks: Union[Literal[True, False, "off", "html", "html_and_text"], None]
    """Which links of mail from this domain are tracked. Null: as the organization has set it."""
    host: Union[str, None]
    """A name below the domain, such as `links.example.org`, for the links and pixels of its mail. Null: the address of the installation."""


class DryRun(TypedDict):
    """What would happen. Nothing was sent."""
    dry_run: Literal[True]
    accepted: bool
    refusal: Union[DryRunRefusal, None]
    message: Union[DryRunMessage, None]
    recipients: List[DryRunRecipient]


class DryRunBatch(TypedDict):
    """`message` is that of the first email."""
    dry_run: Literal[True]
    total: int
    accepted: int
    rejected: List[DryRunBatchRejectedItem]
    refusal: Union[DryRunBatchRefusal, None]
    message: Union[DryRunBatchMessage, None]
    recipients: List[DryRunRecipient]


class DryRunBatchMessage(TypedDict):
    size: DryRunBatchMessageSize
    """In bytes: the message as it is handed over, signed; its parts decoded."""
    dkim: DryRunBatchMessageDkim
    spf: DryRunBatchMessageSpf
    dmarc: DryRunBatchMessageDmarc
    findings: List[DryRunBatchMessageFindingsItem]
    """Problems that spam filters and readers react to."""


class DryRunBatchMessageDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    selector: Union[str, None]
    reason: Union[str, None]
    aligned: bool
    """Whether it speaks for the domain in From."""


class DryRunBatchMessageDmarc(TypedDict):
    policy: Union[str, None]
    """What the domain asks for; null without a record."""
    passes: bool


class DryRunBatchMessageFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """A sentence for people."""


class DryRunBatchMessageSize(TypedDict):
    """In bytes: the message as it is handed over, signed; its parts decoded."""
    message: int
    html: int
    text: int


class DryRunBatchMessageSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    reason: Union[str, None]
    aligned: bool
    """Whether it speaks for the domain in From."""


class DryRunBatchRefusal(TypedDict):
    status: int
    """The response that the send would get."""
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
    """In bytes: the message as it is handed over, signed; its parts decoded."""
    dkim: DryRunMessageDkim
    spf: DryRunMessageSpf
    dmarc: DryRunMessageDmarc
    findings: List[DryRunMessageFindingsItem]
    """Problems that spam filters and readers react to."""


class DryRunMessageDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    selector: Union[str, None]
    reason: Union[str, None]
    aligned: bool
    """Whether it speaks for the domain in From."""


class DryRunMessageDmarc(TypedDict):
    policy: Union[str, None]
    """What the domain asks for; null without a record."""
    passes: bool


class DryRunMessageFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """A sentence for people."""


class DryRunMessageSize(TypedDict):
    """In bytes: the message as it is handed over, signed; its parts decoded."""
    message: int
    html: int
    text: int


class DryRunMessageSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    reason: Union[str, None]
    aligned: bool
    """Whether it speaks for the domain in From."""


class DryRunMixed(TypedDict):
    dry_run: Literal[True]
    total: int
    accepted: int
    refusal: Union[DryRunMixedRefusal, None]
    results: List[DryRunMixedResultsItem]


class DryRunMixedRefusal(TypedDict):
    status: int
    """The response that the send would get."""
    code: str
    message: str
    details: List[DryRunMixedRefusalDetailsItem]


class DryRunMixedRefusalDetailsItem(TypedDict):
    field: str
    message: str


class DryRunMixedResultsItem(TypedDict):
    index: int
    accepted: bool
    refusal: Union[DryRunMixedResultsItemRefusal, None]
    message: Union[DryRunMixedResultsItemMessage, None]
    recipients: List[DryRunRecipient]


class DryRunMixedResultsItemMessage(TypedDict):
    size: DryRunMixedResultsItemMessageSize
    """In bytes: the message as it is handed over, signed; its parts decoded."""
    dkim: DryRunMixedResultsItemMessageDkim
    spf: DryRunMixedResultsItemMessageSpf
    dmarc: DryRunMixedResultsItemMessageDmarc
    findings: List[DryRunMixedResultsItemMessageFindingsItem]
    """Problems that spam filters and readers react to."""


class DryRunMixedResultsItemMessageDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    selector: Union[str, None]
    reason: Union[str, None]
    aligned: bool
    """Whether it speaks for the domain in From."""


class DryRunMixedResultsItemMessageDmarc(TypedDict):
    policy: Union[str, None]
    """What the domain asks for; null without a record."""
    passes: bool


class DryRunMixedResultsItemMessageFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """A sentence for people."""


class DryRunMixedResultsItemMessageSize(TypedDict):
    """In bytes: the message as it is handed over, signed; its parts decoded."""
    message: int
    html: int
    text: int


class DryRunMixedResultsItemMessageSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    reason: Union[str, None]
    aligned: bool
    """Whether it speaks for the domain in From."""


class DryRunMixedResultsItemRefusal(TypedDict):
    status: int
    """The response that the send would get."""
    code: str
    message: str
    details: List[DryRunMixedResultsItemRefusalDetailsItem]


class DryRunMixedResultsItemRefusalDetailsItem(TypedDict):
    field: str
    message: str


class DryRunRecipient(TypedDict):
    email: str
    outcome: Literal["delivered", "deferred", "bounced", "failed", "held", "waits", "refused"]
    """`delivered`, `deferred`, `bounced`, `failed`: what the first attempt is expected to end in. `held`, `waits`: it is not tried for now. `refused`: it is not accepted."""
    reason: Union[str, None]
    """From the closed list of reasons."""
    message: str
    """A sentence for people."""
    not_before: Union[str, None]
    """When it is tried; null for at once, or not known."""
    provider: Union[str, None]
    site: Union[str, None]
    """The mail hosts, or the provider, that share limits."""
    route: DryRunRecipientRoute
    tls: Union[DryRunRecipientTls, None]
    validation: Union[DryRunRecipientValidation, None]
    took: Union[DryRunRecipientTook, None]
    """How long the last deliveries to this site took that it accepted at once. Null where fewer than 20 are known, or it is not expected to be delivered."""


class DryRunRecipientRoute(TypedDict):
    transport: str
    """`default`: what the environment configures."""
    source: Union[str, None]
    """The address that it is sent from, where one is chosen."""
    rule: Union[int, None]
    """Of the route table, counting from 1."""
    message: str


class DryRunRecipientTls(TypedDict):
    mode: str
    policy: str
    """Why."""


class DryRunRecipientTook(TypedDict):
    """How long the last deliveries to this site took that it accepted at once. Null where fewer than 20 are known, or it is not expected to be delivered."""
    p50_ms: int
    p90_ms: int
    deliveries: int


class DryRunRecipientValidation(TypedDict):
    verdict: Literal["deliverable", "risky", "undeliverable"]
    risk_score: float


class DryRunRefusal(TypedDict):
    status: int
    """The response that the send would get."""
    code: str
    message: str
    details: List[DryRunRefusalDetailsItem]


class DryRunRefusalDetailsItem(TypedDict):
    field: str
    message: str


_EmailRequired = TypedDict(
    "_EmailRequired",
    {
        # A UUID.
        "id": "str",
        # The same as `id`.
        "message_id": "str",
        "subject": "str",
        # `queued` while any recipient has no final status, then the worst of their outcomes.
        "status": "Literal[\"queued\", \"delivered\", \"bounced\", \"failed\", \"opened\"]",
        # The status, told apart further: `scheduled`, `held` and `retrying` of `queued`, `withdrawn` of `failed`, and `complained`.
        "state": "Literal[\"scheduled\", \"awaiting_approval\", \"held\", \"queued\", \"retrying\", \"delivered\", \"opened\", \"bounced\", \"failed\", \"withdrawn\", \"superseded\", \"complained\"]",
        # Of mail that is `retrying`.
        "next_attempt_at": "Union[str, None]",
        # Of mail that is `held`: GET /holds/{id} says more.
        "hold": "Union[EmailHold, None]",
        # By default that of its stream: `normal`, and `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        "created_at": "str",
        "updated_at": "str",
        "scheduled_at": "Union[str, None]",
        "from": "NamedAddress",
        "to": "List[NamedAddress]",
        "cc": "List[NamedAddress]",
        "bcc": "List[NamedAddress]",
        "reply_to": "Union[EmailReplyTo, None]",
        # Everybody who gets the answers; `reply_to` is the first of them.
        "reply_to_list": "List[NamedAddress]",
        "template_id": "Union[str, None]",
        # The translation of the template that it is in; null for the template itself.
        "locale": "Union[str, None]",
        "batch_id": "Union[str, None]",
        # The API key it was sent with; null where a person sent it.
        "api_key_id": "Union[str, None]",
        # The `X-Request-Id` of the request that sent it; null where it came over SMTP.
        "request_id": "Union[str, None]",
        # The mode it was accepted in. Mail of the sandbox never leaves it.
        "mode": "Union[Literal[\"sandbox\", \"live\"], None]",
        # Whether it is sent only as `require_tls` demands.
        "require_tls": "bool",
        # `transactional` where it named none.
        "stream": "str",
        # As it was sent with; null where it had none.
        "collapse_key": "Union[str, None]",
        # What its recipients can unsubscribe from; null where they cannot.
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
    """What html refers to as cid:…"""
    size: int
    """Bytes of the content."""
    content: str
    """Base64."""


class EmailContent(TypedDict):
    subject: str
    html: Union[str, None]
    text: Union[str, None]
    headers: Dict[str, str]
    """Those that were given with the email."""
    attachments: List[EmailContentAttachmentsItem]
    """What was attached, without the content: `GET /emails/{id}/attachments/{number}` has it."""
    template_data: Union[Dict[str, Any], None]
    """The values that its template was rendered with; null without a template."""
    has_raw: bool
    """Whether it was submitted as a whole message, which `GET /emails/{id}/raw` answers byte for byte."""


class EmailContentAttachmentsItem(TypedDict):
    filename: str
    content_type: str
    content_id: Union[str, None]
    """What html refers to as cid:…"""
    size: int
    """Bytes of the content."""


class EmailEvent(TypedDict):
    id: str
    type: Literal["queued", "processing", "held", "delivered", "opened", "clicked", "bounced", "deferred", "failed", "complained", "unsubscribed", "rejected", "received"]
    recipient: str
    mx_host: Union[str, None]
    """The mail server."""
    smtp_code: Union[int, None]
    """Its answer."""
    smtp_message: Union[str, None]
    """Its words."""
    enhanced_code: Union[str, None]
    """Such as `5.1.1`."""
    reason: Union[str, None]
    """Why, from a closed list: `unknown_recipient`, `greylisted`, …"""
    attempt: Union[int, None]
    """From 1."""
    tls: Union[str, None]
    """What the connection was secured with."""
    tls_certificate: Union[EmailEventTlsCertificate, None]
    """Of the server; null without TLS."""
    next_attempt_at: Union[str, None]
    """When a deferred delivery is tried again."""
    user_agent: Union[str, None]
    """Of `opened` and `clicked`: the program that fetched the pixel or followed the link."""
    machine: Union[bool, None]
    """Of `opened` and `clicked`: whether it was a prefetch, scanner, bot or preview, not a person; `reason` says which."""
    url: Union[str, None]
    """Of `clicked`: the link, as it is in the mail."""
    hold: Union[EmailEventHold, None]
    """Of mail that is `held`: GET /holds/{id} says more."""
    created_at: str
    """When it happened."""


class EmailEventHold(TypedDict):
    """Of mail that is `held`: GET /holds/{id} says more."""
    id: str
    reason: str
    placed_by: str
    """As of the hold: a user, an API key, an operator, or `guard`."""
    placed_at: str


class _EmailEventTlsCertificateRequired(TypedDict):
    verified: bool
    """Valid, from a trusted authority, and for the name of the host; with `dane`, the one that DNS vouches for."""
    policy: Literal["dane", "mta_sts", "require_tls", "provider", "relay", "opportunistic"]
    """The origin of the TLS requirement: the mail host by its TLSA records (DANE) or the recipient's domain (MTA-STS), whose certificate must be verified, the provider's own rules, your relay, or nothing but the server's offer."""
    issuer: Union[str, None]
    """Who issued it."""
    problem: Union[str, None]
    """Why it is not verified."""


class EmailEventTlsCertificate(_EmailEventTlsCertificateRequired, total=False):
    """Of the server; null without TLS."""
    sha256: Union[str, None]
    """SHA-256 of the certificate, in hexadecimal."""


class EmailHold(TypedDict):
    """Of mail that is `held`: GET /holds/{id} says more."""
    id: str
    reason: str
    placed_by: str
    """As of the hold: a user, an API key, an operator, or `guard`."""
    placed_at: str


_EmailItemRequired = TypedDict(
    "_EmailItemRequired",
    {
        # A UUID.
        "id": "str",
        # The same as `id`.
        "message_id": "str",
        "subject": "str",
        # `queued` while any recipient has no final status, then the worst of their outcomes.
        "status": "Literal[\"queued\", \"delivered\", \"bounced\", \"failed\", \"opened\"]",
        # The status, told apart further: `scheduled`, `held` and `retrying` of `queued`, `withdrawn` of `failed`, and `complained`.
        "state": "Literal[\"scheduled\", \"awaiting_approval\", \"held\", \"queued\", \"retrying\", \"delivered\", \"opened\", \"bounced\", \"failed\", \"withdrawn\", \"superseded\", \"complained\"]",
        # Of mail that is `retrying`.
        "next_attempt_at": "Union[str, None]",
        # Of mail that is `held`: GET /holds/{id} says more.
        "hold": "Union[EmailItemHold, None]",
        # By default that of its stream: `normal`, and `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        "created_at": "str",
        "updated_at": "str",
    },
)

_EmailItemOptional = TypedDict(
    "_EmailItemOptional",
    {
        "from": "NamedAddress",
        # With `from`: only when asked to include addresses.
        "to": "List[NamedAddress]",
    },
    total=False,
)


class EmailItem(_EmailItemRequired, _EmailItemOptional):
    """Its fields are above."""


class EmailItemHold(TypedDict):
    """Of mail that is `held`: GET /holds/{id} says more."""
    id: str
    reason: str
    placed_by: str
    """As of the hold: a user, an API key, an operator, or `guard`."""
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


_EmailsSendBatchBodyRequired = TypedDict(
    "_EmailsSendBatchBodyRequired",
    {
        # Its id or its alias.
        "template_id": "str",
        "recipients": "List[BatchRecipient]",
        "from": "MailboxInput",
    },
)

_EmailsSendBatchBodyOptional = TypedDict(
    "_EmailsSendBatchBodyOptional",
    {
        # One line. With a template it may contain variables.
        "subject": "str",
        # The language, by its BCP 47 name. The template is sent in the nearest translation that it has (`pt-BR`, then `pt`), with the subject of that; without one, as it was written.
        "locale": "str",
        "attachments": "List[Attachment]",
        # Who gets the answers: one, or a list of up to 10.
        "reply_to": "Union[List[MailboxInput], Mailbox, str]",
        # Custom email headers, up to 50.
        "headers": "Dict[str, str]",
        # Up to 10, to find the email by later.
        "tags": "List[Tag]",
        # A flat object of your own, returned with the email.
        "metadata": "Dict[str, Union[str, float, bool]]",
        # By default that of its stream: `normal`, and `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # The kind of mail it is kept apart as: `transactional` (the default), `bulk`, or one of your own (`/streams`). With `unsubscribe`, recipients unsubscribe from the stream.
        "stream": "str",
        # ISO 8601 date and time. Without an offset it is UTC.
        "scheduled_at": "str",
        # Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else the one in `/settings/tracking`.
        "track_opens": "bool",
        # Whether links are replaced by ones that tell when they are followed: those of html (`html`, or `true`), those of the text, too (`html_and_text`), or none (`off`, or `false`). The default is the setting of the domain, or else the one in `/settings/tracking`.
        "track_clicks": "Literal[True, False, \"off\", \"html\", \"html_and_text\"]",
        # Whether mail that has html and no text gets a text part that is made from it. By default yes with a template, otherwise no.
        "text_from_html": "bool",
        # Answers to it are received: its Reply-To is an address of this server, or of a receiving domain below the sender’s, that only this email has. See `GET /inbound`.
        "receive_replies": "bool",
        # Adds `List-Unsubscribe` and `List-Unsubscribe-Post` headers, so that recipients can unsubscribe with one click.
        "unsubscribe": "bool",
        # The kind of mail it is, such as `product-news`: an unsubscription stops mail of the same group and no other. Implies `unsubscribe`, unless that is `false`. Mail with `unsubscribe` and no group is of the group `default`.
        "unsubscribe_group": "str",
        # Seconds until delivery is given up; 86400 by default.
        "expires_in": "int",
        # Of the emails with the same key from the same domain to the same recipient, only the newest is sent: older ones that were not handed over yet are withdrawn (`superseded`). For mail that is out of date once the next is sent, such as sign-in codes.
        "collapse_key": "str",
        # Sent only over TLS to a verified server that promises to demand the same of the next one (REQUIRETLS, RFC 8689); otherwise it bounces. Few servers can: try it with `dry_run`.
        "require_tls": "bool",
    },
    total=False,
)


class EmailsSendBatchBody(_EmailsSendBatchBodyRequired, _EmailsSendBatchBodyOptional):
    """Its fields are above."""


_EmailsSendBodyRequired = TypedDict(
    "_EmailsSendBodyRequired",
    {
        # One, or a list of up to 50.
        "to": "Union[List[MailboxInput], Mailbox, str]",
        # One line. With a template it may contain variables.
        "subject": "str",
        "from": "MailboxInput",
    },
)

_EmailsSendBodyOptional = TypedDict(
    "_EmailsSendBodyOptional",
    {
        # One, or a list of up to 50.
        "cc": "Union[List[MailboxInput], Mailbox, str]",
        # One, or a list of up to 50.
        "bcc": "Union[List[MailboxInput], Mailbox, str]",
        # At most 2 MiB.
        "html": "str",
        # At most 2 MiB.
        "text": "str",
        # A saved template instead of html and text: its id or its alias.
        "template_id": "str",
        # Values for the variables of the template.
        "template_data": "Dict[str, Any]",
        # The language, by its BCP 47 name. The template is sent in the nearest translation that it has (`pt-BR`, then `pt`), with the subject of that; without one, as it was written.
        "locale": "str",
        "attachments": "List[Attachment]",
        # Who gets the answers: one, or a list of up to 10.
        "reply_to": "Union[List[MailboxInput], Mailbox, str]",
        # Custom email headers, up to 50.
        "headers": "Dict[str, str]",
        # Up to 10, to find the email by later.
        "tags": "List[Tag]",
        # A flat object of your own, returned with the email.
        "metadata": "Dict[str, Union[str, float, bool]]",
        # By default that of its stream: `normal`, and `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # The kind of mail it is kept apart as: `transactional` (the default), `bulk`, or one of your own (`/streams`). With `unsubscribe`, recipients unsubscribe from the stream.
        "stream": "str",
        # ISO 8601 date and time. Without an offset it is UTC.
        "scheduled_at": "str",
        # Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else the one in `/settings/tracking`.
        "track_opens": "bool",
        # Whether links are replaced by ones that tell when they are followed: those of html (`html`, or `true`), those of the text, too (`html_and_text`), or none (`off`, or `false`). The default is the setting of the domain, or else the one in `/settings/tracking`.
        "track_clicks": "Literal[True, False, \"off\", \"html\", \"html_and_text\"]",
        # Whether mail that has html and no text gets a text part that is made from it. By default yes with a template, otherwise no.
        "text_from_html": "bool",
        # Answers to it are received: its Reply-To is an address of this server, or of a receiving domain below the sender’s, that only this email has. See `GET /inbound`.
        "receive_replies": "bool",
        # Adds `List-Unsubscribe` and `List-Unsubscribe-Post` headers, so that recipients can unsubscribe with one click.
        "unsubscribe": "bool",
        # The kind of mail it is, such as `product-news`: an unsubscription stops mail of the same group and no other. Implies `unsubscribe`, unless that is `false`. Mail with `unsubscribe` and no group is of the group `default`.
        "unsubscribe_group": "str",
        # Seconds until delivery is given up; 86400 by default.
        "expires_in": "int",
        # Of the emails with the same key from the same domain to the same recipient, only the newest is sent: older ones that were not handed over yet are withdrawn (`superseded`). For mail that is out of date once the next is sent, such as sign-in codes.
        "collapse_key": "str",
        # Sent only over TLS to a verified server that promises to demand the same of the next one (REQUIRETLS, RFC 8689); otherwise it bounces. Few servers can: try it with `dry_run`.
        "require_tls": "bool",
    },
    total=False,
)


class EmailsSendBody(_EmailsSendBodyRequired, _EmailsSendBodyOptional):
    """Its fields are above."""


class _EmailsSendMixedBatchBodyRequired(TypedDict):
    emails: List[SendEmail]
    """Each as the body of `POST /emails/send`."""


class EmailsSendMixedBatchBody(_EmailsSendMixedBatchBodyRequired, total=False):
    all_or_none: bool
    """Whether one email that is refused refuses all; by default only that one is."""


class Erasure(TypedDict):
    placeholder: str
    """The replacement of the address from now on."""
    emails: int
    """How many emails this call has erased."""
    waiting: int
    """Number of emails that are being delivered at the moment and were skipped."""
    complete: bool
    """False: data remains. Repeat the request until `complete` is true."""


class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError


class ErrorEnvelopeError(TypedDict):
    code: Literal["VALIDATION_ERROR", "DOMAIN_NOT_VERIFIED", "RECIPIENTS_SUPPRESSED", "RECIPIENTS_REJECTED", "UNAUTHORIZED", "TOTP_REQUIRED", "FORBIDDEN", "HOST_NOT_ALLOWED", "SETUP_TOKEN_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "LIMIT_EXCEEDED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str
    """A sentence for people."""
    details: List[ErrorEnvelopeErrorDetailsItem]
    """Every problem found; empty where there is nothing to list."""


class ErrorEnvelopeErrorDetailsItem(TypedDict):
    field: str
    """A path such as to[0].email."""
    message: str


class EventsListPage(TypedDict):
    """A page of results"""
    data: List[StreamEvent]
    pagination: EventsListPagePagination


class EventsListPagePagination(TypedDict):
    limit: int
    next_cursor: Union[str, None]
    """Null on the last page."""


class Explanation(TypedDict):
    id: str
    status: Literal["queued", "delivered", "bounced", "failed", "opened"]
    require_tls: bool
    """It is sent only to verified servers that promise the same (REQUIRETLS)."""
    recipients: List[ExplanationRecipientsItem]


class ExplanationRecipientsItem(TypedDict):
    email: str
    status: Literal["queued", "deferred", "delivered", "bounced", "failed", "opened"]
    problem: Union[ExplanationRecipientsItemProblem, None]
    next_attempt_at: Union[str, None]
    """When it is tried next; where it waits for its site, when that is expected. Null where it is not known."""
    wait: Union[ExplanationRecipientsItemWait, None]
    """Why the delivery is not being tried: the state of its site, or its place in the queue."""
    hold: Union[ExplanationRecipientsItemHold, None]
    """The hold that keeps it from being sent."""
    in_progress: bool
    attempts: List[Attempt]


class ExplanationRecipientsItemHold(TypedDict):
    """The hold that keeps it from being sent."""
    id: str
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    value: Union[str, None]
    reason: str
    by_operator: bool
    since: str
    """When the hold was placed."""


class ExplanationRecipientsItemProblem(TypedDict):
    reason: str
    meaning: str
    responsible: Literal["recipient", "sender", "domain_owner", "receiver", "operator"]
    """Who can fix it."""
    advice: str


class ExplanationRecipientsItemWait(TypedDict):
    """Why the delivery is not being tried: the state of its site, or its place in the queue."""
    site: Union[ExplanationRecipientsItemWaitSite, None]
    """Null until a worker has looked up the mail hosts of the domain."""
    message: str
    """A sentence for people."""
    worker_running: bool
    expected_at: Union[str, None]
    """When it is expected to be tried; at a slow site not before."""


class ExplanationRecipientsItemWaitSite(TypedDict):
    """Null until a worker has looked up the mail hosts of the domain."""
    id: str
    name: str
    """The mail hosts, or the provider, that share limits."""
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent until `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site."""
    message: str
    """The state in a sentence."""
    since: Union[str, None]
    """Start of the restriction."""
    until: Union[str, None]
    """For `blocked`: when it is tried again."""
    reason: Union[str, None]
    """Why, from the closed list of reasons."""
    reply: Union[str, None]
    """The server reply that caused the state, without addresses."""
    messages_per_minute: Union[float, None]
    """The pace of a slow site."""
    connections: Union[int, None]
    """Maximum number of simultaneous connections, after the site refused further connections."""


class FeedbackLoop(TypedDict):
    loop: Literal["gmail_postmaster", "yahoo_cfl", "microsoft_jmrp", "microsoft_snds"]
    title: str
    provider: str
    """As in GET /stats/deliverability."""
    subject: FeedbackLoopSubject
    state: Literal["working", "enrolled", "missing"]
    """`missing`: not marked as enrolled. `enrolled`: marked as enrolled. `working`: complaints have arrived."""
    message: str
    """The state in a sentence."""
    url: str
    """Where to enroll."""
    steps: List[str]
    """What to do there."""
    enrolled_at: Union[str, None]
    enrolled_by: Union[str, None]
    last_complaint_at: Union[str, None]
    """The hour of the last complaint that the provider reported, within 40 days."""


class FeedbackLoopSubject(TypedDict):
    kind: Literal["domain", "address"]
    value: str
    """A domain of yours; for operators also an address that mail leaves from."""


class FeedbackLoopsUpdateBody(TypedDict):
    enrolled: bool
    """Whether you have enrolled the domain or address there. Providers do not report it."""


class FirstSteps(TypedDict):
    steps: List[FirstStepsStepsItem]
    """All of them, in the order most people take."""
    smtp: Union[FirstStepsSmtp, None]
    """Where applications submit mail over SMTP; null where that is switched off."""


class FirstStepsSmtp(TypedDict):
    """Where applications submit mail over SMTP; null where that is switched off."""
    host: str
    port: int
    encryption: Literal["none", "starttls"]
    tls_port: Union[int, None]
    """With TLS from the first byte."""
    needs_password: bool
    """The password is an API key."""


class FirstStepsStepsItem(TypedDict):
    step: Literal["first_email", "api_key", "domain", "dmarc", "webhook", "live"]
    """`first_email`: an email was sent. `api_key`: a key was created or used. `domain`: one of your domains is verified. `dmarc`: a verified domain has a DMARC record. `webhook`: a webhook exists. `live`: mail is sent to the Internet."""
    done: bool
    id: Union[str, None]
    """Of the domain whose records are to be published."""


class Guard(TypedDict):
    enabled: bool
    """Whether the guard holds mail that servers suddenly refuse, and slows repeats of one email that flood an address."""
    allow: List[str]
    """Addresses, and domains with their subdomains, whose mail the guard never slows, such as mailboxes for alerts."""


class Hold(TypedDict):
    id: str
    organization_id: Union[str, None]
    """The organization whose mail is held; null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """As it was placed; `lane` (a template version, or a sender’s domain, in a stream to a provider) and `recipient` (one address) are placed by the guard."""
    value: Union[str, None]
    with_webhooks: bool
    """Webhooks wait, too, as they do after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """An operator placed it, and only an operator can end it."""
    placed_by: str
    """A user’s address, the name of an API key, or `operator` and a user’s name on the server."""
    placed_at: str
    decision: Union[HoldDecision, None]
    ended_at: Union[str, None]
    """When all of that was done."""
    released: int
    """Deliveries that were parked, and let go so far."""
    discarded: int
    """Deliveries that were discarded so far."""


class HoldDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class HoldDetail(TypedDict):
    id: str
    organization_id: Union[str, None]
    """The organization whose mail is held; null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """As it was placed; `lane` (a template version, or a sender’s domain, in a stream to a provider) and `recipient` (one address) are placed by the guard."""
    value: Union[str, None]
    with_webhooks: bool
    """Webhooks wait, too, as they do after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """An operator placed it, and only an operator can end it."""
    placed_by: str
    """A user’s address, the name of an API key, or `operator` and a user’s name on the server."""
    placed_at: str
    decision: Union[HoldDetailDecision, None]
    ended_at: Union[str, None]
    """When all of that was done."""
    released: int
    """Deliveries that were parked, and let go so far."""
    discarded: int
    """Deliveries that were discarded so far."""
    mail: HoldDetailMail


class HoldDetailDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class HoldDetailMail(TypedDict):
    held: int
    """Deliveries that would be sent if it were released now."""
    expired: int
    """Of these, the ones whose lifetime was over before the hold. They end as failed."""
    later: int
    """Deliveries that are due later: scheduled, or between two attempts."""
    oldest_at: Union[str, None]
    """When the oldest of those held was accepted."""


class _HoldsCreateBodyRequired(TypedDict):
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider"]
    """Which mail: of the organization, of one of its sending domains, with a template, with a tag, sent with an API key. Operators also: `all` of the installation, or to a `provider`."""
    reason: str
    """Why, for everybody who wonders where the mail is."""


class HoldsCreateBody(_HoldsCreateBodyRequired, total=False):
    value: str
    """The domain, the template’s id or alias, the tag (`name` or `name:value`), the key’s id, or the provider or site. Left out for `all` and `organization`."""
    ahead: bool
    """Allows a tag that no mail has yet. Without `ahead` an unused tag is refused, because it is probably misspelt."""


class HoldsDiscardBody(TypedDict):
    reason: str
    """Why the mail is not to be sent any more. It is kept with the hold."""


class HoldsListPage(TypedDict):
    """A page of results"""
    data: List[Hold]
    pagination: Pagination


class _InboundCreateRouteBodyRequired(TypedDict):
    address: str
    """`support@example.org`, with or without a `+note` behind the name; or `*@example.org` for all that has no route of its own."""


class InboundCreateRouteBody(_InboundCreateRouteBodyRequired, total=False):
    description: Union[str, None]
    """For people."""
    enabled: bool
    """False: mail to it is refused."""


class InboundListPage(TypedDict):
    """A page of results"""
    data: List[ReceivedEmailItem]
    pagination: InboundListPagePagination


class InboundListPagePagination(TypedDict):
    limit: int
    next_cursor: Union[str, None]
    """Null on the last page."""


_InboundReplyBodyOptional = TypedDict(
    "_InboundReplyBodyOptional",
    {
        # At most 2 MiB.
        "text": "str",
        # At most 2 MiB.
        "html": "str",
        "from": "MailboxInput",
        # One, or a list of up to 50.
        "cc": "Union[List[MailboxInput], Mailbox, str]",
        # One line. With a template it may contain variables.
        "subject": "str",
        "attachments": "List[Attachment]",
        # As of a send. True if left out: what its recipient answers belongs to the same conversation.
        "receive_replies": "bool",
    },
    total=False,
)


class InboundReplyBody(_InboundReplyBodyOptional):
    """Its fields are above."""


class InboundRoute(TypedDict):
    id: str
    """Starts with `rte_`."""
    address: str
    description: Union[str, None]
    enabled: bool
    created_at: str


class InboundUpdateRouteBody(TypedDict, total=False):
    description: Union[str, None]
    """For people."""
    enabled: bool
    """False: mail to it is refused."""


class IncidentReport(TypedDict):
    bounces: int
    """Bounces in the window that the filters match."""
    rejections: int
    """Recipients that were rejected since, because these bounces had them suppressed."""
    requeue: int
    """Recipients of both that would be tried again."""
    unsuppress: int
    """Automatic suppressions that would be lifted."""
    reasons: List[IncidentReportReasonsItem]
    samples: List[IncidentReportSamplesItem]
    """The latest ten."""


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
    """Starts with `inv_`."""
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    invited_by: str
    """The address of the user who did."""
    created_at: str
    expires_at: str
    mailed: bool
    """Whether the link was mailed. If not, the owner hands it over."""


class MadeByMember(TypedDict):
    api_keys: List[MadeByMemberApiKeysItem]
    """Active keys, created by the member or with one of their keys."""
    invites: List[MadeByMemberInvitesItem]
    """Open invites of the member."""
    webhooks: List[MadeByMemberWebhooksItem]
    """Enabled webhooks that the member, or one of their keys, created or gave the URL that they have now."""


class MadeByMemberApiKeysItem(TypedDict):
    id: str
    name: str
    prefix: str
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    created_at: str
    last_used_at: Union[str, None]
    """To the minute."""


class MadeByMemberInvitesItem(TypedDict):
    id: str
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    expires_at: str


class MadeByMemberWebhooksItem(TypedDict):
    id: str
    """Starts with `whk_`."""
    url: str
    description: Union[str, None]
    created_at: str


class _MailboxRequired(TypedDict):
    email: str
    """An email address."""


class Mailbox(_MailboxRequired, total=False):
    name: str
    """Display name."""


class MarkSandboxMessage(TypedDict):
    is_read: bool


class Me(TypedDict):
    user: MeUser
    organization: MeOrganization
    """The organization that this session works in."""
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    is_operator: bool
    """Whether you run the installation: an owner who works in its first organization."""
    organizations: List[MeOrganizationsItem]
    """All organizations of the user, the earliest joined first."""


class MeOrganization(TypedDict):
    """The organization that this session works in."""
    id: str
    name: str


class MeOrganizationsItem(TypedDict):
    id: str
    name: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""


class MeUser(TypedDict):
    id: str
    """Starts with `usr_`."""
    email: str
    name: Union[str, None]
    totp_enabled: bool
    """Whether signing in needs a code, too."""
    recovery_codes_left: int
    email_verified: bool
    """Whether the user has confirmed the address."""


class Member(TypedDict):
    id: str
    """Of the user."""
    email: str
    name: Union[str, None]
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    totp_enabled: bool
    """Whether signing in needs a code, too."""
    email_verified: bool
    """Whether the user has confirmed the address."""
    disabled: bool
    """Whether the operator has disabled the user, who then cannot sign in. `npx postrider user enable` lets the user sign in again."""
    joined_at: str
    last_seen_at: Union[str, None]
    """In this organization, accurate to five minutes."""


class Membership(TypedDict):
    id: str
    name: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""


class MixedBatchResult(TypedDict):
    batch_id: str
    total: int
    accepted: int
    results: List[MixedBatchResultResultsItem]
    """One for each email, in their order."""


class _MixedBatchResultResultsItemRequired(TypedDict):
    index: int
    """The position in `emails`, from 0."""


class MixedBatchResultResultsItem(_MixedBatchResultResultsItemRequired, total=False):
    message_id: str
    """The id of an accepted email."""
    state: Literal["held"]
    """Only where a hold keeps the email, or some of its recipients, from being sent."""
    hold: EmailHold
    error: MixedBatchResultResultsItemError


class MixedBatchResultResultsItemError(TypedDict):
    code: Literal["VALIDATION_ERROR", "DOMAIN_NOT_VERIFIED", "RECIPIENTS_SUPPRESSED", "RECIPIENTS_REJECTED", "UNAUTHORIZED", "TOTP_REQUIRED", "FORBIDDEN", "HOST_NOT_ALLOWED", "SETUP_TOKEN_REQUIRED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "IDEMPOTENCY_CONFLICT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "LIMIT_EXCEEDED", "RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str
    """A sentence for people."""
    details: List[MixedBatchResultResultsItemErrorDetailsItem]
    """Every problem found; empty where there is nothing to list."""


class MixedBatchResultResultsItemErrorDetailsItem(TypedDict):
    field: str
    """A path such as to[0].email."""
    message: str


class NamedAddress(TypedDict):
    email: str
    name: Union[str, None]


class NewDomain(TypedDict):
    id: str
    """Starts with `dom_`."""
    domain: str
    """Lower case; internationalized names in their xn-- form."""
    display_name: str
    """As people write it: `müller.example`."""
    is_verified: bool
    """Mail may be sent from it: both records were found."""
    spf_verified: bool
    dkim_verified: bool
    dkim_selector: str
    dkim_public_key: str
    """The `p=` of the DKIM record."""
    dns_records: List[NewDomainDnsRecordsItem]
    """Publish these two."""
    recommended_records: List[NewDomainRecommendedRecordsItem]
    """Recommended, but not required for verification."""
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


class NewInvite(TypedDict):
    id: str
    """Starts with `inv_`."""
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    invited_by: str
    """The address of the user who did."""
    created_at: str
    expires_at: str
    mailed: bool
    """Whether the link was mailed. If not, the owner hands it over."""
    link: Union[str, None]
    """Only where it could not be mailed: hand it to the person. It works once, and is never shown again."""


class OpenInvite(TypedDict):
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    organization: OpenInviteOrganization
    has_account: bool
    """Whether the person signs in first, or chooses a password."""
    expires_at: str


class OpenInviteOrganization(TypedDict):
    name: str


class Organization(TypedDict):
    id: str
    name: str
    created_at: str
    sending_limit: OrganizationSendingLimit
    organization_creation: Literal["owners", "operator"]
    """Who may create further organizations here: owners too, or the operator alone."""


class OrganizationSendingLimit(TypedDict):
    daily: Union[int, None]
    """Recipients per UTC day; null when there is no limit."""
    used_today: int
    """Recipients accepted since midnight UTC."""
    remaining_today: Union[int, None]
    resets_at: str


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
    """Share of the mail with a final status, from 0 to 1; null if there is none."""
    bounced: Union[float, None]
    """Share of the mail with a final status, from 0 to 1; null if there is none."""
    failed: Union[float, None]
    """Share of the mail with a final status, from 0 to 1; null if there is none."""
    opened: Union[float, None]
    """Share of the delivered mail, from 0 to 1; null if there is none."""
    complained: Union[float, None]
    """Share of the delivered mail, from 0 to 1; null if there is none."""
    clicked: Union[float, None]
    """Recipients who followed a link to delivered emails; null if there are none."""


class OverviewSeriesItem(TypedDict):
    at: str
    """The beginning of the period."""
    sent: int
    """Emails accepted."""
    queued: int
    """Of these, without a final status."""
    delivered: int
    """Including those that were opened."""
    bounced: int
    failed: int
    opened: int
    complained: int
    """Recipients who reported it as spam."""
    clicked: int
    """Recipients who followed a link; machines are not counted."""


class OverviewTotals(TypedDict):
    sent: int
    """Emails accepted."""
    queued: int
    """Of these, without a final status."""
    delivered: int
    """Including those that were opened."""
    bounced: int
    failed: int
    opened: int
    complained: int
    """Recipients who reported it as spam."""
    clicked: int
    """Recipients who followed a link; machines are not counted."""


class Pagination(TypedDict):
    page: int
    limit: int
    total_count: int
    total_pages: int
    """0 when there is nothing."""


class PlacedHold(TypedDict):
    id: str
    organization_id: Union[str, None]
    """The organization whose mail is held; null for all organizations."""
    scope: Literal["all", "organization", "domain", "template", "tag", "key", "provider", "lane", "recipient"]
    """As it was placed; `lane` (a template version, or a sender’s domain, in a stream to a provider) and `recipient` (one address) are placed by the guard."""
    value: Union[str, None]
    with_webhooks: bool
    """Webhooks wait, too, as they do after a restore."""
    reason: str
    state: Literal["in_force", "releasing", "released", "discarding", "discarded"]
    by_operator: bool
    """An operator placed it, and only an operator can end it."""
    placed_by: str
    """A user’s address, the name of an API key, or `operator` and a user’s name on the server."""
    placed_at: str
    decision: Union[PlacedHoldDecision, None]
    ended_at: Union[str, None]
    """When all of that was done."""
    released: int
    """Deliveries that were parked, and let go so far."""
    discarded: int
    """Deliveries that were discarded so far."""
    mail: Union[PlacedHoldMail, None]
    """How much it covers now. Null where counting took too long; `GET /holds/:id` counts again."""


class PlacedHoldDecision(TypedDict):
    kind: Literal["release", "discard"]
    reason: Union[str, None]
    by: str
    at: str


class PlacedHoldMail(TypedDict):
    """How much it covers now. Null where counting took too long; `GET /holds/:id` counts again."""
    held: int
    """Deliveries that would be sent if it were released now."""
    expired: int
    """Of these, the ones whose lifetime was over before the hold. They end as failed."""
    later: int
    """Deliveries that are due later: scheduled, or between two attempts."""
    oldest_at: Union[str, None]
    """When the oldest of those held was accepted."""


class Proof(TypedDict):
    version: Literal[1]
    issuer: str
    """The address of the installation."""
    issued_at: str
    email_id: str
    algorithm: Literal["ed25519"]
    public_key: str
    """The key it is signed with: 32 bytes, base64url."""
    entries: List[ProofEntriesItem]
    signature: str
    """Over the number of entries and the last hash: 64 bytes, base64url."""


class ProofEntriesItem(TypedDict):
    hash: str
    """SHA-256 of the hash before it and this entry."""
    entry: Dict[str, Any]
    """An `email`, an `event`, an `attempt` or a `report`."""


class ReceivedAttachment(TypedDict):
    filename: str
    content_type: str
    """As its sender says; it is always served as a download."""
    content_id: Union[str, None]
    """What html refers to as cid:…"""
    size: int
    dangerous: bool
    """The file name is that of a program."""
    download_url: str
    """Works without a key, for seven days."""


_ReceivedEmailRequired = TypedDict(
    "_ReceivedEmailRequired",
    {
        # A UUID.
        "id": "str",
        # `waiting` for a moment, until it is read. `unreadable`: only its source is there.
        "status": "Literal[\"waiting\", \"read\", \"unreadable\"]",
        "from": "Union[ReceivedEmailFrom, None]",
        # Addresses of yours that it was sent to.
        "to": "List[str]",
        "subject": "str",
        # Written by a machine: an automatic reply, a bounce, a list. Never answer it automatically.
        "is_automatic": "bool",
        "has_attachments": "bool",
        # The same for all mail that belongs together.
        "conversation_id": "str",
        # The email of yours that it answers.
        "in_reply_to_email_id": "Union[str, None]",
        "route_ids": "List[str]",
        # Bytes of the whole message.
        "size": "int",
        "received_at": "str",
        # How the answered email was determined: by its reply address, or by the header fields of the reply.
        "matched_by": "Union[Literal[\"token\", \"headers\"], None]",
        "message_id": "Union[str, None]",
        # As its sender’s program wrote it.
        "in_reply_to": "Union[str, None]",
        "references": "List[str]",
        # As its sender’s program wrote it.
        "date": "Union[str, None]",
        # The recipients in its header.
        "header_to": "List[ReceivedEmailHeaderToItem]",
        "cc": "List[ReceivedEmailCcItem]",
        "reply_to": "List[ReceivedEmailReplyToItem]",
        "text": "Union[str, None]",
        # The original HTML from an untrusted sender: show it only in a sandbox.
        "html": "Union[str, None]",
        # The text without quotes and signature, as far as they can be detected.
        "stripped_reply": "Union[str, None]",
        # There was more; the source has all of it.
        "is_truncated": "bool",
        "headers": "List[ReceivedEmailHeadersItem]",
        "attachments": "List[ReceivedAttachment]",
        "envelope": "ReceivedEmailEnvelope",
        "authentication": "Union[ReceivedEmailAuthentication, None]",
        "spam": "ReceivedEmailSpam",
        "virus": "ReceivedEmailVirus",
        # Why it is unreadable.
        "problem": "Union[str, None]",
        # False once its content was kept long enough.
        "has_source": "bool",
        # The newest 100 of it, oldest first.
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
    """The best of its signatures."""
    signatures: List[ReceivedEmailAuthenticationDkimSignaturesItem]


class ReceivedEmailAuthenticationDkimSignaturesItem(TypedDict):
    domain: str
    selector: str
    result: Literal["pass", "fail", "none", "permerror", "temperror"]
    reason: Union[str, None]


class ReceivedEmailAuthenticationDmarc(TypedDict):
    result: Literal["pass", "fail", "none", "temperror"]
    """`pass`: the sender in From is authentic. `none`: the domain has no DMARC record."""
    domain: Union[str, None]
    policy: Union[str, None]
    """The policy of the domain for mail that fails."""


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
    """Empty for bounces and most automatic replies."""
    remote_address: str
    """Of the server that brought it."""
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
        # A UUID.
        "id": "str",
        # `waiting` for a moment, until it is read. `unreadable`: only its source is there.
        "status": "Literal[\"waiting\", \"read\", \"unreadable\"]",
        "from": "Union[ReceivedEmailItemFrom, None]",
        # Addresses of yours that it was sent to.
        "to": "List[str]",
        "subject": "str",
        # Written by a machine: an automatic reply, a bounce, a list. Never answer it automatically.
        "is_automatic": "bool",
        "has_attachments": "bool",
        # The same for all mail that belongs together.
        "conversation_id": "str",
        # The email of yours that it answers.
        "in_reply_to_email_id": "Union[str, None]",
        "route_ids": "List[str]",
        # Bytes of the whole message.
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
    score: Union[float, None]
    symbols: List[str]


class ReceivedEmailVirus(TypedDict):
    result: Literal["not_checked", "clean", "found", "unavailable"]
    name: Union[str, None]


class ReceivingDomain(TypedDict):
    domain: str
    domain_id: str
    """The verified domain that it is, or is below."""
    is_verified: bool
    """Whether that is verified now; otherwise nothing is received."""
    mx: ReceivingDomainMx
    created_at: str


class ReceivingDomainMx(TypedDict):
    type: Literal["MX"]
    name: str
    expected: str
    """The value to publish."""
    status: Literal["pass", "fail", "pending"]
    found: List[str]
    """What is there now."""
    message: str
    """What to change."""
    checked_at: Union[str, None]


class RecipientExport(TypedDict):
    email: str
    truncated: bool
    """True: the data exceeds one response; the command exports everything."""
    emails: List[Dict[str, Any]]
    events: List[Dict[str, Any]]
    attempts: List[Dict[str, Any]]
    suppression: Union[Dict[str, Any], None]
    unsubscriptions: List[Dict[str, Any]]
    """From groups of mail."""
    full_mailbox: Union[Dict[str, Any], None]
    audit_log: List[Dict[str, Any]]
    request_logs: List[Dict[str, Any]]
    """Requests that were refused."""
    sandbox_messages: List[Dict[str, Any]]
    received: List[Dict[str, Any]]
    """Mail from and to the address that organizations received."""


class RecipientState(TypedDict):
    email: str
    kind: Literal["to", "cc", "bcc"]
    status: Literal["queued", "deferred", "delivered", "bounced", "failed", "opened"]
    attempts: int
    updated_at: str


class RemovedMember(TypedDict):
    id: str
    deleted: bool
    """Always true."""
    revoked: bool
    """Whether what is listed here was ended, too: keys revoked, invites withdrawn, webhooks disabled."""
    api_keys: List[RemovedMemberApiKeysItem]
    """Active keys, created by the member or with one of their keys."""
    invites: List[RemovedMemberInvitesItem]
    """Open invites of the member."""
    webhooks: List[RemovedMemberWebhooksItem]
    """Enabled webhooks that the member, or one of their keys, created or gave the URL that they have now."""


class RemovedMemberApiKeysItem(TypedDict):
    id: str
    name: str
    prefix: str
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    created_at: str
    last_used_at: Union[str, None]
    """To the minute."""


class RemovedMemberInvitesItem(TypedDict):
    id: str
    email: str
    role: Literal["owner", "member", "read_only"]
    """`owner` can do everything, `member` everything except members, organizations and the audit log, `read_only` can only read."""
    expires_at: str


class RemovedMemberWebhooksItem(TypedDict):
    id: str
    """Starts with `whk_`."""
    url: str
    description: Union[str, None]
    created_at: str


class RequestLogEntry(TypedDict):
    id: str
    at: str
    method: str
    """Of HTTP, or `RCPT` and `DATA` of SMTP."""
    path: str
    """Without `/api/v1`, parameters, and what may be an address; `smtp` for mail that was submitted over SMTP."""
    status: int
    """What it was answered with: of HTTP, or of SMTP."""
    code: Union[str, None]
    """The code of the error, null for a repeated answer."""
    message: Union[str, None]
    fields: List[RequestLogEntryFieldsItem]
    """The first 20 fields that were wrong."""
    recipients: List[str]
    """Whom the refused mail was to."""
    caller: Union[RequestLogEntryCaller, None]
    request_id: Union[str, None]
    """The `X-Request-Id` of the response."""
    duration_ms: int
    count: int
    """How many requests this entry stands for: the same refusal within a second is listed once."""
    excerpt: Union[Dict[str, Any], None]
    """Of the body: addresses, subject and ids. Content and data are never kept."""


class RequestLogEntryCaller(TypedDict):
    type: Literal["api_key", "user"]
    id: str
    name: Union[str, None]
    """The name of the key, or the address of the user."""


class RequestLogEntryFieldsItem(TypedDict):
    field: str
    message: str


class RequestLogsListPage(TypedDict):
    """A page of results"""
    data: List[RequestLogEntry]
    pagination: Pagination


class Retention(TypedDict):
    content_days: int
    """Days for which html, text and attachments are kept; 0 keeps them as long as the email."""
    email_days: int
    """Days for which emails and their events are kept; 0 keeps them forever."""


class RotatedApiKey(TypedDict):
    id: str
    """Starts with `key_`."""
    name: str
    prefix: str
    """The first characters of the key, for recognition."""
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    domain: Union[str, None]
    """The only domain this key may send from, and whose mail it may read."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """To the minute."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """The user who created the key, directly or with another key; null for the operator."""
    created_by_name: Union[str, None]
    """The name of that user."""
    replaced_by: Union[str, None]
    """The key that replaced this key; this key also works until `expires_at`."""
    policy: Union[RotatedApiKeyPolicy, None]
    """The policy of the key, for every way of submitting mail."""
    key: str
    """The key itself. It is never shown again."""
    replaces: RotatedApiKeyReplaces
    """The old key, with the time when it expires."""


_RotatedApiKeyPolicyRequired = TypedDict(
    "_RotatedApiKeyPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.
        "from": "Union[List[str], None]",
        # Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit whole messages, as SMTP does. False if left out.
        "attachments": "bool",
        # Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none` if left out.
        "approval": "Literal[\"required\", \"none\"]",
        # What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.
        "inbound": "bool",
    },
)


class RotatedApiKeyPolicy(_RotatedApiKeyPolicyRequired):
    """The policy of the key, for every way of submitting mail."""


class RotatedApiKeyReplaces(TypedDict):
    """The old key, with the time when it expires."""
    id: str
    """Starts with `key_`."""
    name: str
    prefix: str
    """The first characters of the key, for recognition."""
    scope: Literal["full", "read", "agent", "send"]
    """`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything."""
    domain: Union[str, None]
    """The only domain this key may send from, and whose mail it may read."""
    created_at: str
    expires_at: Union[str, None]
    last_used_at: Union[str, None]
    """To the minute."""
    revoked_at: Union[str, None]
    created_by: Union[str, None]
    """The user who created the key, directly or with another key; null for the operator."""
    created_by_name: Union[str, None]
    """The name of that user."""
    replaced_by: Union[str, None]
    """The key that replaced this key; this key also works until `expires_at`."""
    policy: Union[RotatedApiKeyReplacesPolicy, None]
    """The policy of the key, for every way of submitting mail."""


_RotatedApiKeyReplacesPolicyRequired = TypedDict(
    "_RotatedApiKeyReplacesPolicyRequired",
    {
        # Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.
        "recipients": "Union[List[str], None]",
        # Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.
        "from": "Union[List[str], None]",
        # Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.
        "templates": "Union[List[str], None]",
        # Whether the key may attach files and submit whole messages, as SMTP does. False if left out.
        "attachments": "bool",
        # Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.
        "daily_budget": "Union[int, None]",
        # `required`: mail of the key waits until a member approves it. `none` if left out.
        "approval": "Literal[\"required\", \"none\"]",
        # What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.
        "read": "Literal[\"own\", \"organization\"]",
        # Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.
        "inbound": "bool",
    },
)


class RotatedApiKeyReplacesPolicy(_RotatedApiKeyReplacesPolicyRequired):
    """The policy of the key, for every way of submitting mail."""


class RouteExplanation(TypedDict):
    message: str
    """Which way the mail would take, and why, in a few sentences."""
    mode: Literal["sandbox", "live"]
    provider: Union[str, None]
    """Of the recipient’s mail hosts."""
    rule: Union[int, None]
    """Which matches, counting from 1."""
    rules: List[RouteExplanationRulesItem]
    """Those that were asked, up to the one that matches."""
    canary: Union[RouteExplanationCanary, None]
    """What moves mail of the rule, and how much of it at this moment."""
    steps: List[RouteExplanationStepsItem]


class RouteExplanationCanary(TypedDict):
    """What moves mail of the rule, and how much of it at this moment."""
    name: str
    to: str
    percent: float
    """Of the mail to the provider; from 0 to 100."""


class RouteExplanationRulesItem(TypedDict):
    rule: int
    name: Union[str, None]
    matches: bool
    why: str
    """What of the mail it named, or wants otherwise."""


class RouteExplanationStepsItem(TypedDict):
    step: int
    """Counts from 1; 0 is where the canary moves mail to."""
    in_use: bool
    """Whether mail takes it at this moment."""
    choices: List[RouteExplanationStepsItemChoicesItem]


class RouteExplanationStepsItemChoicesItem(TypedDict):
    transport: str
    source: Union[str, None]
    share: float
    """Of the mail that comes to this step, from 0 to 1, by weight."""
    share_now: float
    """Of all such mail, at this moment."""
    state: Literal["open", "slow", "blocked", "probing", "paused", "absent", "spent"]
    """`absent`: on no running worker’s machine. `spent`: it has sent all that it may today."""
    message: str


class RouteMatch(TypedDict, total=False):
    """All that are given must fit, each with one of its values. Nothing given: all mail."""
    organizations: List[str]
    """Ids."""
    streams: List[str]
    """Of the email; `transactional` where it names none."""
    sender_domains: List[str]
    """`*.example.com` is every domain below."""
    providers: List[str]
    """Of the recipient’s mail hosts, as GET /sites names them."""
    recipient_domains: List[str]
    """`*.example.com` is every domain below."""
    tags: List[str]
    """`name`, or `name:value`."""


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
    """Counts changes. Send it back with yours."""
    default: RouteTableDefault
    """What the environment configures."""
    providers: List[str]
    """Names that rules and curves may use for recipients’ mail hosts."""
    usual: RouteTableUsual
    """What is filled in where warming up, or a canary, leaves it out."""
    transports: List[Transport]
    rules: List[RouteRule]


class RouteTableDefault(TypedDict):
    """What the environment configures."""
    kind: Literal["direct", "relay", "sandbox"]
    message: str
    """What happens to mail that no rule matches, in a sentence."""


class RouteTableUsual(TypedDict):
    """What is filled in where warming up, or a canary, leaves it out."""
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
    """`open` loads its pixel, `click` follows a link, `unsubscribe` presses the button of the mail program, `complain` the one for spam, and `bounce` is what a server says that took it and then found no mailbox. `reply` answers it, to its Reply-To or its sender, where that is received here."""


class SandboxActBody(_SandboxActBodyRequired, total=False):
    link: str
    """Which of its `links` to click; the first one when not given."""
    text: str
    """Of a `reply`: what its recipient writes above what they quote."""


class SandboxActData(TypedDict):
    action: Literal["open", "click", "unsubscribe", "bounce", "complain", "reply"]
    leads_to: Union[str, None]
    """Where the link leads."""


class SandboxCheckedLink(TypedDict):
    url: str
    text: Union[str, None]
    """What is clicked on; null in plain text."""
    status: Union[int, None]
    """Of the last response; null without one."""
    leads_to: Union[str, None]
    """After redirects; null without any."""
    error: Union[str, None]
    """What is wrong; null if it leads somewhere."""


class SandboxClearData(TypedDict):
    deleted: int
    """How many messages there were."""


class SandboxCreateOrganizationBody(TypedDict, total=False):
    name: str
    """1 to 200 characters."""
    minutes: int
    """How long it stays."""


_SandboxLatestDataRequired = TypedDict(
    "_SandboxLatestDataRequired",
    {
        "id": "str",
        # The email this is a delivery of.
        "email_id": "str",
        # Whether it is mail of the installation to its users, which is in no list of emails. Never shown to keys.
        "account_mail": "bool",
        "from": "SandboxLatestDataFrom",
        # The recipient of this delivery (the envelope, so bcc is shown too).
        "to": "str",
        "subject": "str",
        # Bytes of the whole message.
        "size": "int",
        # Whether somebody looked at it in the dashboard, or said so.
        "is_read": "bool",
        "received_at": "str",
        # The envelope sender: where a bounce would have gone.
        "return_path": "str",
        # What a receiver would make of it.
        "authentication": "SandboxLatestDataAuthentication",
        # The address headers as a reader sees them.
        "addresses": "SandboxLatestDataAddresses",
        # Every header in order, unfolded, otherwise as sent.
        "headers": "List[SandboxLatestDataHeadersItem]",
        "html": "Union[str, None]",
        "text": "Union[str, None]",
        # Attachments and inline images.
        "attachments": "List[SandboxLatestDataAttachmentsItem]",
        # Each link once, in their order; at most 100.
        "links": "List[SandboxLatestDataLinksItem]",
        # What looks like a code to type: digits without the spaces between them, or digits and capital letters. Those near a word such as “code” first; at most 20.
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
    """The address headers as a reader sees them."""


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
    """What html refers to as cid:…"""
    size: int
    """Bytes of the content."""
    content: str
    """The content, in base64."""


class SandboxLatestDataAuthentication(TypedDict):
    """What a receiver would make of it."""
    dkim: SandboxLatestDataAuthenticationDkim
    spf: SandboxLatestDataAuthenticationSpf


class SandboxLatestDataAuthenticationDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    """That signed it."""
    selector: Union[str, None]
    reason: Union[str, None]
    """In words, where it does not pass."""


class SandboxLatestDataAuthenticationSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    """Of the sender."""
    reason: Union[str, None]
    """In words, where it does not pass."""


class SandboxLatestDataFrom(TypedDict):
    email: str
    name: Union[str, None]


class SandboxLatestDataHeadersItem(TypedDict):
    name: str
    value: str


class SandboxLatestDataLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """What is clicked on; null in plain text."""


class SandboxListPage(TypedDict):
    """A page of results"""
    data: List[SandboxMessageItem]
    pagination: Pagination


class SandboxMarkAllData(TypedDict):
    changed: int
    """How many messages."""


_SandboxMessageRequired = TypedDict(
    "_SandboxMessageRequired",
    {
        "id": "str",
        # The email this is a delivery of.
        "email_id": "str",
        # Whether it is mail of the installation to its users, which is in no list of emails. Never shown to keys.
        "account_mail": "bool",
        "from": "SandboxMessageFrom",
        # The recipient of this delivery (the envelope, so bcc is shown too).
        "to": "str",
        "subject": "str",
        # Bytes of the whole message.
        "size": "int",
        # Whether somebody looked at it in the dashboard, or said so.
        "is_read": "bool",
        "received_at": "str",
        # The envelope sender: where a bounce would have gone.
        "return_path": "str",
        # What a receiver would make of it.
        "authentication": "SandboxMessageAuthentication",
        # The address headers as a reader sees them.
        "addresses": "SandboxMessageAddresses",
        # Every header in order, unfolded, otherwise as sent.
        "headers": "List[SandboxMessageHeadersItem]",
        "html": "Union[str, None]",
        "text": "Union[str, None]",
        # Attachments and inline images.
        "attachments": "List[SandboxMessageAttachmentsItem]",
        # Each link once, in their order; at most 100.
        "links": "List[SandboxMessageLinksItem]",
        # What looks like a code to type: digits without the spaces between them, or digits and capital letters. Those near a word such as “code” first; at most 20.
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
    """The address headers as a reader sees them."""


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
    """What html refers to as cid:…"""
    size: int
    """Bytes of the content."""
    content: str
    """The content, in base64."""


class SandboxMessageAuthentication(TypedDict):
    """What a receiver would make of it."""
    dkim: SandboxMessageAuthenticationDkim
    spf: SandboxMessageAuthenticationSpf


class SandboxMessageAuthenticationDkim(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: Union[str, None]
    """That signed it."""
    selector: Union[str, None]
    reason: Union[str, None]
    """In words, where it does not pass."""


class SandboxMessageAuthenticationSpf(TypedDict):
    result: Literal["pass", "fail", "none"]
    domain: str
    """Of the sender."""
    reason: Union[str, None]
    """In words, where it does not pass."""


class SandboxMessageChecks(TypedDict):
    size: SandboxMessageChecksSize
    """In bytes: the message as sent, its parts decoded."""
    findings: List[SandboxMessageChecksFindingsItem]
    """Problems that spam filters and readers react to."""
    links: List[SandboxMessageChecksLinksItem]
    """Each once, up to 100."""
    html: Union[SandboxMessageChecksHtml, None]
    """What mail clients make of the HTML, by the tables of Can I email. Null without HTML."""


class SandboxMessageChecksFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """A sentence for people."""


class SandboxMessageChecksHtml(TypedDict):
    """What mail clients make of the HTML, by the tables of Can I email. Null without HTML."""
    is_complete: bool
    """False if only the first 250,000 characters were read."""
    features: List[SandboxMessageChecksHtmlFeaturesItem]
    """Those that some client does not support; the worst first."""
    clients: List[SandboxMessageChecksHtmlClientsItem]


class SandboxMessageChecksHtmlClientsItem(TypedDict):
    name: str
    unsupported: int
    """How many features that the message uses it does not support."""
    partial: int


class SandboxMessageChecksHtmlFeaturesItem(TypedDict):
    feature: str
    about: str
    """A page about it."""
    count: int
    """How often it is used."""
    line: int
    """Of the HTML, where it is used first."""
    unsupported: List[str]
    """Mail clients that do not support it."""
    partial: List[str]
    """Mail clients that support it in part."""


class SandboxMessageChecksLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """What is clicked on; null in plain text."""


class SandboxMessageChecksSize(TypedDict):
    """In bytes: the message as sent, its parts decoded."""
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
        # The email this is a delivery of.
        "email_id": "str",
        # Whether it is mail of the installation to its users, which is in no list of emails. Never shown to keys.
        "account_mail": "bool",
        "from": "SandboxMessageItemFrom",
        # The recipient of this delivery (the envelope, so bcc is shown too).
        "to": "str",
        "subject": "str",
        # Bytes of the whole message.
        "size": "int",
        # Whether somebody looked at it in the dashboard, or said so.
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
    """What is clicked on; null in plain text."""


class SandboxSampleReportsData(TypedDict):
    sent: int
    """How many reports the inbound receiver took."""


_SendEmailRequired = TypedDict(
    "_SendEmailRequired",
    {
        # One, or a list of up to 50.
        "to": "Union[List[MailboxInput], Mailbox, str]",
        # One line. With a template it may contain variables.
        "subject": "str",
        "from": "MailboxInput",
    },
)

_SendEmailOptional = TypedDict(
    "_SendEmailOptional",
    {
        # One, or a list of up to 50.
        "cc": "Union[List[MailboxInput], Mailbox, str]",
        # One, or a list of up to 50.
        "bcc": "Union[List[MailboxInput], Mailbox, str]",
        # At most 2 MiB.
        "html": "str",
        # At most 2 MiB.
        "text": "str",
        # A saved template instead of html and text: its id or its alias.
        "template_id": "str",
        # Values for the variables of the template.
        "template_data": "Dict[str, Any]",
        # The language, by its BCP 47 name. The template is sent in the nearest translation that it has (`pt-BR`, then `pt`), with the subject of that; without one, as it was written.
        "locale": "str",
        "attachments": "List[Attachment]",
        # Who gets the answers: one, or a list of up to 10.
        "reply_to": "Union[List[MailboxInput], Mailbox, str]",
        # Custom email headers, up to 50.
        "headers": "Dict[str, str]",
        # Up to 10, to find the email by later.
        "tags": "List[Tag]",
        # A flat object of your own, returned with the email.
        "metadata": "Dict[str, Union[str, float, bool]]",
        # By default that of its stream: `normal`, and `low` for `bulk`.
        "priority": "Literal[\"high\", \"normal\", \"low\"]",
        # The kind of mail it is kept apart as: `transactional` (the default), `bulk`, or one of your own (`/streams`). With `unsubscribe`, recipients unsubscribe from the stream.
        "stream": "str",
        # ISO 8601 date and time. Without an offset it is UTC.
        "scheduled_at": "str",
        # Whether html mail gets a pixel that records opens. The default is the setting of the domain, or else the one in `/settings/tracking`.
        "track_opens": "bool",
        # Whether links are replaced by ones that tell when they are followed: those of html (`html`, or `true`), those of the text, too (`html_and_text`), or none (`off`, or `false`). The default is the setting of the domain, or else the one in `/settings/tracking`.
        "track_clicks": "Literal[True, False, \"off\", \"html\", \"html_and_text\"]",
        # Whether mail that has html and no text gets a text part that is made from it. By default yes with a template, otherwise no.
        "text_from_html": "bool",
        # Answers to it are received: its Reply-To is an address of this server, or of a receiving domain below the sender’s, that only this email has. See `GET /inbound`.
        "receive_replies": "bool",
        # Adds `List-Unsubscribe` and `List-Unsubscribe-Post` headers, so that recipients can unsubscribe with one click.
        "unsubscribe": "bool",
        # The kind of mail it is, such as `product-news`: an unsubscription stops mail of the same group and no other. Implies `unsubscribe`, unless that is `false`. Mail with `unsubscribe` and no group is of the group `default`.
        "unsubscribe_group": "str",
        # Seconds until delivery is given up; 86400 by default.
        "expires_in": "int",
        # Of the emails with the same key from the same domain to the same recipient, only the newest is sent: older ones that were not handed over yet are withdrawn (`superseded`). For mail that is out of date once the next is sent, such as sign-in codes.
        "collapse_key": "str",
        # Sent only over TLS to a verified server that promises to demand the same of the next one (REQUIRETLS, RFC 8689); otherwise it bounces. Few servers can: try it with `dry_run`.
        "require_tls": "bool",
    },
    total=False,
)


class SendEmail(_SendEmailRequired, _SendEmailOptional):
    """Its fields are above."""


class _SendResultRequired(TypedDict):
    message_id: str
    """The id of the email."""
    status: Literal["queued"]
    queued_at: str
    """When it was stored."""


class SendResult(_SendResultRequired, total=False):
    state: Literal["held"]
    """Only where a hold keeps the email, or some of its recipients, from being sent."""
    hold: EmailHold


class Session(TypedDict):
    id: str
    """Starts with `ses_`."""
    current: bool
    """True for the session of this request."""
    created_at: str
    """When somebody signed in."""
    last_seen_at: str
    """To five minutes."""
    expires_at: str
    """End of the session, unless the session is used again before."""
    address: Union[str, None]
    """The network address at the sign-in."""
    user_agent: Union[str, None]
    """The user agent of the browser at the sign-in."""


class SettingsUpdateAutoValidationBody(TypedDict):
    threshold: Literal["off", "high", "medium"]
    """`off`: no validation. `high`: recipients above 0.7 are refused. `medium`: those above 0.3."""


class SettingsUpdateGuardBody(TypedDict, total=False):
    enabled: bool
    """Whether the guard holds mail that servers suddenly refuse, and slows repeats of one email that flood an address."""
    allow: List[str]
    """Addresses, and domains with their subdomains, whose mail the guard never slows, such as mailboxes for alerts."""


class SettingsUpdateRetentionBody(TypedDict, total=False):
    content_days: int
    """Days for which html, text and attachments are kept; 0 keeps them as long as the email."""
    email_days: int
    """Days for which emails and their events are kept; 0 keeps them forever."""


class _SettingsUpdateTrackingBodyRequired(TypedDict):
    track_opens: bool
    """Whether html mail gets a pixel that records opens, unless a request sets another value."""


class SettingsUpdateTrackingBody(_SettingsUpdateTrackingBodyRequired, total=False):
    track_clicks: Literal[True, False, "off", "html", "html_and_text"]
    """Links of html (`html`, or `true`), those of the text, too (`html_and_text`), or none (`off`, or `false`). Stays as it is where it is not given."""


class SettingsUpdateValidationBody(TypedDict, total=False):
    disposable_allow: List[str]
    disposable_deny: List[str]


class Site(TypedDict):
    id: str
    name: str
    """The mail hosts, or the provider, that share limits."""
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: the site accepts mail. `slow`: the site asked for slower sending and gets `messages_per_minute`. `blocked`: nothing is sent until `until`. `probing`: one trial delivery is sent. `paused`: an operator paused the site."""
    message: str
    """The state in a sentence."""
    since: Union[str, None]
    """Start of the restriction."""
    until: Union[str, None]
    """For `blocked`: when it is tried again."""
    reason: Union[str, None]
    """Why, from the closed list of reasons."""
    reply: Union[str, None]
    """The server reply that caused the state, without addresses."""
    messages_per_minute: Union[float, None]
    """The pace of a slow site."""
    connections: Union[int, None]
    """Maximum number of simultaneous connections, after the site refused further connections."""
    provider: Union[str, None]
    due: int
    """Due deliveries that are waiting for the site. For an organization, at most 10,000 waiting deliveries are examined."""
    scheduled: int
    """Deliveries that are due later."""
    oldest_due_at: Union[str, None]
    domains: List[str]
    """Domains of these recipients; the first 20."""
    editable: bool
    """Whether you may pause, resume and try the site."""


class Stream(TypedDict):
    name: str
    description: Union[str, None]
    priority: Literal["high", "normal", "low"]
    """Priority of mail in the stream that has no priority of its own. Within an organization, mail with a higher priority is sent first."""
    messages_per_minute: Union[int, None]
    """How many of its mails are sent in a minute of the clock, by all workers together; excess mail is queued. Null: any number."""
    messages_per_hour: Union[int, None]
    """How many of its mails are sent in an hour of the clock, by all workers together; excess mail is queued. Null: any number."""
    built_in: bool
    """True: the stream is built in and cannot be removed."""
    created_at: Union[str, None]
    """Null for a built-in stream."""


class StreamEvent(TypedDict):
    id: str
    type: Literal["queued", "processing", "held", "delivered", "opened", "clicked", "bounced", "deferred", "failed", "complained", "unsubscribed", "rejected", "received"]
    recipient: str
    mx_host: Union[str, None]
    """The mail server."""
    smtp_code: Union[int, None]
    """Its answer."""
    smtp_message: Union[str, None]
    """Its words."""
    enhanced_code: Union[str, None]
    """Such as `5.1.1`."""
    reason: Union[str, None]
    """Why, from a closed list: `unknown_recipient`, `greylisted`, …"""
    attempt: Union[int, None]
    """From 1."""
    tls: Union[str, None]
    """What the connection was secured with."""
    tls_certificate: Union[StreamEventTlsCertificate, None]
    """Of the server; null without TLS."""
    next_attempt_at: Union[str, None]
    """When a deferred delivery is tried again."""
    user_agent: Union[str, None]
    """Of `opened` and `clicked`: the program that fetched the pixel or followed the link."""
    machine: Union[bool, None]
    """Of `opened` and `clicked`: whether it was a prefetch, scanner, bot or preview, not a person; `reason` says which."""
    url: Union[str, None]
    """Of `clicked`: the link, as it is in the mail."""
    hold: Union[StreamEventHold, None]
    """Of mail that is `held`: GET /holds/{id} says more."""
    created_at: str
    """When it happened."""
    email_id: str


class StreamEventHold(TypedDict):
    """Of mail that is `held`: GET /holds/{id} says more."""
    id: str
    reason: str
    placed_by: str
    """As of the hold: a user, an API key, an operator, or `guard`."""
    placed_at: str


class _StreamEventTlsCertificateRequired(TypedDict):
    verified: bool
    """Valid, from a trusted authority, and for the name of the host; with `dane`, the one that DNS vouches for."""
    policy: Literal["dane", "mta_sts", "require_tls", "provider", "relay", "opportunistic"]
    """The origin of the TLS requirement: the mail host by its TLSA records (DANE) or the recipient's domain (MTA-STS), whose certificate must be verified, the provider's own rules, your relay, or nothing but the server's offer."""
    issuer: Union[str, None]
    """Who issued it."""
    problem: Union[str, None]
    """Why it is not verified."""


class StreamEventTlsCertificate(_StreamEventTlsCertificateRequired, total=False):
    """Of the server; null without TLS."""
    sha256: Union[str, None]
    """SHA-256 of the certificate, in hexadecimal."""


class _StreamsCreateBodyRequired(TypedDict):
    name: str
    """Lower-case letters, digits and hyphens, at most 32. The name cannot be changed."""


class StreamsCreateBody(_StreamsCreateBodyRequired, total=False):
    description: Union[str, None]
    """For people."""
    priority: Literal["high", "normal", "low"]
    """Priority of mail in the stream that has no priority of its own. Within an organization, mail with a higher priority is sent first."""
    messages_per_minute: Union[int, None]
    """How many of its mails are sent in a minute of the clock, by all workers together; excess mail is queued. Null: any number."""
    messages_per_hour: Union[int, None]
    """How many of its mails are sent in an hour of the clock, by all workers together; excess mail is queued. Null: any number."""


class StreamsDeleteData(TypedDict):
    name: str
    deleted: Literal[True]


class StreamsUpdateBody(TypedDict, total=False):
    description: Union[str, None]
    """For people."""
    priority: Literal["high", "normal", "low"]
    """Priority of mail in the stream that has no priority of its own. Within an organization, mail with a higher priority is sent first."""
    messages_per_minute: Union[int, None]
    """How many of its mails are sent in a minute of the clock, by all workers together; excess mail is queued. Null: any number."""
    messages_per_hour: Union[int, None]
    """How many of its mails are sent in an hour of the clock, by all workers together; excess mail is queued. Null: any number."""


class Suppression(TypedDict):
    id: str
    """Starts with `sup_`."""
    email: str
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]
    """Why the address must not be mailed."""
    source: Literal["automatic", "manual"]
    """`automatic` if a delivery caused it."""
    email_id: Union[str, None]
    """The email an automatic entry came from."""
    cause: Union[str, None]
    """The reason of the event an automatic entry came from."""
    unsubscribe_group: Union[str, None]
    """The mail that it stops: of this group alone, or all of it where null."""
    created_at: str


class SuppressionImport(TypedDict):
    id: str
    """Starts with `imp_`."""
    status: Literal["waiting", "running", "done", "failed"]
    """`failed`: it could not be finished, through no fault of the list. Import it again."""
    total: int
    """How many addresses were uploaded."""
    processed: int
    """How many were processed: added, existing and invalid ones."""
    added: int
    existing: int
    """On the list before, or twice in the upload."""
    invalid: int
    errors: List[SuppressionImportErrorsItem]
    """What was wrong with the invalid lines: the first 100 of them."""
    created_at: str
    finished_at: Union[str, None]


class SuppressionImportErrorsItem(TypedDict):
    line: int
    """Of the file, or position in the JSON list, counting from 1."""
    field: str
    message: str


class _SuppressionsCreateBodyRequired(TypedDict):
    email: str
    """The address that must not be mailed."""
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]
    """Why."""


class SuppressionsCreateBody(_SuppressionsCreateBodyRequired, total=False):
    unsubscribe_group: str
    """With the reason `unsubscribe`: stops mail of this group alone."""


class SuppressionsImportListBody(TypedDict):
    suppressions: List[SuppressionsImportListBodySuppressionsItem]


class _SuppressionsImportListBodySuppressionsItemRequired(TypedDict):
    email: str


class SuppressionsImportListBodySuppressionsItem(_SuppressionsImportListBodySuppressionsItemRequired, total=False):
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "unsubscribe", "manual"]
    """Why."""
    unsubscribe_group: str
    """With the reason `unsubscribe`: stops mail of this group alone."""


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
    """The id of its layout."""
    inline_css: bool
    partials: List[TemplatePartialsItem]
    """Those that its own text names."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    version: int
    """Counts the saves."""
    is_active: bool
    created_at: str
    updated_at: str


class TemplateChecks(TypedDict):
    size: TemplateChecksSize
    """In bytes."""
    findings: List[TemplateChecksFindingsItem]
    """Problems that spam filters and readers react to."""
    links: List[TemplateChecksLinksItem]
    """Each once, up to 100."""
    html: Union[TemplateChecksHtml, None]
    """What mail clients make of the HTML, by the tables of Can I email. Null without HTML."""
    checked_links: Union[List[SandboxCheckedLink], None]


class TemplateChecksFindingsItem(TypedDict):
    kind: str
    severity: Literal["warning", "info"]
    message: str
    """A sentence for people."""


class TemplateChecksHtml(TypedDict):
    """What mail clients make of the HTML, by the tables of Can I email. Null without HTML."""
    is_complete: bool
    """False if only the first 250,000 characters were read."""
    features: List[TemplateChecksHtmlFeaturesItem]
    """Those that some client does not support; the worst first."""
    clients: List[TemplateChecksHtmlClientsItem]


class TemplateChecksHtmlClientsItem(TypedDict):
    name: str
    unsupported: int
    """How many features that the message uses it does not support."""
    partial: int


class TemplateChecksHtmlFeaturesItem(TypedDict):
    feature: str
    about: str
    """A page about it."""
    count: int
    """How often it is used."""
    line: int
    """Of the HTML, where it is used first."""
    unsupported: List[str]
    """Mail clients that do not support it."""
    partial: List[str]
    """Mail clients that support it in part."""


class TemplateChecksLinksItem(TypedDict):
    url: str
    text: Union[str, None]
    """What is clicked on; null in plain text."""


class TemplateChecksSize(TypedDict):
    """In bytes."""
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
    """The id of its layout."""
    inline_css: bool
    partials: List[TemplateDetailPartialsItem]
    """Those that its own text names."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    version: int
    """Counts the saves."""
    is_active: bool
    created_at: str
    updated_at: str
    sample_data: Union[Dict[str, Any], None]
    """What it is previewed with."""
    usage: TemplateDetailUsage
    draft: Union[TemplateDetailDraft, None]
    used_by: List[TemplateDetailUsedByItem]
    """The templates that use this layout or partial, up to 100 of them."""


class TemplateDetailDraft(TypedDict):
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """The id of its layout."""
    inline_css: bool
    partials: List[TemplateDetailDraftPartialsItem]
    """Those that its own text names."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    based_on: int
    """The version that was current when it was begun."""
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
    """The id of its layout."""
    inline_css: bool
    partials: List[TemplateDraftPartialsItem]
    """Those that its own text names."""
    variables: Union[List[TemplateVariable], None]
    variable_schema: List[Dict[str, Any]]
    based_on: int
    """The version that was current when it was begun."""
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
    """The values that it was rendered with. Null also while they are in a content store that does not answer."""
    created_at: str


class TemplateTranslation(TypedDict):
    locale: str
    subject: str
    html: str
    text: str


class TemplateVariable(TypedDict):
    name: str
    """A path such as `user.name` or `items[].price`."""
    type: str
    required: bool
    """False when it is only used inside a conditional, or has a default."""
    places: List[TemplateVariablePlacesItem]


class TemplateVariablePlacesItem(TypedDict):
    part: str
    line: int
    column: int
    source: Union[str, None]
    """The layout or partial that it stands in; null for the template itself."""


class _TemplateVariableRuleRequired(TypedDict):
    name: str
    type: Literal["string", "number", "boolean", "array", "object", "date"]


class TemplateVariableRule(_TemplateVariableRuleRequired, total=False):
    required: bool
    default_value: Any


class TemplateVersion(TypedDict):
    version: int
    subject: str
    html_body: str
    text_body: str
    translations: List[TemplateTranslation]
    layout: Union[str, None]
    """The id of its layout."""
    inline_css: bool
    partials: List[TemplateVersionPartialsItem]
    """Those that its own text names."""
    variable_schema: List[Dict[str, Any]]
    created_at: str
    created_by: Union[str, None]
    """The user who published the version; null if not recorded."""
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
    """The layout or partial that it stands in; null for the template itself."""


class TemplatesCheckBody(TypedDict, total=False):
    kind: Literal["template", "layout", "partial"]
    """A layout goes around templates, at its `{{{content}}}`; a partial stands in others, as `{{> alias}}`. Neither is sent, or has a subject. It never changes."""
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """What html and text are put into: the id or alias of a layout. `null` is none."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail programs without style sheets."""
    html: str
    """HTML, with variables escaped."""
    text: str
    """Plain text."""
    translations: List[TranslationOfTemplate]
    """The same in other languages, for sends with a `locale`. The list is given whole."""
    variable_schema: List[TemplateVariableRule]
    """Checked and filled in when the template is sent."""
    locale: str
    """A language by its BCP 47 name: `pt-BR`."""
    data: Dict[str, Any]
    """Values for the variables."""
    check_links: bool
    """Also asks where its links lead, which takes seconds."""


class _TemplatesCreateBodyRequired(TypedDict):
    name: str


class TemplatesCreateBody(_TemplatesCreateBodyRequired, total=False):
    alias: Union[str, None]
    """Stands wherever its id does. One active template of an organization has it; `null` removes it."""
    kind: Literal["template", "layout", "partial"]
    """A layout goes around templates, at its `{{{content}}}`; a partial stands in others, as `{{> alias}}`. Neither is sent, or has a subject. It never changes."""
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """What html and text are put into: the id or alias of a layout. `null` is none."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail programs without style sheets."""
    html: str
    """HTML, with variables escaped."""
    text: str
    """Plain text."""
    translations: List[TranslationOfTemplate]
    """The same in other languages, for sends with a `locale`. The list is given whole."""
    variable_schema: List[TemplateVariableRule]
    """Checked and filled in when the template is sent."""
    sample_data: Union[Dict[str, Any], None]
    """Sample data for previews without `data`. Not part of a version, and never used in mail."""


class TemplatesListPage(TypedDict):
    """A page of results"""
    data: List[Template]
    pagination: Pagination


class TemplatesPreviewBody(TypedDict, total=False):
    locale: str
    """A language by its BCP 47 name: `pt-BR`."""
    draft: bool
    """Its draft, where it has one, rather than what is sent."""
    data: Dict[str, Any]
    """Values for the variables. Omitted: the sample data of the template."""
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """What html and text are put into: the id or alias of a layout. `null` is none."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail programs without style sheets."""
    html: str
    """In place of the saved one, which stays as it is."""
    text: str
    """In place of the saved one, which stays as it is."""
    translations: List[TranslationOfTemplate]
    """The same in other languages, for sends with a `locale`. The list is given whole."""
    variable_schema: List[TemplateVariableRule]
    """Checked and filled in when the template is sent."""


class TemplatesSaveDraftBody(TypedDict, total=False):
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """What html and text are put into: the id or alias of a layout. `null` is none."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail programs without style sheets."""
    html: str
    """HTML, with variables escaped."""
    text: str
    """Plain text."""
    translations: List[TranslationOfTemplate]
    """The same in other languages, for sends with a `locale`. The list is given whole."""
    variable_schema: List[TemplateVariableRule]
    """Checked and filled in when the template is sent."""


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
        # The language, by its BCP 47 name. The template is sent in the nearest translation that it has (`pt-BR`, then `pt`), with the subject of that; without one, as it was written.
        "locale": "str",
        # Its draft, where it has one, rather than what is sent.
        "draft": "bool",
    },
    total=False,
)


class TemplatesSendTestBody(_TemplatesSendTestBodyRequired, _TemplatesSendTestBodyOptional):
    """Its fields are above."""


class TemplatesUpdateBody(TypedDict, total=False):
    name: str
    alias: Union[str, None]
    """Stands wherever its id does. One active template of an organization has it; `null` removes it."""
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """What html and text are put into: the id or alias of a layout. `null` is none."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail programs without style sheets."""
    html: str
    """HTML, with variables escaped."""
    text: str
    """Plain text."""
    translations: List[TranslationOfTemplate]
    """The same in other languages, for sends with a `locale`. The list is given whole."""
    variable_schema: List[TemplateVariableRule]
    """Checked and filled in when the template is sent."""
    sample_data: Union[Dict[str, Any], None]
    """Sample data for previews without `data`. Not part of a version, and never used in mail."""


class TemplatesValidateBody(TypedDict, total=False):
    kind: Literal["template", "layout", "partial"]
    """A layout goes around templates, at its `{{{content}}}`; a partial stands in others, as `{{> alias}}`. Neither is sent, or has a subject. It never changes."""
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    layout: Union[str, None]
    """What html and text are put into: the id or alias of a layout. `null` is none."""
    inline_css: bool
    """Whether the rules of `<style>` are also inlined into the elements, for mail programs without style sheets."""
    html: str
    """HTML, with variables escaped."""
    text: str
    """Plain text."""
    translations: List[TranslationOfTemplate]
    """The same in other languages, for sends with a `locale`. The list is given whole."""
    variable_schema: List[TemplateVariableRule]
    """Checked and filled in when the template is sent."""
    locale: str
    """A language by its BCP 47 name: `pt-BR`."""
    data: Dict[str, Any]
    """Values for the variables."""


class TemplatesVersionsPage(TypedDict):
    """A page of results"""
    data: List[TemplateVersion]
    pagination: Pagination


class ThrowAwayOrganization(TypedDict):
    id: str
    name: str
    domain: str
    """Verified: mail may be sent from it at once."""
    api_key: str
    """Of scope `full`. Shown this once."""
    expires_at: str


_TlsReportsRequired = TypedDict(
    "_TlsReportsRequired",
    {
        "domain": "str",
        # The first day.
        "from": "str",
        # Today.
        "to": "str",
        # What to do next, in one sentence.
        "advice": "str",
        # The record that asks for reports.
        "record": "Union[TlsReportsRecord, None]",
        "totals": "TlsReportsTotals",
        # Day by day, also those that nobody reported about.
        "series": "List[TlsReportsSeriesItem]",
        # Most often first; 100 at most.
        "failures": "List[TlsReportsFailuresItem]",
        # Names of the reporting organizations, as they state them; 50 at most.
        "reporters": "List[TlsReportsReportersItem]",
    },
)


class TlsReports(_TlsReportsRequired):
    """Its fields are above."""


class TlsReportsFailuresItem(TypedDict):
    failure: str
    """As RFC 8460 names it; `unspecified` where the report does not say."""
    mx_host: Union[str, None]
    """The host that mail was to be handed to."""
    sessions: int


class TlsReportsRecord(TypedDict):
    """The record that asks for reports."""
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
    """Whether html mail gets a pixel that records opens, unless a request sets another value."""
    track_clicks: Literal["off", "html", "html_and_text"]
    """Which links are replaced by tracked links, unless a domain or a request sets another value."""


class Tracking(_TrackingRequired, total=False):
    problem: str
    """Present only if mail is sent without pixels, tracked links and unsubscribe links: the cause and the fix."""


class _TranslationOfTemplateRequired(TypedDict):
    locale: str
    """A language by its BCP 47 name: `pt-BR`."""


class TranslationOfTemplate(_TranslationOfTemplateRequired, total=False):
    subject: str
    """One line, which every template has. May contain variables: `Hello {{name}}`."""
    html: str
    """HTML in this language."""
    text: str
    """Plain text in this language."""


class Transport(TypedDict):
    name: str
    """Lower-case letters, digits and hyphens. What it is known by: another name is another transport."""
    kind: Literal["direct", "relay"]
    sources: List[TransportSource]
    """Of a direct transport."""
    url: Union[str, None]
    """Of a relay, without the password."""
    has_password: bool
    connections: Union[int, None]
    messages_per_minute: Union[int, None]
    health: Union[TransportHealth, None]


class TransportHealth(TypedDict):
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that accepts no mail at the moment is skipped."""
    message: str
    """The state in a sentence."""
    since: Union[str, None]
    until: Union[str, None]
    """For `blocked`: when it is tried again."""
    reason: Union[str, None]
    reply: Union[str, None]
    """The server reply that caused the state, without addresses."""


class TransportSource(TypedDict):
    address: str
    ehlo_name: Union[str, None]
    """Null: the host name of the installation."""
    weight: int
    connections: Union[int, None]
    """Null: as many as the site takes."""
    warm_up: Union[TransportSourceWarmUp, None]
    workers: int
    """Running workers that have the address on their machine."""
    held_up: List[TransportSourceHeldUpItem]
    """Sites that do not take everything from it at the moment; the first 20."""


class TransportSourceHeldUpItem(TypedDict):
    site: str
    state: Literal["open", "slow", "blocked", "probing", "paused"]
    """`open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that accepts no mail at the moment is skipped."""
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
        # A user’s address, the name of an API key, or `operator` and a user’s name on the server.
        "requested_by": "str",
        "requested_at": "str",
        # Recipients that are queued again so far.
        "requeued": "int",
        # Automatic suppressions that were lifted so far.
        "unsuppressed": "int",
        # What stays. `not_bounced`: no longer the last word on that recipient. `content_gone`: nothing left to send. `suppressed`: on the suppression list for another reason. `other_mode`: accepted in the other mode, sandbox or live.
        "left_alone": "UndoLeftAlone",
        "ended_at": "Union[str, None]",
    },
)


class Undo(_UndoRequired):
    """Its fields are above."""


class UndoLeftAlone(TypedDict):
    """What stays. `not_bounced`: no longer the last word on that recipient. `content_gone`: nothing left to send. `suppressed`: on the suppression list for another reason. `other_mode`: accepted in the other mode, sandbox or live."""
    not_bounced: int
    content_gone: int
    suppressed: int
    other_mode: int


_UndosCreateBodyRequired = TypedDict(
    "_UndosCreateBodyRequired",
    {
        # Bounces from this time on.
        "from": "str",
        # Bounces before this time, at most 7 days after `from`. Future bounces are not included.
        "to": "str",
        # Why. It is kept with the undo.
        "reason": "str",
    },
)

_UndosCreateBodyOptional = TypedDict(
    "_UndosCreateBodyOptional",
    {
        # A template’s id or alias.
        "template_id": "str",
        # `name` or `name:value`.
        "tag": "str",
        # A provider or a site, as `GET /sites` names them, that the recipients’ domains belong to.
        "provider": "str",
        # Part of what the server said, in any letter case.
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
        # Bounces from this time on.
        "from": "str",
        # Bounces before this time, at most 7 days after `from`. Future bounces are not included.
        "to": "str",
    },
)

_UndosPreviewBodyOptional = TypedDict(
    "_UndosPreviewBodyOptional",
    {
        # A template’s id or alias.
        "template_id": "str",
        # `name` or `name:value`.
        "tag": "str",
        # A provider or a site, as `GET /sites` names them, that the recipients’ domains belong to.
        "provider": "str",
        # Part of what the server said, in any letter case.
        "reply": "str",
    },
    total=False,
)


class UndosPreviewBody(_UndosPreviewBodyRequired, _UndosPreviewBodyOptional):
    """Its fields are above."""


class ValidationResult(TypedDict):
    email: str
    """The address as it was given."""
    verdict: Literal["deliverable", "risky", "undeliverable"]
    risk_score: float
    """From 0 to 1, two decimals. 0.3 is risky, 0.7 undeliverable."""
    checks: ValidationResultChecks
    suggestions: List[str]
    """Full addresses that were probably meant."""
    signals: List[ValidationResultSignalsItem]
    """What made up the score."""
    normalized: Union[str, None]
    """The same for two spellings of one mailbox; null if it is not an address."""
    subaddress: Union[str, None]
    """The part after the + and before the @."""
    list_version: str
    """Changes when the built-in lists do."""
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
    """A code for programs."""
    message: str
    """A sentence for people."""


class ValidationResultChecksDns(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""
    addresses: List[str]


class ValidationResultChecksFreeProvider(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""
    provider_type: Literal["free", "isp", "relay", "education", "government", "corporate", "disposable", "unknown"]


class ValidationResultChecksMx(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""
    records: List[ValidationResultChecksMxRecordsItem]
    """The preferred host first."""


class ValidationResultChecksMxRecordsItem(TypedDict):
    priority: int
    exchange: str


class ValidationResultChecksRandom(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""
    entropy_bits_per_char: Union[float, None]
    """Cross-entropy of the local part under a model of names and words."""


class ValidationResultChecksRole(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""


class _ValidationResultChecksSyntaxRequired(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""


class ValidationResultChecksSyntax(_ValidationResultChecksSyntaxRequired, total=False):
    similar_domain: str
    """A well-known domain this one can be mistaken for."""


class ValidationResultChecksTypo(TypedDict):
    status: Literal["pass", "fail", "warn", "unknown"]
    reason: str
    """A code for programs."""
    message: str
    """A sentence for people."""
    suggestions: List[ValidationResultChecksTypoSuggestionsItem]


class ValidationResultChecksTypoSuggestionsItem(TypedDict):
    suggested: str


class ValidationResultSignalsItem(TypedDict):
    signal: Literal["malformed_address", "quoted_local_part", "address_literal", "smtputf8_required", "mixed_scripts", "lookalike_domain", "mapped_domain", "domain_not_found", "null_mx", "special_use_domain", "no_mail_host", "unroutable_mx", "implicit_mx", "dns_unknown", "disposable_domain", "suspected_disposable", "relay_domain", "role_address", "unread_address", "known_typo", "unknown_tld", "likely_typo", "random_local_part", "very_random_local_part", "hard_bounced", "suppressed"]
    check: str
    """The check it came from; `history`: past mail of your organization."""
    kind: Literal["floor", "soft"]
    """A floor is a minimum for the score; soft signals add up."""
    weight: float


class ValidationSettings(TypedDict):
    disposable_allow: List[str]
    """Never disposable for this organization, including subdomains."""
    disposable_deny: List[str]
    """Always disposable for this organization, including subdomains."""


class WarmUpProgress(TypedDict):
    transport: str
    address: str
    provider: Union[str, None]
    """Null if the address has sent nothing yet."""
    since: str
    over: Literal["fallback", "wait"]
    step: int
    """Of the curve, counting from 1."""
    curve: List[int]
    allowed: Union[int, None]
    """Emails today; null when the warm-up is complete."""
    used: int
    """Today, so far."""
    message: str
    """In a sentence."""
    days: List[WarmUpProgressDaysItem]


class WarmUpProgressDaysItem(TypedDict):
    day: str
    allowed: Union[int, None]
    used: int
    delivered: int
    objected: int
    """Refused or deferred because of the sender."""
    complained: int


class Webhook(TypedDict):
    id: str
    """Starts with `whk_`."""
    url: str
    description: Union[str, None]
    event_types: Union[List[str], None]
    """Null: all."""
    streams: Union[List[str], None]
    """Null: all."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    enabled: bool
    disabled_reason: Union[Literal["manual", "gone", "failing"], None]
    """`manual`: you did it. `gone`: the endpoint answered 410. `failing`: all calls failed for 5 days."""
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    """Null if the last attempt succeeded."""
    last_error: Union[str, None]
    """The error of the last failed call."""
    last_error_at: Union[str, None]
    previous_secret_expires_at: Union[str, None]
    """After a rotation: until then calls are signed with the previous secret as well."""
    created_at: str
    updated_at: str


class WebhookDelivery(TypedDict):
    id: str
    """The id of the event, and the `webhook-id` of every attempt."""
    type: str
    email_id: Union[str, None]
    """Null in a test, and in what is about a domain."""
    status: Literal["pending", "delivered", "failed"]
    next_attempt_at: Union[str, None]
    """While it is pending."""
    attempts: List[WebhookDeliveryAttemptsItem]
    """Oldest first."""
    created_at: str
    """When the event happened."""


class WebhookDeliveryAttemptsItem(TypedDict):
    at: str
    status: Union[int, None]
    """Of the HTTP response; null if there was none."""
    latency_ms: int
    response: Union[str, None]
    """The first 1 KB of the response."""
    response_headers: Union[Dict[str, str], None]
    """The first 1 KB of its headers, without cookies."""
    error: Union[str, None]
    """What went wrong."""
    next_attempt_at: Union[str, None]


class WebhookDeliveryWithRequest(TypedDict):
    id: str
    """The id of the event, and the `webhook-id` of every attempt."""
    type: str
    email_id: Union[str, None]
    """Null in a test, and in what is about a domain."""
    status: Literal["pending", "delivered", "failed"]
    next_attempt_at: Union[str, None]
    """While it is pending."""
    attempts: List[WebhookDeliveryWithRequestAttemptsItem]
    """Oldest first."""
    created_at: str
    """When the event happened."""
    request: Union[WebhookDeliveryWithRequestRequest, None]
    """The request, with the URL and the format that the webhook has now. Null if the email that it was about is gone, or if the format has no type for the event."""


class WebhookDeliveryWithRequestAttemptsItem(TypedDict):
    at: str
    status: Union[int, None]
    """Of the HTTP response; null if there was none."""
    latency_ms: int
    response: Union[str, None]
    """The first 1 KB of the response."""
    response_headers: Union[Dict[str, str], None]
    """The first 1 KB of its headers, without cookies."""
    error: Union[str, None]
    """What went wrong."""
    next_attempt_at: Union[str, None]


class WebhookDeliveryWithRequestRequest(TypedDict):
    """The request, with the URL and the format that the webhook has now. Null if the email that it was about is gone, or if the format has no type for the event."""
    method: Literal["POST"]
    url: str
    headers: Dict[str, str]
    """Without the time and the signatures, which are new for every attempt."""
    body: str
    """Exactly as it is sent."""


class WebhookPreview(TypedDict):
    headers: Dict[str, str]
    """Without the time and the signatures, which the sender of the request adds."""
    body: str
    """Exactly as it is sent."""


class WebhookStats(TypedDict):
    events: int
    """How many events were looked at."""
    since: Union[str, None]
    """When the oldest of them happened."""
    delivered: int
    pending: int
    failed: int
    calls: int
    """Attempts for these events, retries included."""
    calls_succeeded: int
    success_rate: Union[float, None]
    """Of the calls: from 0 to 1. Null without any."""
    latency_p50_ms: Union[int, None]
    """Half of the responses came within this time."""
    latency_p95_ms: Union[int, None]
    next_attempt_at: Union[str, None]
    """When the next event that waits is due."""


class WebhookWithSecret(TypedDict):
    id: str
    """Starts with `whk_`."""
    url: str
    description: Union[str, None]
    event_types: Union[List[str], None]
    """Null: all."""
    streams: Union[List[str], None]
    """Null: all."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    enabled: bool
    disabled_reason: Union[Literal["manual", "gone", "failing"], None]
    """`manual`: you did it. `gone`: the endpoint answered 410. `failing`: all calls failed for 5 days."""
    disabled_at: Union[str, None]
    failing_since: Union[str, None]
    """Null if the last attempt succeeded."""
    last_error: Union[str, None]
    """The error of the last failed call."""
    last_error_at: Union[str, None]
    previous_secret_expires_at: Union[str, None]
    """After a rotation: until then calls are signed with the previous secret as well."""
    created_at: str
    updated_at: str
    secret: str
    """Starts with `whsec_`. Shown only once."""


class _WebhooksCreateBodyRequired(TypedDict):
    url: str
    """Where events are sent: https and a public address. In the sandbox also http and this machine."""


class WebhooksCreateBody(_WebhooksCreateBodyRequired, total=False):
    description: Union[str, None]
    """For people."""
    event_types: Union[List[Literal["email.queued", "email.processing", "email.held", "email.delivered", "email.opened", "email.clicked", "email.bounced", "email.deferred", "email.failed", "email.complained", "email.unsubscribed", "email.rejected", "email.received", "domain.verified", "domain.failing", "domain.recovered", "domain.unverified", "suppression.added", "suppression.removed", "attention.raised", "attention.cleared", "canary.stepped"]], None]
    """The events to send. Null or omitted: all types of the format, except those about suppressions, warnings and canaries, which must be named."""
    streams: Union[List[str], None]
    """Only events of mail in these streams. Null or omitted: of all mail."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    """The format of events. `postrider`, the default: the format that this reference describes. The others: the format of the named service, for code that was written for that service."""
    enabled: bool
    """False: no events are sent, and events that happen meanwhile are not sent later."""


class WebhooksDeliveriesPage(TypedDict):
    """A page of results"""
    data: List[WebhookDelivery]
    pagination: WebhooksDeliveriesPagePagination


class WebhooksDeliveriesPagePagination(TypedDict):
    limit: int
    next_cursor: Union[str, None]
    """Null on the last page."""


class _WebhooksReplayRangeBodyRequired(TypedDict):
    since: str
    """ISO 8601 date and time: events that happened then or later. At most 30 days are kept."""


class WebhooksReplayRangeBody(_WebhooksReplayRangeBodyRequired, total=False):
    until: str
    """And not after this. Omitted: until now."""
    status: Literal["failed", "all"]
    """`failed`, the default: what was given up. `all`: also what was delivered."""


class WebhooksReplayRangeData(TypedDict):
    replayed: int
    next_since: Union[str, None]
    """If more than 100,000 are left: call again with this as `since`."""


class WebhooksUpdateBody(TypedDict, total=False):
    url: str
    """Where events are sent: https and a public address. In the sandbox also http and this machine."""
    description: Union[str, None]
    """For people."""
    event_types: Union[List[Literal["email.queued", "email.processing", "email.held", "email.delivered", "email.opened", "email.clicked", "email.bounced", "email.deferred", "email.failed", "email.complained", "email.unsubscribed", "email.rejected", "email.received", "domain.verified", "domain.failing", "domain.recovered", "domain.unverified", "suppression.added", "suppression.removed", "attention.raised", "attention.cleared", "canary.stepped"]], None]
    """The events to send. Null or omitted: all types of the format, except those about suppressions, warnings and canaries, which must be named."""
    streams: Union[List[str], None]
    """Only events of mail in these streams. Null or omitted: of all mail."""
    format: Literal["postrider", "resend", "sendgrid", "postmark"]
    """The format of events. `postrider`, the default: the format that this reference describes. The others: the format of the named service, for code that was written for that service."""
    enabled: bool
    """False: no events are sent, and events that happen meanwhile are not sent later."""


class Worker(TypedDict):
    id: int
    host: Union[str, None]
    """For operators."""
    pid: Union[int, None]
    """For operators."""
    started_at: str
    heartbeat_at: str
    heartbeat_age_seconds: float
    alive: bool
    """Its last heartbeat is less than 15 seconds old."""


MailboxInput = Union["Mailbox", str]
