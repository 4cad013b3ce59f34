/** The request and response schemas of undos. */
import { type Static, Type } from 'typebox';
import { momentField, momentMs } from '../../http/moment-field.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { type Incident, LEFT_ALONE } from './undo.ts';

const incident = {
  from: momentField({ description: 'Bounces from this time on.', examples: ['2026-11-16T09:00:00Z'] }),
  to: momentField({
    description: 'Bounces before this time, at most 7 days later. What is still to come is left out.',
    examples: ['2026-11-16T10:00:00Z'],
  }),
  template_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'A template’s id or alias.' }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 330, description: '`name` or `name:value`.' })),
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A provider or a site, as `GET /sites` names them, that the recipients’ domains belong to.',
    }),
  ),
  reply: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Part of what the server said, in any letter case.',
      examples: ['5.1.1'],
    }),
  ),
};

export const incidentBody = strictObject(incident);

export const undoBody = strictObject({
  ...incident,
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why. It is kept with the undo.',
    examples: ['The provider refused everything for an hour.'],
  }),
});

type IncidentBody = Static<typeof incidentBody>;

export function toIncident(organizationId: string, body: IncidentBody): Incident {
  return {
    organizationId,
    from: new Date(momentMs(body.from)),
    to: new Date(momentMs(body.to)),
    templateId: body.template_id ?? null,
    tag: body.tag ?? null,
    provider: body.provider ?? null,
    reply: body.reply ?? null,
  };
}

export const incidentReport = Type.Object(
  {
    bounces: Type.Integer({ description: 'Bounces in the window that the filters match.' }),
    rejections: Type.Integer({
      description: 'Recipients that were rejected since, because these bounces had them suppressed.',
    }),
    requeue: Type.Integer({ description: 'Recipients of both that would be tried again.' }),
    unsuppress: Type.Integer({ description: 'Automatic suppressions that would be lifted.' }),
    reasons: Type.Array(
      Type.Object({
        reason: nullable(Type.String()),
        smtp_code: nullable(Type.Integer()),
        count: Type.Integer(),
      }),
    ),
    samples: Type.Array(
      Type.Object({
        email_id: Type.String(),
        recipient: Type.String(),
        at: timestamp(),
        reason: nullable(Type.String()),
        smtp_code: nullable(Type.Integer()),
        smtp_message: nullable(Type.String()),
        mx_host: nullable(Type.String()),
      }),
      { description: 'The latest ten.' },
    ),
  },
  { $id: 'IncidentReport' },
);

export const UNDO_STATES = ['running', 'done'] as const;

export const undoItem = Type.Object(
  {
    id: Type.String({ examples: ['undo_0c3f9a51be2d47a6c9e1'] }),
    state: stringEnum(UNDO_STATES),
    from: timestamp(),
    to: timestamp(),
    template_id: nullable(Type.String()),
    tag: nullable(Type.String()),
    provider: nullable(Type.String()),
    reply: nullable(Type.String()),
    reason: Type.String(),
    requested_by: Type.String({
      description: 'A user’s address, the name of an API key, or `operator` and a user’s name on the server.',
    }),
    requested_at: timestamp(),
    requeued: Type.Integer({ description: 'Recipients that are queued again so far.' }),
    unsuppressed: Type.Integer({ description: 'Automatic suppressions that were lifted so far.' }),
    left_alone: Type.Object(
      Object.fromEntries(LEFT_ALONE.map((why) => [why, Type.Integer()])) as Record<
        (typeof LEFT_ALONE)[number],
        ReturnType<typeof Type.Integer>
      >,
      {
        description:
          'What stays. `not_bounced`: no longer the last word on that recipient. `content_gone`: nothing left to send. `suppressed`: on the suppression list for another reason. `other_mode`: accepted in the other mode, sandbox or live.',
      },
    ),
    ended_at: nullable(timestamp()),
  },
  { $id: 'Undo' },
);
