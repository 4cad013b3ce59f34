/** Counts the connections that a mail server ended or refused so that others find room. */
import type { Metrics } from '../../../runtime/metrics.ts';
import { REPLIES, type Reply } from './replies.ts';

const DROP_REASONS: ReadonlyMap<Reply, string> = new Map([
  [REPLIES.noLogin, 'idle'],
  [REPLIES.noMail, 'idle'],
  [REPLIES.tooSlow, 'slow_message'],
  [REPLIES.madeRoom, 'made_room'],
  [REPLIES.full, 'server_full'],
  [REPLIES.busy, 'address_limit'],
]);

export function countDrops(metrics: Metrics, role: 'inbound' | 'submission'): (reply: Reply) => void {
  const dropped = metrics.counter(
    `postrider_${role}_dropped_total`,
    'Connections that were ended or refused to make room for others, by reason.',
    ['reason'],
  );
  return (reply) => {
    const reason = DROP_REASONS.get(reply);
    if (reason !== undefined) dropped({ reason });
  };
}
