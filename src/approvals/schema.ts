/** The shapes of approvals. */
import { Type } from 'typebox';
import { pageFields } from '../kit/http/pagination.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../kit/schema.ts';
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
    scheduled_at: nullable(timestamp()),
    template_id: nullable(Type.String({ description: 'Starts with `tmpl_`.' })),
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
