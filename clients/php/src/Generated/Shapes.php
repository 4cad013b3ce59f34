<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

/**
 * What the API takes and gives, as it names it.
 *
 * @phpstan-type ApiKey array{id: string, name: string, prefix: string, scope: 'full'|'read'|'agent'|'send', domain: string|null, created_at: string, expires_at: string|null, last_used_at: string|null, revoked_at: string|null, created_by: string|null, created_by_name: string|null, created_by_key: string|null, created_by_key_name: string|null, replaced_by: string|null, policy: ApiKeyPolicy|null, budget_used: int|null, last_30_days: ApiKeyLast30Days}
 * @phpstan-type ApiKeyLast30Days array{requests: int, refused: int, emails: int}
 * @phpstan-type ApiKeyPolicy array{recipients: list<string>|null, from: list<string>|null, templates: list<string>|null, attachments: bool, daily_budget: int|null, approval: 'required'|'none', read: 'own'|'organization', inbound: bool}
 * @phpstan-type ApiKeyUsage array{from: string, totals: ApiKeyUsageTotals, days: list<ApiKeyUsageDaysItem>}
 * @phpstan-type ApiKeyUsageDaysItem array{day: string, requests: int, refused: int, emails: int}
 * @phpstan-type ApiKeyUsageTotals array{requests: int, refused: int, emails: int}
 * @phpstan-type ApiKeysCreateBody array{name: string, scope?: 'full'|'read'|'agent'|'send', domain?: string|null, expires_at?: string|null, policy?: ApiKeysCreateBodyPolicy|null}
 * @phpstan-type ApiKeysCreateBodyPolicy array{recipients?: list<string>|null, from?: list<string>|null, templates?: list<string>|null, attachments?: bool, daily_budget?: int|null, approval?: 'required'|'none', read?: 'own'|'organization', inbound?: bool}
 * @phpstan-type ApiKeysListPage array{data: list<ApiKey>, pagination: Pagination}
 * @phpstan-type ApiKeysRevokeData array{id: string, deleted: bool, hold: ApiKeysRevokeDataHold|null}
 * @phpstan-type ApiKeysRevokeDataHold array{id: string, organization_id: string|null, scope: 'all'|'organization'|'domain'|'template'|'tag'|'key'|'provider'|'lane'|'recipient', value: string|null, with_webhooks: bool, reason: string, state: 'in_force'|'releasing'|'released'|'discarding'|'discarded', by_operator: bool, placed_by: string, placed_at: string, decision: ApiKeysRevokeDataHoldDecision|null, ended_at: string|null, released: int, discarded: int, mail: ApiKeysRevokeDataHoldMail|null}
 * @phpstan-type ApiKeysRevokeDataHoldDecision array{kind: 'release'|'discard', reason: string|null, by: string, at: string}
 * @phpstan-type ApiKeysRevokeDataHoldMail array{held: int, expired: int, later: int, oldest_at: string|null}
 * @phpstan-type ApiKeysRotateBody array{old_works_until?: string, expires_at?: string|null}
 * @phpstan-type ApiKeysUpdateBody array{policy: ApiKeysUpdateBodyPolicy|null}
 * @phpstan-type ApiKeysUpdateBodyPolicy array{recipients?: list<string>|null, from?: list<string>|null, templates?: list<string>|null, attachments?: bool, daily_budget?: int|null, approval?: 'required'|'none', read?: 'own'|'organization', inbound?: bool}
 * @phpstan-type Approval array{id: string, state: 'waiting'|'approved'|'rejected'|'expired'|'withdrawn', api_key_id: string, api_key_name: string|null, subject: string, from: ApprovalFrom, to: list<ApprovalToItem>, cc: list<ApprovalCcItem>, bcc: list<ApprovalBccItem>, reply_to: ApprovalReplyTo|null, reply_to_list: list<ApprovalReplyToListItem>, receive_replies: bool, scheduled_at: string|null, expires_in: int|null, priority: 'high'|'normal'|'low', stream: string, track_opens: bool, track_clicks: 'off'|'html'|'html_and_text', unsubscribe: bool, unsubscribe_group: string|null, require_tls: bool, tags: list<ApprovalTagsItem>, metadata: array<string, mixed>, template_id: string|null, locale: string|null, template_version: int|null, requested_at: string, expires_at: string, decided_at: string|null, decided_by: string|null, decided_by_name: string|null, reason: string|null}
 * @phpstan-type ApprovalBccItem array{email: string, name: string|null}
 * @phpstan-type ApprovalCcItem array{email: string, name: string|null}
 * @phpstan-type ApprovalFrom array{email: string, name: string|null}
 * @phpstan-type ApprovalMessage array{size: int, headers: list<ApprovalMessageHeadersItem>, parts: list<ApprovalPart>, outside: list<string>, tracked_links: list<string>}
 * @phpstan-type ApprovalMessageHeadersItem array{name: string, value: string}
 * @phpstan-type ApprovalPart array{number: int, content_type: string, disposition: string, filename: string|null, content_id: string|null, is_container: bool, size: int, headers: list<ApprovalPartHeadersItem>, text: string|null, hidden_text: list<string>}
 * @phpstan-type ApprovalPartHeadersItem array{name: string, value: string}
 * @phpstan-type ApprovalReplyTo array{email: string, name: string|null}
 * @phpstan-type ApprovalReplyToListItem array{email: string, name: string|null}
 * @phpstan-type ApprovalTagsItem array{name: string, value: string}
 * @phpstan-type ApprovalToItem array{email: string, name: string|null}
 * @phpstan-type ApprovalsListPage array{data: list<Approval>, pagination: Pagination}
 * @phpstan-type Attachment array{filename?: string, content?: string, url?: string, content_type?: string, content_id?: string}
 * @phpstan-type Attempt array{kind: 'attempt'|'report', attempt: int|null, created_at: string, duration_ms: int|null, reported_by: string|null, outcome: 'delivered'|'deferred'|'bounced'|'failed'|'rejected', reason: string|null, rule: string|null, responsible: 'recipient'|'sender'|'domain_owner'|'receiver'|'operator'|null, mx_host: string|null, tls: string|null, tls_certificate: AttemptTlsCertificate|null, detail: string|null, conversation: list<string>, next_attempt_at: string|null, route: AttemptRoute|null}
 * @phpstan-type AttemptRoute array{transport: string, kind: 'direct'|'relay'|'default', source: string|null, rule: int|null, step: int, why: string, canary?: AttemptRouteCanary, message: string}
 * @phpstan-type AttemptRouteCanary array{name: string, way: 'old'|'new', percent: int|float, instead?: bool}
 * @phpstan-type AttemptTlsCertificate array{verified: bool, policy: 'dane'|'mta_sts'|'require_tls'|'provider'|'relay'|'opportunistic', issuer: string|null, problem: string|null, sha256?: string|null}
 * @phpstan-type Attention array{queue: AttentionQueue, items: list<AttentionItemsItem>}
 * @phpstan-type AttentionItemsItem array{kind: 'sending_host'|'tracking_off'|'domain_unverified'|'domain_failing'|'domain_tracking_host'|'no_verified_domain'|'webhook_disabled'|'webhook_failing'|'sending_limit_near'|'sending_limit_reached'|'nobody_delivers'|'queue_delayed'|'site_waiting'|'mail_held'|'mail_slowed'|'guard_watched'|'warm_up_bent'|'warm_up_done'|'canary_fallen'|'bounce_rate_high'|'complaint_rate_high'|'reports_failing'|'requests_refused', severity: 'critical'|'warning'|'info', id: string|null, name: string|null, message: string}
 * @phpstan-type AttentionQueue array{queued_emails: int, due: int, due_capped: bool, oldest_due_at: string|null, oldest_due_seconds: int|null}
 * @phpstan-type AuditEntry array{id: string, at: string, action: string, actor: AuditEntryActor, target: AuditEntryTarget, details: array<string, mixed>, address: string}
 * @phpstan-type AuditEntryActor array{type: 'user'|'api_key'|'operator', id: string, name: string}
 * @phpstan-type AuditEntryTarget array{id: string|null, name: string|null}
 * @phpstan-type AuthState array{setup_required: bool, mode: 'sandbox'|'live', signed_in: bool}
 * @phpstan-type AutoValidation array{auto_validation_threshold: 'off'|'high'|'medium'}
 * @phpstan-type BatchMailbox array{email: string, name?: string}
 * @phpstan-type BatchRecipient array{to: BatchMailbox|string, data?: array<string, mixed>, locale?: string}
 * @phpstan-type BatchResult array{batch_id: string, total: int, accepted: int, rejected: list<BatchResultRejectedItem>, held?: int, hold?: EmailHold}
 * @phpstan-type BatchResultRejectedItem array{index: int, error: string}
 * @phpstan-type BatchStatus array{batch_id: string, total: int, counts: BatchStatusCounts}
 * @phpstan-type BatchStatusCounts array{queued: int, delivered: int, bounced: int, failed: int, opened: int}
 * @phpstan-type BulkResult array{succeeded: int, failed: int, results: list<BulkResultResultsItem>}
 * @phpstan-type BulkResultResultsItem array{id: string, error: BulkResultResultsItemError|null}
 * @phpstan-type BulkResultResultsItemError array{code: string, message: string, details: list<BulkResultResultsItemErrorDetailsItem>}
 * @phpstan-type BulkResultResultsItemErrorDetailsItem array{field: string, message: string}
 * @phpstan-type CanaryBoard array{canaries: list<CanaryProgress>, steps: list<CanaryStep>}
 * @phpstan-type CanaryCounts array{sent: int, deferred: int, bounced: int, complained: int}
 * @phpstan-type CanaryProgress array{name: string, to: string, percents: list<int|float>, minutes: int|float, mails: int, worse: CanaryProgressWorse, rule: int, paused_at: string|null, shares: list<CanaryShare>}
 * @phpstan-type CanaryProgressWorse array{deferred: int|float, bounced: int|float, complained: int|float}
 * @phpstan-type CanaryShare array{provider: string, percent: int|float, since: string|null, next_percent: int|float|null, rests_until: string|null, falls: int, paused: bool, message: string, old: CanaryCounts, new: CanaryCounts}
 * @phpstan-type CanaryStep array{id: string, at: string, canary: string, transport: string, provider: string|null, kind: 'rise'|'fall'|'pause'|'resume'|'back'|'finish', from_percent: int|float|null, to_percent: int|float|null, message: string, numbers: CanaryStepNumbers|null}
 * @phpstan-type CanaryStepNumbers array{old: CanaryCounts, new: CanaryCounts, rate: 'deferred'|'bounced'|'complained'|null, worse: int|float|null}
 * @phpstan-type CreatedApiKey array{id: string, name: string, prefix: string, scope: 'full'|'read'|'agent'|'send', domain: string|null, created_at: string, expires_at: string|null, last_used_at: string|null, revoked_at: string|null, created_by: string|null, created_by_name: string|null, created_by_key: string|null, created_by_key_name: string|null, replaced_by: string|null, policy: CreatedApiKeyPolicy|null, key: string}
 * @phpstan-type CreatedApiKeyPolicy array{recipients: list<string>|null, from: list<string>|null, templates: list<string>|null, attachments: bool, daily_budget: int|null, approval: 'required'|'none', read: 'own'|'organization', inbound: bool}
 * @phpstan-type Deleted array{id: string, deleted: bool}
 * @phpstan-type Deliverability array{by: 'provider'|'domain'|'template'|'tag'|'stream'|'reason', range: '24h'|'7d'|'30d', interval: 'hour'|'day', from: string, to: string, totals: DeliverabilityTotals, series: list<DeliverabilitySeriesItem>, groups: list<DeliverabilityGroupsItem>}
 * @phpstan-type DeliverabilityGroupsItem array{name: string, label: string|null, sent: int, delivered: int, deferred: int, bounced: int, failed: int, complained: int, rates: DeliverabilityGroupsItemRates, p50_seconds: int|float|null, p95_seconds: int|float|null, trend: DeliverabilityGroupsItemTrend}
 * @phpstan-type DeliverabilityGroupsItemRates array{delivered: int|float|null, bounced: int|float|null, deferred: int|float|null, complained: int|float|null}
 * @phpstan-type DeliverabilityGroupsItemTrend array{sent: list<int>, delivered: list<int>, deferred: list<int>, bounced: list<int>}
 * @phpstan-type DeliverabilitySeriesItem array{at: string, sent: int, delivered: int, deferred: int, bounced: int, failed: int, complained: int}
 * @phpstan-type DeliverabilityTotals array{sent: int, delivered: int, deferred: int, bounced: int, failed: int, complained: int, rates: DeliverabilityTotalsRates, p50_seconds: int|float|null, p95_seconds: int|float|null}
 * @phpstan-type DeliverabilityTotalsRates array{delivered: int|float|null, bounced: int|float|null, deferred: int|float|null, complained: int|float|null}
 * @phpstan-type DmarcReports array{domain: string, from: string, to: string, policy: 'none'|'quarantine'|'reject'|null, advice: string, is_published: bool, record: DmarcReportsRecord, permission: DmarcReportsPermission|null, totals: DmarcReportsTotals, series: list<DmarcReportsSeriesItem>, senders: list<DmarcReportsSendersItem>, sources: list<DmarcReportsSourcesItem>, reporters: list<DmarcReportsReportersItem>}
 * @phpstan-type DmarcReportsPermission array{type: string, name: string, value: string}
 * @phpstan-type DmarcReportsRecord array{type: string, name: string, value: string}
 * @phpstan-type DmarcReportsReportersItem array{name: string, reports: int}
 * @phpstan-type DmarcReportsSendersItem array{name: string|null, addresses: int, messages: int, aligned: int, quarantined: int, rejected: int, dkim_aligned: int, spf_aligned: int, is_this_installation: bool}
 * @phpstan-type DmarcReportsSeriesItem array{date: string, messages: int, aligned: int, quarantined: int, rejected: int}
 * @phpstan-type DmarcReportsSourcesItem array{ip: string|null, passed_as: list<string>, messages: int, aligned: int, quarantined: int, rejected: int, dkim_aligned: int, spf_aligned: int, is_this_installation: bool}
 * @phpstan-type DmarcReportsTotals array{messages: int, aligned: int, quarantined: int, rejected: int}
 * @phpstan-type DoctorFinding array{check: string, level: 'bad'|'warn'|'unknown'|'ok', seen: string, why: string, fix: string|null}
 * @phpstan-type DoctorReport array{examined_at: string|null, machine: string, version: string, findings: list<DoctorFinding>}
 * @phpstan-type Domain array{id: string, domain: string, display_name: string, is_verified: bool, spf_verified: bool, dkim_verified: bool, dkim_selector: string, dkim_public_key: string, recommended_records: list<DomainRecommendedRecordsItem>, verified_at?: string, checks: list<DomainCheck>, warning: string|null, dkim_rotation: DomainDkimRotation|null, tracking: DomainTracking, last_checked_at: string|null, next_check_at: string|null, created_at: string}
 * @phpstan-type DomainCheck array{record: 'dkim'|'spf'|'dmarc'|'sending_host', status: 'pass'|'fail'|'warn'|'unknown'|'pending', type: string, name: string, expected: string, found: list<string>, message: string}
 * @phpstan-type DomainDkimRotation array{status: 'waiting_for_dns'|'switched'|'finished', selector: string, previous_selector: string, dns_record: DomainDkimRotationDnsRecord, previous_dns_record: DomainDkimRotationPreviousDnsRecord, check: DomainDkimRotationCheck|null, message: string, started_at: string, seen_at: string|null, switched_at: string|null, retires_at: string|null}
 * @phpstan-type DomainDkimRotationCheck array{record: 'dkim'|'spf'|'dmarc'|'sending_host', status: 'pass'|'fail'|'warn'|'unknown'|'pending', type: string, name: string, expected: string, found: list<string>, message: string}
 * @phpstan-type DomainDkimRotationDnsRecord array{type: string, name: string, value: string}
 * @phpstan-type DomainDkimRotationPreviousDnsRecord array{type: string, name: string, value: string}
 * @phpstan-type DomainRecommendedRecordsItem array{type: string, name: string, value: string, purpose: string, published_by: 'domain_owner'|'operator'}
 * @phpstan-type DomainTracking array{track_opens: bool|null, track_clicks: 'off'|'html'|'html_and_text'|null, host: DomainTrackingHost|null}
 * @phpstan-type DomainTrackingHost array{name: string, in_use: bool, status: 'pass'|'fail'|'warn'|'unknown'|'pending', type: string, expected: string, found: list<string>, message: string, checked_at: string|null}
 * @phpstan-type DomainsSetTrackingBody array{track_opens?: bool|null, track_clicks?: true|false|'off'|'html'|'html_and_text'|null, host?: string|null}
 * @phpstan-type DryRun array{dry_run: true, accepted: bool, refusal: DryRunRefusal|null, message: DryRunMessage|null, recipients: list<DryRunRecipient>}
 * @phpstan-type DryRunBatch array{dry_run: true, total: int, accepted: int, rejected: list<DryRunBatchRejectedItem>, refusal: DryRunBatchRefusal|null, message: DryRunBatchMessage|null, recipients: list<DryRunRecipient>}
 * @phpstan-type DryRunBatchMessage array{size: DryRunBatchMessageSize, dkim: DryRunBatchMessageDkim, spf: DryRunBatchMessageSpf, dmarc: DryRunBatchMessageDmarc, findings: list<DryRunBatchMessageFindingsItem>}
 * @phpstan-type DryRunBatchMessageDkim array{result: 'pass'|'fail'|'none', domain: string|null, selector: string|null, reason: string|null, aligned: bool}
 * @phpstan-type DryRunBatchMessageDmarc array{policy: string|null, passes: bool}
 * @phpstan-type DryRunBatchMessageFindingsItem array{kind: string, severity: 'warning'|'info', message: string}
 * @phpstan-type DryRunBatchMessageSize array{message: int, html: int, text: int}
 * @phpstan-type DryRunBatchMessageSpf array{result: 'pass'|'fail'|'none', domain: string, reason: string|null, aligned: bool}
 * @phpstan-type DryRunBatchRefusal array{status: int, code: string, message: string, details: list<DryRunBatchRefusalDetailsItem>}
 * @phpstan-type DryRunBatchRefusalDetailsItem array{field: string, message: string}
 * @phpstan-type DryRunBatchRejectedItem array{index: int, error: string}
 * @phpstan-type DryRunMessage array{size: DryRunMessageSize, dkim: DryRunMessageDkim, spf: DryRunMessageSpf, dmarc: DryRunMessageDmarc, findings: list<DryRunMessageFindingsItem>}
 * @phpstan-type DryRunMessageDkim array{result: 'pass'|'fail'|'none', domain: string|null, selector: string|null, reason: string|null, aligned: bool}
 * @phpstan-type DryRunMessageDmarc array{policy: string|null, passes: bool}
 * @phpstan-type DryRunMessageFindingsItem array{kind: string, severity: 'warning'|'info', message: string}
 * @phpstan-type DryRunMessageSize array{message: int, html: int, text: int}
 * @phpstan-type DryRunMessageSpf array{result: 'pass'|'fail'|'none', domain: string, reason: string|null, aligned: bool}
 * @phpstan-type DryRunMixed array{dry_run: true, total: int, accepted: int, refusal: DryRunMixedRefusal|null, results: list<DryRunMixedResultsItem>}
 * @phpstan-type DryRunMixedRefusal array{status: int, code: string, message: string, details: list<DryRunMixedRefusalDetailsItem>}
 * @phpstan-type DryRunMixedRefusalDetailsItem array{field: string, message: string}
 * @phpstan-type DryRunMixedResultsItem array{index: int, accepted: bool, refusal: DryRunMixedResultsItemRefusal|null, message: DryRunMixedResultsItemMessage|null, recipients: list<DryRunRecipient>}
 * @phpstan-type DryRunMixedResultsItemMessage array{size: DryRunMixedResultsItemMessageSize, dkim: DryRunMixedResultsItemMessageDkim, spf: DryRunMixedResultsItemMessageSpf, dmarc: DryRunMixedResultsItemMessageDmarc, findings: list<DryRunMixedResultsItemMessageFindingsItem>}
 * @phpstan-type DryRunMixedResultsItemMessageDkim array{result: 'pass'|'fail'|'none', domain: string|null, selector: string|null, reason: string|null, aligned: bool}
 * @phpstan-type DryRunMixedResultsItemMessageDmarc array{policy: string|null, passes: bool}
 * @phpstan-type DryRunMixedResultsItemMessageFindingsItem array{kind: string, severity: 'warning'|'info', message: string}
 * @phpstan-type DryRunMixedResultsItemMessageSize array{message: int, html: int, text: int}
 * @phpstan-type DryRunMixedResultsItemMessageSpf array{result: 'pass'|'fail'|'none', domain: string, reason: string|null, aligned: bool}
 * @phpstan-type DryRunMixedResultsItemRefusal array{status: int, code: string, message: string, details: list<DryRunMixedResultsItemRefusalDetailsItem>}
 * @phpstan-type DryRunMixedResultsItemRefusalDetailsItem array{field: string, message: string}
 * @phpstan-type DryRunRecipient array{email: string, outcome: 'delivered'|'deferred'|'bounced'|'failed'|'held'|'waits'|'refused', reason: string|null, message: string, not_before: string|null, provider: string|null, site: string|null, route: DryRunRecipientRoute, tls: DryRunRecipientTls|null, validation: DryRunRecipientValidation|null, took: DryRunRecipientTook|null}
 * @phpstan-type DryRunRecipientRoute array{transport: string, source: string|null, rule: int|null, message: string}
 * @phpstan-type DryRunRecipientTls array{mode: string, policy: string}
 * @phpstan-type DryRunRecipientTook array{p50_ms: int, p90_ms: int, deliveries: int}
 * @phpstan-type DryRunRecipientValidation array{verdict: 'deliverable'|'risky'|'undeliverable', risk_score: int|float}
 * @phpstan-type DryRunRefusal array{status: int, code: string, message: string, details: list<DryRunRefusalDetailsItem>}
 * @phpstan-type DryRunRefusalDetailsItem array{field: string, message: string}
 * @phpstan-type Email array{id: string, message_id: string, subject: string, status: 'queued'|'delivered'|'bounced'|'failed'|'opened', state: 'scheduled'|'awaiting_approval'|'held'|'queued'|'retrying'|'delivered'|'opened'|'partly_delivered'|'bounced'|'failed'|'withdrawn'|'superseded'|'complained', recipient_count: int, delivered_count: int, next_attempt_at: string|null, hold: EmailHold|null, priority: 'high'|'normal'|'low', created_at: string, updated_at: string, scheduled_at: string|null, from: NamedAddress, to: list<NamedAddress>, cc: list<NamedAddress>, bcc: list<NamedAddress>, reply_to: EmailReplyTo|null, reply_to_list: list<NamedAddress>, template_id: string|null, locale: string|null, batch_id: string|null, resent_from: string|null, resends: list<Resend>, api_key_id: string|null, request_id: string|null, mode: 'sandbox'|'live'|null, require_tls: bool, stream: string, collapse_key: string|null, unsubscribe_group: string|null, tags: list<EmailTagsItem>, metadata: array<string, mixed>, recipients: list<RecipientState>, events: list<EmailEvent>}
 * @phpstan-type EmailAttachment array{filename: string, content_type: string, content_id: string|null, size: int, content: string}
 * @phpstan-type EmailContent array{subject: string, html: string|null, text: string|null, headers: array<string, string>, attachments: list<EmailContentAttachmentsItem>, template_data: array<string, mixed>|null, has_raw: bool}
 * @phpstan-type EmailContentAttachmentsItem array{filename: string, content_type: string, content_id: string|null, size: int}
 * @phpstan-type EmailEvent array{id: string, type: 'queued'|'processing'|'held'|'delivered'|'opened'|'clicked'|'bounced'|'deferred'|'failed'|'complained'|'unsubscribed'|'rejected'|'received', recipient: string, mx_host: string|null, smtp_code: int|null, smtp_message: string|null, enhanced_code: string|null, reason: string|null, attempt: int|null, tls: string|null, tls_certificate: EmailEventTlsCertificate|null, next_attempt_at: string|null, user_agent: string|null, machine: bool|null, url: string|null, hold: EmailEventHold|null, created_at: string}
 * @phpstan-type EmailEventHold array{id: string, reason: string, placed_by: string, placed_at: string}
 * @phpstan-type EmailEventTlsCertificate array{verified: bool, policy: 'dane'|'mta_sts'|'require_tls'|'provider'|'relay'|'opportunistic', issuer: string|null, problem: string|null, sha256?: string|null}
 * @phpstan-type EmailHold array{id: string, reason: string, placed_by: string, placed_at: string}
 * @phpstan-type EmailItem array{id: string, message_id: string, subject: string, status: 'queued'|'delivered'|'bounced'|'failed'|'opened', state: 'scheduled'|'awaiting_approval'|'held'|'queued'|'retrying'|'delivered'|'opened'|'partly_delivered'|'bounced'|'failed'|'withdrawn'|'superseded'|'complained', recipient_count: int, delivered_count: int, next_attempt_at: string|null, hold: EmailItemHold|null, priority: 'high'|'normal'|'low', created_at: string, updated_at: string, from?: NamedAddress, to?: list<NamedAddress>}
 * @phpstan-type EmailItemHold array{id: string, reason: string, placed_by: string, placed_at: string}
 * @phpstan-type EmailReplyTo array{email: string, name: string|null}
 * @phpstan-type EmailTagsItem array{name: string, value: string}
 * @phpstan-type EmailsListPage array{data: list<EmailItem>, pagination: Pagination}
 * @phpstan-type EmailsResendBody array{recipients?: list<string>}
 * @phpstan-type EmailsSendBatchBody array{template_id: string, subject?: string, locale?: string, attachments?: list<Attachment>, recipients: list<BatchRecipient>, from: MailboxInput, reply_to?: list<MailboxInput>|Mailbox|string, headers?: array<string, string>, tags?: list<Tag>, metadata?: array<string, string|int|float|bool>, priority?: 'high'|'normal'|'low', stream?: string, scheduled_at?: string, track_opens?: bool, track_clicks?: true|false|'off'|'html'|'html_and_text', text_from_html?: bool, receive_replies?: bool, unsubscribe?: bool, unsubscribe_group?: string, expires_in?: int, collapse_key?: string, require_tls?: bool}
 * @phpstan-type EmailsSendBody array{to: list<MailboxInput>|Mailbox|string, cc?: list<MailboxInput>|Mailbox|string, bcc?: list<MailboxInput>|Mailbox|string, subject: string, html?: string, text?: string, template_id?: string, template_data?: array<string, mixed>, locale?: string, attachments?: list<Attachment>, from: MailboxInput, reply_to?: list<MailboxInput>|Mailbox|string, headers?: array<string, string>, tags?: list<Tag>, metadata?: array<string, string|int|float|bool>, priority?: 'high'|'normal'|'low', stream?: string, scheduled_at?: string, track_opens?: bool, track_clicks?: true|false|'off'|'html'|'html_and_text', text_from_html?: bool, receive_replies?: bool, unsubscribe?: bool, unsubscribe_group?: string, expires_in?: int, collapse_key?: string, require_tls?: bool}
 * @phpstan-type EmailsSendMixedBatchBody array{emails: list<SendEmail>, all_or_none?: bool}
 * @phpstan-type Erasure array{placeholder: string, emails: int, waiting: int, complete: bool}
 * @phpstan-type ErrorEnvelope array{error: ErrorEnvelopeError}
 * @phpstan-type ErrorEnvelopeError array{code: 'VALIDATION_ERROR'|'DOMAIN_NOT_VERIFIED'|'RECIPIENTS_SUPPRESSED'|'RECIPIENTS_REJECTED'|'UNAUTHORIZED'|'TOTP_REQUIRED'|'FORBIDDEN'|'HOST_NOT_ALLOWED'|'SETUP_TOKEN_REQUIRED'|'NOT_FOUND'|'METHOD_NOT_ALLOWED'|'REQUEST_TIMEOUT'|'CONFLICT'|'IDEMPOTENCY_CONFLICT'|'PAYLOAD_TOO_LARGE'|'UNSUPPORTED_MEDIA_TYPE'|'EXPECTATION_FAILED'|'LIMIT_EXCEEDED'|'RATE_LIMITED'|'HEADERS_TOO_LARGE'|'INTERNAL_ERROR'|'UNAVAILABLE', message: string, details: list<ErrorEnvelopeErrorDetailsItem>}
 * @phpstan-type ErrorEnvelopeErrorDetailsItem array{field: string, message: string}
 * @phpstan-type EventsListPage array{data: list<StreamEvent>, pagination: EventsListPagePagination}
 * @phpstan-type EventsListPagePagination array{limit: int, next_cursor: string|null}
 * @phpstan-type Explanation array{id: string, status: 'queued'|'delivered'|'bounced'|'failed'|'opened', require_tls: bool, recipients: list<ExplanationRecipientsItem>}
 * @phpstan-type ExplanationRecipientsItem array{email: string, status: 'queued'|'deferred'|'delivered'|'bounced'|'failed'|'opened', problem: ExplanationRecipientsItemProblem|null, next_attempt_at: string|null, wait: ExplanationRecipientsItemWait|null, hold: ExplanationRecipientsItemHold|null, in_progress: bool, attempts: list<Attempt>}
 * @phpstan-type ExplanationRecipientsItemHold array{id: string, scope: 'all'|'organization'|'domain'|'template'|'tag'|'key'|'provider'|'lane'|'recipient', value: string|null, reason: string, by_operator: bool, since: string}
 * @phpstan-type ExplanationRecipientsItemProblem array{reason: string, meaning: string, responsible: 'recipient'|'sender'|'domain_owner'|'receiver'|'operator', advice: string}
 * @phpstan-type ExplanationRecipientsItemWait array{site: ExplanationRecipientsItemWaitSite|null, message: string, worker_running: bool, expected_at: string|null}
 * @phpstan-type ExplanationRecipientsItemWaitSite array{id: string, name: string, state: 'open'|'slow'|'blocked'|'probing'|'paused', message: string, since: string|null, until: string|null, reason: string|null, reply: string|null, messages_per_minute: int|float|null, connections: int|null}
 * @phpstan-type FeedbackLoop array{loop: 'gmail_postmaster'|'yahoo_cfl'|'microsoft_jmrp'|'microsoft_snds', title: string, provider: string, subject: FeedbackLoopSubject, state: 'working'|'enrolled'|'missing', message: string, url: string, steps: list<string>, enrolled_at: string|null, enrolled_by: string|null, last_complaint_at: string|null}
 * @phpstan-type FeedbackLoopSubject array{kind: 'domain'|'address', value: string}
 * @phpstan-type FeedbackLoopsUpdateBody array{enrolled: bool}
 * @phpstan-type FirstSteps array{steps: list<FirstStepsStepsItem>, smtp: FirstStepsSmtp|null}
 * @phpstan-type FirstStepsSmtp array{host: string, port: int, encryption: 'none'|'starttls', tls_port: int|null, needs_password: bool}
 * @phpstan-type FirstStepsStepsItem array{step: 'first_email'|'api_key'|'domain'|'dmarc'|'webhook'|'live', done: bool, id: string|null}
 * @phpstan-type Guard array{enabled: bool, allow: list<string>}
 * @phpstan-type Hold array{id: string, organization_id: string|null, scope: 'all'|'organization'|'domain'|'template'|'tag'|'key'|'provider'|'lane'|'recipient', value: string|null, with_webhooks: bool, reason: string, state: 'in_force'|'releasing'|'released'|'discarding'|'discarded', by_operator: bool, placed_by: string, placed_at: string, decision: HoldDecision|null, ended_at: string|null, released: int, discarded: int}
 * @phpstan-type HoldDecision array{kind: 'release'|'discard', reason: string|null, by: string, at: string}
 * @phpstan-type HoldDetail array{id: string, organization_id: string|null, scope: 'all'|'organization'|'domain'|'template'|'tag'|'key'|'provider'|'lane'|'recipient', value: string|null, with_webhooks: bool, reason: string, state: 'in_force'|'releasing'|'released'|'discarding'|'discarded', by_operator: bool, placed_by: string, placed_at: string, decision: HoldDetailDecision|null, ended_at: string|null, released: int, discarded: int, mail: HoldDetailMail}
 * @phpstan-type HoldDetailDecision array{kind: 'release'|'discard', reason: string|null, by: string, at: string}
 * @phpstan-type HoldDetailMail array{held: int, expired: int, later: int, oldest_at: string|null}
 * @phpstan-type HoldsCreateBody array{scope: 'all'|'organization'|'domain'|'template'|'tag'|'key'|'provider', value?: string, ahead?: bool, reason: string}
 * @phpstan-type HoldsDiscardBody array{reason: string}
 * @phpstan-type HoldsDiscardManyBody array{ids: list<string>, reason: string}
 * @phpstan-type HoldsListPage array{data: list<Hold>, pagination: Pagination}
 * @phpstan-type InboundCreateRouteBody array{address: string, description?: string|null, enabled?: bool}
 * @phpstan-type InboundListPage array{data: list<ReceivedEmailItem>, pagination: InboundListPagePagination}
 * @phpstan-type InboundListPagePagination array{limit: int, next_cursor: string|null}
 * @phpstan-type InboundReplyBody array{text?: string, html?: string, from?: MailboxInput, cc?: list<MailboxInput>|Mailbox|string, subject?: string, attachments?: list<Attachment>, receive_replies?: bool}
 * @phpstan-type InboundRoute array{id: string, address: string, description: string|null, enabled: bool, created_at: string}
 * @phpstan-type InboundUpdateRouteBody array{description?: string|null, enabled?: bool}
 * @phpstan-type IncidentReport array{bounces: int, rejections: int, requeue: int, unsuppress: int, reasons: list<IncidentReportReasonsItem>, samples: list<IncidentReportSamplesItem>}
 * @phpstan-type IncidentReportReasonsItem array{reason: string|null, smtp_code: int|null, count: int}
 * @phpstan-type IncidentReportSamplesItem array{email_id: string, recipient: string, at: string, reason: string|null, smtp_code: int|null, smtp_message: string|null, mx_host: string|null}
 * @phpstan-type Invite array{id: string, email: string, role: 'owner'|'member'|'read_only', invited_by: string, created_at: string, expires_at: string, mailed: bool}
 * @phpstan-type MadeByMember array{api_keys: list<MadeByMemberApiKeysItem>, invites: list<MadeByMemberInvitesItem>, webhooks: list<MadeByMemberWebhooksItem>}
 * @phpstan-type MadeByMemberApiKeysItem array{id: string, name: string, prefix: string, scope: 'full'|'read'|'agent'|'send', created_at: string, last_used_at: string|null}
 * @phpstan-type MadeByMemberInvitesItem array{id: string, email: string, role: 'owner'|'member'|'read_only', expires_at: string}
 * @phpstan-type MadeByMemberWebhooksItem array{id: string, url: string, description: string|null, created_at: string}
 * @phpstan-type Mailbox array{email: string, name?: string}
 * @phpstan-type MailboxInput Mailbox|string
 * @phpstan-type MarkSandboxMessage array{is_read: bool}
 * @phpstan-type Me array{user: MeUser, organization: MeOrganization, role: 'owner'|'member'|'read_only', is_operator: bool, organizations: list<MeOrganizationsItem>}
 * @phpstan-type MeOrganization array{id: string, name: string}
 * @phpstan-type MeOrganizationsItem array{id: string, name: string, role: 'owner'|'member'|'read_only'}
 * @phpstan-type MeUser array{id: string, email: string, name: string|null, totp_enabled: bool, recovery_codes_left: int, email_verified: bool}
 * @phpstan-type Member array{id: string, email: string, name: string|null, role: 'owner'|'member'|'read_only', totp_enabled: bool, email_verified: bool, disabled: bool, joined_at: string, last_seen_at: string|null}
 * @phpstan-type Membership array{id: string, name: string, role: 'owner'|'member'|'read_only'}
 * @phpstan-type MixedBatchResult array{batch_id: string, total: int, accepted: int, results: list<MixedBatchResultResultsItem>}
 * @phpstan-type MixedBatchResultResultsItem array{index: int, message_id?: string, state?: 'held', hold?: EmailHold, error?: MixedBatchResultResultsItemError}
 * @phpstan-type MixedBatchResultResultsItemError array{code: 'VALIDATION_ERROR'|'DOMAIN_NOT_VERIFIED'|'RECIPIENTS_SUPPRESSED'|'RECIPIENTS_REJECTED'|'UNAUTHORIZED'|'TOTP_REQUIRED'|'FORBIDDEN'|'HOST_NOT_ALLOWED'|'SETUP_TOKEN_REQUIRED'|'NOT_FOUND'|'METHOD_NOT_ALLOWED'|'REQUEST_TIMEOUT'|'CONFLICT'|'IDEMPOTENCY_CONFLICT'|'PAYLOAD_TOO_LARGE'|'UNSUPPORTED_MEDIA_TYPE'|'EXPECTATION_FAILED'|'LIMIT_EXCEEDED'|'RATE_LIMITED'|'HEADERS_TOO_LARGE'|'INTERNAL_ERROR'|'UNAVAILABLE', message: string, details: list<MixedBatchResultResultsItemErrorDetailsItem>}
 * @phpstan-type MixedBatchResultResultsItemErrorDetailsItem array{field: string, message: string}
 * @phpstan-type NamedAddress array{email: string, name: string|null}
 * @phpstan-type NewDomain array{id: string, domain: string, display_name: string, is_verified: bool, spf_verified: bool, dkim_verified: bool, dkim_selector: string, dkim_public_key: string, dns_records: list<NewDomainDnsRecordsItem>, recommended_records: list<NewDomainRecommendedRecordsItem>, created_at: string}
 * @phpstan-type NewDomainDnsRecordsItem array{type: string, name: string, value: string}
 * @phpstan-type NewDomainRecommendedRecordsItem array{type: string, name: string, value: string, purpose: string, published_by: 'domain_owner'|'operator'}
 * @phpstan-type NewInvite array{id: string, email: string, role: 'owner'|'member'|'read_only', invited_by: string, created_at: string, expires_at: string, mailed: bool, link: string|null}
 * @phpstan-type OpenInvite array{email: string, role: 'owner'|'member'|'read_only', organization: OpenInviteOrganization, has_account: bool, expires_at: string}
 * @phpstan-type OpenInviteOrganization array{name: string}
 * @phpstan-type Organization array{id: string, name: string, created_at: string, sending_limit: OrganizationSendingLimit, organization_creation: 'owners'|'operator'}
 * @phpstan-type OrganizationSendingLimit array{daily: int|null, used_today: int, remaining_today: int|null, resets_at: string}
 * @phpstan-type Overview array{range: '24h'|'7d'|'30d', interval: 'hour'|'day', from: string, to: string, totals: OverviewTotals, rates: OverviewRates, series: list<OverviewSeriesItem>}
 * @phpstan-type OverviewRates array{delivered: int|float|null, bounced: int|float|null, failed: int|float|null, opened: int|float|null, complained: int|float|null, clicked: int|float|null}
 * @phpstan-type OverviewSeriesItem array{at: string, sent: int, queued: int, delivered: int, bounced: int, failed: int, opened: int, complained: int, clicked: int}
 * @phpstan-type OverviewTotals array{sent: int, queued: int, delivered: int, bounced: int, failed: int, opened: int, complained: int, clicked: int}
 * @phpstan-type Pagination array{page: int, limit: int, total_count: int, total_pages: int}
 * @phpstan-type PlacedHold array{id: string, organization_id: string|null, scope: 'all'|'organization'|'domain'|'template'|'tag'|'key'|'provider'|'lane'|'recipient', value: string|null, with_webhooks: bool, reason: string, state: 'in_force'|'releasing'|'released'|'discarding'|'discarded', by_operator: bool, placed_by: string, placed_at: string, decision: PlacedHoldDecision|null, ended_at: string|null, released: int, discarded: int, mail: PlacedHoldMail|null}
 * @phpstan-type PlacedHoldDecision array{kind: 'release'|'discard', reason: string|null, by: string, at: string}
 * @phpstan-type PlacedHoldMail array{held: int, expired: int, later: int, oldest_at: string|null}
 * @phpstan-type Proof array{version: 1, issuer: string, issued_at: string, email_id: string, algorithm: 'ed25519', public_key: string, entries: list<ProofEntriesItem>, signature: string}
 * @phpstan-type ProofEntriesItem array{hash: string, entry: array<string, mixed>}
 * @phpstan-type ReceivedAttachment array{filename: string, content_type: string, content_id: string|null, size: int, dangerous: bool, download_url: string}
 * @phpstan-type ReceivedEmail array{id: string, status: 'waiting'|'read'|'unreadable', from: ReceivedEmailFrom|null, to: list<string>, subject: string, is_automatic: bool, has_attachments: bool, conversation_id: string, in_reply_to_email_id: string|null, route_ids: list<string>, size: int, received_at: string, matched_by: 'token'|'headers'|null, message_id: string|null, in_reply_to: string|null, references: list<string>, date: string|null, header_to: list<ReceivedEmailHeaderToItem>, cc: list<ReceivedEmailCcItem>, reply_to: list<ReceivedEmailReplyToItem>, text: string|null, html: string|null, stripped_reply: string|null, is_truncated: bool, headers: list<ReceivedEmailHeadersItem>, attachments: list<ReceivedAttachment>, envelope: ReceivedEmailEnvelope, authentication: ReceivedEmailAuthentication|null, spam: ReceivedEmailSpam, virus: ReceivedEmailVirus, problem: string|null, has_source: bool, conversation: list<ReceivedEmailConversationItem>}
 * @phpstan-type ReceivedEmailAuthentication array{spf: ReceivedEmailAuthenticationSpf, dkim: ReceivedEmailAuthenticationDkim, dmarc: ReceivedEmailAuthenticationDmarc}
 * @phpstan-type ReceivedEmailAuthenticationDkim array{result: 'pass'|'fail'|'none'|'permerror'|'temperror', signatures: list<ReceivedEmailAuthenticationDkimSignaturesItem>}
 * @phpstan-type ReceivedEmailAuthenticationDkimSignaturesItem array{domain: string, selector: string, result: 'pass'|'fail'|'none'|'permerror'|'temperror', reason: string|null}
 * @phpstan-type ReceivedEmailAuthenticationDmarc array{result: 'pass'|'fail'|'none'|'temperror', domain: string|null, policy: string|null}
 * @phpstan-type ReceivedEmailAuthenticationSpf array{result: 'pass'|'fail'|'softfail'|'neutral'|'none'|'permerror'|'temperror', domain: string|null}
 * @phpstan-type ReceivedEmailCcItem array{email: string, name: string|null}
 * @phpstan-type ReceivedEmailConversationItem array{id: string, kind: 'received'|'sent', subject: string, from: string|null, at: string}
 * @phpstan-type ReceivedEmailEnvelope array{mail_from: string, remote_address: string, helo: string, tls: bool}
 * @phpstan-type ReceivedEmailFrom array{email: string, name: string|null}
 * @phpstan-type ReceivedEmailHeaderToItem array{email: string, name: string|null}
 * @phpstan-type ReceivedEmailHeadersItem array{name: string, value: string}
 * @phpstan-type ReceivedEmailItem array{id: string, status: 'waiting'|'read'|'unreadable', from: ReceivedEmailItemFrom|null, to: list<string>, subject: string, is_automatic: bool, has_attachments: bool, conversation_id: string, in_reply_to_email_id: string|null, route_ids: list<string>, size: int, received_at: string}
 * @phpstan-type ReceivedEmailItemFrom array{email: string, name: string|null}
 * @phpstan-type ReceivedEmailReplyToItem array{email: string, name: string|null}
 * @phpstan-type ReceivedEmailSpam array{result: 'not_checked'|'clean'|'found'|'unavailable', score: int|float|null, symbols: list<string>}
 * @phpstan-type ReceivedEmailVirus array{result: 'not_checked'|'clean'|'found'|'unavailable', name: string|null}
 * @phpstan-type ReceivingDomain array{domain: string, domain_id: string, is_verified: bool, mx: ReceivingDomainMx, created_at: string}
 * @phpstan-type ReceivingDomainMx array{type: 'MX', name: string, expected: string, status: 'pass'|'fail'|'pending', found: list<string>, message: string, checked_at: string|null}
 * @phpstan-type RecipientExport array{email: string, truncated: bool, emails: list<array<string, mixed>>, events: list<array<string, mixed>>, attempts: list<array<string, mixed>>, suppression: array<string, mixed>|null, unsubscriptions: list<array<string, mixed>>, full_mailbox: array<string, mixed>|null, audit_log: list<array<string, mixed>>, saved_views: list<array<string, mixed>>, request_logs: list<array<string, mixed>>, sandbox_messages: list<array<string, mixed>>, received: list<array<string, mixed>>}
 * @phpstan-type RecipientState array{email: string, kind: 'to'|'cc'|'bcc', status: 'queued'|'deferred'|'delivered'|'bounced'|'failed'|'opened', attempts: int, updated_at: string}
 * @phpstan-type RecipientSuppression array{recipient: string, suppression: Suppression}
 * @phpstan-type RemovedMember array{id: string, deleted: bool, revoked: bool, api_keys: list<RemovedMemberApiKeysItem>, invites: list<RemovedMemberInvitesItem>, webhooks: list<RemovedMemberWebhooksItem>}
 * @phpstan-type RemovedMemberApiKeysItem array{id: string, name: string, prefix: string, scope: 'full'|'read'|'agent'|'send', created_at: string, last_used_at: string|null}
 * @phpstan-type RemovedMemberInvitesItem array{id: string, email: string, role: 'owner'|'member'|'read_only', expires_at: string}
 * @phpstan-type RemovedMemberWebhooksItem array{id: string, url: string, description: string|null, created_at: string}
 * @phpstan-type RequestLogEntry array{id: string, at: string, method: string, path: string, status: int, code: string|null, message: string|null, fields: list<RequestLogEntryFieldsItem>, recipients: list<string>, caller: RequestLogEntryCaller|null, request_id: string|null, duration_ms: int, count: int, excerpt: array<string, mixed>|null}
 * @phpstan-type RequestLogEntryCaller array{type: 'api_key'|'user', id: string, name: string|null}
 * @phpstan-type RequestLogEntryFieldsItem array{field: string, message: string}
 * @phpstan-type RequestLogsListPage array{data: list<RequestLogEntry>, pagination: Pagination}
 * @phpstan-type Resend array{id: string, created_at: string}
 * @phpstan-type ResendResults array{succeeded: int, failed: int, results: list<ResendResultsResultsItem>}
 * @phpstan-type ResendResultsResultsItem array{message_id: string|null, id: string, error: ResendResultsResultsItemError|null}
 * @phpstan-type ResendResultsResultsItemError array{code: string, message: string, details: list<ResendResultsResultsItemErrorDetailsItem>}
 * @phpstan-type ResendResultsResultsItemErrorDetailsItem array{field: string, message: string}
 * @phpstan-type Retention array{content_days: int, email_days: int}
 * @phpstan-type RotatedApiKey array{id: string, name: string, prefix: string, scope: 'full'|'read'|'agent'|'send', domain: string|null, created_at: string, expires_at: string|null, last_used_at: string|null, revoked_at: string|null, created_by: string|null, created_by_name: string|null, created_by_key: string|null, created_by_key_name: string|null, replaced_by: string|null, policy: RotatedApiKeyPolicy|null, key: string, replaces: RotatedApiKeyReplaces}
 * @phpstan-type RotatedApiKeyPolicy array{recipients: list<string>|null, from: list<string>|null, templates: list<string>|null, attachments: bool, daily_budget: int|null, approval: 'required'|'none', read: 'own'|'organization', inbound: bool}
 * @phpstan-type RotatedApiKeyReplaces array{id: string, name: string, prefix: string, scope: 'full'|'read'|'agent'|'send', domain: string|null, created_at: string, expires_at: string|null, last_used_at: string|null, revoked_at: string|null, created_by: string|null, created_by_name: string|null, created_by_key: string|null, created_by_key_name: string|null, replaced_by: string|null, policy: RotatedApiKeyReplacesPolicy|null}
 * @phpstan-type RotatedApiKeyReplacesPolicy array{recipients: list<string>|null, from: list<string>|null, templates: list<string>|null, attachments: bool, daily_budget: int|null, approval: 'required'|'none', read: 'own'|'organization', inbound: bool}
 * @phpstan-type RouteExplanation array{message: string, mode: 'sandbox'|'live', provider: string|null, rule: int|null, rules: list<RouteExplanationRulesItem>, canary: RouteExplanationCanary|null, steps: list<RouteExplanationStepsItem>}
 * @phpstan-type RouteExplanationCanary array{name: string, to: string, percent: int|float}
 * @phpstan-type RouteExplanationRulesItem array{rule: int, name: string|null, matches: bool, why: string}
 * @phpstan-type RouteExplanationStepsItem array{step: int, in_use: bool, choices: list<RouteExplanationStepsItemChoicesItem>}
 * @phpstan-type RouteExplanationStepsItemChoicesItem array{transport: string, source: string|null, share: int|float, share_now: int|float, state: 'open'|'slow'|'blocked'|'probing'|'paused'|'absent'|'spent', message: string}
 * @phpstan-type RouteMatch array{organizations?: list<string>, streams?: list<string>, sender_domains?: list<string>, providers?: list<string>, recipient_domains?: list<string>, tags?: list<string>}
 * @phpstan-type RouteRule array{name: string|null, match: RouteMatch, steps: list<RouteRuleStepsItem>, canary: RouteRuleCanary|null}
 * @phpstan-type RouteRuleCanary array{name: string, to: string, percents: list<int|float>, minutes: int|float, mails: int, worse: RouteRuleCanaryWorse}
 * @phpstan-type RouteRuleCanaryWorse array{deferred: int|float, bounced: int|float, complained: int|float}
 * @phpstan-type RouteRuleStepsItem array{choices: list<RouteRuleStepsItemChoicesItem>}
 * @phpstan-type RouteRuleStepsItemChoicesItem array{transport: string, weight: int}
 * @phpstan-type RouteTable array{version: int, default: RouteTableDefault, providers: list<string>, usual: RouteTableUsual, transports: list<Transport>, rules: list<RouteRule>}
 * @phpstan-type RouteTableDefault array{kind: 'direct'|'relay'|'sandbox', message: string}
 * @phpstan-type RouteTableUsual array{warm_up: RouteTableUsualWarmUp, canary: RouteTableUsualCanary}
 * @phpstan-type RouteTableUsualCanary array{percents: list<int|float>, minutes: int|float, mails: int, worse: RouteTableUsualCanaryWorse}
 * @phpstan-type RouteTableUsualCanaryWorse array{deferred: int|float, bounced: int|float, complained: int|float}
 * @phpstan-type RouteTableUsualWarmUp array{curve: list<int>, curves: array<string, list<int>>}
 * @phpstan-type SandboxActBody array{action: 'open'|'click'|'unsubscribe'|'bounce'|'complain'|'reply', link?: string, text?: string}
 * @phpstan-type SandboxActData array{action: 'open'|'click'|'unsubscribe'|'bounce'|'complain'|'reply', leads_to: string|null}
 * @phpstan-type SandboxCheckedLink array{url: string, text: string|null, status: int|null, leads_to: string|null, error: string|null}
 * @phpstan-type SandboxClearData array{deleted: int}
 * @phpstan-type SandboxCreateOrganizationBody array{name?: string, minutes?: int}
 * @phpstan-type SandboxLatestData array{id: string, email_id: string, account_mail: bool, from: SandboxLatestDataFrom, to: string, subject: string, size: int, is_read: bool, received_at: string, return_path: string, authentication: SandboxLatestDataAuthentication, addresses: SandboxLatestDataAddresses, headers: list<SandboxLatestDataHeadersItem>, html: string|null, text: string|null, attachments: list<SandboxLatestDataAttachmentsItem>, links: list<SandboxLatestDataLinksItem>, codes: list<string>}
 * @phpstan-type SandboxLatestDataAddresses array{from: list<SandboxLatestDataAddressesFromItem>, to: list<SandboxLatestDataAddressesToItem>, cc: list<SandboxLatestDataAddressesCcItem>, reply_to: list<SandboxLatestDataAddressesReplyToItem>}
 * @phpstan-type SandboxLatestDataAddressesCcItem array{email: string, name: string|null}
 * @phpstan-type SandboxLatestDataAddressesFromItem array{email: string, name: string|null}
 * @phpstan-type SandboxLatestDataAddressesReplyToItem array{email: string, name: string|null}
 * @phpstan-type SandboxLatestDataAddressesToItem array{email: string, name: string|null}
 * @phpstan-type SandboxLatestDataAttachmentsItem array{filename: string|null, content_type: string, content_id: string|null, size: int, content: string}
 * @phpstan-type SandboxLatestDataAuthentication array{dkim: SandboxLatestDataAuthenticationDkim, spf: SandboxLatestDataAuthenticationSpf}
 * @phpstan-type SandboxLatestDataAuthenticationDkim array{result: 'pass'|'fail'|'none', domain: string|null, selector: string|null, reason: string|null}
 * @phpstan-type SandboxLatestDataAuthenticationSpf array{result: 'pass'|'fail'|'none', domain: string, reason: string|null}
 * @phpstan-type SandboxLatestDataFrom array{email: string, name: string|null}
 * @phpstan-type SandboxLatestDataHeadersItem array{name: string, value: string}
 * @phpstan-type SandboxLatestDataLinksItem array{url: string, text: string|null}
 * @phpstan-type SandboxListPage array{data: list<SandboxMessageItem>, pagination: Pagination}
 * @phpstan-type SandboxMarkAllData array{changed: int}
 * @phpstan-type SandboxMessage array{id: string, email_id: string, account_mail: bool, from: SandboxMessageFrom, to: string, subject: string, size: int, is_read: bool, received_at: string, return_path: string, authentication: SandboxMessageAuthentication, addresses: SandboxMessageAddresses, headers: list<SandboxMessageHeadersItem>, html: string|null, text: string|null, attachments: list<SandboxMessageAttachmentsItem>, links: list<SandboxMessageLinksItem>, codes: list<string>}
 * @phpstan-type SandboxMessageAddresses array{from: list<SandboxMessageAddressesFromItem>, to: list<SandboxMessageAddressesToItem>, cc: list<SandboxMessageAddressesCcItem>, reply_to: list<SandboxMessageAddressesReplyToItem>}
 * @phpstan-type SandboxMessageAddressesCcItem array{email: string, name: string|null}
 * @phpstan-type SandboxMessageAddressesFromItem array{email: string, name: string|null}
 * @phpstan-type SandboxMessageAddressesReplyToItem array{email: string, name: string|null}
 * @phpstan-type SandboxMessageAddressesToItem array{email: string, name: string|null}
 * @phpstan-type SandboxMessageAttachmentsItem array{filename: string|null, content_type: string, content_id: string|null, size: int, content: string}
 * @phpstan-type SandboxMessageAuthentication array{dkim: SandboxMessageAuthenticationDkim, spf: SandboxMessageAuthenticationSpf}
 * @phpstan-type SandboxMessageAuthenticationDkim array{result: 'pass'|'fail'|'none', domain: string|null, selector: string|null, reason: string|null}
 * @phpstan-type SandboxMessageAuthenticationSpf array{result: 'pass'|'fail'|'none', domain: string, reason: string|null}
 * @phpstan-type SandboxMessageChecks array{size: SandboxMessageChecksSize, findings: list<SandboxMessageChecksFindingsItem>, links: list<SandboxMessageChecksLinksItem>, html: SandboxMessageChecksHtml|null}
 * @phpstan-type SandboxMessageChecksFindingsItem array{kind: string, severity: 'warning'|'info', message: string}
 * @phpstan-type SandboxMessageChecksHtml array{is_complete: bool, features: list<SandboxMessageChecksHtmlFeaturesItem>, clients: list<SandboxMessageChecksHtmlClientsItem>}
 * @phpstan-type SandboxMessageChecksHtmlClientsItem array{name: string, unsupported: int, partial: int}
 * @phpstan-type SandboxMessageChecksHtmlFeaturesItem array{feature: string, about: string, count: int, line: int, unsupported: list<string>, partial: list<string>}
 * @phpstan-type SandboxMessageChecksLinksItem array{url: string, text: string|null}
 * @phpstan-type SandboxMessageChecksSize array{message: int, html: int, text: int, attachments: int}
 * @phpstan-type SandboxMessageFrom array{email: string, name: string|null}
 * @phpstan-type SandboxMessageHeadersItem array{name: string, value: string}
 * @phpstan-type SandboxMessageItem array{id: string, email_id: string, account_mail: bool, from: SandboxMessageItemFrom, to: string, subject: string, size: int, is_read: bool, received_at: string}
 * @phpstan-type SandboxMessageItemFrom array{email: string, name: string|null}
 * @phpstan-type SandboxMessageLinksItem array{url: string, text: string|null}
 * @phpstan-type SandboxSampleReportsData array{sent: int}
 * @phpstan-type SearchGroup array{kind: 'suppressions'|'emails'|'request_logs'|'inbound'|'templates'|'domains'|'webhooks', outcome: 'complete'|'limited'|'timed_out'|'forbidden', has_more: bool, hits: list<SearchHit>}
 * @phpstan-type SearchHit array{id: string, path: string, title: string, email: string|null, name: string|null, state: string|null, message: string|null, email_id: string|null, at: string}
 * @phpstan-type SendEmail array{to: list<MailboxInput>|Mailbox|string, cc?: list<MailboxInput>|Mailbox|string, bcc?: list<MailboxInput>|Mailbox|string, subject: string, html?: string, text?: string, template_id?: string, template_data?: array<string, mixed>, locale?: string, attachments?: list<Attachment>, from: MailboxInput, reply_to?: list<MailboxInput>|Mailbox|string, headers?: array<string, string>, tags?: list<Tag>, metadata?: array<string, string|int|float|bool>, priority?: 'high'|'normal'|'low', stream?: string, scheduled_at?: string, track_opens?: bool, track_clicks?: true|false|'off'|'html'|'html_and_text', text_from_html?: bool, receive_replies?: bool, unsubscribe?: bool, unsubscribe_group?: string, expires_in?: int, collapse_key?: string, require_tls?: bool}
 * @phpstan-type SendResult array{message_id: string, status: 'queued', queued_at: string, state?: 'held', hold?: EmailHold}
 * @phpstan-type Session array{id: string, current: bool, created_at: string, last_seen_at: string, expires_at: string, address: string|null, user_agent: string|null}
 * @phpstan-type SettingsUpdateAutoValidationBody array{threshold: 'off'|'high'|'medium'}
 * @phpstan-type SettingsUpdateGuardBody array{enabled?: bool, allow?: list<string>}
 * @phpstan-type SettingsUpdateRetentionBody array{content_days?: int, email_days?: int}
 * @phpstan-type SettingsUpdateTrackingBody array{track_opens: bool, track_clicks?: true|false|'off'|'html'|'html_and_text'}
 * @phpstan-type SettingsUpdateValidationBody array{disposable_allow?: list<string>, disposable_deny?: list<string>}
 * @phpstan-type Site array{id: string, name: string, state: 'open'|'slow'|'blocked'|'probing'|'paused', message: string, since: string|null, until: string|null, reason: string|null, reply: string|null, messages_per_minute: int|float|null, connections: int|null, provider: string|null, due: int, scheduled: int, oldest_due_at: string|null, domains: list<string>, editable: bool}
 * @phpstan-type Stream array{name: string, description: string|null, priority: 'high'|'normal'|'low', messages_per_minute: int|null, messages_per_hour: int|null, built_in: bool, created_at: string|null}
 * @phpstan-type StreamEvent array{id: string, type: 'queued'|'processing'|'held'|'delivered'|'opened'|'clicked'|'bounced'|'deferred'|'failed'|'complained'|'unsubscribed'|'rejected'|'received', recipient: string, mx_host: string|null, smtp_code: int|null, smtp_message: string|null, enhanced_code: string|null, reason: string|null, attempt: int|null, tls: string|null, tls_certificate: StreamEventTlsCertificate|null, next_attempt_at: string|null, user_agent: string|null, machine: bool|null, url: string|null, hold: StreamEventHold|null, created_at: string, email_id: string}
 * @phpstan-type StreamEventHold array{id: string, reason: string, placed_by: string, placed_at: string}
 * @phpstan-type StreamEventTlsCertificate array{verified: bool, policy: 'dane'|'mta_sts'|'require_tls'|'provider'|'relay'|'opportunistic', issuer: string|null, problem: string|null, sha256?: string|null}
 * @phpstan-type StreamsCreateBody array{name: string, description?: string|null, priority?: 'high'|'normal'|'low', messages_per_minute?: int|null, messages_per_hour?: int|null}
 * @phpstan-type StreamsDeleteData array{name: string, deleted: true}
 * @phpstan-type StreamsUpdateBody array{description?: string|null, priority?: 'high'|'normal'|'low', messages_per_minute?: int|null, messages_per_hour?: int|null}
 * @phpstan-type Suppression array{id: string, email: string, reason: 'hard_bounce'|'soft_bounce'|'complaint'|'unsubscribe'|'manual', source: 'automatic'|'manual', email_id: string|null, cause: string|null, unsubscribe_group: string|null, created_at: string}
 * @phpstan-type SuppressionImport array{id: string, status: 'waiting'|'running'|'done'|'failed', total: int, processed: int, added: int, existing: int, invalid: int, errors: list<SuppressionImportErrorsItem>, created_at: string, finished_at: string|null}
 * @phpstan-type SuppressionImportErrorsItem array{line: int, field: string, message: string}
 * @phpstan-type SuppressionsCreateBody array{email: string, reason: 'hard_bounce'|'soft_bounce'|'complaint'|'unsubscribe'|'manual', unsubscribe_group?: string}
 * @phpstan-type SuppressionsImportListBody array{suppressions: list<SuppressionsImportListBodySuppressionsItem>}
 * @phpstan-type SuppressionsImportListBodySuppressionsItem array{email: string, reason?: 'hard_bounce'|'soft_bounce'|'complaint'|'unsubscribe'|'manual', unsubscribe_group?: string}
 * @phpstan-type SuppressionsListPage array{data: list<Suppression>, pagination: Pagination}
 * @phpstan-type Tag array{name: string, value: string}
 * @phpstan-type Template array{id: string, name: string, alias: string|null, kind: 'template'|'layout'|'partial', subject: string, html_body: string, text_body: string, translations: list<TemplateTranslation>, layout: string|null, inline_css: bool, partials: list<TemplatePartialsItem>, variables: list<TemplateVariable>|null, variable_schema: list<array<string, mixed>>, version: int, is_active: bool, created_at: string, updated_at: string}
 * @phpstan-type TemplateChecks array{size: TemplateChecksSize, findings: list<TemplateChecksFindingsItem>, links: list<TemplateChecksLinksItem>, html: TemplateChecksHtml|null, checked_links: list<SandboxCheckedLink>|null}
 * @phpstan-type TemplateChecksFindingsItem array{kind: string, severity: 'warning'|'info', message: string}
 * @phpstan-type TemplateChecksHtml array{is_complete: bool, features: list<TemplateChecksHtmlFeaturesItem>, clients: list<TemplateChecksHtmlClientsItem>}
 * @phpstan-type TemplateChecksHtmlClientsItem array{name: string, unsupported: int, partial: int}
 * @phpstan-type TemplateChecksHtmlFeaturesItem array{feature: string, about: string, count: int, line: int, unsupported: list<string>, partial: list<string>}
 * @phpstan-type TemplateChecksLinksItem array{url: string, text: string|null}
 * @phpstan-type TemplateChecksSize array{html: int, text: int}
 * @phpstan-type TemplateDetail array{id: string, name: string, alias: string|null, kind: 'template'|'layout'|'partial', subject: string, html_body: string, text_body: string, translations: list<TemplateTranslation>, layout: string|null, inline_css: bool, partials: list<TemplateDetailPartialsItem>, variables: list<TemplateVariable>|null, variable_schema: list<array<string, mixed>>, version: int, is_active: bool, created_at: string, updated_at: string, sample_data: array<string, mixed>|null, usage: TemplateDetailUsage, draft: TemplateDetailDraft|null, last_changed_at: string, used_by: list<TemplateDetailUsedByItem>}
 * @phpstan-type TemplateDetailDraft array{subject: string, html_body: string, text_body: string, translations: list<TemplateTranslation>, layout: string|null, inline_css: bool, partials: list<TemplateDetailDraftPartialsItem>, variables: list<TemplateVariable>|null, variable_schema: list<array<string, mixed>>, based_on: int, saved_at: string, saved_by: string|null}
 * @phpstan-type TemplateDetailDraftPartialsItem array{name: string, id: string}
 * @phpstan-type TemplateDetailPartialsItem array{name: string, id: string}
 * @phpstan-type TemplateDetailUsage array{sends_last_30_days: int}
 * @phpstan-type TemplateDetailUsedByItem array{id: string, name: string, alias: string|null}
 * @phpstan-type TemplateDraft array{subject: string, html_body: string, text_body: string, translations: list<TemplateTranslation>, layout: string|null, inline_css: bool, partials: list<TemplateDraftPartialsItem>, variables: list<TemplateVariable>|null, variable_schema: list<array<string, mixed>>, based_on: int, saved_at: string, saved_by: string|null}
 * @phpstan-type TemplateDraftPartialsItem array{name: string, id: string}
 * @phpstan-type TemplatePartialsItem array{name: string, id: string}
 * @phpstan-type TemplatePreview array{subject: string, html: string, text: string, variables: list<TemplateVariable>, warnings: list<TemplateWarning>}
 * @phpstan-type TemplateSend array{email_id: string, to: list<string>, subject: string, template_version: int, template_data: array<string, mixed>|null, created_at: string}
 * @phpstan-type TemplateTranslation array{locale: string, subject: string, html: string, text: string}
 * @phpstan-type TemplateVariable array{name: string, type: string, required: bool, places: list<TemplateVariablePlacesItem>}
 * @phpstan-type TemplateVariablePlacesItem array{part: string, line: int, column: int, source: string|null}
 * @phpstan-type TemplateVariableRule array{name: string, type: 'string'|'number'|'boolean'|'array'|'object'|'date', required?: bool, default_value?: mixed}
 * @phpstan-type TemplateVersion array{version: int, subject: string, html_body: string, text_body: string, translations: list<TemplateTranslation>, layout: string|null, inline_css: bool, partials: list<TemplateVersionPartialsItem>, variable_schema: list<array<string, mixed>>, created_at: string, created_by: string|null, is_current: bool}
 * @phpstan-type TemplateVersionPartialsItem array{name: string, id: string}
 * @phpstan-type TemplateWarning array{code: string, message: string, variable: string|null, part: string|null, line: int|null, column: int|null, source: string|null}
 * @phpstan-type TemplatesCheckBody array{kind?: 'template'|'layout'|'partial', subject?: string, layout?: string|null, inline_css?: bool, html?: string, text?: string, translations?: list<TranslationOfTemplate>, variable_schema?: list<TemplateVariableRule>, locale?: string, data?: array<string, mixed>, check_links?: bool}
 * @phpstan-type TemplatesCreateBody array{name: string, alias?: string|null, kind?: 'template'|'layout'|'partial', subject?: string, layout?: string|null, inline_css?: bool, html?: string, text?: string, translations?: list<TranslationOfTemplate>, variable_schema?: list<TemplateVariableRule>, sample_data?: array<string, mixed>|null}
 * @phpstan-type TemplatesListPage array{data: list<Template>, pagination: Pagination}
 * @phpstan-type TemplatesPreviewBody array{locale?: string, draft?: bool, data?: array<string, mixed>, subject?: string, layout?: string|null, inline_css?: bool, html?: string, text?: string, translations?: list<TranslationOfTemplate>, variable_schema?: list<TemplateVariableRule>}
 * @phpstan-type TemplatesSaveDraftBody array{subject?: string, layout?: string|null, inline_css?: bool, html?: string, text?: string, translations?: list<TranslationOfTemplate>, variable_schema?: list<TemplateVariableRule>}
 * @phpstan-type TemplatesSendTestBody array{to: MailboxInput, from: MailboxInput, data?: array<string, mixed>, locale?: string, draft?: bool}
 * @phpstan-type TemplatesUpdateBody array{name?: string, alias?: string|null, subject?: string, layout?: string|null, inline_css?: bool, html?: string, text?: string, translations?: list<TranslationOfTemplate>, variable_schema?: list<TemplateVariableRule>, sample_data?: array<string, mixed>|null}
 * @phpstan-type TemplatesValidateBody array{kind?: 'template'|'layout'|'partial', subject?: string, layout?: string|null, inline_css?: bool, html?: string, text?: string, translations?: list<TranslationOfTemplate>, variable_schema?: list<TemplateVariableRule>, locale?: string, data?: array<string, mixed>}
 * @phpstan-type TemplatesVersionsPage array{data: list<TemplateVersion>, pagination: Pagination}
 * @phpstan-type ThrowAwayOrganization array{id: string, name: string, domain: string, api_key: string, expires_at: string}
 * @phpstan-type TlsReports array{domain: string, from: string, to: string, advice: string, record: TlsReportsRecord|null, totals: TlsReportsTotals, series: list<TlsReportsSeriesItem>, failures: list<TlsReportsFailuresItem>, reporters: list<TlsReportsReportersItem>}
 * @phpstan-type TlsReportsFailuresItem array{failure: string, mx_host: string|null, sessions: int}
 * @phpstan-type TlsReportsRecord array{type: string, name: string, value: string}
 * @phpstan-type TlsReportsReportersItem array{name: string, reports: int}
 * @phpstan-type TlsReportsSeriesItem array{date: string, sessions: int, failed: int}
 * @phpstan-type TlsReportsTotals array{sessions: int, failed: int}
 * @phpstan-type Tracking array{track_opens: bool, track_clicks: 'off'|'html'|'html_and_text', problem?: string}
 * @phpstan-type TranslationOfTemplate array{locale: string, subject?: string, html?: string, text?: string}
 * @phpstan-type Transport array{name: string, kind: 'direct'|'relay', sources: list<TransportSource>, url: string|null, has_password: bool, connections: int|null, messages_per_minute: int|null, health: TransportHealth|null}
 * @phpstan-type TransportHealth array{state: 'open'|'slow'|'blocked'|'probing'|'paused', message: string, since: string|null, until: string|null, reason: string|null, reply: string|null}
 * @phpstan-type TransportSource array{address: string, ehlo_name: string|null, weight: int, connections: int|null, warm_up: TransportSourceWarmUp|null, workers: int, held_up: list<TransportSourceHeldUpItem>}
 * @phpstan-type TransportSourceHeldUpItem array{site: string, state: 'open'|'slow'|'blocked'|'probing'|'paused', message: string, until: string|null}
 * @phpstan-type TransportSourceWarmUp array{since: string, curve: list<int>, curves: array<string, list<int>>, over: 'fallback'|'wait'}
 * @phpstan-type Undo array{id: string, state: 'running'|'done', from: string, to: string, template_id: string|null, tag: string|null, provider: string|null, reply: string|null, reason: string, requested_by: string, requested_at: string, requeued: int, unsuppressed: int, left_alone: UndoLeftAlone, ended_at: string|null}
 * @phpstan-type UndoLeftAlone array{not_bounced: int, content_gone: int, suppressed: int, other_mode: int}
 * @phpstan-type UndosCreateBody array{from: string, to: string, template_id?: string, tag?: string, provider?: string, reply?: string, reason: string}
 * @phpstan-type UndosListPage array{data: list<Undo>, pagination: Pagination}
 * @phpstan-type UndosPreviewBody array{from: string, to: string, template_id?: string, tag?: string, provider?: string, reply?: string}
 * @phpstan-type ValidationResult array{email: string, verdict: 'deliverable'|'risky'|'undeliverable', risk_score: int|float, checks: ValidationResultChecks, suggestions: list<string>, signals: list<ValidationResultSignalsItem>, normalized: string|null, subaddress: string|null, list_version: string, timestamp: string}
 * @phpstan-type ValidationResultChecks array{syntax: ValidationResultChecksSyntax, mx: ValidationResultChecksMx, dns: ValidationResultChecksDns, disposable: ValidationResultChecksDisposable, role: ValidationResultChecksRole, typo: ValidationResultChecksTypo, free_provider: ValidationResultChecksFreeProvider, random: ValidationResultChecksRandom}
 * @phpstan-type ValidationResultChecksDisposable array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string}
 * @phpstan-type ValidationResultChecksDns array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string, addresses: list<string>}
 * @phpstan-type ValidationResultChecksFreeProvider array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string, provider_type: 'free'|'isp'|'relay'|'education'|'government'|'corporate'|'disposable'|'unknown'}
 * @phpstan-type ValidationResultChecksMx array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string, records: list<ValidationResultChecksMxRecordsItem>}
 * @phpstan-type ValidationResultChecksMxRecordsItem array{priority: int, exchange: string}
 * @phpstan-type ValidationResultChecksRandom array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string, entropy_bits_per_char: int|float|null}
 * @phpstan-type ValidationResultChecksRole array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string}
 * @phpstan-type ValidationResultChecksSyntax array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string, similar_domain?: string}
 * @phpstan-type ValidationResultChecksTypo array{status: 'pass'|'fail'|'warn'|'unknown', reason: string, message: string, suggestions: list<ValidationResultChecksTypoSuggestionsItem>}
 * @phpstan-type ValidationResultChecksTypoSuggestionsItem array{suggested: string}
 * @phpstan-type ValidationResultSignalsItem array{signal: 'malformed_address'|'quoted_local_part'|'address_literal'|'smtputf8_required'|'mixed_scripts'|'lookalike_domain'|'mapped_domain'|'domain_not_found'|'null_mx'|'special_use_domain'|'no_mail_host'|'unroutable_mx'|'implicit_mx'|'dns_unknown'|'disposable_domain'|'suspected_disposable'|'relay_domain'|'role_address'|'unread_address'|'known_typo'|'unknown_tld'|'likely_typo'|'random_local_part'|'very_random_local_part'|'hard_bounced'|'suppressed', check: string, kind: 'floor'|'soft', weight: int|float}
 * @phpstan-type ValidationSettings array{disposable_allow: list<string>, disposable_deny: list<string>}
 * @phpstan-type View array{id: string, list: 'emails'|'request_logs'|'approvals'|'holds'|'templates'|'suppressions'|'inbound'|'sandbox_messages'|'sites'|'audit_log', name: string, query: array<string, string>, shared: bool, editable: bool, created_by: string, created_by_name: string|null, created_at: string}
 * @phpstan-type ViewsCreateBody array{list: 'emails'|'request_logs'|'approvals'|'holds'|'templates'|'suppressions'|'inbound'|'sandbox_messages'|'sites'|'audit_log', name: string, query: array<string, string>, shared?: bool}
 * @phpstan-type ViewsUpdateBody array{name?: string, query?: array<string, string>, shared?: bool}
 * @phpstan-type WarmUpProgress array{transport: string, address: string, provider: string|null, since: string, over: 'fallback'|'wait', step: int, curve: list<int>, allowed: int|null, used: int, message: string, days: list<WarmUpProgressDaysItem>}
 * @phpstan-type WarmUpProgressDaysItem array{day: string, allowed: int|null, used: int, delivered: int, objected: int, complained: int}
 * @phpstan-type Webhook array{id: string, url: string, description: string|null, event_types: list<string>|null, streams: list<string>|null, format: 'postrider'|'resend'|'sendgrid'|'postmark', enabled: bool, disabled_reason: 'manual'|'gone'|'failing'|null, disabled_at: string|null, failing_since: string|null, last_error: string|null, last_error_at: string|null, previous_secret_expires_at: string|null, created_at: string, updated_at: string}
 * @phpstan-type WebhookDelivery array{id: string, type: string, email_id: string|null, recipient: string|null, subject: string|null, status: 'pending'|'delivered'|'failed', next_attempt_at: string|null, attempts: list<WebhookDeliveryAttemptsItem>, created_at: string}
 * @phpstan-type WebhookDeliveryAttemptsItem array{at: string, status: int|null, latency_ms: int, response: string|null, response_headers: array<string, string>|null, error: string|null, next_attempt_at: string|null}
 * @phpstan-type WebhookDeliveryWithRequest array{id: string, type: string, email_id: string|null, recipient: string|null, subject: string|null, status: 'pending'|'delivered'|'failed', next_attempt_at: string|null, attempts: list<WebhookDeliveryWithRequestAttemptsItem>, created_at: string, request: WebhookDeliveryWithRequestRequest|null}
 * @phpstan-type WebhookDeliveryWithRequestAttemptsItem array{at: string, status: int|null, latency_ms: int, response: string|null, response_headers: array<string, string>|null, error: string|null, next_attempt_at: string|null}
 * @phpstan-type WebhookDeliveryWithRequestRequest array{method: 'POST', url: string, headers: array<string, string>, body: string}
 * @phpstan-type WebhookPreview array{headers: array<string, string>, body: string}
 * @phpstan-type WebhookStats array{events: int, since: string|null, delivered: int, pending: int, failed: int, calls: int, calls_succeeded: int, success_rate: int|float|null, latency_p50_ms: int|null, latency_p95_ms: int|null, next_attempt_at: string|null}
 * @phpstan-type WebhookWithSecret array{id: string, url: string, description: string|null, event_types: list<string>|null, streams: list<string>|null, format: 'postrider'|'resend'|'sendgrid'|'postmark', enabled: bool, disabled_reason: 'manual'|'gone'|'failing'|null, disabled_at: string|null, failing_since: string|null, last_error: string|null, last_error_at: string|null, previous_secret_expires_at: string|null, created_at: string, updated_at: string, secret: string}
 * @phpstan-type WebhooksCreateBody array{url: string, description?: string|null, event_types?: list<'email.queued'|'email.processing'|'email.held'|'email.delivered'|'email.opened'|'email.clicked'|'email.bounced'|'email.deferred'|'email.failed'|'email.complained'|'email.unsubscribed'|'email.rejected'|'email.received'|'domain.verified'|'domain.failing'|'domain.recovered'|'domain.unverified'|'suppression.added'|'suppression.removed'|'attention.raised'|'attention.cleared'|'canary.stepped'>|null, streams?: list<string>|null, format?: 'postrider'|'resend'|'sendgrid'|'postmark', enabled?: bool}
 * @phpstan-type WebhooksDeliveriesPage array{data: list<WebhookDelivery>, pagination: WebhooksDeliveriesPagePagination}
 * @phpstan-type WebhooksDeliveriesPagePagination array{limit: int, next_cursor: string|null}
 * @phpstan-type WebhooksReplayRangeBody array{since: string, until?: string, status?: 'failed'|'all'}
 * @phpstan-type WebhooksReplayRangeData array{replayed: int, next_since: string|null}
 * @phpstan-type WebhooksUpdateBody array{url?: string, description?: string|null, event_types?: list<'email.queued'|'email.processing'|'email.held'|'email.delivered'|'email.opened'|'email.clicked'|'email.bounced'|'email.deferred'|'email.failed'|'email.complained'|'email.unsubscribed'|'email.rejected'|'email.received'|'domain.verified'|'domain.failing'|'domain.recovered'|'domain.unverified'|'suppression.added'|'suppression.removed'|'attention.raised'|'attention.cleared'|'canary.stepped'>|null, streams?: list<string>|null, format?: 'postrider'|'resend'|'sendgrid'|'postmark', enabled?: bool}
 * @phpstan-type Worker array{id: int, host: string|null, pid: int|null, started_at: string, heartbeat_at: string, heartbeat_age_seconds: int|float, alive: bool}
 */
final class Shapes
{
}
