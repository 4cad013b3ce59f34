/** The bodies and responses of signing up, signing in and switching organizations. */
import { type Static, Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum } from '../../http/schema.ts';
import { findUnwritable } from '../../protocols/message/unsafe-text.ts';
import { ROLES } from '../../runtime/permissions.ts';
import { parseAccountEmail } from '../users/email.ts';
import { PASSWORD_MIN, passwordProblem } from '../users/password-rules.ts';

const NAME_MAX = 200;
/** Above the longest allowed password; longer input is rejected before hashing. */
const MAX_SECRET_CHARS = 1_000;

export const email = checked(
  Type.String({ maxLength: 1_000, examples: ['ada@example.org'] }),
  (text, problems) => {
    const parsed = parseAccountEmail(text);
    if (!parsed.ok) problems.add('', parsed.message);
  },
);

/** An existing password. The current rules do not apply, because they may have changed since. */
export const givenPassword = Type.String({ minLength: 1, maxLength: MAX_SECRET_CHARS });

/** Only the length; the other rules need the address and are checked later. */
export const newPassword = Type.String({
  maxLength: MAX_SECRET_CHARS,
  description: `At least ${PASSWORD_MIN} characters. Common passwords and the email address are refused.`,
  examples: ['correct horse battery'],
});

export const userName = nullable(
  checked(Type.String({ minLength: 1, maxLength: NAME_MAX, examples: ['Ada'] }), (text, problems) => {
    if (text.trim() === '') problems.add('', 'must not be blank');
    const unwritable = findUnwritable(text);
    if (unwritable) problems.add('', `contains ${unwritable.codePoint}, which is not allowed there`);
  }),
);

export const code = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The six digits that the authenticator app shows, or a recovery code.',
  examples: ['123456'],
});

/** Optional in the schema, so that the error for a missing token can say where to find the token. */
const setUpToken = Type.Optional(
  Type.String({
    maxLength: MAX_SECRET_CHARS,
    description:
      'Token of the setup link, which is always required: the part after `#setup=` in the link that `npm start` prints.',
    examples: ['q0Yw3ZlV8nJxk1TfBd6R2A'],
  }),
);

export const signUpBody = checked(
  strictObject(
    { email, password: newPassword, name: Type.Optional(userName), setup_token: setUpToken },
    {
      $id: 'SignUp',
      examples: [
        {
          email: 'ada@example.org',
          password: 'correct horse battery',
          setup_token: 'q0Yw3ZlV8nJxk1TfBd6R2A',
        },
      ],
    },
  ),
  (body, problems) => {
    if (typeof body.email !== 'string' || typeof body.password !== 'string') return;
    const parsed = parseAccountEmail(body.email);
    const problem = passwordProblem(body.password, parsed.ok ? parsed.email : '');
    if (problem !== undefined) problems.add('password', problem);
  },
);

export const signInBody = strictObject(
  {
    email: Type.String({ maxLength: 1_000, examples: ['ada@example.org'] }),
    password: givenPassword,
    code: Type.Optional(code),
  },
  { $id: 'SignIn' },
);

export const switchBody = strictObject(
  { organization_id: Type.String({ maxLength: 100 }) },
  { $id: 'SwitchOrganization' },
);

export const role = stringEnum(ROLES, {
  description:
    '`owner`: can do everything. `member`: can do everything except manage members and organizations and read the audit log. `read_only`: can only read.',
});

const organization = { id: Type.String(), name: Type.String() };

export const meSchema = Type.Object(
  {
    user: Type.Object({
      id: Type.String({ description: 'Id of the user. Starts with `usr_`.' }),
      email: Type.String(),
      name: nullable(Type.String()),
      totp_enabled: Type.Boolean({
        description: 'Whether signing in also requires a code from an authenticator app.',
      }),
      recovery_codes_left: Type.Integer({ description: 'Number of unused recovery codes.' }),
      email_verified: Type.Boolean({
        description: 'Whether the user has confirmed the email address.',
      }),
    }),
    organization: Type.Object(organization, { description: 'The current organization of this session.' }),
    role,
    is_operator: Type.Boolean({
      description:
        'Whether you are an operator of the installation: an owner of its first organization, with that organization as the current one.',
    }),
    organizations: Type.Array(Type.Object({ ...organization, role }), {
      description: 'All organizations of the user, in the order in which the user joined them.',
    }),
  },
  { $id: 'Me' },
);

export type Me = Static<typeof meSchema>;
