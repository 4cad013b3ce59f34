/** The request and response schemas of the route table. */
import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { SITE_STATES } from '../sites/site-view.ts';
import { shownCanary, shownPlan, wantedCanary } from './canary/schema.ts';
import { shownCurves, shownWarmUp, wantedWarmUp } from './warm-up-schema.ts';

const MAX_TRANSPORTS = 50;
const MAX_SOURCES = 100;
const MAX_RULES = 200;
const MAX_STEPS = 10;
const MAX_CHOICES = 20;
const MAX_VALUES = 100;
const MAX_WEIGHT = 10_000;
const MAX_CONNECTIONS = 1_000;
const MAX_PER_MINUTE = 1_000_000;
const HOST_NAME =
  '^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$';

const name = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  description:
    'Name of the transport: lower-case letters, digits and hyphens. The name identifies the transport; a different name is a different transport.',
  examples: ['acme-relay'],
});
const weight = Type.Integer({
  minimum: 0,
  maximum: MAX_WEIGHT,
  description: 'Share in proportion to the weights of the other entries in the list. 0 means never used.',
});
const connections = (description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_CONNECTIONS, description });
const perMinute = Type.Integer({
  minimum: 1,
  maximum: MAX_PER_MINUTE,
  description: 'Maximum number of messages per minute, over all workers together. Null means no limit.',
});

const wantedSource = strictObject({
  address: Type.String({ minLength: 2, maxLength: 45, examples: ['192.0.2.7'] }),
  ehlo_name: Type.Optional(
    nullable(Type.String({ pattern: HOST_NAME, maxLength: 255, examples: ['out7.example.org'] })),
  ),
  weight: Type.Optional(weight),
  connections: Type.Optional(
    nullable(
      connections(
        'Maximum number of connections to one site, over all workers together. Null means as many as the site accepts.',
      ),
    ),
  ),
  warm_up: Type.Optional(nullable(wantedWarmUp)),
});

const wantedTransport = checked(
  strictObject({
    name,
    kind: stringEnum(['direct', 'relay'], {
      description:
        '`direct`: mail goes to the recipients’ mail hosts, from the addresses in `sources`. `relay`: mail goes to the server at `url`, which delivers it.',
    }),
    sources: Type.Optional(Type.Array(wantedSource, { minItems: 1, maxItems: MAX_SOURCES })),
    url: Type.Optional(
      Type.String({ minLength: 8, maxLength: 500, examples: ['smtp://shop@relay.example.net:587'] }),
    ),
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          'Password for the relay. It is stored encrypted and never shown. If omitted, the stored password for this URL stays.',
      }),
    ),
    connections: Type.Optional(
      connections(
        'Maximum number of connections to the relay, over all workers together. The default is 20. Only for relays.',
      ),
    ),
    messages_per_minute: Type.Optional(nullable(perMinute)),
  }),
  (given, problems) => {
    const has = (field: 'sources' | 'url' | 'password' | 'connections') => given[field] !== undefined;
    const [needs, others] =
      given.kind === 'direct'
        ? (['sources', ['url', 'password', 'connections']] as const)
        : (['url', ['sources']] as const);
    if (!has(needs)) problems.add(needs, `is required for a ${given.kind} transport`);
    for (const one of others) if (has(one)) problems.add(one, `is not for a ${given.kind} transport`);
  },
);

const values = (description: string, examples: readonly string[]) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      minItems: 1,
      maxItems: MAX_VALUES,
      description,
      examples: [examples],
    }),
  );

const match = strictObject(
  {
    organizations: values('Ids of organizations.', ['org_99289pn4fcap7']),
    streams: values('Streams of the email. An email without a stream is in `transactional`.', ['bulk']),
    sender_domains: values('Domains of the sender. `*.example.com` means every subdomain.', ['example.com']),
    providers: values('Providers of the recipient’s mail hosts, named as in `GET /sites`.', ['google']),
    recipient_domains: values('Domains of the recipient. `*.example.com` means every subdomain.', [
      '*.example.net',
    ]),
    tags: values('Tags of the email, as `name` or `name:value`.', ['kind:receipt']),
  },
  {
    $id: 'RouteMatch',
    description:
      'Conditions of the rule. Mail must match every given field, by one of its values. Without fields the rule matches all mail.',
  },
);

const wantedRule = strictObject({
  name: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 100 }))),
  match: Type.Optional(match),
  steps: Type.Array(
    strictObject({
      choices: Type.Array(
        strictObject({
          transport: Type.String({
            minLength: 1,
            maxLength: 40,
            description: 'Name of a transport, or `default`.',
          }),
          weight: Type.Optional(weight),
        }),
        { minItems: 1, maxItems: MAX_CHOICES },
      ),
    }),
    {
      minItems: 1,
      maxItems: MAX_STEPS,
      description:
        'Steps in the order of preference. A later step is used while the earlier ones accept no mail.',
    },
  ),
  canary: Type.Optional(nullable(wantedCanary)),
});

const EXAMPLE = {
  version: 0,
  transports: [{ name: 'acme', kind: 'relay', url: 'smtp://relay.example.net' }],
  rules: [
    {
      name: 'Google',
      match: { providers: ['google'] },
      steps: [{ choices: [{ transport: 'acme' }] }, { choices: [{ transport: 'default' }] }],
    },
  ],
};

/** The fields of the table itself. */
export const routesFields = {
  transports: Type.Array(wantedTransport, { maxItems: MAX_TRANSPORTS }),
  rules: Type.Array(wantedRule, {
    maxItems: MAX_RULES,
    description: 'Rules in order. The first rule that matches applies.',
  }),
};

export const routesBody = strictObject(
  {
    version: Type.Integer({
      minimum: 0,
      description: 'The `version` of the route table that the change is based on.',
    }),
    ...routesFields,
  },
  { $id: 'SetRoutes', examples: [EXAMPLE] },
);

const state = stringEnum(SITE_STATES, {
  description:
    '`open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that does not accept mail now is skipped.',
});

const health = Type.Object(
  {
    state,
    message: Type.String({ description: 'Explanation of the state in words.' }),
    since: nullable(timestamp()),
    until: nullable(
      timestamp({ description: 'Time of the next try, if the state is `blocked`. Null otherwise.' }),
    ),
    reason: nullable(Type.String()),
    reply: nullable(
      Type.String({
        description: 'Server reply that caused the state, without email addresses. Null if there was none.',
      }),
    ),
  },
  { $id: 'TransportHealth' },
);

const source = Type.Object(
  {
    address: Type.String(),
    ehlo_name: nullable(
      Type.String({ description: 'Host name for EHLO. Null means the host name of the installation.' }),
    ),
    weight: Type.Integer(),
    connections: nullable(
      Type.Integer({
        description: 'Maximum number of connections to one site. Null means as many as the site accepts.',
      }),
    ),
    warm_up: nullable(shownWarmUp),
    workers: Type.Integer({ description: 'Number of running workers whose machine has the address.' }),
    held_up: Type.Array(
      Type.Object({ site: Type.String(), state, message: Type.String(), until: nullable(timestamp()) }),
      { description: 'Sites that do not accept all mail from the address now. The first 20.' },
    ),
  },
  { $id: 'TransportSource' },
);

const transport = Type.Object(
  {
    name,
    kind: stringEnum(['direct', 'relay']),
    sources: Type.Array(source, {
      description: 'Addresses that a direct transport sends from. Empty for a relay.',
    }),
    url: nullable(
      Type.String({ description: 'URL of a relay, without the password. Null for a direct transport.' }),
    ),
    has_password: Type.Boolean(),
    connections: nullable(Type.Integer()),
    messages_per_minute: nullable(Type.Integer()),
    health: nullable(health),
  },
  { $id: 'Transport' },
);

const rule = Type.Object(
  {
    name: nullable(Type.String()),
    match,
    steps: Type.Array(
      Type.Object({ choices: Type.Array(Type.Object({ transport: Type.String(), weight: Type.Integer() })) }),
    ),
    canary: nullable(shownCanary),
  },
  { $id: 'RouteRule' },
);

export const routeTable = Type.Object(
  {
    version: Type.Integer({
      description: 'Number of changes so far. Send it as `version` when you replace the table.',
    }),
    default: Type.Object(
      {
        kind: stringEnum(['direct', 'relay', 'sandbox']),
        message: Type.String({ description: 'What happens to mail that no rule matches, in words.' }),
      },
      { description: 'The transport `default`, which the environment variables configure.' },
    ),
    providers: Type.Array(Type.String(), {
      description: 'Names of providers that rules and curves can use.',
    }),
    usual: Type.Object(
      { warm_up: shownCurves, canary: shownPlan },
      { description: 'Defaults for fields that a warm-up or a canary omits.' },
    ),
    transports: Type.Array(transport),
    rules: Type.Array(rule),
  },
  { $id: 'RouteTable' },
);
