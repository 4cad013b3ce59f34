/** The tables, functions and views of control and of a cell; see tables.ts. */
import { tablesThat } from './tables.ts';

export const CONTROL_TABLES: readonly string[] = tablesThat(({ home }) => home === 'control');
export const CELL_TABLES: readonly string[] = tablesThat(({ home }) => home === 'cell');

/** Functions and views that read or write tables of a cell. Statements name them instead of the tables. */
export const CELL_ROUTINES: readonly string[] = [
  ...[
    'accept_emails',
    'accept_new_emails',
    'append_events',
    'append_outcomes',
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
  ...['queue_webhooks', 'repeated_requests'],
  ...['store_emails', 'store_new_emails', 'suppressed_among', 'unverified_senders'],
  ...['attached_files', 'kept_contents'],
];

/** Functions that read or write tables of control. */
export const CONTROL_ROUTINES: readonly string[] = ['begin_sign_in'];
