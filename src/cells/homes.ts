/**
 * Where each table is at home. *Control* is there once: who there is, who may do what, and what all mail has to share (a
 * provider's limit holds for every cell together). A *cell* has all mail of its organizations, and what sending it needs.
 * No statement, foreign key or transaction touches both, so that a cell may be another schema or another server.
 *
 * `organizations` is control's. Each cell has a copy of the rows of its own organizations, which its tables refer to
 * and which the sending limit is read from.
 */

/** Of control, and why. */
export const CONTROL_TABLES: Readonly<Record<string, string>> = {
  organizations: 'who there is',
  organization_cells: 'where they are',
  organization_moves: 'and where they are going',
  api_keys: 'the organization is found by them',
  api_key_usage: 'what keys were used for, in any cell',
  users: 'people, who may be in several organizations',
  memberships: 'of people',
  sessions: 'of people',
  invites: 'of people',
  account_links: 'of people',
  second_factor_failures: 'of people',
  sign_in_attempts: 'of people',
  audit_log: 'what people and keys did',
  request_shares: 'counts requests before it is known whose they are',
  sending_workers: 'of all cells, who share what a provider takes',
  sites: 'what a provider takes, it takes from all cells together',
  tls_reports: 'about domains that mail of all cells goes to',
  tls_sessions: 'as tls_reports',
  mta_sts_policies: 'what a domain demands, it demands of mail of all cells',
  sending_hosts: 'what mail of all cells leaves from',
  transports: 'what mail of all cells leaves through',
  route_table: 'which way mail of all cells leaves',
  canaries: 'as route_table',
  canary_shares: 'as route_table',
  canary_counts: 'as route_table',
  canary_steps: 'as route_table',
  source_days: 'what mail of all cells leaves from',
  own_dkim_keys: 'sign mail of all cells',
  data_keys: 'of the installation',
  secret_keys: 'of the installation',
  secret_key_holders: 'of the installation',
};

/** Of a cell: whatever else there is. Mail, its queue, who works on it, and what an organization has set. */
export const CELL_TABLES: readonly string[] = [
  ...['moved_contents', 'object_removals', 'content_weeks'],
  ...['emails', 'email_contents', 'email_attachments', 'batch_attachments', 'empty_batches', 'recipients'],
  ...['events', 'attempts', 'outbox', 'workers', 'holds', 'undos', 'lifted_suppressions', 'idempotency_keys'],
  'collapse_keys',
  ...['approvals', 'key_budgets'],
  ...['streams', 'stream_paces'],
  ...[
    'daily_usage',
    'email_counts',
    'hourly_counts',
    'complaint_counts',
    'click_counts',
    'delivery_counts',
    ...['stream_counts', 'stream_reactions'],
    'template_counts',
  ],
  ...['request_logs', 'attention_notices'],
  ...[
    'domains',
    'dkim_rotations',
    'domain_reports',
    'dmarc_rows',
    'tls_rows',
    'domain_tracking',
    'templates',
    'template_versions',
    'template_drafts',
    'retention_settings',
    'validation_settings',
  ],
  'feedback_loops',
  ...['receiving_names', 'inbound_routes', 'received_emails', 'received_days', 'conversation_emails'],
  ...['suppressions', 'suppression_counts', 'suppression_imports', 'mailbox_failures'],
  ...['webhook_endpoints', 'webhook_deliveries', 'inbound_messages', 'sandbox_messages', 'sandbox_greylist'],
  ...['site_domains', 'site_times', 'worker_sources', 'search_backfill', 'standstills'],
];

/** Of every schema. */
export const TABLES_OF_BOTH: readonly string[] = ['schema_migrations', 'cell_identity'];

/** Functions and views that read or write a cell's tables; their names are in statements instead of the tables'. */
export const CELL_ROUTINES: readonly string[] = [
  ...[
    'accept_emails',
    'accept_emails_once',
    'append_events',
    'begin_request',
    'claim_deliveries',
    'complete_begun_requests',
    'complete_requests',
    'count_template_use',
    'count_usage',
  ],
  ...[
    'enqueue_deliveries',
    'ensure_email_partitions',
    'insert_emails',
    'lock_answers',
    'move_email_counts',
    'move_hourly_counts',
    'move_stream_counts',
    'count_streams',
  ],
  'repeated_requests',
  ...['store_emails', 'suppressed_among', 'unverified_senders'],
  ...['attached_files', 'kept_contents'],
];

/** The same of control's. */
export const CONTROL_ROUTINES: readonly string[] = ['begin_sign_in'];
