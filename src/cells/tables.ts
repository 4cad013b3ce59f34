/**
 * Every table of the database: its location, the modules that write it, the owner of its rows, and when they are removed.
 * Routing to cells (homes.ts), the removal of throw-away organizations, moves between cells and docs/internals/tables.md
 * read this list; test/database/tables.test.ts compares it with the migrated schema and with the source.
 *
 * *Control* exists once: organizations, users, and the data that mail of all cells shares (a provider's limit applies to all
 * cells together). A *cell* has all mail of its organizations and the data needed to send it. No statement, foreign key or
 * transaction touches both, so that a cell may be another schema or another server. `organizations` belongs to control;
 * each cell has a copy of the rows of its own organizations, which its tables refer to and which the sending limit is read
 * from.
 *
 * A backup needs no entry here: it has every table that the catalog lists (operations/backup/catalog.ts).
 */

export interface TableEntry {
  readonly home: 'control' | 'cell' | 'both';
  /** The column with the organization of a row; null if rows belong to no organization. */
  readonly organization: 'organization_id' | null;
  /** Whether a move to another cell takes the organization's rows along. */
  readonly move: 'rows' | 'stays';
  /**
   * How rows of a throw-away organization are removed: with the others; `before` or `after` them by a statement or chore of
   * their own; or not at all, because they describe the cell.
   */
  readonly throwAway: 'rows' | 'before' | 'after' | 'stays';
  /** Files in src, and functions in schema/functions as `name()`. */
  readonly writers: readonly string[];
  /** When rows are removed. */
  readonly removed: string;
  /** For a table of control: why the cells do not have it. */
  readonly because?: string;
}

/** A cell's table with rows of an organization, which move with it. */
function ofOrganization(writers: readonly string[], removed: string): TableEntry {
  return { home: 'cell', organization: 'organization_id', move: 'rows', throwAway: 'rows', writers, removed };
}

function ofCell(writers: readonly string[], removed: string): TableEntry {
  return { home: 'cell', organization: null, move: 'stays', throwAway: 'stays', writers, removed };
}

function organizationInControl(writers: readonly string[], removed: string, because: string): TableEntry {
  return { ...ofInstallation(writers, removed, because), organization: 'organization_id', throwAway: 'rows' };
}

function ofInstallation(writers: readonly string[], removed: string, because: string): TableEntry {
  return { ...ofCell(writers, removed), home: 'control', because };
}

function ofEveryDatabase(writers: readonly string[], removed: string): TableEntry {
  return { ...ofCell(writers, removed), home: 'both' };
}

/** In an order in which rows can be removed: a table precedes the tables that its rows refer to. */
export const TABLES = {
  // Mail and what happened to it.
  webhook_deliveries: ofOrganization(
    [
      'events/domain-events.ts',
      'events/account-events.ts',
      'webhooks/log.ts',
      'webhooks/queue.ts',
      'queue_webhooks()',
      'append_events()',
    ],
    'after 30 days, or with the webhook, by a chore',
  ),
  webhook_endpoints: ofOrganization(['webhooks/endpoints/store.ts'], 'when the webhook is deleted'),
  events: ofOrganization(
    ['events/attempts.ts', 'events/remove.ts', 'append_events()', 'append_outcomes()'],
    'with the email',
  ),
  attempts: ofOrganization(['events/attempts.ts'], 'with the email'),
  sandbox_messages: ofOrganization(['sandbox/store.ts'], 'beyond the newest 1,000 of the organization'),
  sandbox_greylist: ofOrganization(['sandbox/greylist.ts'], 'when the mail is accepted, or after 14 days'),
  inbound_messages: ofOrganization(
    ['inbound/store.ts'],
    'when recorded; kept messages after 14 days, or beyond the caps',
  ),
  conversation_emails: ofOrganization(['received/conversations.ts'], 'with the email'),
  resends: ofOrganization(['emails/resends.ts'], 'with the email that was sent again, by a chore'),
  received_emails: ofOrganization(
    ['received/store-removal.ts', 'received/store.ts'],
    'by retention: content first, then the row',
  ),
  received_days: ofOrganization(
    ['received/store-removal.ts', 'received/store.ts'],
    'when no mail of the day is stored',
  ),
  inbound_routes: ofOrganization(['received/route-store.ts'], 'when the route or its domain is deleted'),
  receiving_names: ofOrganization(['received/receiving-names.ts'], 'when the name or its domain is deleted'),
  email_attachments: ofOrganization(
    ['emails/moved/store-moved.ts', 'insert_emails()', 'store_new_emails()'],
    'by retention, before the email; when the content is moved to object storage',
  ),
  batch_attachments: ofOrganization(
    ['emails/batch-attachments.ts'],
    'with the content of the last email of the batch',
  ),
  email_contents: ofOrganization(
    ['emails/moved/store-moved.ts', 'insert_emails()', 'store_new_emails()'],
    'by retention, before the email; when the content is moved to object storage',
  ),
  moved_contents: ofOrganization(['emails/moved/store-moved.ts'], 'by retention, with the object'),
  content_weeks: ofOrganization(['emails/moved/content-weeks.ts'], 'with the week'),
  recipients: ofOrganization(
    [
      'emails/clicks.ts',
      'emails/opens.ts',
      'emails/outcomes.ts',
      'emails/store-removal.ts',
      'insert_emails()',
      'store_new_emails()',
    ],
    'with the email',
  ),
  emails: ofOrganization(
    [
      'emails/lists/search-backfill.ts',
      'emails/outcomes.ts',
      'emails/store-removal.ts',
      'emails/store.ts',
      'insert_emails()',
      'store_new_emails()',
    ],
    'by retention, mostly by dropping the partition',
  ),
  outbox: {
    ...ofOrganization(
      [
        'outbox/approval.ts',
        'outbox/lease.ts',
        'outbox/make-due.ts',
        'outbox/park.ts',
        'outbox/settle.ts',
        'outbox/withdraw.ts',
        'claim_deliveries()',
        'enqueue_deliveries()',
        'store_new_emails()',
      ],
      'when the delivery is final or withdrawn',
    ),
    throwAway: 'before',
  },
  empty_batches: ofOrganization(['emails/empty-batches.ts'], 'after 90 days, by a chore'),
  collapse_keys: ofOrganization(['emails/collapse.ts'], '60 days after the newest email, by a chore'),
  idempotency_keys: ofOrganization(
    [
      'submission/idempotency/store.ts',
      'begin_request()',
      'complete_begun_requests()',
      'complete_requests()',
    ],
    'after 24 hours, by a chore',
  ),
  lifted_suppressions: ofOrganization(['interventions/undos/lifted-suppressions.ts'], 'when the undo ends'),
  undos: ofOrganization(['interventions/undos/store.ts'], 'never: they say who took what back, and why'),
  holds: ofOrganization(['interventions/holds/store.ts'], 'never: they say who stopped what, and why'),
  approvals: ofOrganization(['interventions/approvals/store.ts'], 'with the email'),
  suppressions: ofOrganization(['suppressions/store.ts'], 'when the address is removed from the list'),
  suppression_counts: ofOrganization(['suppressions/store.ts'], 'never: one per organization and reason'),
  suppression_imports: ofOrganization(['suppressions/import-store.ts'], '30 days after the end, by a chore'),
  mailbox_failures: ofOrganization(
    ['suppressions/mailbox-failures.ts'],
    'when the mailbox works or is suppressed; after 90 days',
  ),

  // Counters.
  email_counts: ofOrganization(
    ['counters/email-counts.ts', 'move_email_counts()'],
    'never: one per organization, day and status',
  ),
  hourly_counts: ofOrganization(
    ['counters/hourly-counts.ts', 'move_hourly_counts()'],
    'after 40 days, by a chore',
  ),
  complaint_counts: ofOrganization(['counters/hourly-counts.ts'], 'after 40 days, by a chore'),
  click_counts: ofOrganization(['counters/hourly-counts.ts'], 'after 40 days, by a chore'),
  delivery_counts: ofOrganization(['counters/delivery-counts.ts'], 'after 40 days, by a chore'),
  template_counts: ofOrganization(['count_template_use()'], 'never: one per template and day'),
  stream_counts: ofOrganization(
    ['counters/stream-counts.ts', 'move_stream_counts()'],
    'after 40 days, by a chore',
  ),
  stream_reactions: ofOrganization(['counters/stream-counts.ts'], 'after 40 days, by a chore'),
  stream_paces: ofOrganization(['streams/pace-store.ts'], 'when the stream is deleted'),

  // What an organization has set up.
  template_drafts: ofOrganization(['templates/store-drafts.ts'], 'when the draft is published or discarded'),
  template_versions: ofOrganization(['templates/store.ts'], 'never: deleted templates stay readable'),
  templates: ofOrganization(['templates/store.ts'], 'never: deleted templates stay readable'),
  streams: ofOrganization(['streams/store.ts'], 'when the stream is deleted'),
  feedback_loops: ofOrganization(['stats/feedback-loops/store.ts'], 'when a user withdraws it'),
  attention_notices: ofOrganization(['stats/attention-notices.ts'], 'ten minutes after the problem is over'),
  request_logs: ofOrganization(
    ['request-logs/store.ts'],
    'beyond the newest 10,000 of the organization; after 7 days',
  ),
  tls_rows: ofOrganization(['domains/reports/store.ts'], 'after 400 days, by a chore; with the domain'),
  dmarc_rows: ofOrganization(['domains/reports/store.ts'], 'after 400 days, by a chore; with the domain'),
  domain_reports: ofOrganization(['domains/reports/store.ts'], 'after 400 days, by a chore; with the domain'),
  domain_tracking: ofOrganization(['domains/tracking/store.ts'], 'with the domain'),
  dkim_rotations: ofOrganization(
    ['domains/rotation-store.ts'],
    'with the domain, when cancelled, or by the next rotation',
  ),
  domains: ofOrganization(
    ['domains/check-store.ts', 'domains/rotation-store.ts', 'domains/store.ts'],
    'when the domain is deleted',
  ),
  retention_settings: ofOrganization(
    ['organizations/settings/retention.ts'],
    'never: at most one per organization',
  ),
  validation_settings: ofOrganization(
    ['organizations/settings/disposable-domains.ts'],
    'never: at most one per organization',
  ),
  daily_usage: ofOrganization(
    ['counters/daily-usage.ts', 'count_usage()'],
    'never: one per organization and day',
  ),
  key_budgets: ofOrganization(['accounts/api-keys/budget-store.ts'], 'after 7 days, by a chore'),

  // Cells: work under way.
  object_removals: {
    ...ofOrganization(['emails/moved/object-removals.ts'], 'when the object is removed, or in use'),
    throwAway: 'after',
  },
  search_backfill: {
    ...ofOrganization(['emails/lists/search-backfill.ts'], 'when all mail has the hashes that searches use'),
    move: 'stays',
    throwAway: 'stays',
  },
  standstills: {
    ...ofOrganization(['cells/organization-freeze-store.ts'], 'when the organization has arrived or left'),
    move: 'stays',
    throwAway: 'stays',
  },
  workers: ofCell(['outbox/lease.ts'], 'when the worker stops, or is taken for dead'),
  worker_sources: ofCell(['delivery/scheduler/source-store.ts'], 'with the worker'),
  site_domains: ofCell(
    ['delivery/scheduler/site-store.ts'],
    'when nothing was sent there for a while, by a chore',
  ),
  site_times: ofCell(['delivery/scheduler/site-times.ts'], '30 days after the last delivery, by a chore'),

  // Control: organizations and people.
  api_key_usage: organizationInControl(
    ['accounts/api-keys/usage.ts'],
    'after 90 days, by a chore',
    'counts what keys were used for in every cell',
  ),
  api_keys: organizationInControl(
    ['accounts/api-keys/store.ts'],
    'never: revoked keys stay listed',
    'a request finds its organization by the key',
  ),
  audit_log: organizationInControl(
    ['accounts/audit-log/store.ts'],
    'never',
    'records what people and keys did',
  ),
  invites: organizationInControl(
    ['accounts/members/invite-store.ts'],
    'when accepted, withdrawn or expired',
    'belongs to people',
  ),
  saved_views: organizationInControl(
    ['views/store.ts'],
    'when the view is deleted; own views with the membership',
    'belongs to people',
  ),
  sessions: organizationInControl(
    ['accounts/sessions/store.ts'],
    'at sign-out, with the membership, or expired',
    'belongs to people',
  ),
  memberships: organizationInControl(
    ['accounts/members/store.ts'],
    'when the member is removed',
    'belongs to people',
  ),
  organization_moves: organizationInControl(
    ['cells/move-store.ts'],
    'never: one per move',
    'says where organizations are moving',
  ),
  organization_cells: organizationInControl(
    ['cells/store.ts'],
    'never: one per organization that was placed in a cell',
    'says where organizations are',
  ),
  account_links: ofInstallation(
    ['accounts/users/link-store.ts'],
    'when used or expired',
    'belongs to people',
  ),
  second_factor_failures: ofInstallation(
    ['accounts/users/second-factor-store.ts'],
    'when the password changes',
    'belongs to people',
  ),
  sign_in_attempts: ofInstallation(
    ['accounts/users/sign-in-throttle.ts', 'begin_sign_in()'],
    'after 15 minutes, by a chore',
    'belongs to people',
  ),
  users: ofInstallation(['accounts/users/store.ts'], 'never', 'people may belong to several organizations'),
  request_shares: ofInstallation(
    ['organizations/request-shares.ts'],
    'never: one per caller and role',
    'counts requests before their organization is known',
  ),
  organizations: ofInstallation(
    [
      'operations/move/move.ts',
      'organizations/settings/column.ts',
      'organizations/settings/guard.ts',
      'organizations/store.ts',
      'sandbox/throw-away.ts',
    ],
    'never; those for a test run when they expire, by a chore',
    'the list of organizations; each cell has a copy of its own',
  ),

  // Control: what mail of all cells shares.
  sending_workers: ofInstallation(
    ['delivery/scheduler/sending-workers.ts'],
    'after a day of silence',
    'workers of all cells share what a provider accepts',
  ),
  sites: ofInstallation(
    ['delivery/scheduler/site-store.ts'],
    'when nothing was sent there for a while, by a chore',
    'a provider limits mail of all cells together',
  ),
  tls_sessions: ofInstallation(
    ['delivery/tls/report-store.ts'],
    'after 7 days, by a chore',
    'domains get one report about mail of all cells',
  ),
  tls_reports: ofInstallation(
    ['delivery/tls/report-store.ts'],
    'after 7 days, by a chore',
    'domains get one report about mail of all cells',
  ),
  mta_sts_policies: ofInstallation(
    ['delivery/tls/sts-store.ts'],
    'when expired, by a chore; beyond the 100,000 used last',
    'a policy holds for mail of all cells',
  ),
  sending_hosts: ofInstallation(
    ['domains/sending-host/store.ts'],
    'after a day without a check',
    'mail of all cells is sent from them',
  ),
  transports: ofInstallation(
    ['routing/store.ts'],
    'when a new route table lacks the transport',
    'mail of all cells leaves through them',
  ),
  route_table: ofInstallation(['routing/store.ts'], 'never: one row', 'routes mail of all cells'),
  canary_counts: ofInstallation(
    ['routing/canary/counts.ts'],
    'after an hour: added to the share',
    'as route_table',
  ),
  canary_shares: ofInstallation(
    ['routing/canary/store.ts'],
    'when no rule has the canary any more, by a chore',
    'as route_table',
  ),
  canaries: ofInstallation(
    ['routing/canary/store.ts'],
    'when no rule has the canary any more, by a chore',
    'as route_table',
  ),
  canary_steps: ofInstallation(['routing/canary/steps.ts'], 'after 180 days, by a chore', 'as route_table'),
  source_days: ofInstallation(
    ['routing/source-days.ts'],
    'after 400 days, by a chore',
    'mail of all cells is sent from the addresses',
  ),
  own_dkim_keys: ofInstallation(
    ['domains/own-dkim/store.ts'],
    'never: one per domain',
    'signs mail of all cells',
  ),
  data_keys: ofInstallation(['erasure/erased-address-hash.ts'], 'never: one', 'belongs to the installation'),
  secret_keys: ofInstallation(
    ['operations/secret-keys/store.ts'],
    'never: one per key',
    'belongs to the installation',
  ),
  secret_key_holders: ofInstallation(
    ['operations/secret-keys/store.ts'],
    'when the process stops, or a day after it died',
    'belongs to the installation',
  ),
  acme_challenges: ofInstallation(
    ['certificates/challenge-store.ts'],
    'after the attempt, or an hour after it began',
    'belongs to the installation',
  ),
  certificates: ofInstallation(
    ['certificates/store.ts'],
    'a week after the name was last wanted, once the certificate has expired',
    'belongs to the installation',
  ),
  acme_accounts: ofInstallation(
    ['certificates/account-store.ts'],
    'never: one per ACME directory',
    'belongs to the installation',
  ),

  // In every database.
  cell_identity: ofEveryDatabase(['cells/identity.ts'], 'never: one row'),
  schema_migrations: ofEveryDatabase(['database/migrate.ts'], 'never'),
} as const satisfies Readonly<Record<string, TableEntry>>;

type TableName = keyof typeof TABLES;

/** The names of the matching tables, in the order of the list. */
export function tablesThat(fits: (entry: TableEntry) => boolean): TableName[] {
  return (Object.keys(TABLES) as TableName[]).filter((name) => fits(TABLES[name]));
}
