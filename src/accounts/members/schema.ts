import { Type } from 'typebox';
import { nullable, strictObject, timestamp } from '../../http/schema.ts';
import { apiKeySchema } from '../api-keys/schema.ts';
import { email, newPassword, role, userName } from '../sessions/schema.ts';

export const memberSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the user. Starts with `usr_`.' }),
    email: Type.String(),
    name: nullable(Type.String()),
    role,
    totp_enabled: Type.Boolean({
      description: 'Whether signing in also requires a code from an authenticator app.',
    }),
    email_verified: Type.Boolean({ description: 'Whether the user has confirmed the email address.' }),
    disabled: Type.Boolean({
      description:
        'Whether the operator has disabled the user, who then cannot sign in. `npx postrider user enable` lets the user sign in again.',
    }),
    joined_at: timestamp(),
    last_seen_at: nullable(
      timestamp({
        description:
          'Time of the last request of the member in this organization, accurate to five minutes. Null if there was none.',
      }),
    ),
  },
  { $id: 'Member' },
);

const inviteFields = {
  id: Type.String({ description: 'Id of the invite. Starts with `inv_`.' }),
  email: Type.String(),
  role,
  invited_by: Type.String({ description: 'Email address of the user who sent the invite.' }),
  created_at: timestamp(),
  expires_at: timestamp(),
  mailed: Type.Boolean({
    description: 'Whether the link was sent by mail. If false, the owner has to pass the link to the person.',
  }),
};

export const inviteSchema = Type.Object(inviteFields, { $id: 'Invite' });

export const newInviteSchema = Type.Object(
  {
    ...inviteFields,
    link: nullable(
      Type.String({
        description:
          'The link of the invite if it could not be sent by mail: pass it to the person. It works once and is shown only in this response. Null if the mail was sent.',
      }),
    ),
  },
  { $id: 'NewInvite' },
);

export const openInviteSchema = Type.Object(
  {
    email: Type.String(),
    role,
    organization: Type.Object({ name: Type.String() }),
    has_account: Type.Boolean({
      description:
        'Whether the invited person has an account. If true, the person signs in first; if false, the person chooses a password.',
    }),
    expires_at: timestamp(),
  },
  { $id: 'OpenInvite' },
);

export const roleBody = strictObject({ role }, { $id: 'UpdateMember' });
export const inviteBody = strictObject(
  { email: { ...email, examples: ['grace@example.org'] }, role },
  { $id: 'CreateInvite' },
);
export const acceptBody = strictObject(
  { name: Type.Optional(userName), password: Type.Optional(newPassword) },
  { $id: 'AcceptInvite' },
);

const madeFields = {
  api_keys: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      prefix: Type.String(),
      scope: apiKeySchema.properties.scope,
      created_at: timestamp(),
      last_used_at: nullable(
        timestamp({
          description:
            'Time of the last use of the key, accurate to the minute. Null if the key was never used.',
        }),
      ),
    }),
    { description: 'Active API keys that the member created, directly or with one of their keys.' },
  ),
  invites: Type.Array(
    Type.Object({ id: Type.String(), email: Type.String(), role, expires_at: timestamp() }),
    {
      description: 'Open invites that the member sent.',
    },
  ),
  webhooks: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the webhook. Starts with `whk_`.' }),
      url: Type.String(),
      description: nullable(Type.String()),
      created_at: timestamp(),
    }),
    {
      description:
        'Enabled webhooks that the member created, or whose current URL the member set, directly or with one of their keys.',
    },
  ),
};

export const madeSchema = Type.Object(madeFields, { $id: 'MadeByMember' });

export const removedSchema = Type.Object(
  {
    id: Type.String(),
    deleted: Type.Boolean({ description: 'Always true.' }),
    revoked: Type.Boolean({
      description: 'Whether the listed keys were revoked, the invites withdrawn and the webhooks disabled.',
    }),
    ...madeFields,
  },
  { $id: 'RemovedMember' },
);
