/** The request and response schemas of the route table. */
import { Type } from 'typebox';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { SITE_STATES } from '../sites/site-view.ts';
import { explainedCanary, shownCanary, shownPlan, wantedCanary } from './canary/schema.ts';
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
    'Lower-case letters, digits and hyphens. What it is known by: another name is another transport.',
  examples: ['acme-relay'],
});
const weight = Type.Integer({
  minimum: 0,
  maximum: MAX_WEIGHT,
  description: 'Its part, in proportion to the weights beside it. 0: never.',
});
const connections = (description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_CONNECTIONS, description });
const perMinute = Type.Integer({
  minimum: 1,
  maximum: MAX_PER_MINUTE,
  description: 'At most so many messages a minute, over all workers together.',
});

const wantedSource = strictObject({
  address: Type.String({ minLength: 2, maxLength: 45, examples: ['192.0.2.7'] }),
  ehlo_name: Type.Optional(
    nullable(Type.String({ pattern: HOST_NAME, maxLength: 255, examples: ['out7.example.org'] })),
  ),
  weight: Type.Optional(weight),
  connections: Type.Optional(
    nullable(connections('At most so many to one site, over all workers together.')),
  ),
  warm_up: Type.Optional(nullable(wantedWarmUp)),
});

const wantedTransport = checked(
  strictObject({
    name,
    kind: stringEnum(['direct', 'relay'], {
      description:
        '`direct`: to the recipients’ mail hosts, from `sources`. `relay`: to `url`, which delivers it.',
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
          'Stored encrypted, and never shown. Left out, the one that is stored for this URL stays.',
      }),
    ),
    connections: Type.Optional(
      connections('Of a relay: at most so many, over all workers together; 20 unless given.'),
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
    organizations: values('Ids.', ['org_99289pn4fcap7']),
    streams: values('Of the email; `transactional` where it names none.', ['bulk']),
    sender_domains: values('`*.example.com` is every domain below.', ['example.com']),
    providers: values('Of the recipient’s mail hosts, as GET /sites names them.', ['google']),
    recipient_domains: values('`*.example.com` is every domain below.', ['*.example.net']),
    tags: values('`name`, or `name:value`.', ['kind:receipt']),
  },
  {
    $id: 'RouteMatch',
    description: 'All that are given must fit, each with one of its values. Nothing given: all mail.',
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
            description: 'A transport’s name, or `default`.',
          }),
          weight: Type.Optional(weight),
        }),
        { minItems: 1, maxItems: MAX_CHOICES },
      ),
    }),
    { minItems: 1, maxItems: MAX_STEPS, description: 'In the order of preference.' },
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
    description: 'In order: the first that matches counts.',
  }),
};

export const routesBody = strictObject(
  {
    version: Type.Integer({ minimum: 0, description: 'The `version` that you read, and change.' }),
    ...routesFields,
  },
  { $id: 'SetRoutes', examples: [EXAMPLE] },
);

const state = stringEnum(SITE_STATES, {
  description:
    '`open`: accepts mail. `slow`, `blocked`, `probing`, `paused`: as for a site. A destination that accepts no mail at the moment is skipped.',
});

const health = Type.Object(
  {
    state,
    message: Type.String({ description: 'The state in a sentence.' }),
    since: nullable(timestamp()),
    until: nullable(timestamp({ description: 'For `blocked`: when it is tried again.' })),
    reason: nullable(Type.String()),
    reply: nullable(
      Type.String({ description: 'The server reply that caused the state, without addresses.' }),
    ),
  },
  { $id: 'TransportHealth' },
);

const source = Type.Object(
  {
    address: Type.String(),
    ehlo_name: nullable(Type.String({ description: 'Null: the host name of the installation.' })),
    weight: Type.Integer(),
    connections: nullable(Type.Integer({ description: 'Null: as many as the site takes.' })),
    warm_up: nullable(shownWarmUp),
    workers: Type.Integer({ description: 'Running workers that have the address on their machine.' }),
    held_up: Type.Array(
      Type.Object({ site: Type.String(), state, message: Type.String(), until: nullable(timestamp()) }),
      { description: 'Sites that do not take everything from it at the moment; the first 20.' },
    ),
  },
  { $id: 'TransportSource' },
);

const transport = Type.Object(
  {
    name,
    kind: stringEnum(['direct', 'relay']),
    sources: Type.Array(source, { description: 'Of a direct transport.' }),
    url: nullable(Type.String({ description: 'Of a relay, without the password.' })),
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
    version: Type.Integer({ description: 'Counts changes. Send it back with yours.' }),
    default: Type.Object(
      {
        kind: stringEnum(['direct', 'relay', 'sandbox']),
        message: Type.String({ description: 'What happens to mail that no rule matches, in a sentence.' }),
      },
      { description: 'What the environment configures.' },
    ),
    providers: Type.Array(Type.String(), {
      description: 'Names that rules and curves may use for recipients’ mail hosts.',
    }),
    usual: Type.Object(
      { warm_up: shownCurves, canary: shownPlan },
      { description: 'What is filled in where warming up, or a canary, leaves it out.' },
    ),
    transports: Type.Array(transport),
    rules: Type.Array(rule),
  },
  { $id: 'RouteTable' },
);

export const explainQuery = strictObject({
  to: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'A recipient’s address, or its domain.',
    examples: ['ada@example.org'],
  }),
  from: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'The sender’s, or its domain.' }),
  ),
  organization: Type.Optional(Type.String({ maxLength: 100, description: 'An id; your own unless given.' })),
  stream: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 600, description: '`name:value`.' })),
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'Instead of the one that DNS says.' }),
  ),
});

const explainedChoice = Type.Object({
  transport: Type.String(),
  source: nullable(Type.String()),
  share: Type.Number({ description: 'Of the mail that comes to this step, from 0 to 1, by weight.' }),
  share_now: Type.Number({ description: 'Of all such mail, at this moment.' }),
  state: stringEnum([...SITE_STATES, 'absent', 'spent'], {
    description: '`absent`: on no running worker’s machine. `spent`: it has sent all that it may today.',
  }),
  message: Type.String(),
});

export const routeExplanation = Type.Object(
  {
    message: Type.String({ description: 'Which way the mail would take, and why, in a few sentences.' }),
    mode: stringEnum(['sandbox', 'live']),
    provider: nullable(Type.String({ description: 'Of the recipient’s mail hosts.' })),
    rule: nullable(Type.Integer({ description: 'Which matches, counting from 1.' })),
    rules: Type.Array(
      Type.Object({
        rule: Type.Integer(),
        name: nullable(Type.String()),
        matches: Type.Boolean(),
        why: Type.String({ description: 'What of the mail it named, or wants otherwise.' }),
      }),
      { description: 'Those that were asked, up to the one that matches.' },
    ),
    canary: nullable(explainedCanary),
    steps: Type.Array(
      Type.Object({
        step: Type.Integer({ description: 'Counts from 1; 0 is where the canary moves mail to.' }),
        in_use: Type.Boolean({ description: 'Whether mail takes it at this moment.' }),
        choices: Type.Array(explainedChoice),
      }),
    ),
  },
  { $id: 'RouteExplanation' },
);
