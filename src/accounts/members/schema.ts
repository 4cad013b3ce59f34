import { Type } from 'typebox';
import { nullable, strictObject, timestamp } from '../../http/schema.ts';
import { apiKeySchema } from '../api-keys/schema.ts';
import { email, newPassword, role, userName } from '../sessions/schema.ts';

export const memberSchema = Type.Object(
  {
    id: Type.String({ description: 'Of the user.' }),
    email: Type.String(),
    name: nullable(Type.String()),
    role,
    totp_enabled: Type.Boolean({ description: 'Whether signing in needs a code, too.' }),
    email_verified: Type.Boolean({ description: 'Whether the user has confirmed the address.' }),
    disabled: Type.Boolean({
      description:
        'Whether the operator has disabled the user, who then cannot sign in. `npx postrider user enable` lets the user sign in again.',
    }),
    joined_at: timestamp(),
    last_seen_at: nullable(timestamp({ description: 'In this organization, accurate to five minutes.' })),
  },
  { $id: 'Member' },
);

const inviteFields = {
  id: Type.String({ description: 'Starts with `inv_`.' }),
  email: Type.String(),
  role,
  invited_by: Type.String({ description: 'The address of the user who did.' }),
  created_at: timestamp(),
  expires_at: timestamp(),
  mailed: Type.Boolean({
    description: 'Whether the link was mailed. If not, the owner hands it over.',
  }),
};

export const inviteSchema = Type.Object(inviteFields, { $id: 'Invite' });

export const newInviteSchema = Type.Object(
  {
    ...inviteFields,
    link: nullable(
      Type.String({
        description:
          'Only where it could not be mailed: hand it to the person. It works once, and is never shown again.',
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
    has_account: Type.Boolean({ description: 'Whether the person signs in first, or chooses a password.' }),
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
      last_used_at: nullable(timestamp({ description: 'To the minute.' })),
    }),
    { description: 'Active keys, created by the member or with one of their keys.' },
  ),
  invites: Type.Array(
    Type.Object({ id: Type.String(), email: Type.String(), role, expires_at: timestamp() }),
    {
      description: 'Open invites of the member.',
    },
  ),
  webhooks: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Starts with `whk_`.' }),
      url: Type.String(),
      description: nullable(Type.String()),
      created_at: timestamp(),
    }),
    {
      description:
        'Enabled webhooks that the member, or one of their keys, created or gave the URL that they have now.',
    },
  ),
};

export const madeSchema = Type.Object(madeFields, { $id: 'MadeByMember' });

export const removedSchema = Type.Object(
  {
    id: Type.String(),
    deleted: Type.Boolean({ description: 'Always true.' }),
    revoked: Type.Boolean({
      description:
        'Whether what is listed here was ended, too: keys revoked, invites withdrawn, webhooks disabled.',
    }),
    ...madeFields,
  },
  { $id: 'RemovedMember' },
);
