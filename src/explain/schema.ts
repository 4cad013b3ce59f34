/** The response schemas of explanations. */
import { Type } from 'typebox';
import { tlsCertificate } from '../emails/event-schema.ts';
import { RECIPIENT_STATES, STATUSES } from '../emails/status.ts';
import { ATTEMPT_OUTCOMES } from '../events/attempts.ts';
import { nullable, stringEnum, timestamp } from '../http/schema.ts';
import { HOLD_SCOPES } from '../interventions/holds/hold.ts';
import { siteView } from '../sites/routes.ts';
import { RESPONSIBLE } from './explain.ts';

const responsible = stringEnum(RESPONSIBLE, {
  description: 'Who can fix the problem.',
});

const route = Type.Object(
  {
    transport: Type.String({
      description:
        'Name of the transport. `default` is the transport that the environment variables configure.',
    }),
    kind: stringEnum(['direct', 'relay', 'default']),
    source: nullable(
      Type.String({
        description: 'IP address that the mail was sent from. Null if the route did not choose one.',
      }),
    ),
    rule: nullable(
      Type.Integer({
        description: 'Number of the rule in the route table at that time, from 1. Null if no rule matched.',
      }),
    ),
    step: Type.Integer({
      description: 'Number of the step in the rule, from 1. 0 is the new transport of a canary.',
    }),
    why: Type.String(),
    canary: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          way: stringEnum(['old', 'new'], {
            description: '`new`: the email used the new transport. `old`: it used the route of the rule.',
          }),
          percent: Type.Number({
            description: 'Percentage of this mail that used the new transport at that time.',
          }),
          instead: Type.Optional(
            Type.Boolean({
              description:
                'Whether the email was selected for the new transport, but used the old route because the new transport was unavailable or failed.',
            }),
          ),
        },
        {
          description:
            'Canary that moves this mail from one transport to another. Present only if there was one at that time.',
        },
      ),
    ),
    message: Type.String({ description: 'Explanation in words.' }),
  },
  { $id: 'RouteTaken' },
);

const attempt = Type.Object(
  {
    kind: stringEnum(['attempt', 'report'], {
      description:
        '`attempt`: an attempt to deliver. `report`: a bounce or complaint that arrived by mail after a server had accepted the message.',
    }),
    attempt: nullable(
      Type.Integer({
        description:
          'Number of the attempt, from 1. Counting restarts at 1 when failed mail is retried. Null for reports.',
      }),
    ),
    created_at: timestamp({ description: 'Time at which the attempt ended or the report arrived.' }),
    duration_ms: nullable(
      Type.Integer({ description: 'Duration of the attempt in milliseconds. Null for reports.' }),
    ),
    reported_by: nullable(
      Type.String({ description: 'Server that wrote the report, as the report states. Null for attempts.' }),
    ),
    outcome: stringEnum(ATTEMPT_OUTCOMES),
    reason: nullable(
      Type.String({ description: 'Reason code of the outcome, from a closed list. Null if there is none.' }),
    ),
    rule: nullable(
      Type.String({ description: 'Name of the rule that decided the outcome. Null if there is none.' }),
    ),
    responsible: nullable(responsible),
    mx_host: nullable(Type.String()),
    tls: nullable(Type.String()),
    tls_certificate: tlsCertificate,
    detail: nullable(
      Type.String({
        description: 'Reply of the server, or a description of the problem if no server replied.',
      }),
    ),
    conversation: Type.Array(Type.String(), {
      description:
        'Lines of the SMTP conversation: sent (`>`), received (`<`) and other events (`-`). Shortened, and without the content of the message.',
    }),
    next_attempt_at: nullable(timestamp()),
    route: nullable(route),
  },
  { $id: 'Attempt' },
);

const problem = Type.Object(
  {
    reason: Type.String(),
    meaning: Type.String({ description: 'What the reason code means.' }),
    responsible,
    advice: Type.String({ description: 'How to fix the problem.' }),
  },
  { $id: 'Problem' },
);

const waitingFor = Type.Object(
  {
    site: nullable(
      Type.Object(siteView, {
        description:
          'Site that the mail goes to. Null until a worker has looked up the mail hosts of the domain.',
      }),
    ),
    message: Type.String({ description: 'Explanation in words.' }),
    worker_running: Type.Boolean({ description: 'Whether any worker is running.' }),
    expected_at: nullable(
      timestamp({
        description:
          'Expected time of the next attempt. At a slow site it can be later. Null if it is not known.',
      }),
    ),
  },
  {
    $id: 'WaitingFor',
    description: 'Why the delivery is waiting: the state of its site, or its place in the queue.',
  },
);

const heldBy = Type.Object(
  {
    id: Type.String(),
    scope: stringEnum(HOLD_SCOPES),
    value: nullable(Type.String()),
    reason: Type.String(),
    by_operator: Type.Boolean({ description: 'Whether an operator placed the hold.' }),
    since: timestamp({ description: 'Time at which the hold was placed.' }),
  },
  { $id: 'HeldBy', description: 'Hold that keeps the mail from being sent.' },
);

export const explanation = Type.Object(
  {
    id: Type.String(),
    status: stringEnum(STATUSES),
    require_tls: Type.Boolean({
      description: 'Whether the email is sent only over TLS to verified servers that support REQUIRETLS.',
    }),
    recipients: Type.Array(
      Type.Object({
        email: Type.String(),
        status: stringEnum(RECIPIENT_STATES),
        problem: nullable(problem),
        next_attempt_at: nullable(
          timestamp({
            description:
              'Time of the next attempt. If the mail waits for its site, the expected time. Null if it is not known.',
          }),
        ),
        wait: nullable(waitingFor),
        hold: nullable(heldBy),
        in_progress: Type.Boolean({
          description: 'Whether a worker is delivering the email to this recipient now.',
        }),
        attempts: Type.Array(attempt),
      }),
    ),
  },
  { $id: 'Explanation' },
);
