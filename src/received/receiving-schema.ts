/** The request and response schemas of receiving names and routes. */
import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';
import { parseRouteAddress } from './route-address.ts';

export const nameParams = Type.Object({
  domain: Type.String({ maxLength: 253, examples: ['reply.sandbox.test'] }),
});
export const routeParams = Type.Object({ id: Type.String() });

export const addNameBody = strictObject(
  {
    domain: checked(
      Type.String({
        maxLength: 253,
        description: 'A verified domain of yours, or a name below one.',
        examples: ['reply.sandbox.test'],
      }),
      (text, problems) => {
        const parsed = canonicalDomain(text);
        if (!parsed.ok) problems.add('', parsed.message);
      },
    ),
  },
  { $id: 'AddReceivingDomain', examples: [{ domain: 'reply.sandbox.test' }] },
);

const description = nullable(Type.String({ maxLength: 500, description: 'For people.' }));
const enabled = Type.Boolean({ description: 'False: mail to it is refused.' });

export const addRouteBody = strictObject(
  {
    address: checked(
      Type.String({
        maxLength: 320,
        description:
          '`support@example.org`, with or without a `+note` behind the name; or `*@example.org` for all that has no route of its own.',
        examples: ['support@reply.sandbox.test'],
      }),
      (text, problems) => {
        const parsed = parseRouteAddress(text);
        if (!parsed.ok) problems.add('', parsed.message);
      },
    ),
    description: Type.Optional(description),
    enabled: Type.Optional(enabled),
  },
  { $id: 'AddInboundRoute', examples: [{ address: 'support@reply.sandbox.test' }] },
);

export const changeRouteBody = strictObject(
  { description: Type.Optional(description), enabled: Type.Optional(enabled) },
  { $id: 'ChangeInboundRoute', minProperties: 1, examples: [{ enabled: false }] },
);

export const inboundRoute = Type.Object(
  {
    id: Type.String({ description: 'Starts with `rte_`.' }),
    address: Type.String(),
    description: nullable(Type.String()),
    enabled: Type.Boolean(),
    created_at: timestamp(),
  },
  { $id: 'InboundRoute' },
);

export const receivingDomain = Type.Object(
  {
    domain: Type.String(),
    domain_id: Type.String({ description: 'The verified domain that it is, or is below.' }),
    is_verified: Type.Boolean({
      description: 'Whether that is verified now; otherwise nothing is received.',
    }),
    mx: Type.Object({
      type: stringEnum(['MX']),
      name: Type.String(),
      expected: Type.String({ description: 'The value to publish.' }),
      status: stringEnum(['pass', 'fail', 'pending']),
      found: Type.Array(Type.String(), { description: 'What is there now.' }),
      message: Type.String({ description: 'What to change.' }),
      checked_at: nullable(timestamp()),
    }),
    created_at: timestamp(),
  },
  { $id: 'ReceivingDomain' },
);
