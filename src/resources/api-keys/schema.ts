import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { KEY_NAME_MAX, parseDomain, parseExpiry, parseName } from './request.ts';

const scope = (options: { default?: 'full' } = {}) =>
  stringEnum(['full', 'send'], {
    ...options,
    description: '`send` may send, validate and read emails; `full` may do everything.',
  });

const fields = {
  id: Type.String({ description: 'Starts with `key_`.' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognise it by.' }),
  scope: scope(),
  domain: nullable(Type.String({ description: 'The only domain this key may send from.' })),
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
      scope: Type.Optional(scope({ default: 'full' })),
      domain: Type.Optional(
        nullable(
          checked(
            Type.String({ description: 'Restricts sending to addresses at this domain.' }),
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
              description: 'ISO 8601, in the future. A bare date counts to its end, in UTC.',
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
