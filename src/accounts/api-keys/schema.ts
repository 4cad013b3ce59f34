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
      '`send` can send, validate addresses and look up what it sent; `agent` can do that and look up domains, streams and templates, and with `read: organization` in its policy what became of any mail, suppressions and statistics, but no content of mail other than, with `inbound`, received mail; `read` can read everything, including content; `full` can do everything.',
  });

const policyFields = {
  recipients: nullable(
    Type.Array(Type.String({ maxLength: 330, examples: ['ops@acme.example'] }), {
      maxItems: MAX_POLICY_RECIPIENTS,
      description:
        'Allowed recipients: addresses, domains (`acme.example`), or all subdomains of a domain (`*.acme.example`). Null: any recipient.',
    }),
  ),
  from: nullable(
    Type.Array(Type.String({ maxLength: 600, examples: ['Acme Support <support@acme.example>'] }), {
      maxItems: MAX_POLICY_SENDERS,
      description:
        'Allowed senders: addresses, domains, or all subdomains of a domain, each with an allowed display name (`Acme Support <support@acme.example>`) or without one. Required with `templates`. Null: any sender.',
    }),
  ),
  templates: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, examples: [ANY_TEMPLATE] }), {
      maxItems: MAX_POLICY_TEMPLATES,
      description:
        'Templates only: their ids or aliases, or `*` for all. With their own subjects, whatever the request says, and no html, text, headers or names of recipients of its own; answers go to senders in `from` only. Null: any content.',
    }),
  ),
  attachments: Type.Boolean({
    description:
      'Whether the key may attach files and submit whole messages, as SMTP does. False if left out.',
  }),
  daily_budget: nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_DAILY_BUDGET,
      description:
        'Recipients per UTC day. Used budget is not restored when an email is cancelled or fails. Null: no budget for this key.',
    }),
  ),
  approval: stringEnum(['required', 'none'], {
    description: '`required`: mail of the key waits until a member approves it. `none` if left out.',
  }),
  read: stringEnum(['own', 'organization'], {
    description:
      'What a key of scope `agent` may look up: what became of the mail that it sent itself, or of all mail of the organization, with suppressions and statistics. `own` if left out.',
  }),
  inbound: Type.Boolean({
    description:
      'Whether a key of scope `agent` may list, read and answer the mail that the organization receives. False if left out.',
    examples: [false],
  }),
};

const policySchema = Type.Object(policyFields, {
  description: 'The policy of the key, for every way of submitting mail.',
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
    { description: 'The policy, for keys of scope `send` or `agent`.' },
  ),
);

export const changeKeyBody = strictObject({ policy: askedPolicy }, { $id: 'ChangeApiKey' });

const fields = {
  id: Type.String({ description: 'Starts with `key_`.' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, for recognition.' }),
  scope: scope(),
  domain: nullable(
    Type.String({ description: 'The only domain this key may send from, and whose mail it may read.' }),
  ),
  created_at: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp({ description: 'To the minute.' })),
  revoked_at: nullable(timestamp()),
  created_by: nullable(
    Type.String({
      description: 'The user who created the key, directly or with another key; null for the operator.',
    }),
  ),
  created_by_name: nullable(Type.String({ description: 'The name of that user.' })),
  replaced_by: nullable(
    Type.String({ description: 'The key that replaced this key; this key also works until `expires_at`.' }),
  ),
  policy: nullable(policySchema),
};

const counted = {
  requests: Type.Integer({ description: 'Requests that were answered.' }),
  refused: Type.Integer({ description: 'The number of these requests that ended with an error.' }),
  emails: Type.Integer({ description: 'Emails that were accepted, over HTTP or SMTP.' }),
};

export const apiKeySchema = Type.Object(
  {
    ...fields,
    budget_used: nullable(
      Type.Integer({
        description: 'Used part of the daily budget, for the current UTC day; null without a budget.',
      }),
    ),
    last_30_days: Type.Object(counted, { description: 'Usage of the key, with a delay of seconds.' }),
  },
  { $id: 'ApiKey' },
);

export const usageQuery = strictObject({
  days: Type.Integer({ minimum: 1, maximum: USAGE_DAYS, default: 30, description: 'Up to today, in UTC.' }),
});

export const usageSchema = Type.Object(
  {
    from: Type.String({ description: 'The first day.', examples: ['2026-10-17'] }),
    totals: Type.Object(counted),
    days: Type.Array(Type.Object({ day: Type.String({ examples: ['2026-11-15'] }), ...counted }), {
      description: 'Days on which the key was used, the earliest first.',
    }),
  },
  { $id: 'ApiKeyUsage' },
);

const key = Type.String({ description: 'The key itself. It is never shown again.' });

export const createdApiKeySchema = Type.Object({ ...fields, key }, { $id: 'CreatedApiKey' });

export const rotatedApiKeySchema = Type.Object(
  {
    ...fields,
    key,
    replaces: Type.Object(fields, { description: 'The old key, with the time when it expires.' }),
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
                'One of your sending domains: the key sends from it only, and reads its mail only.',
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
          future(clock, 'ISO 8601, in the future. A date without a time means the end of that day, in UTC.'),
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
          'Until when the old key works beside the new one: ISO 8601, in the future. 24 hours from now if left out.',
        ),
      ),
      expires_at: Type.Optional(
        nullable(future(clock, 'When the new key ends; when the old one would have, if left out.')),
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
