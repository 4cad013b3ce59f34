/** The data that is stored about an attempt besides its event, to explain the outcome later. Pure. */

import type { RouteTaken } from '../../events/attempts.ts';
import type { MessageEvidence } from '../../events/evidence.ts';
import type { SmtpFacts } from '../../protocols/smtp/facts.ts';
import type { Attempt } from '../policy/decide.ts';
import type { OutcomeReason } from '../policy/reasons.ts';

export interface AttemptLog {
  /** The reason of the attempt itself. The event of an expired delivery has `lifetime_exceeded` instead. */
  readonly reason: OutcomeReason | null;
  readonly rule: string;
  readonly detail: string;
  readonly durationMs: number;
  readonly conversation: string | null;
  readonly route: RouteTaken | null;
  readonly evidence: MessageEvidence | null;
}

const MAX_CONVERSATION = 2_000;
/** A long conversation keeps its beginning, which names the server, and its end, which has the outcome. */
const MAX_BEGINNING = 600;
const MAX_DETAIL = 500;

export function attemptLogOf(
  { outcome, sessions, taken, evidence }: Attempt,
  durationMs: number,
): AttemptLog {
  return {
    reason: outcome.kind === 'delivered' ? null : outcome.reason,
    rule: outcome.rule,
    detail: outcome.text.slice(0, MAX_DETAIL),
    durationMs: Math.max(0, Math.round(durationMs)),
    conversation: conversationOf(sessions ?? []),
    route: taken ?? null,
    evidence: (outcome.kind === 'delivered' ? evidence : null) ?? null,
  };
}

/** Each session begins with a line that names the server and says whether the connection was reused. */
function conversationOf(sessions: readonly SmtpFacts[]): string | null {
  if (sessions.length === 0) return null;
  const lines = sessions.flatMap(({ host, address, port, reused, transcript }) => [
    `- ${host} [${address}]:${port}${reused ? ', on an open connection' : ''}`,
    ...transcript,
  ]);
  return shorten(lines.join('\n'));
}

function shorten(text: string): string {
  if (text.length <= MAX_CONVERSATION) return text;
  const beginning = text.slice(0, MAX_BEGINNING);
  const end = text.slice(MAX_BEGINNING - MAX_CONVERSATION);
  return `${beginning.slice(0, beginning.lastIndexOf('\n'))}\n- …\n${end.slice(end.indexOf('\n') + 1)}`;
}
