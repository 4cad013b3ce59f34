import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { SCOPES, type Scope } from '../../runtime/permissions.ts';
import {
  ANY_TEMPLATE,
  MAX_DAILY_BUDGET,
  MAX_POLICY_RECIPIENTS,
  MAX_POLICY_SENDERS,
  MAX_POLICY_TEMPLATES,
} from './policy.ts';
import { USAGE_DAYS } from './usage.ts';
import { DEFAULT_SCOPE, KEY_NAME_MAX, parseDomain, parseExpiry, parseName } from './validate-key.ts';

const scope = (options: { default?: Scope } = {}) =>
  stringEnum(SCOPES, {
    ...options,
    description:
      '`send`: can send, validate addresses and look up the mail that it sent. `agent`: as `send`, and can list the mail that it sent, domains, streams and templates. With `read: organization` in its policy it can also look up the outcome of all mail, suppressions and statistics; with `inbound` it can read and answer received mail. It cannot read the content of other mail. `read`: can read everything, including content. `full`: can do everything that a member may do.',
  });

const policyFields = {
  recipients: nullable(
    Type.Array(Type.String({ maxLength: 330, examples: ['ops@acme.example'] }), {
      maxItems: MAX_POLICY_RECIPIENTS,
      description:
        'Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null means any recipient.',
    }),
  ),
  from: nullable(
    Type.Array(Type.String({ maxLength: 600, examples: ['Acme Support <support@acme.example>'] }), {
      maxItems: MAX_POLICY_SENDERS,
      description:
        'Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null means any sender.',
    }),
  ),
  templates: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, examples: [ANY_TEMPLATE] }), {
      maxItems: MAX_POLICY_TEMPLATES,
      description:
        'Allowed templates: ids or aliases, or `*` for all. The key can then only send templates, always with their own subject. A request cannot set html, text, headers or names of recipients, and replies can only go to senders in `from`. Null means any content.',
    }),
  ),
  attachments: Type.Boolean({
    description:
      'Whether the key may attach files and submit complete messages, as over SMTP. The default is false.',
  }),
  daily_budget: nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DAILY_BUDGET,
      description:
        'Maximum number of recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null means no budget for this key.',
    }),
  ),
  approval: stringEnum(['required', 'none'], {
    description:
      '`required`: mail of the key waits until a member approves it. `none`: mail is sent without approval. The default is `none`.',
  }),
  read: stringEnum(['own', 'organization'], {
    description:
      'Which outcomes a key of scope `agent` may look up. `own`: those of the mail that the key sent. `organization`: those of all mail of the organization, with suppressions and statistics. The default is `own`.',
  }),
  inbound: Type.Boolean({
    description:
      'Whether a key of scope `agent` may list, read and answer the mail that the organization receives. The default is false.',
    examples: [false],
  }),
};

const policySchema = Type.Object(policyFields, {
  description:
    'Policy of the key. It applies to every way of submitting mail. Null if the key has no policy.',
});

const askedPolicy = nullable(
  strictObject(
    {
      recipients: Type.Optional(policyFields.recipients),
      from: Type.Optional(policyFields.from),
      templates: Type.Optional(policyFields.templates),
      attachments: Type.Optional(policyFields.attachments),
      daily_budget: Type.Optional(policyFields.daily_budget),
      approval: Type.Optional(policyFields.approval),
      read: Type.Optional(policyFields.read),
      inbound: Type.Optional(policyFields.inbound),
    },
    {
      description:
        'Policy of the key. Only keys of scope `send` or `agent` can have one. Null means no policy.',
    },
  ),
);

export const changeKeyBody = strictObject({ policy: askedPolicy }, { $id: 'ChangeApiKey' });

const fields = {
  id: Type.String({ description: 'Id of the API key. Starts with `key_`.' }),
  name: Type.String(),
  prefix: Type.String({ description: 'First characters of the key, to recognize it by.' }),
  scope: scope(),
  domain: nullable(
    Type.String({
      description:
        'The only domain that the key may send from and whose mail it may read. Null means all domains of the organization.',
    }),
  ),
  created_at: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(
    timestamp({
      description: 'Time of the last use of the key, accurate to the minute. Null if the key was never used.',
    }),
  ),
  revoked_at: nullable(timestamp()),
  created_by: nullable(
    Type.String({
      description:
        'Id of the user who created the key, directly or with another key. Null if the operator created it.',
    }),
  ),
  created_by_name: nullable(Type.String({ description: 'Name of the user in `created_by`.' })),
  created_by_key: nullable(
    Type.String({
      description:
        'Id of the API key whose request created this key. Null if a user created the key in the dashboard, or the operator created it.',
    }),
  ),
  created_by_key_name: nullable(Type.String({ description: 'Name of the key in `created_by_key`.' })),
  replaced_by: nullable(
    Type.String({
      description:
        'Id of the key that replaced this key in a rotation. Both work until `expires_at` of this key. Null if the key was not rotated.',
    }),
  ),
  policy: nullable(policySchema),
};

const counted = {
  requests: Type.Integer({ description: 'Number of requests that were answered.' }),
  refused: Type.Integer({ description: 'Number of these requests that ended with an error.' }),
  emails: Type.Integer({ description: 'Number of emails that were accepted over HTTP or SMTP.' }),
};

export const apiKeySchema = Type.Object(
  {
    ...fields,
    budget_used: nullable(
      Type.Integer({
        description:
          'Number of recipients that the key has used of its daily budget on the current UTC day. Null if the key has no budget.',
      }),
    ),
    last_30_days: Type.Object(counted, {
      description: 'Usage of the key in the last 30 days. The counts are a few seconds late.',
    }),
  },
  { $id: 'ApiKey' },
);

export const usageQuery = strictObject({
  days: Type.Integer({
    minimum: 1,
    maximum: USAGE_DAYS,
    default: 30,
    description: 'Number of days to cover. The last day is the current UTC day.',
  }),
});

export const usageSchema = Type.Object(
  {
    from: Type.String({
      description: 'First UTC day of the period, such as `2026-10-17`.',
      examples: ['2026-10-17'],
    }),
    totals: Type.Object(counted),
    days: Type.Array(Type.Object({ day: Type.String({ examples: ['2026-11-15'] }), ...counted }), {
      description: 'Usage for each day on which the key was used, oldest first.',
    }),
  },
  { $id: 'ApiKeyUsage' },
);

const key = Type.String({
  description: 'The secret key for the `Authorization` header. It is shown only in this response.',
});

export const createdApiKeySchema = Type.Object({ ...fields, key }, { $id: 'CreatedApiKey' });

export const rotatedApiKeySchema = Type.Object(
  {
    ...fields,
    key,
    replaces: Type.Object(fields, {
      description: 'The old key. Its `expires_at` is the time until which it still works.',
    }),
  },
  { $id: 'RotatedApiKey' },
);

/** A function, because the check that an expiry is in the future needs the clock. */
export function createKeyBody(clock: Clock) {
  return strictObject(
    {
      name: checked(Type.String({ description: `1 to ${KEY_NAME_MAX} characters.` }), (text, problems) => {
        const parsed = parseName(text);
        if (!parsed.ok) problems.add('', parsed.message);
      }),
      scope: Type.Optional(scope({ default: DEFAULT_SCOPE })),
      domain: Type.Optional(
        nullable(
          checked(
            Type.String({
              description:
                'One of your sending domains. The key can only send from this domain and only read its mail. Null means all domains.',
            }),
            (text, problems) => {
              const parsed = parseDomain(text);
              if (!parsed.ok) problems.add('', parsed.message);
            },
          ),
        ),
      ),
      expires_at: Type.Optional(
        nullable(
          future(
            clock,
            'Time at which the key stops working, as an ISO 8601 date or time in the future. A date without a time means the end of that UTC day. Null means that the key does not expire.',
          ),
        ),
      ),
      policy: Type.Optional(askedPolicy),
    },
    { $id: 'CreateApiKey' },
  );
}

/** All fields are optional: the old key works for another day, and the new key inherits the old key's expiry. */
export function rotateKeyBody(clock: Clock) {
  return strictObject(
    {
      old_works_until: Type.Optional(
        future(
          clock,
          'Time until which the old key works beside the new key, as an ISO 8601 date or time in the future. The default is 24 hours from now.',
        ),
      ),
      expires_at: Type.Optional(
        nullable(
          future(
            clock,
            'Time at which the new key expires, as an ISO 8601 date or time in the future. Null means never. The default is the expiry of the old key before the rotation.',
          ),
        ),
      ),
    },
    { $id: 'RotateApiKey' },
  );
}

function future(clock: Clock, description: string) {
  return checked(Type.String({ description, examples: ['2030-12-31'] }), (text, problems) => {
    const parsed = parseExpiry(text, clock.nowMs());
    if (!parsed.ok) problems.add('', parsed.message);
  });
}
