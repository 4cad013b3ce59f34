/** Metrics of inbound mail. */
import type { Database } from '../database/database.ts';
import { sumOfCells } from '../database/per-cell.ts';
import { countDrops } from '../protocols/smtp/server/drop-metrics.ts';
import { REPLIES, type Reply } from '../protocols/smtp/server/replies.ts';
import { receivedWaiting } from '../received/store.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { MessageResult } from './changes.ts';
import { countKept } from './kept-mail.ts';
import { INBOUND_REPLIES } from './smtp/replies.ts';
import { waitingInbound } from './store.ts';

export interface InboundMetrics {
  readonly onReply: (reply: Reply) => void;
  readonly onResult: (result: MessageResult) => void;
  /** For mail to organizations. */
  readonly onRead: (result: 'read' | 'unreadable') => void;
  readonly onScan: (scanner: 'spam' | 'virus', result: string) => void;
}

export function createInboundMetrics(metrics: Metrics, db: Database, sessions: () => number): InboundMetrics {
  const replies = metrics.counter(
    'postrider_inbound_replies_total',
    'Replies to senders of bounces and complaints: stored, or the reason of a refusal.',
    ['reply'],
  );
  const onDrop = countDrops(metrics, 'inbound');
  const reports = metrics.counter(
    'postrider_inbound_reports_total',
    'Processed inbound messages, by result.',
    ['result'],
  );
  const received = metrics.counter(
    'postrider_received_emails_total',
    'Received mail of organizations, by whether it could be parsed.',
    ['result'],
  );
  const scans = metrics.counter(
    'postrider_received_scans_total',
    'Results of scanners for received mail of organizations; unavailable: the scanner did not answer.',
    ['scanner', 'result'],
  );
  metrics.gauge('postrider_received_waiting', 'Received mail that is not parsed yet.', () =>
    sumOfCells(db, async (cell) => (await receivedWaiting(cell, '')).all).catch(() => 0),
  );
  metrics.gauge('postrider_inbound_sessions', 'Open connections to the inbound receiver.', sessions);
  metrics.gauge('postrider_inbound_waiting', 'Messages that are stored and not recorded yet.', () =>
    sumOfCells(db, waitingInbound).catch(() => 0),
  );
  metrics.gauge('postrider_inbound_kept', 'Messages that are kept for the operator to read.', () =>
    sumOfCells(db, countKept).catch(() => 0),
  );
  return {
    onReply: (reply) => {
      onDrop(reply);
      const name = NAMES.get(reply);
      if (name !== undefined && (reply.code >= 400 || name === 'stored')) replies({ reply: name });
    },
    onResult: (result) => reports({ result }),
    onRead: (result) => received({ result }),
    onScan: (scanner, result) => scans({ scanner, result }),
  };
}

/** `expired_mailbox` for expiredMailbox. */
const NAMES = new Map<Reply, string>(
  Object.entries({ ...REPLIES, ...INBOUND_REPLIES }).map(([name, reply]) => [
    reply,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);
