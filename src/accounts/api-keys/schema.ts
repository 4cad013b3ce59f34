import { Type } from 'typebox';
import { SCOPES, type Scope } from '../../kit/permissions.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../../kit/schema.ts';
import { DEFAULT_SCOPE, KEY_NAME_MAX, parseDomain, parseExpiry, parseName } from './request.ts';

const scope = (options: { default?: Scope } = {}) =>
  stringEnum(SCOPES, {
    ...options,
    description:
      '`send` can send, validate addresses and look up what it sent; `read` can read everything, including content; `full` can do everything.',
  });

const fields = {
  id: Type.String({ description: 'Starts with `key_`.' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognise it by.' }),
  scope: scope(),
  domain: nullable(
    Type.String({ description: 'The only domain this key may send from, and whose mail it may read.' }),
  ),
  created_at: timestamp(),
  expires_at: nullable(timestamp()),
  last_used_at: nullable(timestamp({ description: 'To the minute.' })),
  revoked_at: nullable(timestamp()),
  created_by: nullable(
    Type.String({ description: 'The user who made it, or whose key did; null for the operator.' }),
  ),
};

export const apiKeySchema = Type.Object(fields, { $id: 'ApiKey' });

export const createdApiKeySchema = Type.Object(
  { ...fields, key: Type.String({ description: 'The key itself. It is never shown again.' }) },
  { $id: 'CreatedApiKey' },
);

/** Whether an expiry is in the future depends on the clock, so the schema is made around it. */
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
          checked(
            Type.String({
              description:
                'ISO 8601, in the future. A date without a time means the end of that day, in UTC.',
              examples: ['2030-12-31'],
            }),
            (text, problems) => {
              const parsed = parseExpiry(text, clock.nowMs());
              if (!parsed.ok) problems.add('', parsed.message);
            },
          ),
        ),
      ),
    },
    { $id: 'CreateApiKey' },
  );
}
