/** The request and response schemas of approvals. */
import { Type } from 'typebox';
import { CLICK_TRACKING } from '../../emails/email.ts';
import { pageFields } from '../../http/pagination.ts';
import { anyObject, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { PRIORITIES } from '../../outbox/states.ts';
import { APPROVAL_DAYS, APPROVAL_STATES } from './approval.ts';

const mailbox = Type.Object({
  email: Type.String({ examples: ['ada@example.org'] }),
  name: nullable(Type.String({ examples: ['Ada'] })),
});

export const approvalItem = Type.Object(
  {
    id: Type.String({ description: 'The email’s.' }),
    state: stringEnum(APPROVAL_STATES, {
      description: '`withdrawn`: it was cancelled, erased or taken back before anybody decided.',
      examples: ['waiting'],
    }),
    api_key_id: Type.String({ description: 'The key it was sent with. Starts with `key_`.' }),
    api_key_name: nullable(Type.String({ examples: ['Support agent'] })),
    subject: Type.String({ examples: ['Your receipt'] }),
    from: mailbox,
    to: Type.Array(mailbox),
    cc: Type.Array(mailbox),
    bcc: Type.Array(mailbox),
    reply_to: nullable(mailbox),
    reply_to_list: Type.Array(mailbox, {
      description: 'Everybody who gets the answers; `reply_to` is the first of them.',
    }),
    receive_replies: Type.Boolean({
      description: 'Answers are received by this installation: `reply_to` is an address of its own.',
    }),
    scheduled_at: nullable(timestamp()),
    expires_in: nullable(Type.Integer({ description: 'Seconds until delivery is given up; null: a day.' })),
    priority: stringEnum(PRIORITIES),
    stream: Type.String({ description: '`transactional` where it named none.', examples: ['transactional'] }),
    track_opens: Type.Boolean({ description: 'A pixel is added to its html.' }),
    track_clicks: stringEnum(CLICK_TRACKING, {
      description: 'Which links are replaced by tracked ones; `GET /approvals/{id}/message` has them.',
    }),
    unsubscribe: Type.Boolean({ description: 'It gets `List-Unsubscribe` headers.' }),
    unsubscribe_group: nullable(
      Type.String({ description: 'What its recipients can unsubscribe from; null where they cannot.' }),
    ),
    require_tls: Type.Boolean({ description: 'Whether it is sent only as `require_tls` demands.' }),
    tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    metadata: anyObject({ description: 'Of the sender; it does not leave with the message.' }),
    template_id: nullable(Type.String({ description: 'Starts with `tmpl_`.' })),
    locale: nullable(
      Type.String({ description: 'The translation of the template; null for the template itself.' }),
    ),
    template_version: nullable(
      Type.Integer({ description: 'What is sent is this version, however the template is changed since.' }),
    ),
    requested_at: timestamp(),
    expires_at: timestamp({ description: `${APPROVAL_DAYS} days later: then it is rejected by itself.` }),
    decided_at: nullable(timestamp()),
    decided_by: nullable(Type.String({ description: 'The user who decided. Starts with `usr_`.' })),
    decided_by_name: nullable(Type.String({ description: 'Their address.', examples: ['ann@acme.example'] })),
    reason: nullable(Type.String({ description: 'Why it was rejected.', examples: ['Wrong price'] })),
  },
  { $id: 'Approval' },
);

export const approvalsQuery = strictObject({
  ...pageFields,
  state: stringEnum(['waiting', 'decided'], {
    default: 'waiting',
    description: '`waiting`: the oldest first. `decided`: the newest first.',
  }),
});

export const rejectBody = strictObject({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why it must not be sent. It is kept with the approval.',
    examples: ['Wrong price in the offer'],
  }),
});
