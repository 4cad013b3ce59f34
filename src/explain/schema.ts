/** Schemas of explanations. */
import { Type } from 'typebox';
import { tlsCertificate } from '../emails/schema.ts';
import { RECIPIENT_STATES, STATUSES } from '../emails/status.ts';
import { ATTEMPT_OUTCOMES } from '../events/attempts.ts';
import { nullable, stringEnum, timestamp } from '../http/schema.ts';
import { HOLD_SCOPES } from '../interventions/holds/hold.ts';
import { siteView } from '../sites/schema.ts';
import { RESPONSIBLE } from './explain.ts';

const responsible = stringEnum(RESPONSIBLE, {
  description: 'Who can fix it.',
});

const route = Type.Object(
  {
    transport: Type.String({ description: 'Its name; `default` is what the environment configures.' }),
    kind: stringEnum(['direct', 'relay', 'default']),
    source: nullable(Type.String({ description: 'The address it was sent from, where one was chosen.' })),
    rule: nullable(Type.Integer({ description: 'Counting from 1, by the table of that time.' })),
    step: Type.Integer({ description: '0 is where a canary moves mail to.' }),
    why: Type.String(),
    canary: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          way: stringEnum(['old', 'new']),
          percent: Type.Number({ description: 'How much of such mail went the new way then.' }),
          instead: Type.Optional(
            Type.Boolean({ description: 'It was to go the new way, which was set aside or failed.' }),
          ),
        },
        { description: 'Where the operator moves such mail from one way to another; missing otherwise.' },
      ),
    ),
    message: Type.String({ description: 'A sentence for people.' }),
  },
  { $id: 'RouteTaken' },
);

const attempt = Type.Object(
  {
    kind: stringEnum(['attempt', 'report'], {
      description: '`report`: what came back by mail after a server had taken the message.',
    }),
    attempt: nullable(
      Type.Integer({ description: 'From 1; from 1 again after a retry of failed mail. Null for reports.' }),
    ),
    created_at: timestamp({ description: 'When it ended, or when the report came.' }),
    duration_ms: nullable(Type.Integer({ description: 'Null for reports.' })),
    reported_by: nullable(
      Type.String({ description: 'The server that says it wrote the report. Null for attempts.' }),
    ),
    outcome: stringEnum(ATTEMPT_OUTCOMES),
    reason: nullable(Type.String({ description: 'Why, from a closed list.' })),
    rule: nullable(Type.String({ description: 'The rule that decided.' })),
    responsible: nullable(responsible),
    mx_host: nullable(Type.String()),
    tls: nullable(Type.String()),
    tls_certificate: tlsCertificate,
    detail: nullable(
      Type.String({ description: "The server's reply, or our description where no server answered." }),
    ),
    conversation: Type.Array(Type.String(), {
      description:
        'What was sent (`>`), what was answered (`<`) and what else happened (`-`), trimmed, without content.',
    }),
    next_attempt_at: nullable(timestamp()),
    route: nullable(route),
  },
  { $id: 'Attempt' },
);

const problem = Type.Object(
  { reason: Type.String(), meaning: Type.String(), responsible, advice: Type.String() },
  { $id: 'Problem' },
);

const waitingFor = Type.Object(
  {
    site: nullable(
      Type.Object(siteView, {
        description: 'Null until a worker has looked up the mail hosts of the domain.',
      }),
    ),
    message: Type.String({ description: 'A sentence for people.' }),
    worker_running: Type.Boolean(),
    expected_at: nullable(
      timestamp({ description: 'When it is expected to be tried; at a slow site not before.' }),
    ),
  },
  {
    $id: 'WaitingFor',
    description: 'Why it is not being tried: the site that it goes to, or that it is in line.',
  },
);

const heldBy = Type.Object(
  {
    id: Type.String(),
    scope: stringEnum(HOLD_SCOPES),
    value: nullable(Type.String()),
    reason: Type.String(),
    by_operator: Type.Boolean(),
    since: timestamp({ description: 'When the hold was placed.' }),
  },
  { $id: 'HeldBy', description: 'The hold that keeps it from being sent.' },
);

export const explanation = Type.Object(
  {
    id: Type.String(),
    status: stringEnum(STATUSES),
    require_tls: Type.Boolean({
      description: 'It is sent only to verified servers that promise the same (REQUIRETLS).',
    }),
    recipients: Type.Array(
      Type.Object({
        email: Type.String(),
        status: stringEnum(RECIPIENT_STATES),
        problem: nullable(problem),
        next_attempt_at: nullable(
          timestamp({
            description:
              'When it is tried next; where it waits for its site, when that is expected. Null where it is not known.',
          }),
        ),
        wait: nullable(waitingFor),
        hold: nullable(heldBy),
        in_progress: Type.Boolean(),
        attempts: Type.Array(attempt),
      }),
    ),
  },
  { $id: 'Explanation' },
);
