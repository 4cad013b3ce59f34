/** Address validation over HTTP. */
import { Type } from 'typebox';
import type { ApiRoutes, App } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { parseAddress } from '../protocols/message/address.ts';
import { CHECK_STATUSES, type Finding } from './checks/check.ts';
import { PROVIDER_TYPES } from './lists.ts';
import { type SignalName, VALIDATION_VERDICTS, WEIGHTS } from './score.ts';
import { type ValidationDeps, type ValidationResult, validateAddresses } from './service.ts';

const MAX_BATCH = 100;

/** Any string, because validity is what the check determines. */
const asked = Type.String({ description: 'Address to check.', examples: ['jane@gmial.com'] });

const validateBody = strictObject({ email: asked });

const validateBatchBody = strictObject({
  emails: Type.Array(asked, {
    minItems: 1,
    maxItems: MAX_BATCH,
    description: 'Addresses to check. Duplicates are allowed.',
  }),
});

const found = {
  status: stringEnum(CHECK_STATUSES),
  reason: Type.String({ description: 'Reason code of the result.' }),
  message: Type.String({ description: 'Explanation of the result in words.' }),
};
const plainCheck = Type.Object(found);

const checksSchema = Type.Object({
  syntax: Type.Object({
    ...found,
    similar_domain: Type.Optional(
      Type.String({ description: 'Well-known domain that this domain can be mistaken for.' }),
    ),
  }),
  mx: Type.Object({
    ...found,
    records: Type.Array(Type.Object({ priority: Type.Integer(), exchange: Type.String() }), {
      description: 'MX records of the domain, preferred host first.',
    }),
  }),
  dns: Type.Object({ ...found, addresses: Type.Array(Type.String()) }),
  disposable: plainCheck,
  role: plainCheck,
  typo: Type.Object({ ...found, suggestions: Type.Array(Type.Object({ suggested: Type.String() })) }),
  free_provider: Type.Object({
    ...found,
    provider_type: stringEnum(PROVIDER_TYPES),
  }),
  random: Type.Object({
    ...found,
    entropy_bits_per_char: nullable(
      Type.Number({
        description:
          'Cross-entropy of the local part under a model of names and words, in bits per character. Null if it was not computed.',
      }),
    ),
  }),
});

const signalSchema = Type.Object({
  signal: stringEnum(Object.keys(WEIGHTS) as SignalName[]),
  check: Type.String({
    description: 'Check that the signal comes from. `history` is past mail of your organization.',
  }),
  kind: stringEnum(['floor', 'soft'], {
    description: '`floor`: a minimum for the score. `soft`: adds to the score.',
  }),
  weight: Type.Number(),
});

const validationResult = Type.Object(
  {
    email: Type.String({ description: 'The address as given in the request.' }),
    verdict: stringEnum(VALIDATION_VERDICTS),
    risk_score: Type.Number({
      description:
        'Risk from 0 to 1, with two decimals. From 0.3 the verdict is risky, from 0.7 undeliverable.',
    }),
    checks: checksSchema,
    suggestions: Type.Array(Type.String(), { description: 'Complete addresses that were probably meant.' }),
    signals: Type.Array(signalSchema, { description: 'Signals that make up the score.' }),
    normalized: nullable(
      Type.String({
        description:
          'Normalized address. It is the same for all spellings of a mailbox. Null if the address is invalid.',
      }),
    ),
    subaddress: nullable(
      Type.String({ description: 'Part of the address after the + and before the @. Null if it has none.' }),
    ),
    list_version: Type.String({ description: 'Version of the built-in lists.' }),
    timestamp: timestamp(),
  },
  { $id: 'ValidationResult' },
);

const tags = ['Validation'];

/** Longer than typical DNS answers take, short enough for a user who waits at a form. */
const BUDGET = { budgetMs: 5_000 };

/** Fits a hundred addresses of maximum length with every character escaped. The response repeats each. */
const BODY_LIMIT = 512 * 1024;

export function validationRoutes(deps: ValidationDeps): ApiRoutes {
  return async (app) => {
    routeValidating(app, deps);
  };
}

function routeValidating(app: App, deps: ValidationDeps): void {
  const present = presentResult(deps.lists.version);
  app.post(
    '/emails/validate',
    {
      bodyLimit: BODY_LIMIT,
      config: { scope: 'send', tied: true, reads: true, judgesText: true },
      schema: {
        tags,
        summary: 'Validate an address',
        description:
          'The verdict `deliverable` means that the domain accepts mail and no check found a problem. It does not mean that the mailbox exists.',
        body: validateBody,
        response: { 200: dataOf(validationResult) },
      },
    },
    async ({ principal, body }) => {
      const { email } = body;
      const asked = [parseAddress(email)];
      const [result] = await validateAddresses(deps, principal.organizationId, asked, BUDGET);
      return { data: present(email, result as NonNullable<typeof result>) };
    },
  );

  app.post(
    '/emails/validate/batch',
    {
      bodyLimit: BODY_LIMIT,
      config: { scope: 'send', tied: true, reads: true, judgesText: true },
      schema: {
        tags,
        summary: `Validate up to ${MAX_BATCH} addresses`,
        description: 'Returns one result for each address, in the order of the addresses.',
        body: validateBatchBody,
        response: { 200: dataOf(Type.Array(validationResult)) },
      },
    },
    async ({ principal, body }) => {
      const asked = body.emails.map(parseAddress);
      const results = await validateAddresses(deps, principal.organizationId, asked, BUDGET);
      return { data: results.map((result, index) => present(body.emails[index] ?? '', result)) };
    },
  );
}

/** A validation result as the API shows it. */
function presentResult(listVersion: string) {
  /** `email`: the address as given. */
  return (email: string, result: ValidationResult) => {
    const { address, checks } = result;
    return {
      email,
      verdict: result.verdict,
      risk_score: result.score,
      checks: {
        syntax: shown(checks.syntax),
        mx: { ...shown(checks.mx), records: [...checks.mx.records] },
        dns: { ...shown(checks.dns), addresses: [...checks.dns.addresses] },
        disposable: shown(checks.disposable),
        role: shown(checks.role),
        typo: { ...shown(checks.typo), suggestions: [...checks.typo.suggestions] },
        free_provider: shown(checks.free_provider),
        random: shown(checks.random),
      },
      suggestions: [...result.suggestions],
      signals: result.signals.map((signal) => ({ signal, ...WEIGHTS[signal] })),
      normalized: address.ok ? address.key : null,
      subaddress: address.ok ? address.subaddress : null,
      list_version: listVersion,
      timestamp: new Date(result.atMs).toISOString(),
    };
  };
}

/** Signals are shown once, with the score. */
function shown<F extends Finding>({ signals: _, ...rest }: F): Omit<F, 'signals'> {
  return rest;
}
