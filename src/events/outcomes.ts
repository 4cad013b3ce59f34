/** Appends the outcomes of attempts: one row with the event, the attempt, and the start if it is recorded at the same time. */
import { call, optionalColumn } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { NewEvent } from './append.ts';
import type { NewAttempt } from './attempts.ts';
import { packEvidence } from './evidence.ts';
import { startIdOf } from './started.ts';

export interface NewOutcome {
  /** With an id of `outcomeId`. */
  readonly event: NewEvent & { readonly id: string };
  readonly attempt: NewAttempt;
  /** Null if the start of the attempt has an event of its own. */
  readonly startedAtMs: number | null;
}

const PARAMETERS = [
  ...[
    'organization_ids',
    'email_ids',
    'happened',
    'event_ids',
    'positions',
    'recipients',
    'types',
    'attempts',
  ],
  ...[
    'durations',
    'started_ids',
    'started',
    'mx_hosts',
    'smtp_codes',
    'smtp_messages',
    'enhanced_codes',
    'reasons',
  ],
  ...[
    'tls',
    'tls_certificates',
    'next_attempts',
    'rules',
    'attempt_reasons',
    'details',
    'details_are_replies',
  ],
  ...['conversations', 'routes', 'evidences'],
];

const insert = sql('events.append_outcomes', call('SELECT append_outcomes', PARAMETERS), {
  home: 'cell',
  organization: '$1',
});

export async function appendOutcomes(tx: Sql, outcomes: readonly NewOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const optional = (read: (one: NewOutcome) => unknown) =>
    optionalColumn(outcomes, (one) => read(one) ?? null);
  await tx.exec(insert, [
    outcomes.map(({ event }) => event.organizationId),
    outcomes.map(({ event }) => event.emailId),
    outcomes.map(({ event }) => event.atMs),
    outcomes.map(({ event }) => event.id),
    outcomes.map(({ event }) => event.position),
    outcomes.map(({ event }) => event.recipient),
    outcomes.map(({ event }) => event.type),
    outcomes.map(({ attempt }) => attempt.attempt),
    outcomes.map(({ attempt }) => attempt.durationMs),
    optional(({ event, startedAtMs }) => (startedAtMs === null ? null : startIdOf(event.id))),
    optional(({ startedAtMs }) => startedAtMs),
    optional(({ event }) => event.mxHost),
    optional(({ event }) => event.smtpCode),
    optional(({ event }) => event.smtpMessage),
    optional(({ event }) => event.enhancedCode),
    optional(({ event }) => event.reason),
    optional(({ event }) => event.tls),
    optional(({ event: { tlsCertificate } }) => tlsCertificate && JSON.stringify(tlsCertificate)),
    optional(({ event }) => event.nextAttemptAtMs),
    optional(({ attempt }) => attempt.rule),
    optional(({ event, attempt }) => (attempt.reason === event.reason ? null : attempt.reason)),
    optional((one) => (isReply(one) ? null : one.attempt.detail)),
    optional((one) => (isReply(one) ? true : null)),
    optional(({ attempt }) => attempt.conversation),
    optional(({ attempt: { route } }) => route && JSON.stringify(route)),
    optional(({ attempt: { evidence } }) => evidence && packEvidence(evidence)),
  ]);
}

/** Whether the detail is the reply of the server, as for nearly every attempt that reached one. */
function isReply({ event, attempt }: NewOutcome): boolean {
  return attempt.detail !== null && attempt.detail === event.smtpMessage;
}
